"""The benchmark: `uv run python tests/bench/run.py [--smoke] [--json FILE]`.

Everything is measured in one run on one machine and printed as ratios to the floor (a bare pygls server
that answers constants) and to the peers that are installed: rumdl on PATH or in `INKWRIGHT_BENCH_RUMDL`.
CPU seconds count; wall time is noise on a shared machine. Nothing here asserts on time.
"""

from __future__ import annotations

import argparse
import asyncio
import dataclasses
import json
import os
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import aids
import book
import memories
import navigation
import process
import searching
from client import Client
from model import model
from table import Row, Table

START = 6.0
"""Seconds after which a server has done what it does once after a start."""
FLOOR = [sys.executable, str(Path(__file__).with_name("floor.py"))]
OURS = [sys.executable, "-m", "inkwright", "lsp"]


@dataclass(frozen=True)
class Scale:
    """How much is measured."""

    chapters: int
    size: int
    starts: int
    runs: int
    keys: int
    chunks: int
    memories: int


FULL = Scale(chapters=3_000, size=6_700, starts=7, runs=3, keys=120, chunks=60, memories=100_000)
SMOKE = Scale(chapters=30, size=2_000, starts=1, runs=1, keys=6, chunks=5, memories=1_000)


@dataclass(frozen=True)
class Typing:
    """Milliseconds of each answer while typing, CPU milliseconds per key, peak megabytes."""

    answers: dict[str, list[float]]
    key: float
    peak: float


def environment(home: Path, **more: str) -> dict[str, str]:
    """Nothing of the caller's own settings, books or keys."""
    kept = {k: v for k, v in os.environ.items() if k in ("PATH", "LANG", "LD_LIBRARY_PATH", "VIRTUAL_ENV")}
    places = {f"XDG_{kind}_HOME": str(home / kind.lower()) for kind in ("CONFIG", "DATA", "CACHE", "STATE")}
    return {**kept, "HOME": str(home), "PYTHONDONTWRITEBYTECODE": "", **places, **more}


async def startup(command: list[str], env: Mapping[str, str], root: Path, times: int) -> float:
    """The least CPU seconds from spawn to `initialize` answered; the first start fills the caches."""
    costs = []
    for _ in range(times + 1):
        client = await Client.start(command, env, root)
        await client.initialize(root)
        costs.append(client.cpu)
        client.notify("initialized", {})
        if len(costs) == 1:
            await still(client)
        await client.close()
    return min(costs[1:] or costs)


async def typing(client: Client, path: Path, line: int, keys: int, ours: bool) -> Typing:
    """Type `keys` keys into one line, each followed by a request; CPU until the last answer and half a second on.

    What opening the chapter costs is over when the typing begins.
    """
    text = path.read_text("utf-8")
    uri = client.open(path, text)
    place = {"textDocument": {"uri": uri}, "position": {"line": line, "character": 2}}
    methods = ("hover", "completion", "definition") if ours else ("hover",)
    for method in methods:
        await client.request(f"textDocument/{method}", place)
    answers: dict[str, list[float]] = {method: [] for method in methods}
    await asyncio.sleep(START)
    before = await still(client)
    for i in range(keys):
        method = methods[i % len(methods)]
        client.change(uri, i + 2, line, 2 + i, "字")
        start = time.perf_counter()
        await client.request(f"textDocument/{method}", place)
        answers[method].append((time.perf_counter() - start) * 1000)
        await asyncio.sleep(0.02)
    await asyncio.sleep(0.5)
    spent = client.cpu - before
    return Typing(answers, spent / keys * 1000, client.peak)


async def still(client: Client) -> float:
    """Waits until the server has been idle for a while; its CPU seconds so far."""
    spent = client.cpu
    for _ in range(100):
        await asyncio.sleep(0.7)
        now = client.cpu
        if now - spent < 0.005:
            return now
        spent = now
    return spent


async def warm(root: Path, chapter: Path, env: Mapping[str, str], times: int) -> tuple[float, float]:
    """Seconds and CPU seconds from `initialized` to the first whole-book answer: the least of some starts.

    The index was kept by another program: the first start keeps what a start compiles.
    """
    costs = []
    for _ in range(times + 1):
        client = await Client.start(OURS, env, root)
        await client.initialize(root)
        start, spent = time.perf_counter(), client.cpu
        client.notify("initialized", {})
        await client.command("inkwright.getBook", {"uri": chapter.as_uri()})
        costs.append((time.perf_counter() - start, client.cpu - spent))
        await still(client)
        await client.close()
    kept = costs[1:] or costs
    return min(wall for wall, _ in kept), min(cpu for _, cpu in kept)


async def streamed(client: Client, uri: str, fake: Any) -> list[float]:
    """Milliseconds from the model's write to our `$/progress`, for each piece."""
    seen: dict[int, float] = {}

    def listen(method: str, params: Any, now: float) -> None:
        value = params.get("value") if method == "$/progress" else None
        if params and isinstance(value, dict) and value.get("event") == "chunk":
            for piece in str(value["data"]).split("‹")[1:]:
                seen.setdefault(int(piece.rstrip("›")), now)

    client.listeners.append(listen)
    await client.command(
        "inkwright.runAbility", {"ability": "research", "uri": uri, "message": "问", "streamToken": "s1"}
    )
    client.listeners.remove(listen)
    return [(seen[i] - at) * 1000 for i, at in enumerate(fake.written) if i in seen]


async def cancelled(client: Client, uri: str, fake: Any) -> float | None:
    """Milliseconds from our cancel to the model's side seeing the close."""
    begun = asyncio.Event()

    def listen(method: str, params: Any, _now: float) -> None:
        if method == "$/progress" and params.get("token") == "s2":
            begun.set()

    client.listeners.append(listen)
    argument = {
        "ability": "research",
        "uri": uri,
        "message": "问",
        "streamToken": "s2",
        "requestId": f"bench-{time.time_ns()}",
    }
    running = asyncio.create_task(client.command("inkwright.runAbility", argument))
    await asyncio.wait_for(begun.wait(), 30)
    start = time.perf_counter()
    await client.command("inkwright.cancelRun", {"requestId": argument["requestId"]})
    await asyncio.wait_for(fake.closed.wait(), 30)
    await running
    client.listeners.remove(listen)
    return (fake.closed_at - start) * 1000


def percentile(values: list[float], share: float) -> float | None:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))] if ordered else None


async def measure(scale: Scale, work: Path, table: Table) -> None:
    root = work / "book"
    size = book.write(root, scale.chapters, scale.size)
    print(f"{scale.chapters} chapters, {size / 1e6:.1f} MB, 40 cards", file=sys.stderr)
    chapter = sorted((root / "正文").rglob("*.md"))[scale.chapters // 2]
    env = environment(work / "home")
    rumdl = os.environ.get("INKWRIGHT_BENCH_RUMDL") or shutil.which("rumdl")

    floor = await startup(FLOOR, env, root, scale.starts)
    ours = await startup(OURS, env, work, scale.starts)
    table.add(Row("CPU from spawn to initialize answered", ours, "s", floor, "floor", 1.3, 0.6))
    if rumdl:
        peer = await startup([rumdl, "server"], env, work, scale.starts)
        table.add(Row("  the same", ours, "s", peer, "rumdl"))

    colds = [
        process.run([sys.executable, "-m", "inkwright", "index", str(root), "--json"], home, work)
        for home in [*(environment(work / f"home-cold-{i}") for i in range(scale.runs - 1)), env]
    ]
    for cold in colds:
        found = len(json.loads(cold.out)["chapters"]) if cold.status == 0 else 0
        if found != scale.chapters:
            raise SystemExit(f"the index found {found} of {scale.chapters} chapters (status {cold.status})")
    peer_index = (
        min(
            process.run([rumdl, "check", "--no-cache", "--silent", str(root)], env, work).cpu
            for _ in range(scale.runs)
        )
        if rumdl
        else None
    )
    absent = "" if rumdl else "rumdl is not installed"
    table.add(
        Row(
            f"CPU of a cold index of {scale.chapters} chapters",
            min(cold.cpu for cold in colds),
            "s",
            peer_index,
            "rumdl check",
            4,
            2,
            absent,
        )
    )
    table.add(Row("  peak memory of it", max(cold.peak for cold in colds), "MB"))

    client = await Client.start(FLOOR, env, root)
    await client.initialize(root)
    client.notify("initialized", {})
    base = await typing(client, chapter, 2, scale.keys, ours=True)
    await client.close()

    wall, cpu = await warm(root, chapter, env, scale.starts)
    client = await Client.start(OURS, env, root)
    await client.initialize(root)
    client.notify("initialized", {})
    await client.command("inkwright.getBook", {"uri": chapter.as_uri()})
    mine = await typing(client, chapter, 2, scale.keys, ours=True)
    await client.close()
    for method in base.answers:
        for share, must in ((0.5, 1.5), (0.95, 3.0)):
            value, other = percentile(mine.answers[method], share), percentile(base.answers[method], share)
            table.add(
                Row(f"{method} while typing, p{share * 100:.0f}", value, "ms", other, "floor", must, 1.0)
            )
    table.add(Row("CPU per key and answer, chapter of the book", mine.key, "ms", base.key, "floor", 1.5, 0.7))
    table.add(Row("first whole-book answer after a warm start, CPU", cpu, "s", None, "", 0.5, 0.2))
    table.add(Row("  the same by the clock", wall, "s"))
    table.add(Row(f"peak memory at {scale.chapters} chapters", mine.peak, "MB", base.peak, "floor", 3, 2))

    await long_chapter(scale, work, env, table)
    if rumdl:
        client = await Client.start([rumdl, "server"], env, root)
        await client.initialize(root)
        client.notify("initialized", {})
        peer_typing = await typing(client, chapter, 2, scale.keys, ours=False)
        await client.close()
        table.add(
            Row(
                "hover while typing, p50",
                percentile(mine.answers["hover"], 0.5),
                "ms",
                percentile(peer_typing.answers["hover"], 0.5),
                "rumdl",
            )
        )
        table.add(Row("peak memory", mine.peak, "MB", peer_typing.peak, "rumdl"))
    await runs(scale, work, table)
    took = await memories.measured(work / "memories", scale.memories, scale.runs * 10)
    table.add(
        Row(f"the best 10 of {scale.memories:,} memories, CPU", percentile(took, 0.5), "ms", None, "", 20, 5)
    )
    await whole_book(root, chapter, env, base, table)
    for times in (1, 150):
        await reading_aids(work, scale.size * times, table)


async def whole_book(root: Path, chapter: Path, env: Mapping[str, str], base: Typing, table: Table) -> None:
    client = await Client.start(OURS, env, root)
    await client.initialize(root)
    client.notify("initialized", {})
    await client.command("inkwright.getBook", {"uri": chapter.as_uri()})
    await still(client)
    about = await navigation.measured(client, chapter)
    found = await searching.measured(client, chapter)
    await client.close()
    table.add(Row("references of a card in the whole book, CPU", about.references, "ms"))
    table.add(Row("symbols of the whole book by a part of the name", about.part, "ms"))
    table.add(Row("  by pinyin", about.pinyin, "ms"))
    table.add(Row("full-text index in the background, CPU", found.index, "s", None, "", 20, 10))
    hover = percentile(base.answers["hover"], 0.95)
    late = percentile(found.hovers, 0.95)
    table.add(Row("  hover meanwhile, p95", late, "ms", hover, "floor", 3.0, 1.0))
    table.add(Row("search before there is one, CPU", found.before, "ms"))
    table.add(Row("  with it, a phrase of six characters", found.phrases, "ms"))
    table.add(Row("  a name that stands in nearly every chapter", found.everywhere, "ms"))


async def reading_aids(work: Path, size: int, table: Table) -> None:
    root, home = work / f"aids-{size}", work / f"home-aids-{size}"
    book.write(root, 1, size)
    (home / "config" / "inkwright").mkdir(parents=True)
    (home / "config" / "inkwright" / "config.toml").write_text("inlayHints = true\n")
    chapter = next((root / "正文").rglob("*.md"))
    client = await Client.start(OURS, environment(home), root)
    await client.initialize(root)
    client.notify("initialized", {})
    await client.command("inkwright.getBook", {"uri": chapter.as_uri()})
    await still(client)
    found = await aids.measured(client, chapter)
    await client.close()
    table.add(Row(f"semantic tokens, chapter of {size // 1000 or 1} KB, all of it, CPU", found.tokens, "ms"))
    table.add(Row("  what is different after a key", found.after_key, "ms"))
    table.add(Row("  of one screen", found.visible, "ms"))
    table.add(Row("  inlay hints of one screen", found.hints, "ms"))
    table.add(Row("  code lenses", found.lenses, "ms"))


async def long_chapter(scale: Scale, work: Path, env: Mapping[str, str], table: Table) -> None:
    """A key in a chapter a hundred times as long must cost what it costs in a short one."""
    root = work / "long"
    book.write(root, 1, scale.size * 100)
    chapter = next((root / "正文").rglob("*.md"))
    costs = []
    for command in (FLOOR, OURS):
        client = await Client.start(command, env, root)
        await client.initialize(root)
        client.notify("initialized", {})
        costs.append((await typing(client, chapter, 2, scale.keys, ours=True)).key)
        await client.close()
    table.add(
        Row(
            f"CPU per key and answer, chapter of {scale.size // 10} KB",
            costs[1],
            "ms",
            costs[0],
            "floor",
            1.5,
            0.7,
        )
    )


async def runs(scale: Scale, work: Path, table: Table) -> None:
    root = work / "runs"
    book.write(root, 1, 3_000)
    chapter = next((root / "正文").rglob("*.md"))
    async with model(scale.chunks, 0.01) as fake:
        env = environment(
            work / "home-runs",
            INKWRIGHT_ENDPOINT=fake.endpoint,
            INKWRIGHT_MODEL="bench",
            INKWRIGHT_WIRE="openai",
            INKWRIGHT_API_KEY="bench",
        )
        client = await Client.start(OURS, env, root)
        await client.initialize(root)
        client.notify("initialized", {})
        uri = client.open(chapter, chapter.read_text("utf-8"))
        await client.command("inkwright.getBook", {"uri": uri})
        await streamed(client, uri, fake)
        delays = await streamed(client, uri, fake)
        fake.chunks = 100_000
        closes = [await cancelled(client, uri, fake) for _ in range(max(1, scale.starts))]
        await client.close()
    middle = statistics.median(delays) if delays else None
    table.add(Row("bytes from the model to $/progress, median", middle, "ms", None, "", 2, 1))
    table.add(
        Row("cancel to the model's side seeing the close", statistics.median(closes), "ms", None, "", 50, 10)
    )


@contextmanager
def workspace(keep: Path | None) -> Iterator[Path]:
    if keep:
        keep.mkdir(parents=True)
        yield keep
        return
    with tempfile.TemporaryDirectory(prefix="inkwright-bench-") as folder:
        yield Path(folder)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--smoke", action="store_true", help="a small book: shows that the benchmark runs")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the rows as JSON too")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="make the books in DIR and leave them there")
    args = parser.parse_args()
    table = Table()
    with workspace(args.keep) as work:
        asyncio.run(measure(SMOKE if args.smoke else FULL, work, table))
    print(table.text())
    if args.json:
        rows = [{**dataclasses.asdict(row), "measured": row.measured} for row in table.rows]
        args.json.write_text(json.dumps(rows, ensure_ascii=False, indent=1) + "\n", "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""The benchmark: `uv run python tests/bench/run.py [--smoke] [--json FILE] [--write]`.

Everything is measured in one run on one machine and printed as ratios to the floor (a bare pygls server
that answers constants) and to the peers that are installed: rumdl, panache and VS Code's Markdown server,
each on PATH or named by `INKWRIGHT_BENCH_RUMDL`, `INKWRIGHT_BENCH_PANACHE` and
`INKWRIGHT_BENCH_VSCODE_MARKDOWN` (a program, or a script for node). `--write` keeps the table in
`RESULTS.md` beside this file. CPU seconds count; wall time is noise on a shared machine. Nothing here
asserts on time.
"""

from __future__ import annotations

import argparse
import asyncio
import dataclasses
import importlib.metadata
import json
import os
import platform
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import aids
import book
import memories
import navigation
import peers
import process
import searching
import sizes
from client import Client
from model import model
from peers import Peer
from table import Row, Table

FLOOR = [sys.executable, str(Path(__file__).with_name("floor.py"))]
FLOOR_OWN = [sys.executable, str(Path(__file__).with_name("floor_own.py"))]
RESULTS = Path(__file__).with_name("RESULTS.md")
OURS = [sys.executable, "-m", "inkwright", "lsp"]
STILL = 3
"""So many times in a row a server must have done nothing."""
TYPED = ("hover", "completion", "definition")


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
    short: int
    start: float
    """Seconds after which a server has done what it does once after a start."""


FULL = Scale(
    chapters=3_000,
    size=6_700,
    starts=7,
    runs=3,
    keys=120,
    chunks=60,
    memories=100_000,
    short=10_000,
    start=6.0,
)
QUICK = dataclasses.replace(FULL, starts=5, runs=1, keys=60)
SMOKE = Scale(
    chapters=30, size=2_000, starts=1, runs=1, keys=6, chunks=5, memories=1_000, short=1_000, start=0.5
)


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


async def typing(client: Client, path: Path, scale: Scale, methods: Sequence[str] = TYPED) -> Typing:
    """Type into one line, each key followed by a request; CPU until the last answer and half a second on.

    What opening the chapter costs is over when the typing begins.
    """
    text = path.read_text("utf-8")
    uri = client.open(path, text)
    line, keys = 2, scale.keys
    place = {"textDocument": {"uri": uri}, "position": {"line": line, "character": 2}}
    for method in methods:
        await client.request(f"textDocument/{method}", place)
    answers: dict[str, list[float]] = {method: [] for method in methods}
    await asyncio.sleep(scale.start)
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
    """Waits until the server has been idle for a while; its CPU seconds so far.

    Once is not enough: on a busy machine a server that has much to do may get no turn for a second.
    """
    spent, quiet = client.cpu, 0
    for _ in range(200):
        await asyncio.sleep(0.7)
        now = client.cpu
        quiet = quiet + 1 if now - spent < 0.005 else 0
        if quiet == STILL:
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


async def measure(scale: Scale, work: Path, table: Table, others: list[Peer]) -> None:
    root = work / "book"
    size = book.write(root, scale.chapters, scale.size)
    print(f"{scale.chapters} chapters, {size / 1e6:.1f} MB, 40 cards", file=sys.stderr)
    chapter = sorted((root / "正文").rglob("*.md"))[scale.chapters // 2]
    env = environment(work / "home")

    floor = await startup(FLOOR, env, root, scale.starts)
    ours = await startup(OURS, env, work, scale.starts)
    table.add(Row("CPU from spawn to initialize answered", ours, "s", floor, "floor", 1.3, 0.6))
    for peer in others:
        cost = await startup(peer.serve, env, work, scale.starts)
        table.add(Row("  the same", ours, "s", cost, peer.name))

    homes = [*(environment(work / f"home-cold-{i}") for i in range(scale.runs - 1)), env]
    indexers = [peer for peer in others if peer.index]
    colds: list[process.Cost] = []
    costs: dict[str, list[float]] = {peer.name: [] for peer in indexers}
    for home in homes:
        # In turns: what else the machine does meanwhile falls to all of them alike.
        colds.append(
            process.run([sys.executable, "-m", "inkwright", "index", str(root), "--json"], home, work)
        )
        for peer in indexers:
            # What it finds, and so its exit status, is not looked at.
            costs[peer.name].append(process.run([*peer.index, str(root)], env, work).cpu)
    for cold in colds:
        found = len(json.loads(cold.out)["chapters"]) if cold.status == 0 else 0
        if found != scale.chapters:
            raise SystemExit(f"the index found {found} of {scale.chapters} chapters (status {cold.status})")
    cold_index = min(cold.cpu for cold in colds)
    what = f"CPU of a cold index of {scale.chapters} chapters"
    for peer in indexers:
        limits = (4, 2) if peer.name == "rumdl" else (None, None)
        table.add(Row(what, cold_index, "s", min(costs[peer.name]), f"{peer.name} {peer.verb}", *limits))
        what = "  the same"
    if not any(peer.name == "rumdl" for peer in others):
        table.add(Row(what, cold_index, "s", None, "rumdl", 4, 2, "rumdl is not installed"))
    table.add(Row("  peak memory of it", max(cold.peak for cold in colds), "MB"))

    client = await Client.start(FLOOR, env, root)
    await client.initialize(root)
    client.notify("initialized", {})
    base = await typing(client, chapter, scale)
    await client.close()

    wall, cpu = await warm(root, chapter, env, scale.starts)
    client = await Client.start(OURS, env, root)
    await client.initialize(root)
    client.notify("initialized", {})
    await client.command("inkwright.getBook", {"uri": chapter.as_uri()})
    mine = await typing(client, chapter, scale)
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

    own = await keyed(FLOOR_OWN, env, root, chapter, scale)
    table.add(
        Row("the stdio of our own under the floor: CPU per key and answer", own, "ms", base.key, "floor")
    )
    await long_chapter(scale, work, env, table)
    for peer in others:
        await beside(peer, env, root, chapter, scale, mine, table)
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
    table.add(Row("rename of a card in the whole book, CPU", about.rename, "ms"))
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
    """A key in a chapter a hundred times as long must cost what it costs in a short one, with every check on."""
    keys: dict[int, float] = {}
    floors: dict[int, float] = {}
    chapters: dict[Path, Path] = {}
    for size in (scale.short, scale.short * 100):
        root = work / f"long-{size}"
        book.write(root, 1, size)
        chapter = next((root / "正文").rglob("*.md"))
        floors[size] = await keyed(FLOOR, env, root, chapter, scale)
        keys[size] = await keyed(OURS, env, root, chapter, scale)
        chapters[root] = chapter
    edited = dict(zip(keys, await sizes.measured(OURS, dict(env), chapters), strict=True))
    short, long = keys
    table.add(
        Row(
            f"CPU per key and answer, chapter of {kilobytes(long)}",
            keys[long], "ms", floors[long], "floor", 1.5, 0.7,
        )
    )  # fmt: skip
    table.add(Row("  the same", keys[long], "ms", keys[short], f"one of {kilobytes(short)}", 1.2, 1.0))
    table.add(
        Row(f"diagnostics of a chapter of {kilobytes(long)}, first pull, CPU", edited[long].first, "ms")
    )
    one = f"one of {kilobytes(short)}"
    for what in ("pulled", "pushed"):
        ours, other = getattr(edited[long], what), getattr(edited[short], what)
        table.add(Row(f"  {what} after one edited sentence", ours, "ms", other, one, 1.2, 1.0))


def kilobytes(size: int) -> str:
    return f"{size // 1_000_000} MB" if size >= 1_000_000 else f"{size // 1000 or 1} KB"


async def keyed(command: list[str], env: Mapping[str, str], root: Path, chapter: Path, scale: Scale) -> float:
    """CPU milliseconds of a key and its answer: the least of two rounds."""
    costs = []
    for _ in range(min(2, scale.runs)):
        client = await Client.start(command, env, root)
        await client.initialize(root)
        client.notify("initialized", {})
        costs.append((await typing(client, chapter, scale)).key)
        await client.close()
    return min(costs)


async def beside(
    peer: Peer, env: Mapping[str, str], root: Path, chapter: Path, scale: Scale, mine: Typing, table: Table
) -> None:
    """The same typing in a peer."""
    client = await Client.start(peer.serve, env, root)
    try:
        await client.initialize(root)
        client.notify("initialized", {})
        found = await typing(client, chapter, scale, (peer.method,))
    except (RuntimeError, ConnectionError, TimeoutError) as error:
        table.add(Row(f"{peer.method} while typing, p50", None, "ms", None, peer.name, note=str(error)[:60]))
        return
    finally:
        await client.close()
    ours, theirs = (percentile(one.answers[peer.method], 0.5) for one in (mine, found))
    table.add(Row(f"{peer.method} while typing, p50", ours, "ms", theirs, peer.name))
    table.add(Row("  CPU per key and answer", mine.key, "ms", found.key, peer.name))
    table.add(Row("  peak memory", mine.peak, "MB", found.peak, peer.name))


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


def results(table: Table, scale: Scale, others: list[Peer], missing: list[str]) -> str:
    """The table with what it was measured on, as a page of Markdown."""
    versions = ", ".join(f"{name} {importlib.metadata.version(name)}" for name in ("pygls", "lsprotocol"))
    lines = [
        "# Measured",
        "",
        "Made by `uv run python tests/bench/run.py --write`; not to be edited by hand. Ratios count: all was measured",
        "in one run on one machine. The floor is a bare pygls server that answers constants.",
        "",
        f"- {os.cpu_count()} processors, {platform.system()}, Python {platform.python_version()}, {versions}",
        f"- a book of {scale.chapters:,} chapters of {scale.size:,} bytes and 40 cards with aliases",
        *(f"- {peer.name} {peer.version}" for peer in others),
        *(f"- not installed: {name}" for name in missing),
        "",
        table.markdown(),
    ]
    return "\n".join(lines) + "\n"


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
    parser.add_argument("--quick", action="store_true", help="the whole book with fewer repetitions")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the rows as JSON too")
    parser.add_argument("--write", action="store_true", help="keep the table in RESULTS.md")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="make the books in DIR and leave them there")
    args = parser.parse_args()
    table = Table()
    others, missing = peers.find()
    scale = SMOKE if args.smoke else QUICK if args.quick else FULL
    with workspace(args.keep) as work:
        asyncio.run(measure(scale, work, table, others))
    print(table.text())
    for name in missing:
        print(f"not measured against {name}: it is not installed")
    if args.write:
        RESULTS.write_text(results(table, scale, others, missing), "utf-8")
    if args.json:
        rows = [{**dataclasses.asdict(row), "measured": row.measured} for row in table.rows]
        args.json.write_text(json.dumps(rows, ensure_ascii=False, indent=1) + "\n", "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())

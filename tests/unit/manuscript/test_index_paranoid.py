"""The incremental index against a fresh one, after every step of random scripts."""

from __future__ import annotations

import asyncio
import random
import shutil
from pathlib import Path

import pytest

from inkwright.manuscript.index import BookIndex
from inkwright.store.index_store import IndexStore

WORDS = [
    "林夏",
    "小夏",
    "夏天",
    "周衡",
    "Rose",
    "rosé",
    "白",
    "白天",
    "说",
    "，",
    "。",
    " ",
    "\n",
    "\n\n",
    "# ",
    "---\n",
    "**",
    "`",
    "> ",
    "[[林夏|她]]",
    "<!--",
    "-->",
    "第三章 ",
    "\r\n",
    "𠮷",
    "```\n",
]
PATHS = [
    "第1章.md",
    "第十章.md",
    "卷一/2.md",
    "正文/第3章.md",
    "正文/卷/序章.md",
    "x.md",
    "notes/n.md",
    "cards/林夏.md",
    "角色/周衡.md",
    "白.md",
]
CARDS = [
    "---\ntype: character\nname: {n}\naliases: [{a}]\n---\n",
    "---\ntype: character\nname: {n}\nmatch: {{case: exact, exclude: [{a}]}}\n---\n",
    "# {n}\n\n{a}\n",
    "---\ntype: scene\norder: 3\ntitle: {n}\n---\n{a}",
]
BOOKS = ['title = "甲"\n', 'chapters = ["正文/**"]\n', 'cards = ["cards/*.md"]\n', "bad =", ""]


def text(rng: random.Random) -> str:
    if rng.random() < 0.4:
        names = list(WORDS[:8])
        return rng.choice(CARDS).format(n=rng.choice(names), a=rng.choice(names))
    return "".join(rng.choices(WORDS, k=rng.randrange(30)))


def typed(rng: random.Random, old: str) -> str:
    at, end = sorted((rng.randint(0, len(old)), rng.randint(0, len(old))))
    return old[:at] + rng.choice([*WORDS, ""]) + old[min(end, at + 3) :]


def step(rng: random.Random, root: Path, buffers: dict[str, str]) -> tuple[str, ...]:
    """Changes the disk or a buffer; returns what to tell: ("disk", paths…), ("open", path), ("close", path)."""
    path, what = rng.choice(PATHS), rng.random()
    file = root / path
    if what < 0.3:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text(rng).encode())
        return ("disk", path)
    if what < 0.38 and file.exists():
        file.unlink()
        return ("disk", path)
    if what < 0.44 and file.exists():
        other = rng.choice(PATHS)
        (root / other).parent.mkdir(parents=True, exist_ok=True)
        file.replace(root / other)
        return ("disk", path, other)
    if what < 0.47 and (root / "正文").exists():
        shutil.rmtree(root / "正文")
        return ("disk", "正文")
    if what < 0.5:
        (root / "book.toml").write_text(rng.choice(BOOKS), "utf-8")
        return ("disk", "book.toml")
    if what < 0.58 and path in buffers:
        del buffers[path]
        return ("close", path)
    buffers[path] = typed(rng, buffers[path]) if path in buffers else text(rng)
    return ("open", path)


def answers(index: BookIndex) -> dict[str, object]:
    chapters = index.chapters()
    return {
        "book": index.book,
        "chapters": chapters,
        "cards": index.cards(),
        "mentions": {c.path: index.mentions(c.path) for c in chapters},
        "counts": {c.path: index.card_counts(c.path) for c in index.cards()},
        "problems": sorted(index.problems, key=repr),
    }


async def play(root: Path, store: Path, seed: int, steps: int) -> None:
    rng = random.Random(seed)
    root.mkdir()
    buffers: dict[str, str] = {}
    index = await BookIndex.open(root, IndexStore(store))
    await index.build()
    for number in range(steps):
        kind, *paths = step(rng, root, buffers)
        if kind == "disk":
            await (
                index.rescan()
                if rng.random() < 0.2 and paths != ["book.toml"]
                else index.files_changed(paths)
            )
        elif kind == "open":
            index.set_buffer(paths[0], buffers[paths[0]])
        else:
            index.clear_buffer(paths[0])
        if rng.random() < 0.3:
            answers(index)
        if rng.random() < 0.3:
            await asyncio.sleep(0)
            continue
        await index.settled()
        fresh = await BookIndex.open(root)
        await fresh.build()
        for path, now in buffers.items():
            fresh.set_buffer(path, now)
        await fresh.settled()
        assert answers(index) == answers(fresh), f"seed {seed}, step {number}: {kind} {paths}"
        await fresh.close()
    await index.settled()
    before = {} if buffers else answers(index)
    await index.close()
    warm = await BookIndex.open(root, IndexStore(store))
    await warm.build()
    for path, now in buffers.items():
        warm.set_buffer(path, now)
    await warm.settled()
    assert not before or answers(warm) == before
    await warm.close()


@pytest.fixture(autouse=True)
def stood(monkeypatch) -> None:
    """What is written has stood for long when it is looked at: nothing is waited for."""
    monkeypatch.setattr("inkwright.intake.since", lambda _: 3600.0)


@pytest.mark.parametrize("seed", range(6))
async def test_after_every_step(tmp_path: Path, seed: int) -> None:
    """Files written, moved and deleted, buffers typed in and closed: the answers are those of a full rebuild."""
    await play(tmp_path / "book", tmp_path / "index.db", seed, 40)


@pytest.mark.fuzz
@pytest.mark.timeout(900)
@pytest.mark.parametrize("seed", range(100, 160))
async def test_long_scripts(tmp_path: Path, seed: int) -> None:
    """The same for longer and more scripts."""
    await play(tmp_path / "book", tmp_path / "index.db", seed, 120)

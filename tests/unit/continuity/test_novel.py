"""A novel of twelve chapters with twenty faults and more things that only look like faults."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from inkwright.domain.diagnostic import Related

ROOT = Path(__file__).parents[2] / "workspaces" / "duanshui"
EXPECTED = tomllib.loads((ROOT / "expected.toml").read_text("utf-8"))


def _stands(root: Path, related: Related) -> tuple[str, str]:
    text = (root / related.path).read_text("utf-8")
    span = related.place if not callable(related.place) else related.place(text)
    return related.path, "" if span is None else span.of(text)


def _found(root, count):
    import asyncio

    from inkwright.checks.book.engine import find
    from inkwright.manuscript.index import BookIndex

    async def overview():
        index = await BookIndex.open(root)
        await index.build()
        view = index.overview()
        await index.close()
        return view

    book = asyncio.run(overview())
    assert len(book.chapters) == count
    out = []
    for chapter in book.chapters:
        text = (root / chapter.path).read_text("utf-8")
        for one in find(book, chapter.path, text):
            if one.code.startswith(("continuity_", "thread_")):
                start = text.rfind("\n", 0, one.span.start) + 1
                line = text[start : text.find("\n", one.span.start)]
                others = [_stands(root, related) for related in one.related]
                out.append(
                    (one.code, chapter.path, line, one.span.of(text), others[0] if others else ("", ""))
                )
    return out


@pytest.fixture(scope="module")
def found():
    return _found(ROOT, 12)


def test_every_fault_is_found_and_nothing_else(found):
    """Twenty faults of every kind, each with its place and the place that it contradicts; no other finding."""
    wanted = {
        (row["code"], row["file"], row["line"], row["text"], (row["other"], row["there"]))
        for row in EXPECTED["fault"]
    }
    assert len(wanted) == 20
    assert set(found) == wanted
    assert len(found) == 20


def test_what_only_looks_wrong_is_left_alone(found):
    """At least twenty lines that remember, dream, ask, hand over or come in time; none is told of."""
    lines = {(file, line) for _, file, line, _, _ in found}
    assert len(EXPECTED["sound"]) >= 20
    for row in EXPECTED["sound"]:
        assert row["line"] in (ROOT / row["file"]).read_text("utf-8").split("\n")
        assert (row["file"], row["line"]) not in lines


def test_an_english_book():
    """Four chapters: seven faults with their pairs of places, and nothing of what is remembered, supposed or known by then."""
    root = ROOT.parent / "lantern"
    rows = tomllib.loads((root / "expected.toml").read_text("utf-8"))["faults"]
    wanted = {(code, file, line, text, (other, there)) for code, file, line, text, other, there in rows}
    assert set(_found(root, 4)) == wanted

"""What is offered for each finding of the novel settles that finding and changes nothing else."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path

import pytest

from inkwright.checks.book import find
from inkwright.domain import text as texts
from inkwright.manuscript.index import BookIndex

ROOT = Path(__file__).parents[2] / "workspaces" / "duanshui"


def _found(root):
    async def overview():
        index = await BookIndex.open(root)
        await index.build()
        view = index.overview()
        await index.close()
        return view

    book = asyncio.run(overview())
    return [
        (chapter.path, one)
        for chapter in book.chapters
        for one in find(book, chapter.path, _read(root, chapter.path))
        if one.code.startswith("continuity_")
    ]


def _read(root, path):
    return (root / path).read_bytes().decode()


def _key(root, path, one):
    return path, one.code, one.params.get("name"), one.span.of(_read(root, path))


@pytest.mark.parametrize("eol", ["\n", "\r\n"])
def test_each_fix_settles_its_finding(tmp_path, eol):
    """Whatever is offered has edits, keeps the line ends, and the finding is gone with it; no other comes up but for
    a card that now says something else."""
    root = tmp_path / "book"
    shutil.copytree(ROOT, root)
    for file in root.rglob("*.md"):
        file.write_bytes(file.read_text("utf-8").replace("\n", eol).encode())
    before = _found(root)
    assert len(before) == 19
    keys = [_key(root, path, one) for path, one in before]
    tried = 0
    for path, one in before:
        mine = _key(root, path, one)
        for fix in one.fixes:
            for change in fix.changes:
                file = root / (change.path or path)
                text = file.read_bytes().decode()
                edits = list(change.edits if isinstance(change.edits, tuple) else change.edits(text))
                assert edits, (mine, fix.code)
                after = texts.apply(text, edits)
                assert after.count("\r") == (after.count("\n") if eol == "\r\n" else 0)
                tried += 1
                if eol == "\r\n":
                    continue
                file.write_bytes(after.encode())
                left = [_key(root, p, o) for p, o in _found(root)]
                file.write_bytes(text.encode())
                assert mine not in left, (mine, fix.code, fix.params)
                assert len(left) >= len(keys) - 4  # a chapter of another time has none at all
    assert tried > 30

"""What is offered for each finding of the novel settles that finding and changes nothing else."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from inkwright.checks.book import find
from inkwright.domain import text as texts
from inkwright.manuscript.index import BookIndex

ROOT = Path(__file__).parents[2] / "workspaces" / "duanshui"


def _keys(view, path, text):
    found = find(view, path, text)
    return [(one.code, one.params.get("name"), one.span.of(text)) for one in found]


def _view(index):
    index.chapters()
    index.cards()
    return index.overview()


@pytest.mark.parametrize("eol", ["\n", "\r\n"])
async def test_each_fix_settles_its_finding(tmp_path, eol):
    """Whatever is offered has edits and keeps the line ends, and the finding is gone with it; no other comes up."""
    root = tmp_path / "book"
    shutil.copytree(ROOT, root)
    for file in root.rglob("*.md"):
        file.write_bytes(file.read_text("utf-8").replace("\n", eol).encode())
    index = await BookIndex.open(root)
    await index.build()
    view = _view(index)
    tried = 0
    for chapter in view.chapters:
        path = chapter.path
        text = await index.text(path)
        before = _keys(view, path, text)
        for one in find(view, path, text):
            mine = (one.code, one.params.get("name"), one.span.of(text))
            for fix in one.fixes if one.code.startswith("continuity_") else ():
                for change in fix.changes:
                    target = change.path or path
                    old = await index.text(target)
                    edits = list(change.edits if isinstance(change.edits, tuple) else change.edits(old))
                    assert edits, (mine, fix.code)
                    new = texts.apply(old, edits)
                    assert new.count("\r") == (new.count("\n") if eol == "\r\n" else 0)
                    index.set_buffer(target, new)
                    left = _keys(_view(index), path, new if target == path else text)
                    index.set_buffer(target, old)
                    assert mine not in left, (mine, fix.code, fix.params)
                    assert {row[:2] for row in left} <= {row[:2] for row in before}
                    tried += 1
    await index.close()
    assert tried > 30

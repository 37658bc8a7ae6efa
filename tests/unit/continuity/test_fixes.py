"""What is offered for each finding of the novel settles that finding and changes nothing else."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from inkwright.checks.book.engine import find
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


@pytest.mark.parametrize(
    ("card", "sentence", "old", "new"),
    [
        ("眼睛: 灰色", "沈默眨了眨褐眼睛。", "灰色", "褐色"),
        ("眼睛: 灰", "沈默褐色的眼睛眨了眨。", "灰", "褐"),
        ("facts: [{key: 眼睛, value: 深灰色的}]", "沈默眨了眨蓝眼睛。", "深灰色的", "蓝色的"),
        ("眼睛: 灰蓝色", "沈默眨了眨褐眼睛。", "灰蓝色", "褐色"),
        (
            "aliases: [Mara]\neyes: grey, like rain",
            "Mara's green eyes shone.",
            "grey, like rain",
            "green, like rain",
        ),
        ("年龄: 三十四岁", "沈默今年三十五岁。", "三十四岁", "三十五岁"),
    ],
)
async def test_a_card_is_changed_in_the_shape_of_its_value(tmp_path, card, sentence, old, new):
    """The word alone is another one, and the title says both values."""
    text = f"---\ntype: 角色\nname: 沈默\n{card}\n---\n"
    (tmp_path / "cards").mkdir()
    (tmp_path / "cards/沈默.md").write_text(text, "utf-8")
    (tmp_path / "第1章.md").write_text(f"# 一\n\n{sentence}\n", "utf-8")
    index = await BookIndex.open(tmp_path)
    await index.build()
    found = find(_view(index), "第1章.md", f"# 一\n\n{sentence}\n")
    await index.close()
    (fix,) = [fix for one in found for fix in one.fixes if fix.code == "fix_change_fact"]
    assert (fix.params["old"], fix.params["value"]) == (old, new)
    (change,) = fix.changes
    assert texts.apply(text, list(change.edits(text))) == text.replace(old, new)

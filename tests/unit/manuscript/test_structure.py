"""Sections, scenes and folds."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inkwright.manuscript import folds, markdown, structure

TEXT = (
    "---\ntitle: 甲\n---\n# 甲\n\n一场。\n\n***\n\n二场。\n\n又一段。\n\n## 乙\n\n三场？\n\n***\n\n四场。\n"
)


def marks(text):
    outline = markdown.outline(text)
    return structure.contents([structure.shape(text, outline)])[1]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_marks(end):
    """Headings but for the title, scenes by their first words, each on its line; whatever ends the lines."""
    assert marks(TEXT.replace("\n", end)) == (
        (5, 7, "一场。"),
        (9, 7, "二场。"),
        (13, 2, "乙"),
        (19, 7, "四场。"),
    )


def test_a_scene_ends_at_a_heading():
    """A scene hangs below the heading that it begins under; a chapter without a break has none."""
    parsed = markdown.scan(TEXT)
    said = [(scene.span.of(TEXT), scene.first.of(TEXT)) for scene in structure.scenes(parsed, len(TEXT))]
    assert said == [("一场。", "一场。"), ("二场。\n\n又一段。", "二场。"), ("四场。", "四场。")]
    assert structure.scenes(markdown.scan("# 甲\n\n一段。\n"), 10) == []


def folded(text):
    parsed = markdown.scan(text)
    rows = [(fold.span.of(text), fold.kind) for fold in folds.folds(text, parsed)]
    return [(piece.split("\n")[0], piece.split("\n")[-1], kind) for piece, kind in rows if "\n" in piece]


def test_folds():
    """Front matter, sections without the blank lines at their end, scenes of several lines."""
    assert folded(TEXT) == [
        ("---", "---", "region"),
        ("# 甲", "四场。", ""),
        ("二场。", "又一段。", ""),
        ("## 乙", "四场。", ""),
    ]


def test_blocks():
    """Quotations and code as one, comments over blank lines, three speeches in a row but not over a break."""
    text = "> 甲\n> 乙\n\n> 丙\n\n```\nx\n```\n\n甲 <!-- 一\n\n二 --> 乙\n\n“一。”\n\n“二。”\n\n***\n\n“三。”\n\n「四。」\n\n“五。”她说。\n"
    assert folded(text) == [
        ("> 甲", "“二。”", ""),
        ("> 甲", "> 丙", ""),
        ("```", "```", ""),
        ("<!-- 一", "二 -->", "comment"),
        ("“三。”", "“五。”她说。", ""),
        ("“三。”", "“五。”她说。", ""),
    ]


@given(st.text(alphabet=st.sampled_from("#>“”* -`~%<!甲a\n\r\u2028"), max_size=120))
def test_any_text(text):
    """No text is an error; folds and marks lie inside it, in order."""
    parsed = markdown.scan(text)
    for fold in folds.folds(text, parsed):
        assert 0 <= fold.span.start <= fold.span.end <= len(text)
    lines = [line for line, _, _ in marks(text)]
    assert lines == sorted(lines)

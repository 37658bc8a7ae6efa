"""Idioms with one wrong character: which one is meant, what is left alone, and in which script it is repaired."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inkwright.checks import checking
from inkwright.checks.rules import families

FAMILY = next(family for family in families() if family.id == "zh-idioms")
IDIOMS = FAMILY.tables["idioms"].split()


def found(text: str) -> list[tuple[str, str]]:
    ones = [one for one in checking.check(text, language="zh", names=()) if one.code == "zh-idiom"]
    return [(one.span.of(text), one.fix.new if one.fix else "") for one in ones]


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("家喻户哓", "家喻户晓"),
        ("含心茹苦", "含辛茹苦"),
        ("毫不尤豫", "毫不犹豫"),
        ("口密腹剑", "口蜜腹剑"),
        ("判若俩人", "判若两人"),
        ("滔滔不觉", "滔滔不绝"),
    ],
)
def test_any_of_the_four_may_be_wrong(wrong: str, right: str) -> None:
    """By sound or by shape, also at the edges of a paragraph."""
    for around in ("{}", "他{}。", "“{}", "😋{}，"):
        assert found(around.format(wrong)) == [(wrong, right)]


@pytest.mark.parametrize(
    "text",
    [
        "不以为异",
        "举世注目",
        "各行其是",
        "家喻户吃",
        "家喻户",
        "喻户哓",
        "这点倒是非常特别",
        "报以经久不息的掌声",
    ],
)
def test_what_is_no_idiom_gone_wrong_is_silent(text: str) -> None:
    """Another accepted form, a wrong character that neither sounds nor looks alike, words that only meet."""
    assert found(text) == []


def test_traditional_text_is_repaired_in_its_own_script() -> None:
    """Where the paragraph is in Traditional characters."""
    assert found("這個故事早已家喻戶哓，沒有人不知道。") == [("家喻戶哓", "家喻戶曉")]


def test_no_right_idiom_is_a_fault() -> None:
    """Not one of the table, nor one of the forms that are sound all the same."""
    for row in (IDIOMS, FAMILY.tables["also"].split()):
        assert len(row) == len(set(row))
        for k in range(0, len(row), 50):
            assert found("，".join(row[k : k + 50])) == []


@given(st.text(alphabet="家喻户晓哓含心辛茹苦不一，。a\ud800", max_size=40))
def test_a_hit_is_one_character_away_from_an_idiom(text: str) -> None:
    """Whatever stands around it."""
    for wrong, right in found(text):
        assert right in IDIOMS
        assert sum(a != b for a, b in zip(wrong, right, strict=True)) == 1

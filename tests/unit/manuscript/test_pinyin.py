"""Names by the letters that are typed for them."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from inkwright.manuscript import pinyin

NAMES = [
    "诸葛亮",
    "曾国藩",
    "单雄信",
    "尉迟恭",
    "万俟卨",
    "仇英",
    "解缙",
    "乐毅",
    "区寄",
    "查良镛",
    "朴槿惠",
    "吕布",
    "劉備",
    "Anna 林",
]


@pytest.mark.parametrize(
    ("letters", "name", "whole"),
    [
        ("zgl", "诸葛亮", "zgliang"),
        ("zhugel", "诸葛亮", "zhugeliang"),
        ("zhgl", "诸葛亮", "zhgliang"),
        ("zengg", "曾国藩", "zengguofan"),
        ("cgf", "曾国藩", "cgfan"),
        ("shanxx", "单雄信", "shanxxin"),
        ("dxx", "单雄信", "dxxin"),
        ("yuchi", "尉迟恭", "yuchigong"),
        ("moqi", "万俟卨", "moqixie"),
        ("qiuy", "仇英", "qiuying"),
        ("xiej", "解缙", "xiejin"),
        ("yuey", "乐毅", "yueyi"),
        ("ouj", "区寄", "ouji"),
        ("zhal", "查良镛", "zhaliangyong"),
        ("piao", "朴槿惠", "piaojinhui"),
        ("lvb", "吕布", "lvbu"),
        ("liubei", "劉備", "liubei"),
    ],
)
def test_initials_syllables_and_surnames(letters, name, whole):
    """Initials, syllables and mixtures of them; characters that are read otherwise in names, in every reading."""
    assert pinyin.completed(letters, name) == whole


@pytest.mark.parametrize(
    ("letters", "name"),
    [("zl", "诸葛亮"), ("gl", "诸葛亮"), ("zhugelianga", "诸葛亮"), ("an", "Anna"), ("x", "")],
)
def test_what_does_not_begin_a_name(letters, name):
    """No character is left out, nothing is typed past the end, and Latin names spell themselves."""
    assert pinyin.completed(letters, name) == ""


def test_what_is_typed():
    """Letters only: case, apostrophes, blanks and ü make no difference; digits alone and Han are none."""
    assert [pinyin.typed(t) for t in ("Xi'an", "zhu ge", "lü", "12", "诸g", "", "a" * 81)] == [
        "xian",
        "zhuge",
        "lv",
        "",
        "",
        "",
        "",
    ]


@given(st.sampled_from(NAMES), st.data())
def test_every_way_of_typing_a_name(name, data):
    """Whatever part of each syllable is typed, the spelling begins with it and the quick look lets it pass."""
    ways = [data.draw(st.sampled_from(pinyin.readings(char))) for char in name if pinyin.readings(char)]
    letters = "".join(way[: data.draw(st.integers(1, len(way)))] for way in ways)
    assert pinyin.completed(letters, name).startswith(letters)
    assert pinyin.found(letters, name)
    assert pinyin.starts(letters).match(pinyin.initials(name))


@example("ª", "a")
@given(st.text(max_size=20), st.text(alphabet="abcdefghijklmnopqrstuvwxyz", min_size=1, max_size=10))
def test_the_quick_look_misses_nothing(name, letters):
    """Wherever a spelling begins, the look through the initials stops; initials are as long as the text."""
    initials = pinyin.initials(name)
    assert len(initials) == len(name)
    places = {match.start() for match in pinyin.starts(letters).finditer(initials)}
    assert {at for at in range(len(name)) if pinyin.found(letters, name, at)} <= places

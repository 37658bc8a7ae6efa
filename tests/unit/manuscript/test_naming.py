"""The grammar of chapter names and the order it makes."""

from __future__ import annotations

import itertools
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inkwright.manuscript import naming

NAMES = [
    ("第0001章", 1, "", "main"),
    ("第0007章-雨夜", 7, "雨夜", "main"),
    ("第007章_归人", 7, "归人", "main"),
    ("第10章 温柔", 10, "温柔", "main"),
    ("第十二章 旧信", 12, "旧信", "main"),
    ("卷01", 1, "", "main"),
    ("第1卷", 1, "", "main"),
    ("第三卷 风起", 3, "风起", "main"),
    ("001 x", 1, "x", "main"),
    ("0001_雨夜", 1, "雨夜", "main"),
    ("01 - The Chase", 1, "The Chase", "main"),
    ("001", 1, "", "main"),
    ("ch03", 3, "", "main"),
    ("Chapter 3", 3, "", "main"),
    ("chapter-03-the-inn", 3, "the-inn", "main"),
    ("Chapter - 12 - The Inn", 12, "The Inn", "main"),
    ("Chapter–12", 12, "", "main"),
    ("chapter--3", 3, "", "main"),
    ("3. The Inn", 3, "The Inn", "main"),
    ("0-Chapter_1", 1, "", "main"),
    ("1-Scene", 1, "Scene", "main"),
    ("序章", None, "序章", "prologue"),
    ("楔子", None, "楔子", "prologue"),
    ("引子", None, "引子", "prologue"),
    ("番外一", 1, "番外一", "extra"),
    ("尾声", None, "尾声", "epilogue"),
    ("后记", None, "后记", "epilogue"),
    ("Prologue", None, "Prologue", "prologue"),
    ("Epilogue", None, "Epilogue", "epilogue"),
    ("Interlude 2", 2, "Interlude 2", "main"),
    ("第１２章　雨", 12, "雨", "main"),
    ("第壹佰零叁回", 103, "", "main"),
    ("第一回  甄士隐梦幻识通灵", 1, "甄士隐梦幻识通灵", "main"),
    ("第3话：海", 3, "海", "main"),
    ("第二節、雪", 2, "雪", "main"),
    ("第三部分 起源", 3, "起源", "main"),
    ("第 一 章", 1, "", "main"),
    ("第12.5章 间", 12, "间", "main"),
    ("Chapter IV", 4, "", "main"),
    ("Part II - The Bank", 2, "The Bank", "main"),
    ("Chapter Twenty-One Foo", 21, "Foo", "main"),
    ("十二、旧信", 12, "旧信", "main"),
    ("（三）旧信", 3, "旧信", "main"),
    ("001雨夜", 1, "雨夜", "main"),
    ("１．开始", 1, "开始", "main"),
    ("第一卷第三章 风", 3, "风", "main"),
    ("Vol.1 Ch.3 x", 3, "x", "main"),
    ("00-序章", None, "序章", "prologue"),
    ("99_番外", None, "番外", "extra"),
    ("《红楼梦》第一回", 1, "", "main"),
    ("红楼梦 第001回", 1, "", "main"),
]


@pytest.mark.parametrize(("name", "number", "title", "kind"), NAMES)
def test_names_seen_in_the_wild(name: str, number: int | None, title: str, kind: str) -> None:
    """Each name gives its number, its title and its kind."""
    found = naming.parse(name)
    assert (found.number, found.title, found.kind) == (number, title, kind)


@pytest.mark.parametrize(
    "name",
    [
        "三国",
        "一首歌",
        "一回首",
        "第三节课",
        "第二天",
        "第一部队",
        "2024-01-05",
        "20240105",
        "12月的雪",
        "3个火枪手",
        "Chapter -1",
        "chapter_-1 the inn",
        "Chapter: -0.5",
        "Chapter - -2",
        "Part –３",
        "Chapter Li",
        "chapter-mix",
        "extraordinary",
        "partial",
        "序列号",
        "The Chase",
        "第章",
        "百",
        "",
        "  ",
    ],
)
def test_titles_that_only_look_like_numbers(name: str) -> None:
    """A title that merely begins like a number has none."""
    found = naming.parse(name)
    assert (found.number, found.kind) == (None, "main")


@pytest.mark.parametrize(
    "ordered",
    [
        [
            "前言",
            "序章",
            "楔子",
            "第一章",
            "第2章",
            "第３章 x",
            "第十章",
            "第0011章",
            "第一百零二章",
            "番外一",
            "番外二",
            "尾声",
            "后记",
        ],
        [
            "Prologue",
            "Chapter 1",
            "Chapter Two",
            "Interlude 2",
            "Chapter III",
            "chapter-10",
            "Epilogue",
            "Afterword",
        ],
        ["00-序章", "01-渡口", "02-归人", "03-番外", "04-尾声"],
        ["第一章 上", "第一章 中", "第一章 下", "第二章"],
        ["卷一", "卷二", "卷三", "卷十"],
        ["第一卷 序章", "第一卷第1章", "第一卷第10章", "第二卷第1章", "第三卷 第一章"],
        ["第1章", "第1.5章", "第2章"],
        ["0-Chapter_1", "1-Chapter_2", "10-Chapter_3"],
        ["第1章", "第2章", "随笔 2", "随笔 10"],
    ],
)
def test_reading_order(ordered: list[str]) -> None:
    """Prologues, the main run by number, extras, epilogues; whatever order they come in."""
    for seed in range(5):
        shuffled = random.Random(seed).sample(ordered, len(ordered))
        assert sorted(shuffled, key=naming.sort_key) == ordered


def test_order_of_the_front_matter_goes_first() -> None:
    """A chapter with an `order` stands where that says, whatever its name."""
    orders = {"番外": 1.5, "第9章": 1.0, "第1章": 3.0}
    names = ["第1章", "第2章", "番外", "第9章"]
    assert sorted(names, key=lambda n: naming.sort_key(n, orders.get(n))) == [
        "第9章",
        "番外",
        "第2章",
        "第1章",
    ]


@pytest.mark.parametrize(
    ("value", "number"),
    [
        (3, 3),
        (2.5, 2.5),
        ("007", 7),
        ("十二", 12),
        ("-1", -1),
        ("１２", 12),
        (True, None),
        ("", None),
        ("x", None),
        ([], None),
        (None, None),
    ],
)
def test_order_values(value: object, number: float | None) -> None:
    """Numbers in any notation; anything else is no order."""
    assert naming.order_value(value) == number


@given(st.lists(st.text(max_size=20), unique=True, max_size=8))
def test_keys_are_total(names: list[str]) -> None:
    """Any names can be sorted, and no two different ones are equal."""
    keys = sorted(naming.sort_key(name) for name in names)
    assert all(a < b for a, b in itertools.pairwise(keys))


@given(st.text(alphabet="第一二十0９章卷回序 -_.番外chapterIVX上（）", max_size=16))
def test_no_name_raises(name: str) -> None:
    """Whatever is put together of the grammar's own characters is read."""
    found = naming.parse(name)
    assert found.number is None or found.number >= 0

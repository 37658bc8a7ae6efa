"""What a card says already, and what it says to the contrary, as of a chapter."""

from __future__ import annotations

import pytest

from inkwright.domain.cards import Card, Fact
from inkwright.domain.manuscript import Chapter, Counts
from inkwright.manuscript import facts, opposing
from inkwright.manuscript.places import Order

CHAPTERS = tuple(
    Chapter(f"卷一/{n:03}.md", title, "卷一", n, "main", Counts())
    for n, title in enumerate(("第一章 渡口", "第二章 雨", "第三章 雨"), 1)
)


def card(*rows, **fields):
    return Card("cards/林夏.md", "林夏", "character", facts=tuple(Fact(*row) for row in rows), fields=fields)


@pytest.mark.parametrize(
    ("one", "key", "value", "place", "against"),
    [
        (card(("年龄", "二十")), "age", "三十", 1, "二十"),
        (card(("年龄", "二十", "第一章")), "age", "三十", 1, ""),
        (card(("年龄", "二十", "第二章")), "age", "三十", 1, "二十"),
        (card(("年龄", "二十", "第三章")), "age", "三十", 1, ""),
        (card(("年龄", "二十", "", "第一章")), "age", "三十", 1, ""),
        (card(birth="春天"), "birth", "冬天", 1, "春天"),
        (card(("出生", "春天", "第一章")), "birth", "冬天", 1, "春天"),
        (card(location=["旧渡口", "省城"]), "location", "青石镇", 1, "旧渡口, 省城"),
        (card(appearance="黑发，灰眼"), "appearance", "眼睛是绿的", 1, "黑发，灰眼"),
        (card(appearance="黑发"), "appearance", "眼睛是绿的", 1, ""),
        (card(("知情", "他是船夫")), "knows", "她是医生", 1, ""),
        (card(性格="倔"), "性格", "温和", 1, "倔"),
        (card(age="三十"), "age", " 三十 ", 1, ""),
        (card(age=34), "age", "三十四岁", 1, ""),
        (card(("age", "thirty-four")), "age", "34", 1, ""),
        (card(age=34), "age", "三十五岁", 1, "34"),
    ],
)
def test_what_speaks_against_a_fact(one, key, value, place, against):
    """A field of its own and a fact that holds now; not what changes as the story goes on, nor what is later."""
    assert opposing.against(one, Order(CHAPTERS), place, key, value) == against


@pytest.mark.parametrize(
    ("one", "key", "value", "known"),
    [
        (card(("所在", "Ferry Town")), "location", " ferry  town", True),
        (card(("生死", "未死")), "status", "死", False),
        (card(age=34), "age", "三十四岁", True),
        (card(appearance="黑发，灰眼"), "appearance", "灰眼", True),
        (card(("所在", "省城", "第三章")), "location", "省城", False),
    ],
)
def test_what_is_there_already(one, key, value, known):
    """The same value, of appearance among others; not one of a later chapter."""
    assert opposing.there(one, Order(CHAPTERS), 1, key, value) is known


def test_a_key_is_written_as_the_card_writes_it():
    """Its own spelling, else the language of the book, else that of its name."""
    assert opposing.spelled("location", card(("所在地", "x")), "en") == "所在地"
    assert opposing.spelled("location", card(), "zh-CN") == "所在"
    assert opposing.spelled("location", card(), "") == "所在"
    assert opposing.spelled("location", card(), "en") == "location"
    assert opposing.spelled("目光", card(), "en") == "目光"


def test_a_chapter_is_called_by_what_means_it_alone():
    """Its title, else its file's name, else its path; and it is found by that again."""
    doubled = (*CHAPTERS[:2], Chapter("卷二/002.md", "第二章 雨", "卷二", 2, "main", Counts()))
    assert [facts.reference(Order(doubled), place) for place in range(3)] == [
        "第一章 渡口",
        "第二章 雨",
        "卷二/002.md",
    ]

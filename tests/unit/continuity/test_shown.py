"""What a card states as of a chapter, its fields among it."""

from __future__ import annotations

import pytest

from inkwright.checks.continuity import shown
from inkwright.domain.cards import Card, Fact
from inkwright.domain.manuscript import Chapter, Counts
from inkwright.manuscript.places import Order

ORDER = Order(
    [
        Chapter(f"第{n}章.md", f"第{n}章", "", n, "main", Counts(), meta={"date": f"18{70 + n}-05-02"})
        for n in range(1, 10)
    ]
)


def _card(**fields):
    return Card("a.md", "沈默", "角色", "character", facts=(Fact("左手", "有疤", "第5章"),), fields=fields)


@pytest.mark.parametrize(
    ("death", "from_"), [("第9章", 9), ("1875-01-01", 5), ("坠崖", 1), ("第99章", 1), ("", 10)]
)
def test_a_death_from_its_chapter_on(death, from_):
    """Before that chapter or date nothing is told of it; one of no time is told always."""
    card = _card(death=death)
    for number in range(1, 10):
        known = [(one.key, one.value) for one in shown.of(card, ORDER, number - 1, "")]
        assert (("死亡", death) in known) == (number >= from_)
        assert (("左手", "有疤") in known) == (number >= 5)


def test_fields_of_a_meaning():
    """In the language of the card; not what is only kept, not what is no value."""
    card = _card(eyes="绿色", age=34, location=["渡口", "省城"], cssclass="wide", status="", knows="底细")
    known = shown.of(card, ORDER, 0, "")
    assert [(one.key, one.value) for one in known] == [
        ("eyes", "绿色"),
        ("年龄", "34"),
        ("所在", "渡口, 省城"),
    ]
    assert shown.of(card, ORDER, None, "en")[1].key == "age"

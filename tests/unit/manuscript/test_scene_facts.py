"""Who, where and when at the start of a scene."""

from __future__ import annotations

import pytest

from inkwright.domain.cards import Card
from inkwright.domain.text import Span
from inkwright.manuscript import fields, markdown, scene_facts
from inkwright.manuscript.mentions import Dictionary

CARDS = {
    card.path: card
    for card in (
        Card("c/林夏.md", "林夏", "character", "character", ("小夏",)),
        Card("c/周衡.md", "周衡", "character", "character"),
        Card("c/周衡二.md", "老周", "character", "character", ("阿衡",)),
        Card("c/三.md", "阿三", "character", "character", ("阿衡",)),
        Card("c/渡口.md", "旧渡口", "location", "location"),
    )
}


def hits(text):
    return Dictionary(CARDS.values()).in_outline(text, markdown.outline(text))


def facts(text, *, opening=True):
    meta = fields.canonical(markdown.scan(text).frontmatter.meta, "chapter.keys")
    return scene_facts.facts(meta, hits(text), CARDS, opening=opening)


FRONT = "---\n视角: 小夏\n地点: '[[渡口镇]]'\n时间: 黄昏\ndate: 第三日\n---\n"


def test_front_matter_is_about_the_opening():
    """Its point of view by the card's own name and not twice; its place before one that is named."""
    found = facts(FRONT + "周衡在旧渡口等林夏。")
    assert found == ("林夏", ("周衡",), "渡口镇", "第三日 黄昏")
    assert facts(FRONT + "周衡在旧渡口等林夏。", opening=False) == ("", ("周衡", "林夏"), "旧渡口", "")


def test_names_alone():
    """Without front matter those who are named, in order; a name of two cards says nothing; nothing is nothing."""
    assert facts("阿衡看着旧渡口，小夏来了，周衡来了，林夏说。") == ("", ("林夏", "周衡"), "旧渡口", "")
    assert not facts("雾很大。")
    assert scene_facts.cast(hits("周衡、小夏、林夏、阿衡。"), CARDS) == ("林夏", "周衡")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# 题\n\n甲段。\n\n乙段。\n\n***\n\n丙段。\n\n***\n\n***\n\n丁段。\n", [("甲段。", True), ("丙段。", False), ("丁段。", False)]),
        ("甲段。\n", [("甲段。", True)]),
        ("---\ntitle: x\n---\n\n# 题\n\n## 节\n\n甲段。\n", [("甲段。", True)]),
        ("***\n\n甲段。\n", [("甲段。", True)]),
        ("# 题\n\n***\n", []),
        ("", []),
    ],
)  # fmt: skip
def test_where_scenes_start(text, expected):
    """At the first paragraph of the chapter, and at the one after each break; headings are none."""
    found = scene_facts.starts(text, markdown.scan(text))
    assert [(span.of(text), opening) for span, opening in found] == expected


def test_a_part_knows_no_opening_that_is_not_in_it():
    """Of a part in the middle only what follows a break; of one at the head the opening too."""
    text = "# 题\n\n" + "甲段。\n\n" * 50 + "***\n\n乙段。\n\n" + "丙段。\n\n" * 50
    at = text.index("***")
    parsed = markdown.between(text, Span(at - 20, at + 10))
    assert [(s.of(text), o) for s, o in scene_facts.starts(text, parsed)] == [("乙段。", False)]
    parsed = markdown.between(text, Span(0, 20))
    assert [(s.of(text), o) for s, o in scene_facts.starts(text, parsed)] == [("甲段。", True)]

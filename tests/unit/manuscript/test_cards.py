"""Which file is a card, and what it says."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inkwright.domain.cards import CARD_TYPES, Card, Fact, Match
from inkwright.domain.manuscript import Problem
from inkwright.manuscript import cards, markdown
from inkwright.manuscript.layouts import Place

CHAPTER, CARD = Place("chapter"), Place("card", "location")


def read(text: str, path: str = "cards/林夏.md", folder: str = "") -> tuple[Card, tuple[Problem, ...]]:
    return cards.read(path, text, markdown.scan(text), folder)


def yaml(lines: str) -> str:
    return f"---\n{lines}\n---\n"


@pytest.mark.parametrize(
    "word",
    [
        "character",
        "location",
        "item",
        "faction",
        "lore",
        "world",
        "Character",
        "角色",
        "人物",
        "地点",
        "物品",
        "势力",
        "组织",
        "世界观",
    ],
)
def test_the_front_matter_makes_a_card(word: str) -> None:
    """A type that we know makes a card of a file in any folder."""
    assert cards.role(CHAPTER, {"type": word}) == "card"
    assert cards.role(Place("other"), {"type": word}) == "card"
    assert cards.role(Place("chapter", fixed=True), {"type": word}) == "chapter"


@pytest.mark.parametrize(
    "meta", [{}, {"type": "scene"}, {"type": 3}, {"type": ["character"]}, {"type": None}, {"类型": "主角戏"}]
)
def test_other_front_matter_leaves_the_place_as_it_is(meta: dict[str, object]) -> None:
    """An unknown type is no sign of anything; then the folder decides."""
    assert cards.role(CHAPTER, meta) == "chapter"
    assert cards.role(CARD, meta) == "card"


def test_a_whole_card() -> None:
    """Every field under our names; what we don't know is kept as written."""
    text = yaml(
        "type: character\nname: 林夏\naliases: [小夏, 林姑娘, 小夏, 林夏]\nmatch: {case: exact, exclude: [夏天]}\n"
        "ai: always\nprivate: 秘\ntags: 主角, 渡口\nsummary: 学徒\nfaction: 渡口镇\nmotto: 慢\n"
        "facts:\n  - {key: 左臂, value: 受伤, from: 第009章, until: 第010章, quote: 刀口}\n"
    )
    card, problems = read(text + "正文\n")
    assert problems == ()
    assert card == Card(
        path="cards/林夏.md",
        name="林夏",
        type="character",
        kind="character",
        aliases=("小夏", "林姑娘"),
        summary="学徒",
        tags=("主角", "渡口"),
        match=Match("exact", ("夏天",)),
        ai="always",
        private="秘",
        facts=(Fact("左臂", "受伤", "第009章", "第010章", "刀口"),),
        fields={"affiliation": "渡口镇", "motto": "慢"},
        body="正文",
    )


@pytest.mark.parametrize(
    ("key", "name"),
    [
        ("别名", "aliases"),
        ("昵称", "aliases"),
        ("称号", "aliases"),
        ("aka", "aliases"),
        ("variants", "aliases"),
    ],
)
def test_synonyms_of_aliases(key: str, name: str) -> None:
    """The words of both languages for a card's other names."""
    card, _ = read(yaml(f"{key}: 小夏、阿夏"))
    assert getattr(card, name) == ("小夏", "阿夏")


@pytest.mark.parametrize(
    ("line", "field", "value"),
    [
        ("描述: x", "summary", "x"),
        ("简介: x", "summary", "x"),
        ("description: x", "summary", "x"),
        ("秘密: x", "private", "x"),
        ("secret: x", "private", "x"),
        ("标签: [a, b]", "tags", ("a", "b")),
    ],
)
def test_synonyms_of_fields(line: str, field: str, value: object) -> None:
    """Chinese and English names of our own fields."""
    assert getattr(read(yaml(line))[0], field) == value


@pytest.mark.parametrize(
    ("line", "key"),
    [
        ("生死: x", "status"),
        ("所在: x", "location"),
        ("持有者: x", "owner"),
        ("知情: x", "knows"),
        ("外貌: x", "appearance"),
        ("定位: x", "role"),
        ("阵营: x", "affiliation"),
        ("性格: x", "personality"),
        ("关系: x", "relations"),
        ("目标: x", "goal"),
    ],
)
def test_synonyms_of_further_keys(line: str, key: str) -> None:
    """Keys with a meaning of their own have one name."""
    assert read(yaml(line))[0].fields == {key: "x"}


def test_our_own_key_wins_over_a_synonym() -> None:
    """With both spellings in one card ours counts and the other is kept."""
    card, _ = read(yaml("简介: 一\nsummary: 二\n描述: 三"))
    assert (card.summary, card.fields) == ("二", {"简介": "一", "描述": "三"})


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("", "林夏"),
        ("# 林夏夏\n", "林夏夏"),
        ("## 二级\n# 一级\n", "一级"),
        (yaml("name: 夏") + "# 别的", "夏"),
        (yaml("name:"), "林夏"),
        (yaml("name: 007"), "007"),
        ("# [[林夏|夏]] *的*\n", "夏 的"),
    ],
)
def test_names(text: str, name: str) -> None:
    """The front matter's name, else the first heading of level one, else the file's stem."""
    assert read(text)[0].name == name


@pytest.mark.parametrize(
    ("text", "folder", "type_", "kind"),
    [
        ("", "", "misc", "misc"),
        ("", "location", "location", "location"),
        (yaml("type: 人物"), "location", "人物", "character"),
        (yaml("类型: 组织"), "", "组织", "faction"),
        (yaml("类型: 主角"), "", "主角", "character"),
        (yaml("type: weapon"), "item", "weapon", "misc"),
        (yaml("type: [a]"), "", "a", "misc"),
    ],
)
def test_types(text: str, folder: str, type_: str, kind: str) -> None:
    """A type stays as it is written and is treated as one of ours."""
    card, _ = read(text, folder=folder)
    assert (card.type, card.kind) == (type_, kind)
    assert card.kind in CARD_TYPES


@pytest.mark.parametrize(
    ("line", "code", "at"),
    [
        ("match: exact", "card_bad_match", 2),
        ("match: {case: both}", "card_bad_case", 2),
        ("ai: perhaps", "card_bad_ai", 2),
        ("facts: none", "card_bad_facts", 2),
        ("facts: [x]", "card_bad_facts", 2),
        ("aliases: [" + ", ".join(f"n{i}" for i in range(300)) + "]", "card_too_many_names", 2),
    ],
)
def test_bad_values_are_named(line: str, code: str, at: int) -> None:
    """What cannot be read as meant is a problem at its line; the card lives."""
    card, problems = read(yaml(f"name: x\n{line}"))
    assert [(p.code, p.line) for p in problems] == [(code, at)]
    assert card.name == "x"
    assert len(card.aliases) <= cards.MAX_NAMES


@pytest.mark.parametrize(
    ("written", "rule"),
    [
        ("never", "never"),
        ("false", "never"),
        ("从不", "never"),
        ("Always", "always"),
        ("mention", "mention"),
        ("perhaps", "never"),
    ],
)
def test_a_slip_in_the_ai_rule_hides(written: str, rule: str) -> None:
    """A card that may have been meant to stay private is not shown to a model."""
    assert read(yaml(f"ai: {written}"))[0].ai == rule


@pytest.mark.parametrize("written", ["private: true", "private: yes\nai: always", "秘密: 是", "secret: True"])
def test_a_card_that_is_private_as_a_whole_is_hidden(written: str) -> None:
    """Who marks the card itself as private does not name a secret: no model sees any of it."""
    assert read(yaml(written))[0].ai == "never"
    assert read(yaml("private: 真名"))[0].ai == "mention"
    assert read(yaml("private: false"))[0].ai == "mention"


@given(st.text(alphabet="name:类型match ai[]{},-'\"\n x", max_size=80))
def test_nothing_written_raises(text: str) -> None:
    """Whatever stands in a card file, there is a card."""
    assert read(f"---\n{text}\n---\n")[0].name

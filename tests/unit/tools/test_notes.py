"""Cards that a model asks for."""

from __future__ import annotations

import json

import pytest

from inkwright.domain.cards import CARD_TYPES
from inkwright.domain.errors import Fault, InkwrightError

FIRST = "卷一/第001章.md"
GOOD = {
    "card_type": "location",
    "title": "旧渡口",
    "content": "江边的老码头。",
    "tags": ["渡口"],
    "quote": "“再等等。”周衡说。",
}


@pytest.fixture
def tools(bind, cards):
    return bind(FIRST, cards=cards)


async def test_a_card_with_a_verified_quotation_is_made(tools, cards):
    """It names its chapter, and the quotation is the chapter's own text, marks included."""
    result = await tools.call("create_note_card", {**GOOD, "quote": "林夏到的时候，船已经走了。"})
    assert result.ok
    assert "cards/0.md" in result.text
    (card,) = cards.made
    assert (card.type, card.title, card.content, card.tags) == (
        "location",
        "旧渡口",
        "江边的老码头。",
        ("渡口",),
    )
    assert (card.source, card.chapter) == (FIRST, "渡口")
    assert card.quote == "林夏到的**时候**，[船](http://example.com)已经走了。"


async def test_the_same_card_again_is_there_already(tools, cards):
    """White space at the borders is no other card; the result says that nothing was changed."""
    await tools.call("create_note_card", GOOD)
    again = await tools.call(
        "create_note_card", {**GOOD, "title": " 旧渡口\n", "content": "江边的老码头。\n"}
    )
    assert again.ok
    assert "已经在了" in again.text
    assert len(cards.made) == 1


async def test_elsewhere_it_is_a_candidate(tools, cards):
    """The result names the candidate and claims no file."""
    cards.files = False
    said = (await tools.call("create_note_card", GOOD)).text
    assert "候选" in said
    assert "c0" in said
    assert "已经是候选" in (await tools.call("create_note_card", GOOD)).text


@pytest.mark.parametrize("kind", CARD_TYPES)
async def test_every_type(tools, cards, kind):
    assert (await tools.call("create_note_card", {**GOOD, "card_type": kind})).ok
    assert cards.made[0].type == kind


@pytest.mark.parametrize(
    ("change", "code", "field"),
    [
        ({"card_type": "concept"}, "card_type_unknown", "card_type"),
        ({"card_type": "人物"}, "card_type_unknown", "card_type"),
        ({"card_type": ""}, "card_type_unknown", "card_type"),
        ({"title": " "}, "field_empty", "title"),
        ({"title": "长" * 101}, "field_too_long", "title"),
        ({"content": "\n"}, "field_empty", "content"),
        ({"content": "长" * 4001}, "field_too_long", "content"),
        ({"content": "x" * 1_000_000}, "field_too_long", "content"),
        ({"tags": ["x"] * 11}, "too_many_tags", "tags"),
        ({"tags": ["x" * 41]}, "too_many_tags", "tags"),
        ({"quote": ""}, "field_empty", "quote"),
        ({"quote": "长" * 1001}, "field_too_long", "quote"),
        ({"quote": "再等等吧"}, "quote_not_verbatim", "quote"),
        ({"quote": "船夫是凶手"}, "quote_not_verbatim", "quote"),
        ({"quote": "草稿"}, "quote_not_verbatim", "quote"),
    ],
)
@pytest.mark.parametrize("locale", ["zh", "en"])
async def test_what_is_wrong_is_told_in_fields(bind, cards, locale, change, code, field):
    """A code, the field, a sentence, what is allowed; and nothing is made."""
    result = await bind(FIRST, locale=locale, cards=cards).call("create_note_card", {**GOOD, **change})
    assert not result.ok
    error = json.loads(result.text)["error"]
    assert (error["code"], error["field"]) == (code, field)
    assert error["message"]
    assert error["allowed"]
    assert cards.made == []
    assert len(result.text) < 1000


async def test_the_allowed_types_are_named(tools):
    error = json.loads((await tools.call("create_note_card", {**GOOD, "card_type": "x"})).text)["error"]
    assert error["allowed"] == list(CARD_TYPES)


async def test_a_careless_quotation_is_answered_with_the_passage(tools):
    """Other punctuation than the chapter's is refused, and the chapter's shown."""
    said = await tools.call("create_note_card", {**GOOD, "quote": "林夏到的时候,船已经走了"})
    assert json.loads(said.text)["error"]["found"] == "林夏到的时候，船已经走了"


async def test_the_runs_own_snapshot_counts(bind, cards, book):
    """A sentence that was typed since, or stands in another chapter, is no quotation; one that was deleted is."""
    tools = bind(FIRST, "# 渡口\n\n刚写的一句。\n", cards=cards)
    assert (await tools.call("create_note_card", {**GOOD, "quote": "刚写的一句。"})).ok
    for quote in ("“再等等。”周衡说。", "雨下了一整夜。"):
        assert not (await tools.call("create_note_card", {**GOOD, "quote": quote})).ok
    del book.texts[FIRST]
    book.listed = book.listed[1:]
    assert (await tools.call("create_note_card", {**GOOD, "quote": "刚写的一句。", "title": "二"})).ok
    assert [card.chapter for card in cards.made] == ["渡口", "渡口"]


async def test_a_card_that_cannot_be_written_is_an_error_result(tools, cards, monkeypatch):
    """The loop goes on with what went wrong, and it is for the writer too: the model cannot mend a disk."""

    async def make(card):
        raise InkwrightError("card_unwritable", path="cards", error="read-only")

    monkeypatch.setattr(cards, "make", make)
    result = await tools.call("create_note_card", GOOD)
    assert not result.ok
    assert "cards" in result.text
    assert result.fault == Fault("card_unwritable", {"path": "cards", "error": "read-only"})


async def test_what_the_model_can_mend_is_its_own_affair(tools):
    """A card that is refused for what it says is no fault of the book's."""
    result = await tools.call("create_note_card", {**GOOD, "quote": "没有的一句。"})
    assert (result.ok, result.fault) == (False, None)


async def test_tags_are_clean(tools, cards):
    """On one line, none empty, none twice."""
    await tools.call("create_note_card", {**GOOD, "tags": [" a\nb", "", "a b", "c"]})
    assert cards.made[0].tags == ("a b", "c")

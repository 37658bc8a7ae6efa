"""propose_fact: what is kept is what the chapter says to the letter, and everything else is told in fields."""

from __future__ import annotations

import json

import pytest

GOOD = {"card": "林夏", "key": "所在", "value": "旧渡口", "quote": "林夏到的时候，船已经走了。"}
FIRST = "卷一/第001章.md"


async def test_without_somebody_to_take_them_it_is_not_offered(bind, caplog):
    """A profile that names it is not warned of; called all the same it is unknown."""
    tools = bind(FIRST)
    assert tools.specs(["propose_fact"]) == ()
    assert caplog.text == ""
    assert not (await tools.call("propose_fact", GOOD)).ok


@pytest.mark.parametrize(
    ("quote", "kept"),
    [
        ("林夏到的时候，船已经走了。", "林夏到的**时候**，[船](http://example.com)已经走了。"),
        ("林夏到的**时候**", "林夏到的**时候**"),
        (" “再等等。” ", "“再等等。”"),
    ],
)
async def test_a_quotation_is_kept_as_the_chapter_has_it(bind, facts, quote, kept):
    """With its marks or without; the key under our own name."""
    result = await bind(FIRST, facts=facts).call("propose_fact", {**GOOD, "quote": quote, "until": "current"})
    assert result.ok
    assert facts.taken == [("林夏", "location", "旧渡口", kept, True)]


async def test_a_quotation_over_two_lines_is_one_line(bind, facts):
    """However its lines are broken."""
    tools = bind(text="# 雨夜\r\n\r\n她的眼睛\r\n是灰的。\r\n", facts=facts)
    assert (await tools.call("propose_fact", {**GOOD, "quote": "眼睛是灰的"})).ok
    assert facts.taken[0][3] == "眼睛 是灰的"


@pytest.mark.parametrize("locale", ["zh", "en"])
@pytest.mark.parametrize(
    ("change", "code", "field"),
    [
        ({"quote": "林夏死了。"}, "quote_not_verbatim", "quote"),
        ({"quote": "船夫是凶手"}, "quote_not_verbatim", "quote"),
        ({"quote": "待改"}, "quote_not_verbatim", "quote"),
        ({"card": "船夫"}, "fact_no_card", "card"),
        ({"key": "ai"}, "fact_key", "key"),
        ({"key": "私密"}, "fact_key", "key"),
        ({"key": "别名"}, "fact_key", "key"),
        ({"value": " "}, "field_empty", "value"),
        ({"value": "长" * 201}, "field_too_long", "value"),
        ({"quote": "长" * 301}, "field_too_long", "quote"),
    ],
)
async def test_what_is_wrong_is_told_in_fields(bind, facts, locale, change, code, field):
    """Nothing is kept; a quotation from front matter or a comment is none of the chapter's."""
    result = await bind(FIRST, locale=locale, facts=facts).call("propose_fact", {**GOOD, **change})
    error = json.loads(result.text)["error"]
    assert (result.ok, error["code"], error["field"], bool(error["message"])) == (False, code, field, True)
    assert facts.taken == []
    assert len(facts.dropped) == (code == "quote_not_verbatim")


async def test_a_careless_quotation_is_shown_what_it_meant(bind, facts):
    """The passage with the same letters, to be copied."""
    result = await bind(FIRST, facts=facts).call("propose_fact", {**GOOD, "quote": "林夏到的时候船已经走了"})
    assert json.loads(result.text)["error"]["found"] == "林夏到的时候，船已经走了"

"""What chapters are about: whose words, how fresh, and what of later chapters is said."""

from __future__ import annotations

from dataclasses import replace

import pytest

from inkwright.domain.cards import Card
from inkwright.domain.manuscript import Summary

FIRST, SECOND, THIRD = (f"卷一/第00{n}章.md" for n in (1, 2, 3))


async def read(tools, name, **arguments):
    result = await tools.call(name, arguments)
    assert result.ok, result.text
    return result.text


async def test_the_authors_words_come_first(bind, sums):
    """A stored summary never stands before a synopsis."""
    sums.stored[FIRST] = Summary(FIRST, "由规则得出。", "x")
    said = await read(bind(summaries=sums), "read_chapter_summary", chapter_id=FIRST)
    assert "梗概：林夏错过了船。" in said
    assert "规则" not in said


@pytest.mark.parametrize("name", ["read_chapter_summary", "read_chapter"])
async def test_a_stored_summary(bind, book, sums, name):
    """Said to be worked out from the text; of an earlier text it is said to be stale."""
    sums.stored[SECOND] = Summary(SECOND, "雨夜无事。", book.digest(SECOND))
    said = await read(bind(summaries=sums), name, chapter_id=SECOND)
    assert "摘要（由正文得出）：雨夜无事。" in said
    assert "开头" not in said
    book.texts[SECOND] += "又下雨了。\n"
    assert "可能已失效）：雨夜无事。" in await read(bind(summaries=sums), name, chapter_id=SECOND)


async def test_summaries_in_the_list_and_the_context(bind, book, sums):
    """Both give stored ones; the list marks those of an earlier text."""
    sums.stored[SECOND] = Summary(SECOND, "雨夜无事。", book.digest(SECOND))
    sums.stored[THIRD] = Summary(THIRD, "归来。", "older")
    tools = bind(summaries=sums)
    rows = (await read(tools, "list_book_chapters")).split("\n")
    assert rows[3].endswith("| 雨夜无事。")
    assert rows[5].endswith("| （据较早的正文）归来。")
    assert "雨夜无事。" in await read(tools, "get_book_context")


async def test_a_database_that_cannot_be_read_blocks_nothing(bind, sums):
    """It is said, and the chapter's opening stands in."""
    sums.broken = True
    tools = bind(summaries=sums)
    said = await read(tools, "read_chapter_summary", chapter_id=SECOND)
    assert "读不出来" in said
    assert "雨下了一整夜" in said
    assert (await read(tools, "list_book_chapters")).count("读不出来") == 1
    assert "林夏错过了船。" in await read(tools, "get_book_context")


async def test_the_context_knows_nothing_of_later_chapters(bind, book, chapters, sums):
    """At the first of three chapters neither synopsis nor summary nor title of the others is given unasked."""
    book.listed = (*chapters[:2], replace(chapters[2], meta={"synopsis": "林夏是公主。"}))
    sums.stored[SECOND] = Summary(SECOND, "雨夜无事。", book.digest(SECOND))
    said = await read(bind(FIRST, summaries=sums), "get_book_context")
    for later in ("雨夜", "归人", "公主", "京城"):
        assert later not in said


async def test_the_list_says_what_comes_later(bind):
    """Whoever asks for the list gets all of it, with a line before the chapters that come after this one."""
    rows = (await read(bind(FIRST), "list_book_chapters")).split("\n")
    assert [row[:1] for row in rows[2:]] == ["1", "（", "2", "3"]
    part = await read(bind(FIRST), "list_book_chapters", **{"from": 3})
    assert "还没有发生" in part
    assert "还没有发生" not in await read(bind(THIRD), "list_book_chapters")
    assert "还没有发生" not in await read(bind("新.md", "x"), "list_book_chapters")


async def test_a_later_chapter_says_so(bind):
    for name in ("read_chapter", "read_chapter_summary", "read_chapter_chunk"):
        assert "还没有发生" in await read(bind(FIRST), name, chapter_id=THIRD)
        assert "还没有发生" not in await read(bind(THIRD), name, chapter_id=FIRST)


async def test_a_card_from_a_later_chapter_is_not_given_unasked(bind, book):
    """It comes with the context of its own chapter and of those after it; a search finds it everywhere."""
    late = Card("cards/信.md", "信", "item", "item", body="信里说她是公主。", fields={"source": SECOND})
    always = replace(late, path="cards/印.md", name="印", ai="always", body="印是假的。")
    book.people = (late, always)
    said = await read(bind(FIRST), "get_book_context")
    assert "公主" not in said
    assert "印是假的。" in said
    assert "公主" in await read(bind(FIRST), "search_world_cards", query="信")
    for path in (SECOND, THIRD):
        assert "公主" in await read(bind(path), "get_book_context")

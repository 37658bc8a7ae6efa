"""The card search and the book at a glance."""

from __future__ import annotations

import pytest

from inkwright.domain.cards import Card
from inkwright.tools.cards import BEST, CARD_CHARS


async def read(tools, name, **arguments):
    result = await tools.call(name, arguments)
    assert result.ok, result.text
    return result.text


def names(text):
    return [block.split(" (")[0] for block in text.split("\n\n")[1:]]


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("林夏", "林夏"),
        ("小夏", "林夏"),
        ("林夏的住处", "林夏"),
        ("渡口", "旧渡口"),
        ("地点", "旧渡口"),
        ("location", "旧渡口"),
        ("物品", "黑船"),
        ("主角", "林夏"),
        ("老码头", "旧渡口"),
        ("不怕水", "林夏"),
        ("江边老码头在哪里", "旧渡口"),
        ("高个子", "林夏"),
    ],
)
async def test_the_best_card_comes_first(bind, query, first):
    """Names before kinds before content; two characters of Chinese are enough."""
    assert names(await read(bind(), "search_world_cards", query=query))[0] == first


async def test_a_never_card_is_invisible(bind):
    """`ai: never`: neither found by name nor listed nor counted."""
    text = await read(bind(), "search_world_cards", query="凶手")
    assert "凶手 (" not in text
    assert "共有 3 张" in text
    assert "凶手" not in await read(bind(), "get_book_context")


async def test_private_fields_stay_private(bind):
    """Nothing private reaches a result, nor can it be searched for; comments and marks are gone."""
    text = await read(bind(), "search_world_cards", query="林夏")
    for hidden in ("公主", "会飞", "备忘", "**", "<!--"):
        assert hidden not in text
    assert "她不怕水" in text
    assert "共有 3 张" in await read(bind(), "search_world_cards", query="公主会飞")


async def test_facts_are_as_of_the_runs_chapter(bind):
    """What a later chapter tells is not known in an earlier one."""
    assert "京城" not in await read(bind("卷一/第002章.md"), "search_world_cards", query="林夏")
    assert "京城" in await read(bind("卷一/第003章.md"), "search_world_cards", query="林夏")
    assert "京城" not in await read(bind("卷一/第001章.md"), "get_book_context")


async def test_five_at_most_of_how_many(bind, book):
    """The best five, 300 characters each, and how many there were."""
    book.people = tuple(Card(f"cards/{i}.md", f"船{i}", "item", "item", body="长" * 1000) for i in range(8))
    text = await read(bind(), "search_world_cards", query="船")
    blocks = text.split("\n\n")
    assert "8" in blocks[0]
    assert len(blocks) == 1 + BEST
    assert all(len(block) <= CARD_CHARS for block in blocks[1:])


@pytest.mark.parametrize("query", ['"林', "林 OR 夏*", "-(", "[a-", "%", "\\", "𠮷", " "])
async def test_no_query_is_a_syntax_error(bind, query):
    """Operators, quotes and white space are text like any other."""
    assert (await bind().call("search_world_cards", {"query": query})).ok


async def test_the_book_at_a_glance(bind):
    """Title, type, the chapters up to this one with summaries, every visible card in short."""
    text = await read(bind("卷一/第002章.md"), "get_book_context")
    assert "书名：渡口旧事" in text
    assert "类型：novel" in text
    assert "林夏错过了船。" in text
    assert "雨下了一整夜" in text
    assert "归人" not in text
    for name in ("林夏", "旧渡口", "黑船"):
        assert f"- {name} (" in text


async def test_five_chapters_up_to_this_one(bind, book, chapters):
    """Of a long book only the nearest five."""
    from dataclasses import replace

    book.listed = tuple(replace(chapters[0], path=f"{i}.md", title=f"章{i}", number=i) for i in range(1, 10))
    text = await read(bind("7.md", "文"), "get_book_context")
    assert [i for i in range(1, 10) if f"章{i} (" in text] == [3, 4, 5, 6, 7]
    assert all(len(line) < 400 for line in text.split("\n"))


async def test_a_chapter_that_cannot_be_read_does_not_spoil_the_rest(bind, book):
    """Its place in the overview says why; the others are there."""
    del book.texts["卷一/第002章.md"]
    text = await read(bind("卷一/第003章.md"), "get_book_context")
    assert "林夏错过了船。" in text
    assert "他回来了" in text

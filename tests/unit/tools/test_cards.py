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


async def test_names_before_kinds_before_content(bind, book):
    """However often a text holds the words, the card of that name comes first, then the kind."""
    book.people = (
        Card("a.md", "码头", "location", "location", body="船 " * 50 + "物品"),
        Card("b.md", "铁锚", "item", "item", tags=("船",)),
        Card("c.md", "船", "location", "location"),
        Card("d.md", "黑船", "item", "item"),
        Card("e.md", "灯", "item", "item", body="船头挂着"),
        Card("f.md", "桥", "location", "location", body="石桥"),
    )
    assert names(await read(bind(), "search_world_cards", query="船")) == ["船", "黑船", "铁锚", "码头", "灯"]


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("牛顿第二定律", "牛顿第二定律"),
        ("第二定律", "牛顿第二定律"),
        ("牛顿第二定律的适用条件是什么", "牛顿第二定律"),
        ("合外力为什么和加速度成正比", "牛顿第二定律"),
        ("动量守恒要满足什么条件", "动量守恒"),
        ("完全非弹性碰撞损失多少机械能", "完全非弹性碰撞"),
        ("F=ma", "牛顿第二定律"),
        ("newton's second law", "牛顿第二定律"),
        ("概念 137", "概念 137"),
    ],
)
async def test_hundreds_of_concepts(bind, book, query, first):
    """Among hundreds of concept cards that share most of their words the one that is meant comes first."""
    book.people = (
        *(
            Card(
                f"cards/{n:03}.md",
                f"概念 {n}",
                "misc",
                summary=f"第 {n} 个概念",
                body="定义：什么是这个概念。条件：满足什么条件时适用。守恒量和加速度是什么，为什么重要。" * 3,
            )
            for n in range(300)
        ),
        Card("cards/n1.md", "牛顿第一定律", "misc", body="不受力的物体保持匀速直线运动。适用条件：惯性系。"),
        Card(
            "cards/n2.md",
            "牛顿第二定律",
            "misc",
            aliases=("Newton’s second law",),
            summary="F=ma",
            body="加速度与合外力成正比，与质量成反比。适用条件：惯性系。",
        ),
        Card("cards/p.md", "动量守恒", "misc", body="系统所受合外力为零时总动量不变。"),
        Card("cards/c.md", "完全非弹性碰撞", "misc", body="碰后共速，损失的机械能最多。"),
    )
    assert names(await read(bind(), "search_world_cards", query=query))[0] == first


async def test_words_of_letters_are_words(bind, book):
    """An Ann is no planet, and an article names nothing."""
    book.people = (
        Card("a.md", "The Ferry", "location", "location", body="Old boats."),
        Card("b.md", "Planned Town", "location", "location"),
        Card("c.md", "Ann", "character", "character", body="She waits."),
        Card("d.md", "Keeper", "character", "character", body="An old man at the ferry."),
    )
    assert names(await read(bind(), "search_world_cards", query="Ann"))[0] == "Ann"
    found = names(await read(bind(), "search_world_cards", query="who is the ferry keeper"))
    assert found[:2] == ["Keeper", "The Ferry"]
    assert names(await read(bind(), "search_world_cards", query="the planned"))[0] == "Planned Town"


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

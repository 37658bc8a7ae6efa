"""What the author plans."""

from __future__ import annotations

from dataclasses import replace

import pytest

from inkwright.domain.text import Snapshot
from inkwright.tools.toolbox import Tools

FIRST = "卷一/第001章.md"


async def read(tools, name="read_book_outline", **arguments):
    result = await tools.call(name, arguments)
    assert result.ok, result.text
    return result.text


@pytest.mark.parametrize(
    "path", ["outline.md", "大纲.md", "提纲.md", "大纲/总纲.md", "notes/outline.md", "卷一/大纲.md"]
)
async def test_the_outline_file(bind, book, path):
    """Of a usual name in a usual place, or beside the chapters: shown whole, as a plan, without comments."""
    book.texts[path] = (
        "---\nprivate: 船夫\n---\n# 全书\n\n<!-- 秘密 -->\n## 第1章\n- 林夏误了**船**\n  - 周衡来了\n"
    )
    said = await read(bind())
    assert path in said
    assert "还没有发生" in said
    assert said.partition("\n\n")[2] == "# 全书\n## 第1章\n- 林夏误了船\n  - 周衡来了"


@pytest.mark.parametrize("rule", ["ai: never", "ai: nver", "private: true", "AI: 从不"])
async def test_a_file_that_no_model_may_see(bind, book, rule):
    """As with cards: `ai: never`, a slip in it, and `private: true` keep the file here."""
    book.texts["大纲.md"] = f"---\n{rule}\n---\n凶手是船夫。\n"
    for name, arguments in (("read_book_outline", {}), ("read_chapter_outline", {"chapter_id": "current"})):
        assert "凶手" not in await read(bind(), name, **arguments)


async def test_an_empty_file_is_none(bind, book):
    """The next place is looked at."""
    book.texts |= {"outline.md": " \n", "notes/大纲.md": "有的。\n"}
    assert "有的。" in await read(bind())


async def test_without_a_file_the_chapters_outlines(bind, book, chapters):
    """In order, with their ids; later ones too, for a plan is no fact; without any it is said."""
    assert "没有大纲" in await read(bind())
    book.listed = (
        replace(chapters[0], meta={"outline": "误船"}),
        chapters[1],
        replace(chapters[2], meta={"outline": ["归来", "相认"]}),
    )
    said = await read(bind())
    assert f"1. 渡口 ({FIRST})\n误船" in said
    assert "3. 归人" in said
    assert "- 归来\n- 相认" in said
    assert "雨夜" not in said
    assert "还没有发生" in said


async def test_a_long_plan_is_cut_round_the_runs_chapter(bind, book, chapters):
    """With thousands of chapters those nearest are shown, and how many are not."""
    many = [
        replace(
            chapters[0], path=f"{i}.md", title=f"题{i}", number=i, meta={"outline": f"纲{i}：" + "事" * 300}
        )
        for i in range(1, 3001)
    ]
    book.listed = tuple(many)
    said = await read(bind("1500.md", "x"))
    assert "纲1500：" in said
    assert "纲1470：" in said
    assert "纲1530：" in said
    assert len(said) < 30_000
    shown = said.count("：事")
    before, after = (
        int(part.split(" ")[0]) for part in (said.partition("前面略去 ")[2], said.partition("后面略去 ")[2])
    )
    assert before + shown + after == 3000


async def test_a_chapters_own_outline(bind):
    """Its front matter as the editor holds it, whatever form it has."""
    for written, said in (
        ("误船", "误船"),
        ("[误船, 等人]", "- 误船\n- 等人"),
        ("{开头: 误船}", "- 开头: 误船"),
    ):
        tools = bind(FIRST, f"---\noutline: {written}\n---\n# 渡口\n\n正文。\n")
        assert f"（作者的计划）：{said}" in await read(tools, "read_chapter_outline", chapter_id="current")
    tools = bind(FIRST, "---\n细纲: 误船\n---\n正文。\n")
    assert "误船" in await read(tools, "read_chapter_outline", chapter_id="current")


@pytest.mark.parametrize(
    "path",
    ["大纲/细纲_第001章.md", "大纲/细纲_第0001章.md", "细纲/第001章.md", "大纲/第1卷-详细大纲.md", "大纲.md"],
)
async def test_a_chapters_outline_elsewhere(bind, book, path):
    """A file of its own, or the section under its number in its volume's or the book's outline."""
    whole = "细纲" in path
    book.texts[path] = (
        "林夏误船。\n"
        if whole
        else (
            "# 第1卷\n\n开篇。\n\n### 第一章：渡口\n\n林夏误船。\n\n#### 细节\n\n天黑了。\n\n### 第2章\n\n雨。\n"
        )
    )
    said = await read(bind(), "read_chapter_outline", chapter_id=FIRST)
    assert path in said
    assert "林夏误船。" in said
    assert "雨" not in said.partition(path)[2]
    assert "开篇" not in said
    assert whole or "天黑了。" in said


async def test_without_any_it_is_worked_out(bind):
    """Headings and scenes with their first sentences, said to be that."""
    text = "# 渡口\n\n林夏到了。船走了。\n\n***\n\n“再等等。”周衡说。天黑了。\n\n## 夜\n\n雨来了。\n"
    said = await read(bind(FIRST, text), "read_chapter_outline", chapter_id="current")
    assert "没有写大纲" in said
    assert said.endswith("# 渡口: 林夏到了。\n* “再等等。”周衡说。\n## 夜: 雨来了。")
    assert "没有正文" in await read(bind(FIRST, ""), "read_chapter_outline", chapter_id="current")


async def test_without_a_book(bind):
    """An untitled document has no book to plan."""
    tools = Tools(None, Snapshot("untitled:1", "", 1, "---\noutline: 误船\n---\n# 题\n"), "en")
    assert "no outline" in await read(tools)
    assert "误船" in await read(tools, "read_chapter_outline", chapter_id="current")


async def test_a_later_chapters_outline_is_called_later(bind, book):
    book.texts["卷一/第003章.md"] = "---\noutline: 归来\n---\n"
    assert "还没有发生" in await read(bind(FIRST), "read_chapter_outline", chapter_id="3")


async def test_a_chapter_that_is_gone_is_an_error_result(bind, book):
    del book.texts["卷一/第003章.md"]
    result = await bind().call("read_chapter_outline", {"chapter_id": "3"})
    assert not result.ok

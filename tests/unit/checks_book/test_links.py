"""Links that lead nowhere, and those that do lead somewhere."""

from __future__ import annotations

import pytest

FILES = {
    "第1章 渡口.md": "# 第1章 渡口\n\n## 雨，夜\n\n好。\n",
    "第2章.md": "# 第2章\n\n好。\n",
    "第4章.md": "# 第4章\n\n好。\n",
    "notes/线索.md": "# 线索\n",
    "cards/林夏.md": "---\ntype: character\naliases: [小夏]\n---\n",
}


@pytest.mark.parametrize(
    ("link", "told"),
    [
        ("[[林夏]]", []),
        ("[[小夏|她]]", []),
        ("[[线索]]", []),
        ("[[notes/线索]]", []),
        ("[[第1章 渡口]]", []),
        ("[[第1章 渡口#雨夜]]", []),
        ("![[图.png]] [[附件.pdf]]", []),
        ("[[林下]]", [("link_card_missing", "林下")]),
        ("[[林下|她]]", [("link_card_missing", "林下")]),
        ("[[第1章 渡口#雪夜]]", [("link_anchor_missing", "雪夜")]),
        ("[[#没有]]", [("link_anchor_missing", "没有")]),
        ("[一](第2章.md)", []),
        ("[一](<第1章 渡口.md#雨夜>)", []),
        ("[一](%E7%AC%AC2%E7%AB%A0.md)", []),
        ("[一](第9章.md)", [("link_path_missing", "第9章.md")]),
        ("[一](第1章%20渡口.md#无)", [("link_anchor_missing", "无")]),
        ("[一](../外面.md)", []),
        ("[一](https://example.org/x.md)", []),
        ("`[[林下]]` 与 `[一](第9章.md)`", []),
        ("<!-- [[林下]] -->", []),
        ("见第2章。", []),
        ("见第3章。", [("link_chapter_missing", "第3章")]),
        ("见第9章。", []),
        ("《旧书》第3章。", []),
        ("第三节课。第三回。", []),
    ],
)
async def test_links(write, link, told):
    """Only what leads nowhere is told of, at the part that is wrong."""
    book = await write({**FILES, "第5章.md": f"# 第5章\n\n{link}\n"})
    assert book.told("第5章.md", *(code for code, _ in told or [("link", "")])) == told
    assert [one for one in book.told("第5章.md") if one[0].startswith("link_")] == told


async def test_the_nearest_name_and_a_new_card_are_offered(write):
    """What was probably meant comes first."""
    text = "# 第5章\n\n[[林下|她]]来了。\n"
    book = await write({**FILES, "第5章.md": text})
    (one,) = book.say("第5章.md", "link_card_missing")
    assert book.fixed("第5章.md", one.fixes[0]) == {"第5章.md": text.replace("林下", "林夏")}
    assert one.fixes[-1].card is not None


async def test_a_file_that_was_moved_is_offered_where_it_is(write):
    """The path is written as a person would: relative, no escapes but those that it needs."""
    text = "# 第5章\n\n见[这里](线索.md)。\n"
    book = await write({**FILES, "第5章.md": text})
    (one,) = book.say("第5章.md", "link_path_missing")
    assert book.fixed("第5章.md", one.fixes[0]) == {"第5章.md": text.replace("线索.md", "notes/线索.md")}


async def test_a_file_that_is_no_text_is_looked_for_on_the_disk(write):
    """A picture that is there is no broken link; one that is not, is."""
    book = await write({**FILES, "第5章.md": "# 第5章\n\n![图](a.png) ![图](b.png)\n"})
    (book.root / "a.png").write_bytes(b"x")
    assert book.told("第5章.md") == [("link_path_missing", "b.png")]

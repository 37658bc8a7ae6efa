"""Tools that read chapters."""

from __future__ import annotations

import pytest

from inkwright.domain.text import Snapshot
from inkwright.tools.chapters import LONG
from inkwright.tools.toolbox import Tools

FIRST = "卷一/第001章.md"
SECOND = "卷一/第002章.md"


async def read(tools, name, **arguments):
    result = await tools.call(name, arguments)
    assert result.ok, result.text
    return result.text


async def test_a_chapter_is_plain_text(bind):
    """Title, synopsis and prose; no front matter, comment, mark, link target or private word."""
    text = await read(bind(), "read_chapter", chapter_id=FIRST)
    assert "标题：渡口" in text
    assert "林夏错过了船。" in text
    assert "林夏到的时候，船已经走了。" in text
    for hidden in ("凶手", "草稿", "待改", "http", "**", "---"):
        assert hidden not in text


async def test_offsets_lead_back_to_the_document(bind, book):
    """The number before a paragraph is where it stands in the file."""
    text = await read(bind(), "read_chapter", chapter_id=FIRST)
    offset = book.texts[FIRST].index("“再等等")
    assert f"[{offset}] “再等等。”周衡说。" in text


async def test_the_runs_own_chapter_is_the_snapshot(bind, book):
    """What the editor holds wins over the file, which is not even read."""
    tools = bind(SECOND, "# 雨夜\n\n刚写的一句。\n")
    for id_ in (SECOND, "current", ""):
        assert "刚写的一句。" in await read(tools, "read_chapter", chapter_id=id_)
    assert book.asked == []


@pytest.mark.parametrize(
    "id_", [FIRST, f"./{FIRST}", "卷一\\第001章.md", "第001章", "第001章.md", "渡口", "1"]
)
async def test_an_id_is_understood_kindly(bind, id_):
    """The path, or a file name, title or number that fits one chapter alone."""
    assert "林夏到的时候" in await read(bind(), "read_chapter", chapter_id=id_)


async def test_an_unknown_id_is_refused_with_help(bind):
    """An error that says where ids come from and shows some."""
    result = await bind().call("read_chapter", {"chapter_id": "第九章"})
    assert not result.ok
    assert FIRST in result.text


@pytest.mark.parametrize("id_", ["../secret.md", "/etc/passwd", "cards/林夏.md", "book.toml"])
async def test_nothing_but_chapters_can_be_reached(bind, book, id_):
    """No id leads out of the book's chapters, to a card or to another file."""
    assert not (await bind().call("read_chapter", {"chapter_id": id_})).ok
    assert book.asked == []


async def test_an_ambiguous_id_is_refused(bind, book, chapters):
    """Two chapters of one title: both ids are named, none is guessed."""
    from dataclasses import replace

    book.listed = (chapters[0], replace(chapters[1], title="渡口"), chapters[2])
    result = await bind().call("read_chapter", {"chapter_id": "渡口"})
    assert not result.ok
    assert FIRST in result.text
    assert SECOND in result.text


async def test_a_file_that_is_gone_is_an_error_result(bind, book):
    """A chapter that cannot be read is told, not raised."""
    del book.texts["卷一/第003章.md"]
    result = await bind().call("read_chapter", {"chapter_id": "归人"})
    assert not result.ok
    assert result.text


async def test_a_summary_is_the_authors_or_the_opening(bind):
    """The synopsis where there is one, else the first 500 characters, said to be that."""
    assert "梗概：林夏错过了船。" in await read(bind(), "read_chapter_summary", chapter_id=FIRST)
    opening = await read(bind(), "read_chapter_summary", chapter_id=SECOND)
    assert "开头" in opening
    assert len(opening.rpartition("）：")[2]) == 500


async def test_chunks_cover_the_chapter(bind):
    """Pieces of the asked size, each with its range and the next index; together the whole text."""
    tools = bind()
    whole = "雨夜\n" + "雨下了一整夜。" * 100
    got, index = "", 0
    while True:
        text = await read(tools, "read_chapter_chunk", chapter_id=SECOND, chunk_index=index, chunk_size=300)
        assert f"第 {index} 段（序号从 0 起，共 3 段）" in text
        body = text.partition("\n\n")[2]
        got += "\n".join(line.partition("] ")[2] for line in body.split("\n"))
        if "这是最后一段" in text:
            break
        index += 1
        assert f"chunk_index 是 {index}" in text
    assert index == 2
    assert got == whole


async def test_a_chunk_out_of_range_names_the_range(bind):
    """The error says which indices there are."""
    result = await bind().call(
        "read_chapter_chunk", {"chapter_id": SECOND, "chunk_index": 9, "chunk_size": 300}
    )
    assert not result.ok
    assert "0 到 2" in result.text


async def test_an_empty_chapter_has_one_empty_piece(bind):
    """Nothing to read is no error."""
    tools = bind("x.md", "---\ntitle: 空\n---\n")
    assert "共 1 段" in await read(tools, "read_chapter_chunk", chapter_id="current")
    await read(tools, "read_chapter", chapter_id="current")
    await read(tools, "read_chapter_summary", chapter_id="current")


async def test_a_long_chapter_points_to_pieces(bind):
    """Before it is cut, the result says how to read the rest."""
    text = await read(bind("x.md", "长句。" * LONG), "read_chapter", chapter_id="current")
    assert "read_chapter_chunk" in text[:400]


async def test_the_list_is_in_reading_order(bind):
    """id, number, title, volume, words, status, synopsis, and how many there are."""
    text = await read(bind(), "list_book_chapters")
    rows = text.split("\n")
    assert "全书 3 章" in rows[0]
    assert rows[2] == f"1 | {FIRST} | 1 | 渡口 | 第一卷 | 100 | draft | 林夏错过了船。"
    assert rows[3] == f"2 | {SECOND} | 2 | 雨夜 | 第一卷 | 100 | - | -"
    part = await read(bind(), "list_book_chapters", **{"from": 2, "count": 1})
    assert [row[:1] for row in part.split("\n")[2:]] == ["2"]
    assert "第 2–2 章" in part
    result = await bind().call("list_book_chapters", {"from": 4})
    assert not result.ok
    assert "1 到 3" in result.text


async def test_without_a_book_the_document_is_all_there_is():
    """An untitled buffer can be read; there is no other chapter and no card."""
    tools = Tools(None, Snapshot("untitled:1", "", 1, "# 题\n\n一句。\n"), "zh")
    text = await read(tools, "read_chapter", chapter_id="current")
    assert "标题：题" in text
    assert "一句。" in text
    assert not (await tools.call("read_chapter", {"chapter_id": "a.md"})).ok
    assert "没有章节" in await read(tools, "list_book_chapters")
    assert "标题" not in await read(tools, "search_world_cards", query="题")
    assert "题" in await read(tools, "get_book_context")

"""A chapter taken apart."""

from __future__ import annotations

import re

from inkwright.domain.text import Span
from inkwright.manuscript import frontmatter, segments
from inkwright.tools.plain import plain

PATH = "卷一/第009章.md"


async def read(tools, **arguments):
    result = await tools.call("split_chapter", {"chapter_id": "current", **arguments})
    assert result.ok, result.text
    return result.text


def told(text):
    """The segments in full: (index, from, to, what stands there)."""
    found = re.split(r"\n\[(\d+)\] 原文偏移 (\d+)–(\d+)\n", text.partition("\n其余各段")[0])
    numbers = zip(found[1::4], found[2::4], found[3::4], found[4::4], strict=True)
    return [(int(i), int(a), int(b), said.strip("\n")) for i, a, b, said in numbers]


async def test_twelve_at_a_time_and_all_in_the_end(bind):
    """Each call gives twelve in full, previews of the others and where to go on; together the whole chapter."""
    text = "---\ntitle: 长\n---\n# 长\n\n" + "\n\n".join(
        f"第{i}段，雨下了一整夜，江水涨上石阶。" for i in range(900)
    )
    tools = bind(PATH, text)
    start, all_told = 1, []
    while True:
        said = await read(tools, max_chars=500, **{"from": start})
        part = told(said)
        assert [index for index, *_ in part] == list(range(start, start + len(part)))
        assert len(part) <= 12
        all_told += part
        if "后面没有了" in said:
            break
        start += len(part)
        assert f"from = {start}。" in said
        assert f"\n{start}. " in said
    whole = plain(text)
    body = Span(frontmatter.read(text).body_start, len(text))
    assert [Span(a, b) for _, a, b, _ in all_told] == segments.within(text, body, 500)
    assert "\n".join(said for *_, said in all_told) == whole.text
    assert all(len(said) <= 500 for *_, said in all_told)


async def test_segments_are_those_of_the_batches(bind):
    """What a pipeline's second batch holds begins with the thirteenth segment."""
    text = "# 长\n\n" + "\n\n".join("雨下了一整夜。" * 20 for _ in range(250))
    second = segments.batches(text, Span(0, len(text)))[1]
    assert told(await read(bind(PATH, text), **{"from": 13}))[0][1] == second.start


async def test_out_of_range_names_the_range(bind):
    """Also for an empty chapter, which has one empty segment."""
    result = await bind(PATH, "一句。").call("split_chapter", {"chapter_id": "current", "from": 2})
    assert not result.ok
    assert "1 到 1" in result.text
    assert "没有正文" in await read(bind(PATH, "---\ntitle: x\n---\n"))


async def test_what_a_reader_does_not_see_is_not_there(bind, book):
    """No front matter, comment or mark; a stretch of comments alone has no prose."""
    said = await read(bind("卷一/第001章.md"))
    for hidden in ("凶手", "草稿", "待改", "http", "**"):
        assert hidden not in said
    text = "一句。\n\n<!--" + "秘密" * 300 + "-->\n\n又一句。\n"
    said = await read(bind(PATH, text), max_chars=100)
    assert "秘密" not in said
    assert "没有正文" in said


async def test_an_answer_is_not_longer_than_is_sent(bind):
    """Large segments come fewer at a time, so that none is cut off in the answer."""
    text = "雨下了一整夜。" * 20_000
    said = await read(bind(PATH, text), max_chars=20_000)
    assert len(told(said)) == 1
    assert len(said) < 30_000
    said = await read(bind(PATH, text), max_chars=100)
    assert len(said) < 30_000
    assert "另有" in said


async def test_a_later_chapter_is_called_one(bind):
    result = await bind("卷一/第001章.md").call("split_chapter", {"chapter_id": "3"})
    assert "还没有发生" in result.text

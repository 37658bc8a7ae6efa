"""Whether a quotation stands in a chapter."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inkwright.tools.plain import plain
from inkwright.tools.verbatim import find, nearly

TEXT = """---
title: 渡口
private: 船夫是凶手
---
# 渡口

　　林夏到的**时候**，[船](http://example.com)已经走了。<!-- 草稿 -->

“再等等。”周衡说。

The boat had
gone before Mara
came down the steps.
"""


def found(quote: str, text: str = TEXT) -> str | None:
    span = find(plain(text), quote)
    return None if span is None else span.of(text)


@pytest.mark.parametrize(
    ("quote", "stands"),
    [
        ("“再等等。”周衡说。", None),
        ("再等等", None),
        (" “再等等。”\n", "“再等等。”"),
        ("林夏到的**时候**，", None),
        ("林夏到的时候，船已经走了。", "林夏到的**时候**，[船](http://example.com)已经走了。"),
        ("The boat had gone before", "The boat had\ngone before"),
        ("The boat had\n\ngone", "The boat had\ngone"),
        ("周衡说。\nThe boat", "周衡说。\n\nThe boat"),
        ("周衡说。The boat", "周衡说。\n\nThe boat"),
        ("渡口", None),
    ],
)
def test_it_stands_there(quote: str, stands: str | None) -> None:
    """To the letter in the source or as a reader sees it; line breaks may differ; given as the chapter has it."""
    assert found(quote) == (stands or quote)


@pytest.mark.parametrize(
    "quote",
    [
        "",
        " \n",
        "林夏到的时候,船已经走了。",
        "林夏到时船已经走了",
        "再 等等",
        "The boat  had",
        "Theboat",
        "船夫是凶手",
        "草稿",
        "title",
        "走了。<!-- 草稿 -->",
        "the boat",
        "走了。“再等等",
    ],
)
def test_it_does_not_stand_there(quote: str) -> None:
    """Another mark, another space, a leap over a comment, front matter, a comment: no quotation."""
    assert found(quote) is None


def test_the_first_place_that_is_prose() -> None:
    """What stands in a comment first and in the prose later is found in the prose."""
    text = "<!-- 船走了 -->\n\n船走了。\n"
    span = find(plain(text), "船走了")
    assert span is not None
    assert span.start == text.rindex("船走了")


def test_line_ends_of_all_kinds() -> None:
    """CRLF and CR chapters are quoted with line feeds; what is written is what stands there."""
    for eol in ("\r\n", "\r"):
        text = f"一行。{eol}{eol}二行。{eol}"
        assert found("一行。\n\n二行。", text) == f"一行。{eol}{eol}二行。"
        assert found("一行。二行。", text) == f"一行。{eol}{eol}二行。"


def test_what_was_meant_is_found() -> None:
    """With other punctuation the passage is found to be shown, but never taken for the quotation."""
    span = nearly(plain(TEXT), "林夏到的时候,船已经走了")
    assert span is not None
    assert span.of(TEXT).startswith("林夏到的**时候**，")
    assert nearly(plain(TEXT), "没有这一句") is None
    assert nearly(plain(TEXT), "，。") is None


WORDS = st.sampled_from(
    ["林夏", "船", "走了。", " ", "\n", "\n\n", "\r\n", "　", "the", "boat", "**", "，", "“", "哈"]
)


@given(st.lists(WORDS, max_size=40).map("".join), st.data())
def test_every_stretch_of_plain_text_stands_there(text: str, data: st.DataObject) -> None:
    """Whatever a model copies from what it was shown is found, and it is the same but for its line breaks."""
    shown = plain(text)
    start = data.draw(st.integers(0, len(shown.text)))
    quote = shown.text[start : data.draw(st.integers(start, len(shown.text)))]
    span = find(shown, quote)
    if not quote.strip():
        assert span is None
        return
    assert span is not None
    same = re.sub(r"\s", "", shown.between(span))
    assert same == re.sub(r"\s", "", quote) or re.sub(r"\s", "", span.of(text)) == re.sub(r"\s", "", quote)


@given(st.lists(WORDS, max_size=30).map("".join), st.lists(WORDS, max_size=12).map("".join))
def test_what_is_found_differs_in_line_breaks_alone(text: str, quote: str) -> None:
    """No character but white space is ever added, lost or changed, marks apart."""
    span = find(plain(text), quote)
    if span is not None:
        bare = [re.sub(r"[\s*]", "", part) for part in (span.of(text), quote)]
        assert bare[0] == bare[1]


def test_repetition_costs_little() -> None:
    """A quotation that almost stands everywhere ends the search after some places."""
    assert found("哈 " * 300 + "呵", "哈\u3000" * 100_000) is None
    assert found("哈 哈" * 100, "哈\u3000" * 100_000) is None

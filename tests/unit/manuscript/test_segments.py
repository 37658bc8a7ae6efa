"""A text cut into segments and batches of segments."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from inkwright.domain.text import Span
from inkwright.manuscript import frontmatter, segments

PIECES = st.sampled_from(
    [
        "林夏到的时候，船已经走了。",
        "“再等等。”周衡说。",
        "The boat had gone. ",
        "Mr. Darcy walked on; nobody spoke, ",
        "# 第一章\n",
        "***\n",
        "\n",
        "\r\n",
        "\n\n",
        "　　",
        "e\u0301",
        "👨\u200d👩\u200d👧",
        "👍🏽",
        "🇨🇳",
        "葛\U000e0100",
        "각",
        "\ud83d\ude0b",
        "𠮷野",
        "> 引文\n",
        "```\ncode\n```\n",
        "<!-- 备忘 -->",
        "---\ntitle: x\n---\n",
    ]
)
TEXTS = st.lists(st.one_of(PIECES, st.text(max_size=12)), max_size=60).map("".join)


@given(TEXTS, st.integers(1, 80))
@example("\ud83d\ude0b", 1)
@example("🇨🇳🇫🇷🇩🇪", 3)
def test_segments_are_the_text(text: str, limit: int) -> None:
    """They cover the text in order, none is empty, none is longer than the limit."""
    spans = segments.split(text, limit)
    assert "".join(span.of(text) for span in spans) == text
    assert all(0 < len(span) <= limit for span in spans)
    assert [span.start for span in spans[1:]] == [span.end for span in spans[:-1]]


@given(TEXTS, st.integers(40, 120))
def test_no_character_is_cut(text: str, limit: int) -> None:
    """Marks, joiners, skin tones, flags and line ends stay with what they belong to where that fits."""
    for span in segments.split(text, limit)[:-1]:
        before, after = text[span.end - 1], text[span.end]
        if not segments.joined(text, span.end, span.start):
            assert not (before == "\r" and after == "\n")
            assert not ("\ud800" <= before <= "\udbff" and "\udc00" <= after <= "\udfff")
            assert before in "\r\n" or before != "\u200d"
            assert before in "\r\n" or unicodedata.combining(after) == 0
        else:  # one character that is longer than a segment
            assert all(segments.joined(text, at, span.start) for at in range(span.start + 1, span.end))


@pytest.mark.parametrize(
    ("unit", "limit"),
    [
        ("e\u0301", 3),
        ("👨\u200d👩\u200d👧", 7),
        ("👍🏽", 3),
        ("🇨🇳", 3),
        ("葛\U000e0100", 5),
        ("\u1100\u1161\u11a8", 4),
        ("\r\n", 3),
        ("🏴\U000e0067\U000e0062\U000e007f", 6),
    ],
)
def test_whole_characters(unit: str, limit: int) -> None:
    """A run of characters of several code points each is cut between them alone."""
    text = unit * 40
    assert all(span.start % len(unit) == 0 for span in segments.split(text, limit))


def test_paragraphs_before_sentences_before_anything() -> None:
    """Whole paragraphs as many as fit; a longer one between its sentences; a longer sentence at a comma."""
    one, two = "甲" * 9 + "。\n\n", "乙" * 9 + "。\n\n"
    assert [s.of(one + two) for s in segments.split(one + two, 20)] == [one, two]
    assert [s.of(one + two) for s in segments.split(one + two, 24)] == [one + two]
    long = "甲甲甲。“乙乙乙。”丙丙丙丙丙丙丙丙。"
    assert [s.of(long) for s in segments.split(long, 12)] == ["甲甲甲。“乙乙乙。”", "丙丙丙丙丙丙丙丙。"]
    endless = "甲甲甲甲甲甲，乙乙乙乙乙乙"
    assert [s.of(endless) for s in segments.split(endless, 10)] == ["甲甲甲甲甲甲，", "乙乙乙乙乙乙"]
    assert [len(s) for s in segments.split("甲" * 25, 10)] == [10, 10, 5]


def test_a_paragraph_that_just_fits_is_whole() -> None:
    """The blank line after it is parted from it where there is no room for it."""
    text = "甲" * 9 + "。\n\n" + "乙" * 9 + "。\n"
    pieces = [s.of(text).strip() for s in segments.split(text, 10)]
    assert [piece for piece in pieces if piece] == ["甲" * 9 + "。", "乙" * 9 + "。"]


def test_a_heading_goes_with_what_follows() -> None:
    """No segment ends in a heading where it can be helped."""
    text = "甲" * 20 + "。\n\n## 二\n\n" + "乙" * 20 + "。\n"
    first, second = segments.split(text, 34)
    assert second.of(text).startswith("## 二")
    assert first.of(text).strip() == "甲" * 20 + "。"


def test_a_limit_must_be_one() -> None:
    with pytest.raises(ValueError, match="positive"):
        segments.split("x", 0)


@given(TEXTS, st.integers(1, 60), st.integers(1, 12), st.data())
def test_batches_are_whole_segments(text: str, limit: int, most: int, data: st.DataObject) -> None:
    """They cover the body in order, and each is at most so many segments of the same body."""
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    body = Span(start, end)
    batches = segments.batches(text, body, limit, most)
    if not body.of(text).strip():
        assert batches == []
        return
    assert "".join(batch.of(text) for batch in batches) == body.of(text)
    pieces = segments.within(text, body, limit)
    borders = [piece.start for piece in pieces] + [body.end]
    for number, batch in enumerate(batches):
        first, last = borders.index(batch.start), borders.index(batch.end)
        assert first == number * most
        assert last - first <= most


def test_batches_of_a_chapter() -> None:
    """Twelve segments of at most 2,000 characters go together; front matter that is outside stays outside."""
    text = "---\ntitle: 渡口\n---\n" + ("雨下了一整夜，江水涨上了码头的石阶。\n\n" * 1500)
    body = Span(frontmatter.read(text).body_start, len(text))
    batches = segments.batches(text, body)
    assert len(batches) == 2
    assert batches[0].start == body.start
    assert all(batch.of(text).rstrip().endswith("。") for batch in batches)
    assert len(batches[0]) <= 12 * 2000

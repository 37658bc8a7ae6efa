"""The pieces of a text that are shown in colour: names by kind, speech around them, line by line in every encoding."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inkwright.domain.cards import Card, Match
from inkwright.domain.text import ENCODINGS, Lines, Span, line_starts, units
from inkwright.manuscript import markdown, tokens
from inkwright.manuscript.mentions import Dictionary
from inkwright.manuscript.tokens import AMBIGUOUS, FIRST, TYPES, UNCONFIRMED, Palette

CARDS = (
    Card("c/林夏.md", "林夏", "character", "character", ("小夏",)),
    Card("c/周衡.md", "周衡", "character", "character", ("小夏",)),
    Card("c/渡口.md", "旧渡口", "location", "location"),
    Card("c/印.md", "铜印", "item", "item"),
    Card("c/帮.md", "盐帮", "faction", "faction"),
    Card("c/雾.md", "雾", "misc", "misc"),
    Card("c/Rose.md", "Rose", "character", "character", match=Match("exact")),
    Card("c/Old.md", "Old Landing", "location", "location"),
)
PALETTE = Palette(Dictionary(CARDS), CARDS)


def shown(text, palette=PALETTE, pages=None):
    """(text, type, modifiers) of each piece."""
    found, _ = tokens.pieces(text, markdown.scan(text), palette, {} if pages is None else pages)
    return [(text[p.start : p.end], TYPES[p.kind], p.modifiers) for p in found]


def test_names_by_kind():
    """Each kind has its type; a card of another kind has none; the first name of a card in a text says so."""
    assert shown("林夏带着铜印，离开旧渡口，盐帮在雾里。林夏走了。") == [
        ("林夏", "character", FIRST),
        ("铜印", "item", FIRST),
        ("旧渡口", "location", FIRST),
        ("盐帮", "faction", FIRST),
        ("林夏", "character", 0),
    ]


def test_a_name_of_two_is_ambiguous():
    """An alias that two cards share; it is the first of the one that was not named before."""
    assert shown("林夏来了。小夏走了。小夏。") == [
        ("林夏", "character", FIRST),
        ("小夏", "character", FIRST | AMBIGUOUS),
        ("小夏", "character", AMBIGUOUS),
    ]


def test_a_candidate_is_not_confirmed():
    """A name of a card that waits; one that is a card's already stays the card's."""
    waiting = (Card("\0a", "沈砚", "character", "character"), Card("\0b", "林夏", "item", "item"))
    palette = Palette(Dictionary(CARDS), CARDS, waiting)
    assert shown("沈砚与林夏。", palette) == [
        ("沈砚", "character", FIRST | UNCONFIRMED),
        ("林夏", "character", FIRST),
    ]
    assert palette.version != PALETTE.version


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("“走吧。”她说。", ["“走吧。”"]),
        ("她说：“走吧”然后走了。", ["“走吧”"]),
        ("她写下“渡口”二字。", []),
        ("「待って。」と言った。", ["「待って。」"]),
        ("“他说：‘走。’我就走。”", ["“他说：‘走。’我就走。”"]),
        ("He said, “Go.” The “old” ferry.", ["“Go.”"]),
        ('"Go," he said. The "old" ferry.', ['"Go,"']),
        ("‘Don’t go,’ he said. The writers’ room and ’tis.", ["‘Don’t go,’"]),
        ("“没有关上的话，\n\n“下一段。”", ["“没有关上的话，", "“下一段。”"]),
        ("> “引文里的话。”", ["“引文里的话。”"]),
        ("# “题目里的话。”", []),
        ("```\n“代码。”\n```", []),
    ],
)
def test_what_is_said(text, said):
    """Speech with its marks; a word in quotation marks, a heading and code are none."""
    assert [piece for piece, kind, _ in shown(text) if kind == "dialogue"] == said


def test_a_name_divides_speech():
    """No two pieces overlap: before the name, the name, after it; what is left of the marks too."""
    assert shown("“林夏，铜印呢？”") == [
        ("“", "dialogue", 0),
        ("林夏", "character", FIRST),
        ("，", "dialogue", 0),
        ("铜印", "item", FIRST),
        ("呢？”", "dialogue", 0),
    ]


def test_a_link_is_what_it_links_to():
    """`[[Card|shown]]` colours the target, also when the paragraph is met again."""
    text = "[[林夏|她]]来了。\n\n林夏来了。\n"
    pages = {}
    first, kept = tokens.pieces(text, markdown.scan(text), PALETTE, pages)
    again, _ = tokens.pieces(text, markdown.scan(text), PALETTE, kept)
    assert first == again
    assert shown(text) == [("林夏", "character", FIRST), ("林夏", "character", 0)]


WORDS = st.sampled_from(
    [
        "林夏",
        "小夏",
        "铜印",
        "“",
        "”",
        "「",
        "」",
        '"',
        "说：",
        "。",
        "\n",
        "\r\n",
        "\r",
        "\n\n",
        "😀",
        "𠮷",
        "e\u0301",
        "Rose",
        "Old\nLanding",
        " ",
        "# ",
        "> ",
        "***\n",
        "[[林夏|她]]",
        "<!-- ",
        " -->",
        "```\n",
        "\ud800",
        "---\n",
        "字",
    ]
)
TEXTS = st.lists(WORDS, max_size=40).map("".join)


@given(TEXTS, st.sampled_from(ENCODINGS))
def test_tokens_decode_to_the_pieces(text, encoding):
    """Decoded by the book, tokens come in order, lie in one line each, never overlap, and cover the pieces."""
    found, _ = tokens.pieces(text, markdown.scan(text), PALETTE, {})
    assert all(a.end <= b.start for a, b in pairwise(found))
    lines = Lines(text)
    data = tokens.packed(found, lines, encoding)
    line = column = 0
    covered = []
    for at in range(0, len(data), 5):
        gap, step, length, kind, modifiers = data[at : at + 5]
        line, column = line + gap, (0 if gap else column) + step
        assert length > 0
        row = lines.line(line)
        start = next(i for i in range(len(row) + 1) if units(row[:i], encoding) == column)
        end = next(i for i in range(start, len(row) + 1) if units(row[start:i], encoding) == length)
        base = line_starts(text)[line]
        covered += [(i, kind, modifiers) for i in range(base + start, base + end)]
    expected = [
        (i, p.kind, p.modifiers) for p in found for i in range(p.start, p.end) if text[i] not in "\r\n"
    ]
    assert covered == expected


@given(TEXTS, TEXTS, TEXTS)
def test_paragraphs_seen_before_change_nothing(head, typed, tail):
    """With the paragraphs of the text before, the answer is that of a fresh look."""
    _, pages = tokens.pieces(head + tail, markdown.scan(head + tail), PALETTE, {})
    text = head + typed + tail
    parsed = markdown.scan(text)
    assert tokens.pieces(text, parsed, PALETTE, pages) == tokens.pieces(text, parsed, PALETTE, {})


def test_a_paragraph_seen_before_is_not_searched_again(monkeypatch):
    """Nor one that has no pieces."""
    text = "林夏来了。\n\n无人。\n\n# 题\n\n“好。”\n"
    _, pages = tokens.pieces(text, markdown.scan(text), PALETTE, {})
    searched = []
    real = Dictionary.hits
    monkeypatch.setattr(Dictionary, "hits", lambda *given: searched.append(given) or real(*given))
    tokens.pieces(text + "\n新。\n", markdown.scan(text + "\n新。\n"), PALETTE, pages)
    assert len(searched) == 1


@given(TEXTS, st.integers(0, 80), st.integers(0, 80))
def test_a_part_is_cut_from_the_whole(text, a, b):
    """What is shown of a stretch is what a look at the whole text shows there."""
    where = Span(min(a, b, len(text)), min(max(a, b), len(text)))
    whole, _ = tokens.pieces(text, markdown.scan(text), PALETTE, {})
    wanted = [p for p in whole if p.start < where.end and where.start < p.end]
    assert tokens.part(text, where, PALETTE) == wanted


NUMBERS = st.lists(st.integers(0, 2), max_size=60)


@given(NUMBERS, NUMBERS, NUMBERS, NUMBERS)
def test_a_difference_makes_one_of_the_other(head, old, new, tail):
    """Applied, it gives the new numbers; nothing for the same ones."""
    before, after = head + old + tail, head + new + tail
    found = tokens.difference(before, after)
    assert (found is None) == (before == after)
    if found is not None:
        start, count, put = found
        assert before[:start] + put + before[start + count :] == after
        assert count <= len(old)
        assert len(put) <= len(new)

"""Queries, and the lines that hold them: what a search means, apart from how it is found."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inkwright.domain.errors import InkwrightError
from inkwright.domain.text import Lines
from inkwright.manuscript.bigrams import keys, keys_of
from inkwright.manuscript.folding import fold
from inkwright.manuscript.query import LONGEST, parse

LETTERS = st.sampled_from(list("林晚女剑aAbÉéſς Ａ’'-\"。，\n\r\t\u3000\ud800\0e\u0301ᄀ\u1161한カ𠀀"))
TEXT = st.text(LETTERS, max_size=60)


def terms(query: str) -> tuple[str, ...]:
    return parse(query).needles.texts


def naive(text: str, words: tuple[str, ...]) -> list[int]:
    """The lines that hold every word, by looking at each."""
    lines = Lines(text)
    return [n for n in range(len(lines)) if all(word in fold(lines.line(n)) for word in words)]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("林晚 青崖　山", ("林晚", "青崖", "山")),
        ('"the old  Ferry"  town', ("the old  ferry", "town")),
        ("DARCY ＡＢ don’t", ("darcy", "ab", "don't")),
        ('"half', ('"half',)),
        ('a"b c"d', ('a"b', 'c"d')),
        ('""', ('""',)),
        ('"  "', ()),
        ("a OR -b* (c NEAR d) ^e:", ("a", "or", "-b*", "(c", "near", "d)", "^e:")),
        ("a a", ("a",)),
        ('"a\nb"', ("a b",)),
        (" \t\n", ()),
        ("", ()),
    ],
)
def test_words_and_phrases(query: str, expected: tuple[str, ...]) -> None:
    """White space parts words, straight quotes keep them together, nothing is an operator."""
    assert terms(query) == expected


def test_a_query_without_end_is_refused() -> None:
    """Ten megabytes are said to be too long, not cut to something else."""
    assert len(terms("x" * LONGEST)[0]) == LONGEST
    with pytest.raises(InkwrightError) as caught:
        parse("林" * 10_000_000)
    assert caught.value.fault.code == "query_too_long"


def test_a_line_is_found_with_its_places() -> None:
    """Numbers count the line ends of LSP; spans lie in the text; those that touch are one."""
    text = "一\r\n林晚走了。林晚\r青崖\n林晚青崖、青崖"
    lines = parse("林晚 青崖").needles.lines(text)
    assert [(line.number, line.text, text[line.start :]) for line in lines] == [
        (3, "林晚青崖、青崖", "林晚青崖、青崖")
    ]
    assert [s.of(text) for s in parse("林晚 青崖").needles.spans(lines[0])] == ["林晚青崖", "青崖"]
    assert [line.number for line in parse("林晚").needles.lines(text)] == [1, 3]


def test_inside_a_longer_word_is_found_and_told_apart() -> None:
    """Ann stands in planned; as a word of its own, or before an apostrophe, it is worth more."""
    found = parse("ann").needles.lines("planned\nAnn's\nAnnə\n林Ann晚\n_ann_")
    assert [(line.number, line.whole) for line in found] == [
        (0, False),
        (1, True),
        (2, False),
        (3, True),
        (4, True),
    ]


def test_spans_of_a_decomposed_text_lie_in_it_as_it_is_written() -> None:
    """A letter and its accent are found as one, where they stand."""
    text = "un cafe\u0301 noir"
    (line,) = parse("café n").needles.lines(text)
    assert [s.of(text) for s in parse("café").needles.spans(line)] == ["cafe\u0301"]


@given(TEXT, TEXT)
def test_lines_are_those_that_hold_every_word(text: str, query: str) -> None:
    """Whatever the query: the lines of a naive look, each with spans that spell the words."""
    needles = parse(query).needles
    found = needles.lines(text)
    assert [line.number for line in found] == (naive(text, needles.texts) if needles.texts else [])
    for line in found:
        assert line.text == Lines(text).line(line.number)
        covered = "".join(fold(span.of(text)) for span in needles.spans(line))
        assert all(word in covered for word in needles.texts)


@given(TEXT, st.data())
def test_a_piece_of_a_line_finds_its_line(text: str, data: st.DataObject) -> None:
    """Any stretch of any line, put in quotes, finds that line."""
    lines = Lines(text)
    number = data.draw(st.integers(0, len(lines) - 1))
    line = fold(lines.line(number)).replace('"', "")
    piece = line[data.draw(st.integers(0, len(line))) :][: data.draw(st.integers(1, 8))]
    needles = parse(f'"{piece}"').needles
    if piece.strip() and piece in fold(lines.line(number)):
        assert number in [found.number for found in needles.lines(text)]


@given(TEXT, TEXT)
def test_no_text_that_holds_a_word_lacks_its_keys(text: str, query: str) -> None:
    """The index may name too many files, never too few."""
    folded = fold(text)
    known = keys(folded)
    for word in parse(query).needles.texts:
        whole, begun = keys_of(word)
        has = whole <= known and all(any(key.startswith(head) for key in known) for head in begun)
        assert has or word not in folded


@given(TEXT, TEXT)
def test_grams_are_in_a_text_exactly_when_their_keys_are(text: str, query: str) -> None:
    """Ranking weighs a file the same, whether the index knows it or it was looked through."""
    folded = fold(text)
    known = keys(folded)
    loose = parse(query).loose
    mask = loose.mask(text)
    for bit, gram in enumerate(loose.texts):
        whole, begun = keys_of(gram)
        has = whole <= known and all(any(key.startswith(head) for key in known) for head in begun)
        assert bool(mask >> bit & 1) <= has

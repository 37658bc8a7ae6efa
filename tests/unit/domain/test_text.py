"""Places in text: three encodings, three line ends, clamping."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inkwright.domain.text import (
    ENCODINGS,
    Encoding,
    Lines,
    Position,
    Range,
    Span,
    TextEdit,
    apply,
    encodable,
    from_units,
    joined,
    to_units,
    units,
)

CHARS = ["a", "é", "林", "𠮷", "😋", "\u0301", "\u2028", "\x85", "\ud83d", "\ude0b"]
lines = st.lists(st.sampled_from(CHARS), max_size=12).map("".join)
texts = st.lists(st.sampled_from([*CHARS, "\r", "\n", "\r\n"]), max_size=20).map("".join)
encodings = st.sampled_from(ENCODINGS)


def width(char: str, encoding: Encoding) -> int:
    if encoding == "utf-32":
        return 1
    return len(char.encode("utf-8" if encoding == "utf-8" else "utf-16-le", "surrogatepass")) // (
        1 if encoding == "utf-8" else 2
    )


@given(lines, encodings)
def test_every_boundary_goes_there_and_back(line: str, encoding: Encoding) -> None:
    """A code point column becomes units and the same column again, with lone surrogates too."""
    for column in range(len(line) + 1):
        there = sum(width(char, encoding) for char in line[:column])
        # Split pairs are one character on the wire: the buffer never holds one.
        if joined(line) == line:
            assert to_units(line, column, encoding) == there
            assert from_units(line, there, encoding) == column


@given(lines.map(joined), st.integers(-3, 60), encodings)
def test_a_cut_character_and_a_far_column_are_clamped_down(
    line: str, character: int, encoding: Encoding
) -> None:
    """The column found never lies past the asked one, and the next one would."""
    column = from_units(line, character, encoding)
    reached = sum(width(char, encoding) for char in line[:column])
    assert reached <= max(0, character)
    assert column == len(line) or reached + width(line[column], encoding) > max(0, character)


@pytest.mark.parametrize(
    ("line", "character", "encoding", "column"),
    [
        ("😋😋", 2, "utf-16", 1),
        ("😋😋", 1, "utf-16", 0),
        ("😋😋", 3, "utf-16", 1),
        ("😋", 3, "utf-8", 0),
        ("✍️ Doog", 3, "utf-16", 3),
        ("e\u0301va", 3, "utf-8", 2),
        ("\ud83dx", 1, "utf-16", 1),
        ("\ud83d😋x", 3, "utf-16", 2),
        ("林夏", 2**31, "utf-16", 2),
    ],
)
def test_columns_that_other_servers_got_wrong(
    line: str, character: int, encoding: Encoding, column: int
) -> None:
    """Units are walked, never estimated, and graphemes never counted."""
    assert from_units(line, character, encoding) == column


@given(texts.map(joined), st.integers(-5, 40), encodings)
def test_lines_convert_both_ways(text: str, offset: int, encoding: Encoding) -> None:
    """An offset becomes a position and the same offset; only inside a CRLF it is the end of the line."""
    table = Lines(text)
    found = table.position(offset, encoding)
    back = table.offset(found, encoding)
    clamped = max(0, min(offset, len(text)))
    inside = text[clamped - 1 : clamped + 1] == "\r\n"
    assert back == clamped - (1 if clamped and inside else 0)


@given(texts, st.lists(st.tuples(st.integers(-5, 40), encodings), max_size=12))
def test_a_table_that_was_asked_before_answers_like_a_new_one(
    text: str, asked: list[tuple[int, Encoding]]
) -> None:
    """In whatever order and encodings places are asked for, each answer is that of a fresh table."""
    table = Lines(text)
    for offset, encoding in asked:
        number = table.line_of(offset)
        column = max(0, min(offset, len(text)) - table.starts[number])
        fresh = Position(number, units(table.line(number)[:column], encoding))
        assert table.position(offset, encoding) == fresh == Lines(text).position(offset, encoding)


def test_places_in_an_endless_line_are_counted_from_the_last_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """All positions of one line together look at each character a few times, not at the line each time."""
    from inkwright.domain import text as module

    seen: list[int] = []

    def counting(part: str, encoding: Encoding) -> int:
        seen.append(len(part))
        return units(part, encoding)

    monkeypatch.setattr(module, "units", counting)
    line = "林夏，𠮷。" * 2000
    table = Lines(line)
    for at in range(0, len(line), 5):
        table.range(Span(at + 2, at + 3))
        table.range(Span(at + 1, at + 4))
    assert sum(seen) < 5 * len(line)


@given(texts)
def test_only_three_line_ends(text: str) -> None:
    """LF, CRLF and CR end a line; form feed, NEL and U+2028 are plain characters."""
    table = Lines(text)
    rejoined = "".join(
        text[start : (table.starts[i + 1] if i + 1 < len(table) else len(text))]
        for i, start in enumerate(table.starts)
    )
    assert rejoined == text
    assert len(table) == 1 + text.replace("\r\n", "\n").replace("\r", "\n").count("\n")
    assert all("\n" not in table.line(i) and "\r" not in table.line(i) for i in range(len(table)))


def test_positions_outside_the_text_are_clamped() -> None:
    """Past the end of a line is its end, past the last line the end of text, before the first its start."""
    table = Lines("abc\r\nde")
    assert table.offset(Position(0, 99)) == 3
    assert table.offset(Position(9, 9)) == 7
    assert table.offset(Position(-1, 5)) == 0
    assert table.offset(Position(1, -4)) == 5
    assert table.span(Range(Position(1, 1), Position(0, 1))) == Span(1, 6)


@given(lines, encodings)
def test_units_of_a_whole(line: str, encoding: Encoding) -> None:
    """A text is as long as its characters together."""
    whole = joined(line)
    assert units(whole, encoding) == sum(width(char, encoding) for char in whole)


@given(lines)
def test_what_leaves_the_house_is_valid_unicode(line: str) -> None:
    """A split pair is joined, a lone half replaced, so that no border raises."""
    out = encodable(line)
    out.encode("utf-8")
    assert "\ud83d" not in out
    assert len(out) == len(joined(line))


def test_edits_apply_in_any_order_and_never_overlap() -> None:
    """Edits of one text are placed in the text before all of them; overlapping ones are an error."""
    edits = [TextEdit(Span(4, 5), "Y"), TextEdit(Span(0, 1), "X"), TextEdit(Span(5, 5), "!")]
    assert apply("abcdef", edits) == "XbcdY!f"
    with pytest.raises(ValueError, match="overlap"):
        apply("abc", [TextEdit(Span(0, 2), ""), TextEdit(Span(1, 3), "")])


def test_spans_that_touch() -> None:
    """Two stretches touch when they share a code point; an empty one touches at a border too."""
    assert Span(0, 3).touches(Span(2, 4))
    assert not Span(0, 3).touches(Span(3, 4))
    assert Span(3, 3).touches(Span(0, 3))
    assert len(Span(2, 5)) == 3
    assert Span(1, 2).shift(3) == Span(4, 5)

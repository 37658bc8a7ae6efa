"""Paragraphs that are longer than anybody writes, in pieces."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inkwright.domain.text import Span
from inkwright.manuscript import overlong


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(overlong, "PIECE", 20)
    monkeypatch.setattr(overlong, "MOST", 90)


@given(st.text("林夏。！”“ .a", max_size=150), st.integers(0, 5), st.integers(0, 30))
def test_pieces_tile_what_is_read(text: str, start: int, gap: int) -> None:
    """No piece is longer than its limit; together they are the paragraph up to the most, and so is their prose."""
    span = Span(min(start, len(text)), len(text))
    middle = min(span.end, span.start + gap)
    prose = [
        part for part in (Span(span.start, middle), Span(min(span.end, middle + 1), span.end)) if len(part)
    ]
    found = list(overlong.pieces(text, span, prose))
    assert all(len(piece) <= 20 for piece, _ in found)
    assert found[0][0].start == span.start
    assert found[-1][0].end == min(span.end, span.start + 90) or len(found) == 1
    assert all(a.end == b.start for (a, _), (b, _) in pairwise(found))
    read = {at for part in prose for at in range(part.start, part.end) if at < span.start + 90}
    assert {at for _, parts in found for part in parts for at in range(part.start, part.end)} == read


def test_a_piece_ends_where_a_sentence_does() -> None:
    """With the mark that closes what is said; where none ends, after as many characters as fit."""
    text = "林夏说：“走。”他以经到了，到了又走了走了走了。"
    (first, _), *_ = overlong.pieces(text, Span(0, len(text)), [Span(0, len(text))])
    assert first.of(text) in ("林夏说：“走。”他以经到了，到了又走了走了走了。"[:20], "林夏说：“走。”")
    bare = "林" * 50
    assert [len(piece) for piece, _ in overlong.pieces(bare, Span(0, 50), [Span(0, 50)])] == [20, 20, 10]

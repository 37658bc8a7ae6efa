"""Paragraphs that are longer than anybody writes: they are read piece by piece, and only so far. Pure."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence

from inkwright.domain.text import Span
from inkwright.manuscript.script import CLOSING, SENTENCE_END

PIECE = 20_000
"""Characters of a piece at the most. A paragraph that has no more is one piece."""
MOST = 300_000
"""Characters of a paragraph that are read; what stands behind them is not looked at."""

_END = re.compile(rf"[{SENTENCE_END}]+[{CLOSING}]*|\.[{CLOSING}]*(?=\s)")


def pieces(text: str, span: Span, prose: Sequence[Span]) -> Iterator[tuple[Span, Sequence[Span]]]:
    """The pieces of the paragraph at `span` with the prose of each. They end where sentences do, if there are any."""
    if len(span) <= PIECE:
        yield span, prose
        return
    last = min(span.end, span.start + MOST)
    at = span.start
    while at < last:
        end = last if last - at <= PIECE else _end(text, at, prose)
        piece = Span(at, end)
        yield piece, [cut for part in prose if (cut := _common(part, piece)) is not None]
        at = end


def _end(text: str, at: int, prose: Sequence[Span]) -> int:
    """Where the last sentence ends that fits, but for those that end beside the prose."""
    best = at + PIECE
    for found in _END.finditer(text, at + PIECE // 2, at + PIECE):
        number = bisect_right(prose, found.start(), key=lambda part: part.start) - 1
        if number >= 0 and found.end() <= prose[number].end:
            best = found.end()
    return best


def _common(part: Span, piece: Span) -> Span | None:
    start, end = max(part.start, piece.start), min(part.end, piece.end)
    return Span(start, end) if start < end else None

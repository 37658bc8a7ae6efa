"""A text cut into segments of a bounded length: between paragraphs, else between sentences, else hard."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable

from inkwright.domain.text import Span
from inkwright.manuscript.markdown import Document, scan
from inkwright.manuscript.sentences import split as sentences

MAX_CHARS = 2000
MOST = 12
"""Segments that go through a pipeline together."""
_AHEAD = 32  # what the end of a sentence needs to see
_SOFT = re.compile(r"[，、；：,;:—\s]")
_JOINER = "\u200d"
_EXTENDS = frozenset(("Mn", "Me", "Mc"))


def split(text: str, max_chars: int = MAX_CHARS) -> list[Span]:
    """The segments of `text`: put together they are it, none is empty or longer than `max_chars`.

    A heading stays with what follows it. A character is never cut off from what is drawn upon it,
    unless it is longer than a segment by itself. Linear in the text; takes CPU time.
    """
    return within(text, Span(0, len(text)), max_chars)


def within(text: str, body: Span, max_chars: int = MAX_CHARS, document: Document | None = None) -> list[Span]:
    """The same of a part of a document. `document` is its scan where that is known."""
    if max_chars < 1:
        raise ValueError("max_chars must be positive")
    if len(body) <= max_chars:
        return [body] if len(body) else []
    borders = [b for b in _borders(document or scan(text)) if body.start < b < body.end]
    out: list[Span] = []
    start = body.start
    while body.end - start > max_chars:
        end = _cut(text, start, body.end, max_chars, borders)
        out.append(Span(start, end))
        start = end
    return [*out, Span(start, body.end)]


def batches(text: str, body: Span, max_chars: int = MAX_CHARS, most: int = MOST) -> list[Span]:
    """Stretches of at most `most` whole segments, which put together are `body`; none when it is blank."""
    if not body.of(text).strip():
        return []
    segments = within(text, body, max_chars)
    groups = [segments[at : at + most] for at in range(0, len(segments), most)]
    return [Span(group[0].start, group[-1].end) for group in groups]


def _borders(document: Document) -> list[int]:
    """Where paragraphs begin and end, in order; a heading has no border below it."""
    out: set[int] = set()
    below_heading = False
    for paragraph in document.paragraphs:
        heading = paragraph.kind == "heading"
        if not below_heading:
            out.add(paragraph.span.start)
        if not heading:
            out.add(paragraph.span.end)
        below_heading = heading
    return sorted(out)


def _cut(text: str, start: int, end: int, limit: int, borders: list[int]) -> int:
    """Where the segment that begins at `start` ends."""
    last = start + limit
    at = bisect_right(borders, last) - 1
    while at >= 0 and borders[at] > start:
        if not joined(text, borders[at], start):
            return borders[at]
        at -= 1
    pieces = sentences(text[start : min(last + _AHEAD, end)])
    for place in _fitting((start + piece.start for piece in reversed(pieces)), start, last):
        if not joined(text, place, start):
            return place
    for soft in _SOFT.finditer(text[start:last][::-1], 0, limit - limit // 2):
        place = last - soft.start()
        if not joined(text, place, start):
            return place
    place = last
    while place > start and joined(text, place, start):
        place -= 1
    return place if place > start else last


def _fitting(places: Iterable[int], start: int, last: int) -> Iterable[int]:
    return (place for place in places if start < place <= last)


def joined(text: str, at: int, start: int = 0) -> bool:
    """Whether the code points at both sides of `at` belong to one character.

    `start` is a place before it where a character begins.
    """
    if not start < at < len(text):
        return False
    before, after = text[at - 1], text[at]
    if before in "\r\n" or after in "\r\n":
        return before == "\r" and after == "\n"
    if after < "\u0300":
        return before == _JOINER
    if before == _JOINER or after in (_JOINER, "\u200c") or unicodedata.category(after) in _EXTENDS:
        return True
    if "\U0001f3fb" <= after <= "\U0001f3ff" or "\U000e0020" <= after <= "\U000e007f":
        return True
    if "\udc00" <= after <= "\udfff":
        return "\ud800" <= before <= "\udbff"
    if "\u1160" <= after <= "\u11ff" or "\ud7b0" <= after <= "\ud7fb":
        return "\u1100" <= before <= "\u11ff" or "\uac00" <= before <= "\ud7fb"
    return _flag(after) and _flags_before(text, at, start) % 2 == 1


def _flag(char: str) -> bool:
    return "\U0001f1e6" <= char <= "\U0001f1ff"


def _flags_before(text: str, at: int, start: int) -> int:
    first = at
    while first > start and _flag(text[first - 1]):
        first -= 1
    return at - first

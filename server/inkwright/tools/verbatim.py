"""Whether a quotation stands in a text, and where: to the letter, but for how its lines are broken."""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import accumulate

from inkwright.domain.text import EOL, Span
from inkwright.tools.plain import Plain

_WORDS = re.compile(r"\S+")
_LETTERS = re.compile(r"[^\W_]+")
_TRIES = 200
_COMMENT = re.compile(r"<!--|-->|%%")


def find(plain: Plain, quote: str) -> Span | None:
    """Where in the document `quote` stands, as its source or as a reader sees it; None for nowhere.

    White space may differ only where one of the two breaks a line. Nothing in front matter or in a
    comment is part of the chapter.
    """
    body = plain.raw[plain.body_start :]
    if (found := _find(body, quote)) is not None:
        span = found.shift(plain.body_start)
        if not _COMMENT.search(span.of(plain.raw)) and plain.between(span):
            return span
    if (found := _find(plain.text, quote)) is not None:
        span = Span(plain.offset(found.start), plain.offset(found.end - 1) + 1)
        if not _COMMENT.search(span.of(plain.raw)):
            return span
    return None


def nearly(plain: Plain, quote: str) -> Span | None:
    """Where the letters of `quote` stand whatever is between them: what was meant by a careless one."""
    wanted, there = _Squeezed(quote, _LETTERS), _Squeezed(plain.text, _LETTERS)
    at = there.text.find(wanted.text) if wanted.text else -1
    if at < 0:
        return None
    found = there.span(at, at + len(wanted.text))
    return Span(plain.offset(found.start), plain.offset(found.end - 1) + 1)


def _find(text: str, quote: str) -> Span | None:
    bare = quote.strip()
    if not bare:
        return None
    at = text.find(bare)
    if at >= 0:
        return Span(at, at + len(bare))
    wanted, there = _Squeezed(bare, _WORDS), _Squeezed(text, _WORDS)
    at = -1
    for _ in range(_TRIES):
        at = there.text.find(wanted.text, at + 1)
        if at < 0:
            break
        if there.alike(at, wanted):
            return there.span(at, at + len(wanted.text))
    return None


class _Squeezed:
    """The pieces of a text that a pattern finds, without what is between them."""

    def __init__(self, text: str, pattern: re.Pattern[str]) -> None:
        self.source = text
        self.places = [match.span() for match in pattern.finditer(text)]
        self.text = "".join([text[start:end] for start, end in self.places])
        self.starts = [0, *accumulate(end - start for start, end in self.places)]

    def span(self, start: int, end: int) -> Span:
        return Span(self._place(start), self._place(end - 1) + 1)

    def gaps(self, start: int, end: int) -> dict[int, str]:
        """What was left out inside a stretch, by where; the stretch's start is 0."""
        first, last = bisect_right(self.starts, start), bisect_right(self.starts, end - 1)
        return {
            self.starts[i] - start: self.source[self.places[i - 1][1] : self.places[i][0]]
            for i in range(first, last)
        }

    def alike(self, at: int, other: _Squeezed) -> bool:
        """Whether the stretch from `at` on differs from `other` in broken lines alone."""
        mine, yours = self.gaps(at, at + len(other.text)), other.gaps(0, len(other.text))
        return all(
            mine.get(i, "") == yours.get(i, "") or EOL.search(mine.get(i, "") + yours.get(i, ""))
            for i in mine.keys() | yours.keys()
        )

    def _place(self, at: int) -> int:
        piece = bisect_right(self.starts, at) - 1
        return self.places[piece][0] + at - self.starts[piece]

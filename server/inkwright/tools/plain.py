"""A manuscript as a model reads it: prose without markup, front matter and comments, and the way back."""

from __future__ import annotations

import asyncio
from bisect import bisect_right
from dataclasses import dataclass
from itertools import pairwise

from inkwright.domain.text import EOL as _EOL
from inkwright.domain.text import Span
from inkwright.manuscript.markdown import scan

_OFF_LOOP = 100_000
"""From this length on a text is scanned in a thread."""


@dataclass(frozen=True, slots=True)
class Plain:
    """`text` has one paragraph a line. `at[i]` is where piece i begins in `text`, `source[i]` where in
    the document `raw`; `starts` are the paragraphs' beginnings in `text`."""

    text: str
    at: tuple[int, ...]
    source: tuple[int, ...]
    starts: tuple[int, ...]
    raw: str
    body_start: int

    def offset(self, place: int) -> int:
        """The document offset of a place in `text`; that of a line end is the end of its paragraph."""
        piece = max(0, bisect_right(self.at, place) - 1)
        if not self.at:
            return 0
        end = self.at[piece + 1] if piece + 1 < len(self.at) else len(self.text)
        return self.source[piece] + min(place, end) - self.at[piece]

    def between(self, span: Span) -> str:
        """The part of `text` that stands in a stretch of the document."""
        return self.text[self._place(span.start) : self._place(span.end)].strip("\n")

    def _place(self, offset: int) -> int:
        """The first place in `text` that stands at a document offset or after it."""
        piece = bisect_right(self.source, offset) - 1
        if piece < 0:
            return 0
        end = self.at[piece + 1] if piece + 1 < len(self.at) else len(self.text)
        return min(self.at[piece] + offset - self.source[piece], end)

    def marked(self, start: int, end: int) -> str:
        """`text[start:end]` with the document offset, in brackets, at `start` and before each paragraph."""
        first = bisect_right(self.starts, start)
        cuts = [start, *(s for s in self.starts[first:] if s < end), end]
        lines = [self.text[a:b].rstrip("\n") for a, b in pairwise(cuts)]
        return "\n".join(
            f"[{self.offset(a)}] {text}" for a, text in zip(cuts, lines, strict=False) if text.strip()
        )


def plain(text: str) -> Plain:
    """The prose of a Markdown text, in order, without the indentation of paragraphs."""
    built = _Builder(text)
    document = scan(text)
    for paragraph in document.paragraphs:
        built.paragraph(paragraph.prose)
    return Plain(
        "".join(built.out),
        tuple(built.at),
        tuple(built.source),
        tuple(built.starts),
        text,
        document.frontmatter.body_start,
    )


class _Builder:
    def __init__(self, text: str) -> None:
        self.text = text
        self.out: list[str] = []
        self.at: list[int] = []
        self.source: list[int] = []
        self.starts: list[int] = []
        self.length = 0

    def paragraph(self, prose: tuple[Span, ...]) -> None:
        last: Span | None = None
        for span in prose:
            piece = span.of(self.text)
            bare = piece.lstrip() if last is None else piece
            if not bare:
                continue
            if last is None:
                self._add("\n" * bool(self.out))
                self.starts.append(self.length)
            elif _EOL.search(self.text, last.end, span.start) and not self.out[-1].endswith(("\n", "\r")):
                self._add("\n")
            self.at.append(self.length)
            self.source.append(span.end - len(bare))
            self._add(bare)
            last = span

    def _add(self, text: str) -> None:
        self.out.append(text)
        self.length += len(text)


async def read(text: str) -> Plain:
    """`plain`, off the event loop when the text is long."""
    return plain(text) if len(text) < _OFF_LOOP else await asyncio.to_thread(plain, text)

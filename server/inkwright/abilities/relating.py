"""Where the related places of diagnostics are in the texts of the other files, for whoever shows them."""

from __future__ import annotations

from collections.abc import Sequence

from inkwright.domain.diagnostic import Diagnostic, Related
from inkwright.domain.errors import InkwrightError
from inkwright.domain.text import Lines, Range, Span
from inkwright.workspace import OpenBook

Found = tuple[Related, Range]
"""A related place with its range in UTF-16."""


async def places(book: OpenBook | None, found: Sequence[Diagnostic]) -> list[tuple[Found, ...]]:
    """For each diagnostic its related places, but for those in files that cannot be read."""
    read: dict[str, Lines | None] = {}
    out: list[tuple[Found, ...]] = []
    for one in found:
        row: list[Found] = []
        for related in one.related:
            if related.path not in read:
                read[related.path] = await _lines(book, related.path)
            if (lines := read[related.path]) is not None:
                row.append((related, lines.range(where(related, lines.text))))
        out.append(tuple(row))
    return out


def where(related: Related, text: str) -> Span:
    """The place in the text of its file as that stands; its start where it is not found."""
    place = related.place
    return place if isinstance(place, Span) else place(text) or Span(0, 0)


async def _lines(book: OpenBook | None, path: str) -> Lines | None:
    if book is None or book.index is None:
        return None
    try:
        return Lines(await book.index.text(path))
    except InkwrightError:
        return None

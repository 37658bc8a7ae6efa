"""Which card's name stands at a place of an open document."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from inkwright.domain.text import Span
from inkwright.lsp import aside

if TYPE_CHECKING:
    from inkwright.domain.cards import Card
    from inkwright.lsp.still import Still
    from inkwright.workspace import OpenBook

REACH = 500
"""How far round the place names are looked for: further than any name is long."""


@dataclass(frozen=True, slots=True)
class Found:
    """A name in the document and the cards that it may mean: more than one when it is ambiguous."""

    span: Span
    cards: tuple[Card, ...]


async def at(book: OpenBook, still: Still, offset: int) -> Found | None:
    """The name that `offset` touches. Only the paragraph round it is searched."""
    index = book.index
    if index is None:
        return None
    await book.ready()
    await aside.part(still, Span(offset, offset))
    near = Span(offset - REACH, offset + REACH)
    parsed = still.near(offset)
    paragraph = next((p for p in parsed.paragraphs if p.span.start <= offset <= p.span.end and p.prose), None)
    if paragraph is None:
        return None
    pieces = [
        Span(max(piece.start, near.start), min(piece.end, near.end))
        for piece in paragraph.prose
        if piece.start < near.end and near.start < piece.end
    ]
    links = [
        link for link in parsed.wikilinks if paragraph.span.start <= link.target.start < paragraph.span.end
    ]
    best: tuple[int, int, tuple[str, ...]] | None = None
    names = index.dictionary
    hits = names.with_links(still.text, names.hits(still.text, pieces), links)
    for hit in hits:
        # Between two names that meet, the one that begins at the place is meant.
        if hit[0] <= offset <= hit[1] and (best is None or hit[0] == offset or best[1] < offset):
            best = hit
    if best is None:
        return None
    cards = tuple(card for path in best[2] if (card := index.card(path)) is not None)
    return Found(Span(best[0], best[1]), cards) if cards else None

"""Which cards a place of a document means: a mention in prose, a name in front matter, a card's own name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inkwright.domain.text import Span
from inkwright.lsp import aside, names
from inkwright.lsp.names import Found

if TYPE_CHECKING:
    from inkwright.domain.cards import Card
    from inkwright.lsp.still import Still
    from inkwright.workspace import OpenBook


async def at(book: OpenBook, still: Still, offset: int) -> Found | None:
    """The name at a place and its cards; at the cost of its paragraph, or of the front matter."""
    if book.index is None:
        return None
    await book.ready()
    await aside.part(still, Span(offset, offset))
    if offset < still.near(offset).frontmatter.body_start:
        return in_fields(book, still, offset)
    return await names.at(book, still, offset)


def in_fields(book: OpenBook, still: Still, offset: int) -> Found | None:
    """The same in front matter."""
    from inkwright.manuscript import fieldnames

    assert book.index is not None
    own = None if still.path is None else book.index.card(book.relative(still.path))
    table = fieldnames.CHAPTER if own is None else fieldnames.CARD
    for named in fieldnames.names(still.text, table):
        if not named.span.start <= offset <= named.span.end:
            continue
        if own is not None and named.key in ("name", "aliases"):
            return Found(named.span, (own,))
        cards = named_so(book, named.name)
        return Found(named.span, cards) if cards else None
    return None


def named_so(book: OpenBook, name: str) -> tuple[Card, ...]:
    """The cards of exactly that name or alias; those whose name it is before those whose alias."""
    assert book.index is not None
    found = [card for card in book.index.cards() if name in card.names]
    return tuple(sorted(found, key=lambda card: card.name != name))

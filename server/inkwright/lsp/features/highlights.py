"""Document highlights: the other places of this document that name the same card."""

from __future__ import annotations

from collections.abc import Awaitable
from functools import partial
from typing import TYPE_CHECKING, Any

from lsprotocol import types as t

if TYPE_CHECKING:
    from inkwright.domain.text import Span
    from inkwright.lsp.names import Found
    from inkwright.lsp.session import Session
    from inkwright.lsp.still import Still
    from inkwright.manuscript.mentions import Dictionary, Hit
    from inkwright.workspace import OpenBook


def register(ls: Session) -> None:
    ls.feature(t.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)(highlights)


def highlights(
    ls: Session, params: t.DocumentHighlightParams
) -> Awaitable[list[dict[str, Any]] | None] | None:
    from inkwright.lsp.convert import position_in

    document = ls.documents.get(params.text_document.uri)
    if document is None or not document.prose:
        return None
    offset = document.buffer.offset(position_in(params.position), ls.encoding)
    return _highlights(ls, document.still(), offset)


async def _highlights(ls: Session, still: Still, offset: int) -> list[dict[str, Any]] | None:
    from inkwright.lsp import pointing
    from inkwright.lsp.convert import plain

    if not (await ls.studio()).settings.highlights:
        return None
    book = await ls.books.of(still.path)
    found = await pointing.at(book, still, offset)
    if found is None:
        return None
    kind = t.DocumentHighlightKind.Text.value
    return [
        {"range": plain(still.lines.range(span, ls.encoding)), "kind": kind}
        for span in await _spans(book, still, found)
    ]


async def _spans(book: OpenBook, still: Still, found: Found) -> list[Span]:
    from inkwright.manuscript import fieldnames

    index = book.files
    paths = {card.path for card in found.cards}
    own = None if still.path is None else index.card(book.relative(still.path))
    names = fieldnames.names(still.text, fieldnames.CHAPTER if own is None else fieldnames.CARD)
    wanted = {name for card in found.cards for name in card.names}
    spans = [named.span for named in names if named.name in wanted]
    spans += (span for card, span in await _mentions(book, still) if card in paths)
    return list(dict.fromkeys(spans))


async def _mentions(book: OpenBook, still: Still) -> list[tuple[str, Span]]:
    """The cards that the prose of a document names: what the index has of it, where it is a chapter."""
    from inkwright.domain.text import Span
    from inkwright.lsp import aside

    index = book.files
    path = "" if still.path is None else book.relative(still.path)
    if still.current and index.chapter(path) is not None:
        found = dict.fromkeys((m.card, m.span) for m in index.mentions(path))
        return list(found)
    hits = await aside.whole(still, partial(_hits, index.dictionary))
    return [(card, Span(start, end)) for start, end, cards in hits for card in cards]


def _hits(names: Dictionary, still: Still) -> list[Hit]:
    from inkwright.manuscript import markdown

    return names.in_outline(still.text, markdown.outline(still.text))

"""References: every place of the book that names a card, chapter by chapter."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import TYPE_CHECKING, Any

from lsprotocol import types as t

if TYPE_CHECKING:
    from inkwright.domain.cards import Card
    from inkwright.lsp.session import Session
    from inkwright.lsp.still import Still
    from inkwright.workspace import OpenBook


def register(ls: Session) -> None:
    ls.feature(t.TEXT_DOCUMENT_REFERENCES)(references)


def references(ls: Session, params: t.ReferenceParams) -> Awaitable[list[dict[str, Any]] | None] | None:
    from inkwright.lsp.convert import position_in

    document = ls.documents.get(params.text_document.uri)
    if document is None or not document.prose:
        return None
    offset = document.buffer.offset(position_in(params.position), ls.encoding)
    return _references(ls, document.still(), offset, params.context.include_declaration)


async def _references(
    ls: Session, still: Still, offset: int, declaration: bool
) -> list[dict[str, Any]] | None:
    from inkwright.lsp import pointing
    from inkwright.lsp.convert import plain

    book = await ls.books.of(still.path)
    found = await pointing.at(book, still, offset)
    if found is None:
        return None
    out: list[dict[str, Any]] = []
    several = len(found.cards) > 1
    seen: set[tuple[str, Any]] = set()
    for card in found.cards:
        if declaration:
            out += await _declared(ls, book, card)
        for path, ranges in await book.files.references(card.path, ls.encoding):
            uri = ls.documents.uri(book.root / path)
            for where in ranges:
                if several and (path, where) in seen:
                    continue
                if several:
                    seen.add((path, where))
                out.append({"uri": uri, "range": plain(where)})
    return out


async def _declared(ls: Session, book: OpenBook, card: Card) -> list[dict[str, Any]]:
    """The card's own name and aliases in its file, or where it begins among others."""
    from inkwright.domain.text import Lines, Position, Range
    from inkwright.lsp.convert import plain
    from inkwright.manuscript import fieldnames, markdown

    text = await book.files.text(card.path)
    lines = Lines(text)
    uri = ls.documents.uri(book.root / card.file)
    if card.within:
        return [{"uri": uri, "range": plain(Range(Position(card.line, 0), Position(card.line, 0)))}]
    spans = fieldnames.declared(text, markdown.scan(text), card)
    return [{"uri": uri, "range": plain(lines.range(span, ls.encoding))} for span in spans]

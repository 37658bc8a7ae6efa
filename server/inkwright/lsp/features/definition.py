"""Definition: from a name to its card, from a link to what it links to. Type definition: to the card's type."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import TYPE_CHECKING, Any

from lsprotocol import types as t

if TYPE_CHECKING:
    from inkwright.domain.cards import Card
    from inkwright.domain.text import Span
    from inkwright.lsp.session import Session
    from inkwright.lsp.still import Still

Place = dict[str, Any]
START: Place = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}


def register(ls: Session) -> None:
    ls.feature(t.TEXT_DOCUMENT_DEFINITION)(definition)
    ls.feature(t.TEXT_DOCUMENT_TYPE_DEFINITION)(type_definition)


def definition(ls: Session, params: t.DefinitionParams) -> Awaitable[list[Place]] | None:
    at = _at(ls, params)
    return None if at is None else _definition(ls, *at)


def type_definition(ls: Session, params: t.TypeDefinitionParams) -> Awaitable[list[Place]] | None:
    at = _at(ls, params)
    return None if at is None else _type_definition(ls, *at)


def _at(ls: Session, params: t.DefinitionParams | t.TypeDefinitionParams) -> tuple[Still, int] | None:
    from inkwright.lsp.convert import position_in

    document = ls.documents.get(params.text_document.uri)
    if document is None or not document.prose:
        return None
    return document.still(), document.buffer.offset(position_in(params.position), ls.encoding)


async def _definition(ls: Session, still: Still, offset: int) -> list[Place]:
    from inkwright.lsp import linking, pointing

    book = await ls.books.of(still.path)
    found = await pointing.at(book, still, offset)
    links = ls.client.can.definition_links
    if found is not None:
        return [
            _place(ls, still, found.span, ls.documents.uri(book.root / card.file), _start(card), links=links)
            for card in found.cards
        ]
    link = await linking.at(ls, book, still, offset)
    if link is None:
        return []
    return [_place(ls, still, link.span, link.uri, link.where or START, links=links)]


async def _type_definition(ls: Session, still: Still, offset: int) -> list[Place]:
    from inkwright.domain.text import Lines
    from inkwright.lsp import pointing
    from inkwright.lsp.convert import plain
    from inkwright.manuscript import fieldnames

    book = await ls.books.of(still.path)
    found = await pointing.at(book, still, offset)
    out: list[Place] = []
    for card in found.cards if found is not None else ():
        assert found is not None
        text = await book.files.text(card.path)
        span = fieldnames.typed(text)
        where = _start(card) if span is None else plain(Lines(text).range(span, ls.encoding))
        uri = ls.documents.uri(book.root / card.file)
        out.append(_place(ls, still, found.span, uri, where, links=ls.client.can.type_definition_links))
    return out


def _start(card: Card) -> Place:
    """Where a card begins in its file."""
    return {"start": {"line": card.line, "character": 0}, "end": {"line": card.line, "character": 0}}


def _place(ls: Session, still: Still, origin: Span, uri: str, where: Place, *, links: bool) -> Place:
    from inkwright.lsp.convert import plain

    if not links:
        return {"uri": uri, "range": where}
    return {
        "originSelectionRange": plain(still.range(origin, ls.encoding)),
        "targetUri": uri,
        "targetRange": where,
        "targetSelectionRange": where,
    }

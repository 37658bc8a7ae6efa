"""Definition: from a name to its card."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import TYPE_CHECKING, Any

from lsprotocol import types as t

if TYPE_CHECKING:
    from inkwright.lsp.session import Session
    from inkwright.lsp.still import Still

START = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}


def register(ls: Session) -> None:
    ls.feature(t.TEXT_DOCUMENT_DEFINITION)(definition)


def definition(ls: Session, params: t.DefinitionParams) -> Awaitable[list[dict[str, Any]]] | None:
    from inkwright.lsp.convert import position_in

    document = ls.documents.get(params.text_document.uri)
    if document is None or not document.prose:
        return None
    offset = document.buffer.offset(position_in(params.position), ls.encoding)
    return _definition(ls, document.still(), offset)


async def _definition(ls: Session, still: Still, offset: int) -> list[dict[str, Any]]:
    from inkwright.lsp import names

    book = await ls.books.of(still.path)
    found = await names.at(book, still, offset)
    cards = found.cards if found else ()
    return [{"uri": ls.documents.uri(book.root / card.path), "range": START} for card in cards]

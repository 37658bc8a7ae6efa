"""Cards: createCard, listCards."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from inkwright.lsp.arguments import Arguments

if TYPE_CHECKING:
    from inkwright.lsp.session import Session

Given = Mapping[str, Any]


def register(ls: Session) -> None:
    ls.command("inkwright.createCard")(create_card)
    ls.command("inkwright.listCards")(list_cards)


async def create_card(ls: Session, given: Given, _token: object) -> dict[str, str]:
    """A new file for a card; one that exists is never overwritten."""
    from inkwright.domain.text import encodable
    from inkwright.manuscript import cardfile

    args = Arguments("inkwright.createCard", given)
    book = await ls.books.at(args.text("uri"))
    index = book.files
    await book.ready()
    name, kind, content = (encodable(args.maybe(field)) for field in ("name", "type", "content"))
    folder = index.card_folder(kind)
    path = await asyncio.to_thread(cardfile.create, book.root, name, kind, content, index.cards(), folder)
    # Our own file: the index learns of it now, whether the client watches files or not.
    await index.file_changed(book.relative(path))
    ls.checks.again()
    return {"uri": ls.documents.uri(path)}


async def list_cards(ls: Session, given: Given, _token: object) -> list[dict[str, Any]]:
    """{uri, type?} → [{uri, path, name, type, aliases, summary, mentions, chapters}]"""
    from inkwright.abilities import shapes

    args = Arguments("inkwright.listCards", given)
    book = await ls.books.at(args.text("uri"))
    if book.index is None:
        return []
    await book.ready()
    wanted = args.maybe("type")
    return [
        {
            **shapes.card(card, book.index.card_counts(card.path)),
            "uri": ls.documents.uri(book.root / card.file),
            "summary": card.summary,
        }
        for card in book.index.cards()
        if not wanted or wanted in (card.type, card.kind)
    ]

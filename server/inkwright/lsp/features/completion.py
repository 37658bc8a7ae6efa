"""Completion: names in `[[` and after `@`, what front matter may say; in prose names on request only."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import TYPE_CHECKING

from lsprotocol import types as t

from inkwright.lsp.wire import Json

if TYPE_CHECKING:
    from inkwright.lsp.offering import Names
    from inkwright.lsp.session import Session
    from inkwright.lsp.still import Still
    from inkwright.manuscript.completing import Place

TRIGGERS = ("[", "@", ":")


def register(ls: Session) -> None:
    options = t.CompletionOptions(trigger_characters=list(TRIGGERS))
    made: list[Names] = []

    def asked(ls: Session, params: t.CompletionParams) -> Awaitable[Json | None] | None:
        from inkwright.lsp.offering import Names

        if not made:
            made.append(Names())
        return completion(ls, params, made[0])

    ls.feature(t.TEXT_DOCUMENT_COMPLETION, options)(asked)


def completion(ls: Session, params: t.CompletionParams, names: Names) -> Awaitable[Json | None] | None:
    from inkwright.lsp.convert import position_in
    from inkwright.manuscript import completing

    document = ls.documents.get(params.text_document.uri)
    context = params.context
    trigger = context.trigger_character if context is not None else None
    if document is None or not document.prose or (trigger and trigger not in TRIGGERS):
        return None
    offset = document.buffer.offset(position_in(params.position), ls.encoding)
    where = document.buffer.position(offset, "utf-32")
    before = document.buffer.line(where.line)[: where.character]
    if trigger == "@" and before[-2:-1].isalnum() and before[-2:-1].isascii():
        return None  # an e-mail address
    still = document.still()
    if not ls.client.can.can_edit(still.text):
        return None
    place = completing.place(still.text, offset, before)
    if trigger == ":" and not place.glued:
        return None  # a colon in prose
    return _completion(ls, still, offset, place, names)


async def _completion(ls: Session, still: Still, offset: int, place: Place, names: Names) -> Json | None:
    from inkwright.lsp.offering import Offering

    studio = await ls.studio()
    if not studio.settings.completion:
        return None
    book = await ls.books.of(still.path)
    if (ours := await Offering(ls, book, still, offset, place, names).of_profile(studio)) is not None:
        return ours
    if book.index is None and place.kind != "head":
        return None
    await book.ready()
    return Offering(ls, book, still, offset, place, names).answer()

"""Completion of card names, after `[` and `@` or on request; never while prose is merely typed."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import TYPE_CHECKING, Any

from lsprotocol import types as t

if TYPE_CHECKING:
    from inkwright.domain.cards import Card
    from inkwright.lsp.session import Session
    from inkwright.lsp.still import Still

TRIGGERS = ("[", "@")
LIMIT = 200
LONGEST = 60
SUMMARY = 300


def register(ls: Session) -> None:
    options = t.CompletionOptions(trigger_characters=list(TRIGGERS))
    ls.feature(t.TEXT_DOCUMENT_COMPLETION, options)(completion)


def completion(ls: Session, params: t.CompletionParams) -> Awaitable[dict[str, Any] | None] | None:
    from inkwright.lsp.convert import position_in

    document = ls.documents.get(params.text_document.uri)
    context = params.context
    trigger = context.trigger_character if context is not None else None
    if document is None or not document.prose or (trigger and trigger not in TRIGGERS):
        return None
    offset = document.buffer.offset(position_in(params.position), ls.encoding)
    place = document.buffer.position(offset, "utf-32")
    before = document.buffer.line(place.line)[: place.character]
    if trigger == "@" and before[-2:-1].isalnum() and before[-2:-1].isascii():
        return None  # an e-mail address
    return _completion(ls, document.still(), offset, before)


async def _completion(ls: Session, still: Still, offset: int, before: str) -> dict[str, Any] | None:
    from inkwright.domain.text import Span
    from inkwright.lsp.convert import plain

    if not (await ls.studio()).settings.completion:
        return None
    book = await ls.books.of(still.path)
    if book.index is None:
        return None
    await book.index.ready.wait()
    tail = before[-LONGEST:]
    folded = tail.lower()
    rows: list[tuple[int, str, Card]] = [
        (_typed(folded, name.lower()), name, card)
        for card in book.index.cards()
        for name in dict.fromkeys(card.names)
    ]
    # What has most of a name typed already is meant before what has none.
    rows.sort(key=lambda row: (-row[0], row[1]))
    if rows and rows[0][0] > 0:
        rows = [row for row in rows if row[0] > 0]
    items = []
    places: dict[int, dict[str, Any]] = {}
    kind = t.CompletionItemKind.Reference.value
    for order, (typed, name, card) in enumerate(rows[:LIMIT]):
        marked = typed + (1 if tail[: len(tail) - typed].endswith("@") else 0)
        if marked not in places:
            places[marked] = plain(still.range(Span(offset - marked, offset), ls.encoding))
        item: dict[str, Any] = {
            "label": name,
            "kind": kind,
            "detail": card.name if name != card.name else (card.type or card.kind),
            "filterText": tail[len(tail) - marked : len(tail) - typed] + name,
            "sortText": f"{order:04}",
            "textEdit": {"range": places[marked], "newText": name},
        }
        if card.summary:
            item["documentation"] = card.summary[:SUMMARY]
        items.append(item)
    return {"isIncomplete": len(rows) > LIMIT, "items": items}


def _typed(tail: str, name: str) -> int:
    """How many characters of `name` stand at the end of `tail`; 0 after a trigger or a blank."""
    if name[:1] not in tail:
        return 0
    return next((n for n in range(min(len(tail), len(name)), 0, -1) if tail.endswith(name[:n])), 0)

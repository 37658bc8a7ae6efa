"""Completion of card names, after `[` and `@` or on request; never while prose is merely typed."""

from __future__ import annotations

from collections.abc import Awaitable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from lsprotocol import types as t

from inkwright.lsp.wire import Json, dumps

if TYPE_CHECKING:
    from inkwright.domain.cards import Card
    from inkwright.lsp.session import Session
    from inkwright.lsp.still import Still
    from inkwright.manuscript.index import BookIndex

TRIGGERS = ("[", "@")
LIMIT = 200
LONGEST = 60
SUMMARY = 300


def register(ls: Session) -> None:
    options = t.CompletionOptions(trigger_characters=list(TRIGGERS))
    names = Names()

    def asked(ls: Session, params: t.CompletionParams) -> Awaitable[Json | None] | None:
        return completion(ls, params, names)

    ls.feature(t.TEXT_DOCUMENT_COMPLETION, options)(asked)


@dataclass(frozen=True, slots=True)
class Offer:
    """One name as it is offered. `label` and `about` are the JSON of what does not hang on the place."""

    name: str
    folded: str
    label: str
    about: str

    def item(self, order: int, mark: str, where: str) -> str:
        """The item in JSON; `mark` is what stands before the name and goes with it, `where` the range."""
        label = self.label
        return (
            f'{{"label":{label},{self.about},"filterText":"{mark}{label[1:]},"sortText":"{order:04}",'
            f'"textEdit":{{"range":{where},"newText":{label}}}}}'
        )


class Names:
    """The names of the books' cards by name, made once for each state of the cards."""

    def __init__(self) -> None:
        self._made: WeakKeyDictionary[BookIndex, tuple[object, list[Offer]]] = WeakKeyDictionary()

    def of(self, index: BookIndex) -> list[Offer]:
        cards = index.cards()
        made = self._made.get(index)
        if made is None or made[0] is not cards:
            offers = [_offer(card, name) for card in cards for name in dict.fromkeys(card.names)]
            offers.sort(key=lambda offer: offer.name)
            made = self._made[index] = (cards, offers)
        return made[1]


def _offer(card: Card, name: str) -> Offer:
    about: dict[str, Any] = {
        "kind": t.CompletionItemKind.Reference.value,
        "detail": card.name if name != card.name else (card.type or card.kind),
    }
    if card.summary:
        about["documentation"] = card.summary[:SUMMARY]
    return Offer(name, name.lower(), dumps(name), dumps(about)[1:-1])


def completion(ls: Session, params: t.CompletionParams, names: Names) -> Awaitable[Json | None] | None:
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
    return _completion(ls, document.still(), offset, before, names)


async def _completion(ls: Session, still: Still, offset: int, before: str, names: Names) -> Json | None:
    from inkwright.domain.text import Span
    from inkwright.lsp.convert import plain

    if not (await ls.studio()).settings.completion:
        return None
    book = await ls.books.of(still.path)
    if book.index is None:
        return None
    await book.ready()
    tail = before[-LONGEST:]
    folded = tail.lower()
    rows = [(_typed(folded, offer.folded), offer) for offer in names.of(book.index)]
    # What has most of a name typed already is meant before what has none.
    if any(typed for typed, _ in rows):
        rows = sorted((row for row in rows if row[0]), key=lambda row: -row[0])
    items: list[str] = []
    places: dict[int, str] = {}
    for order, (typed, offer) in enumerate(rows[:LIMIT]):
        mark = "@" if tail[: len(tail) - typed].endswith("@") else ""
        marked = typed + len(mark)
        if marked not in places:
            places[marked] = dumps(plain(still.range(Span(offset - marked, offset), ls.encoding)))
        items.append(offer.item(order, mark, places[marked]))
    return Json(f'{{"isIncomplete":{"true" if len(rows) > LIMIT else "false"},"items":[{",".join(items)}]}}')


def _typed(tail: str, name: str) -> int:
    """How many characters of `name` stand at the end of `tail`; 0 after a trigger or a blank."""
    if name[:1] not in tail:
        return 0
    return next((n for n in range(min(len(tail), len(name)), 0, -1) if tail.endswith(name[:n])), 0)

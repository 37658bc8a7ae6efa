"""Semantic tokens: the names of cards and what people say, in colours that the editor gives them."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from lsprotocol import types as t

if TYPE_CHECKING:
    from inkwright.domain.cards import Card
    from inkwright.domain.text import Encoding, Span
    from inkwright.lsp.documents import Document, Event
    from inkwright.lsp.session import Session
    from inkwright.lsp.still import Still
    from inkwright.lsp.wire import Json
    from inkwright.manuscript.tokens import Pages, Palette
    from inkwright.workspace import OpenBook

LEGEND = t.SemanticTokensLegend(
    token_types=["character", "location", "item", "faction", "dialogue"],
    token_modifiers=["firstMention", "unconfirmed", "ambiguous"],
)
_QUALIFIED = re.compile(r"\s*[（(][^（()）]*[)）]\s*\Z")
"""What a card's title says beside the name: the chapter that it is of."""


@dataclass(slots=True)
class Painted:
    """What was made of an open document: its paragraphs, and the numbers that the client has."""

    version: object = None
    pages: Pages = field(default_factory=dict)
    result: str = ""
    data: list[int] = field(default_factory=list)
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)


def register(ls: Session) -> None:
    painting = Painting(ls)
    ls.feature(t.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, LEGEND)(lambda params: painting.full(params))
    ls.feature(t.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL_DELTA, LEGEND)(lambda params: painting.delta(params))
    ls.feature(t.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE, LEGEND)(lambda params: painting.range(params))


class Painting:
    """The tokens of the open documents."""

    def __init__(self, ls: Session) -> None:
        self._ls = ls
        self._painted: dict[str, Painted] = {}
        self._palettes: dict[str, tuple[object, Palette]] = {}
        self._results = 0
        ls.documents.listen(self._follow)

    def full(self, params: t.SemanticTokensParams) -> Awaitable[Json | None] | None:
        document = self._ls.documents.get(params.text_document.uri)
        return None if document is None or not document.prose else self._full(document, document.still())

    def delta(self, params: t.SemanticTokensDeltaParams) -> Awaitable[Json | None] | None:
        document = self._ls.documents.get(params.text_document.uri)
        if document is None or not document.prose:
            return None
        return self._full(document, document.still(), params.previous_result_id)

    def range(self, params: t.SemanticTokensRangeParams) -> Awaitable[dict[str, Any] | None] | None:
        from inkwright.lsp.convert import range_in

        document = self._ls.documents.get(params.text_document.uri)
        if document is None or not document.prose:
            return None
        where = document.buffer.span(range_in(params.range), self._ls.encoding)
        return self._range(document.still(), where)

    async def _full(self, document: Document, still: Still, known: str | None = None) -> Json | None:
        """All tokens; where the client has those of `known`, what is different now."""
        from inkwright.lsp.wire import Json, dumps
        from inkwright.manuscript import tokens

        if not (await self._ls.studio()).settings.semantic_tokens:
            return None
        palette = await self._palette(await self._ls.books.of(still.path))
        if self._ls.documents.get(still.uri) is not document:
            return None  # closed meanwhile
        before = self._painted.setdefault(document.key, Painted())
        async with before.lock:  # what a key has made useless is cancelled before it begins
            data, pages = await self._work(still, palette, before)
            if self._painted.get(document.key) is not before:
                return None  # closed meanwhile
            old = before.data if known is not None and known == before.result else None
            self._results += 1
            before.result, before.data, before.pages = str(self._results), data, pages
        answer: dict[str, Any] = {"resultId": before.result}
        if old is None:
            answer["data"] = data
        else:
            change = tokens.difference(old, data)
            answer["edits"] = []
            if change is not None:
                start, count, new = change
                answer["edits"] = [{"start": start, "deleteCount": count, "data": new}]
        return Json(dumps(answer))

    async def _work(self, still: Still, palette: Palette, before: Painted) -> tuple[list[int], Pages]:
        from inkwright.lsp import aside

        if before.version != palette.version:
            before.version, before.pages = palette.version, {}
        return await aside.whole(still, partial(_painted, palette, before.pages, self._ls.encoding))

    async def _range(self, still: Still, where: Span) -> dict[str, Any] | None:
        from inkwright.manuscript import tokens

        if not (await self._ls.studio()).settings.semantic_tokens:
            return None
        palette = await self._palette(await self._ls.books.of(still.path))
        found = tokens.part(still.text, where, palette)
        return {"data": tokens.packed(found, still.lines, self._ls.encoding)}

    async def _palette(self, book: OpenBook) -> Palette:
        """The names of a book as its cards and candidates are now."""
        from inkwright.manuscript.mentions import Dictionary
        from inkwright.manuscript.tokens import Palette

        index = book.index
        if index is None:
            return Palette(Dictionary(()), ())
        await book.ready()
        waiting = await _waiting(book)
        cards, dictionary = index.cards(), index.dictionary
        key = str(book.root)
        made = (cards, waiting)
        kept = self._palettes.get(key)
        if kept is None or kept[0] != made or kept[1].names is not dictionary:
            kept = self._palettes[key] = (made, Palette(dictionary, cards, waiting))
        return kept[1]

    def _follow(self, document: Document, event: Event) -> None:
        if event == "closed":
            self._painted.pop(document.key, None)


def _painted(palette: Palette, pages: Pages, encoding: Encoding, still: Still) -> tuple[list[int], Pages]:
    from inkwright.manuscript import tokens

    found, kept = tokens.pieces(still.text, still.parsed, palette, pages)
    return tokens.packed(found, still.lines, encoding), kept


async def _waiting(book: OpenBook) -> tuple[Card, ...]:
    """The candidates of a book as cards; none where they cannot be read."""
    from inkwright.domain.cards import Card
    from inkwright.domain.errors import StorageError
    from inkwright.manuscript import cards

    try:
        found = await book.state.candidates.list()
    except StorageError:
        return ()
    return tuple(
        Card(
            path=f"\0{one.id}",
            name=_QUALIFIED.sub("", one.card.title),
            type=one.card.type,
            kind=cards.kind_of(one.card.type) or "misc",
        )
        for one in found
    )

"""Cards and facts that wait for the writer: listCandidates, acceptCandidates, rejectCandidates."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from lsprotocol import types as t

from inkwright.lsp.arguments import Arguments
from inkwright.lsp.latest import Latest

if TYPE_CHECKING:
    from inkwright.domain.facts import NewFact
    from inkwright.lsp.documents import Document, Event
    from inkwright.lsp.session import Session
    from inkwright.workspace import OpenBook

Given = Mapping[str, Any]

PAUSE = 0.5
"""Seconds from a keystroke in a chapter to the look at what was taken from it."""


def register(ls: Session) -> None:
    ls.command("inkwright.listCandidates")(list_candidates)
    ls.command("inkwright.acceptCandidates")(accept_candidates)
    ls.command("inkwright.rejectCandidates")(reject_candidates)
    ls.documents.listen(Sources(ls).follow)


class Sources:
    """Sees to it that a card tells of its facts at once when their chapter changes."""

    def __init__(self, ls: Session) -> None:
        self._ls = ls
        self._lost: dict[str, tuple[NewFact, ...]] = {}
        self._work: Latest[str] = Latest(PAUSE, self._look, ls.spawn)

    def follow(self, document: Document, _event: Event) -> None:
        if document.path is not None and document.prose:
            self._work.call(document.uri)

    async def _look(self, uri: str) -> None:
        from inkwright.abilities import facts
        from inkwright.lsp import uris

        book, path = await self._ls.books.at(uri), uris.path(uri)
        if path is None or book.index is None or not book.index.ready.is_set():
            return
        lost = await facts.lost(book, source=book.relative(path))
        before = self._lost.pop(uri, ())
        if lost:
            self._lost[uri] = lost
        if lost != before or await self._otherwise(book, lost):
            self._ls.checks.again()

    async def _otherwise(self, book: OpenBook, lost: tuple[NewFact, ...]) -> bool:
        """Whether an open card tells of other facts than it should: it may have been checked between two keys."""
        from inkwright.abilities import facts
        from inkwright.checks.book.facts import GONE, gone

        for document in self._ls.documents:
            said = (part.found for part in self._ls.checks.last(document.key) if not part.lasting)
            told = sum(one.code == GONE for found in said for one in found)
            if document.path is None or not (told or lost):
                continue
            mine = await facts.lost(book, card=book.relative(document.path))
            if told != len(gone(document.text(), mine)):
                return True
        return False


async def list_candidates(ls: Session, given: Given, _token: object) -> list[dict[str, Any]]:
    """{uri} → those that wait, cards first, the oldest of each first; facts with the place of their quotation."""
    from inkwright.abilities import candidates, shapes

    args = Arguments("inkwright.listCandidates", given)
    book = await ls.books.at(args.text("uri"))
    await book.ready()
    cards, facts = await candidates.waiting(book)
    told = [
        {
            **candidates.shape(one, ls.encoding),
            "uri": ls.documents.uri(book.root / one.candidate.fact.source),
        }
        for one in facts
    ]
    return [*(shapes.candidate(one) for one in cards), *told]


def accept_candidates(ls: Session, given: Given, _token: object) -> Awaitable[list[dict[str, Any]]]:
    """{uri, ids, show?} → the candidates with the paths and URIs of their files.

    `show`, as code actions have it, lets the server say that it is done.
    """
    args = Arguments("inkwright.acceptCandidates", given)
    # What is on its way to a card cannot be called back: its outcome must be written down.
    return asyncio.shield(
        ls.spawn(_accept(ls, args.text("uri"), args.texts("ids"), show=args.flag("show")), told=True)
    )


async def _accept(ls: Session, uri: str, ids: Sequence[str], *, show: bool) -> list[dict[str, Any]]:
    from inkwright.abilities import candidates, shapes
    from inkwright.lsp.pens import OpenPen

    book = await ls.books.at(uri)
    await book.ready()
    cards, facts = await candidates.accept(book, ids, OpenPen(ls, book))
    ls.checks.again()
    done = [*(shapes.candidate(one) for one in cards), *(shapes.fact(one, "") for one in facts)]
    if show:
        paths = ls.tr("list_comma").join(dict.fromkeys(one["path"] for one in done if one["path"]))
        ls.client.show(ls.tr("told_candidates", count=len(done), paths=paths), t.MessageType.Info)
    # Without a path: somebody else put it aside at this moment.
    return [
        {**one, "uri": ls.documents.uri(book.root / one["path"]) if one["path"] else None} for one in done
    ]


async def reject_candidates(ls: Session, given: Given, _token: object) -> list[dict[str, Any]]:
    """{uri, ids} → the candidates, put aside."""
    from inkwright.abilities import candidates, shapes

    args = Arguments("inkwright.rejectCandidates", given)
    book = await ls.books.at(args.text("uri"))
    cards, facts = await candidates.reject(book, args.texts("ids"))
    return [*(shapes.candidate(one) for one in cards), *(shapes.fact(one, "") for one in facts)]

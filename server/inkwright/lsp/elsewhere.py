"""Word of what other processes do to the books that are open: to this server at once, to a client that asks for it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from inkwright.lsp.latest import Latest

if TYPE_CHECKING:
    from inkwright.lsp.documents import Document, Event
    from inkwright.lsp.session import Session
    from inkwright.workspace import OpenBook

log = logging.getLogger(__name__)

CHANGED = "$/inkwright/bookChanged"
"""{uri, changed}: the root of a book, and which of runs, proposals, candidates, memories, decisions and files (chapters,
cards, the book's own) another process has changed. Sent only to a client that says `bookChanged: true`."""
STIR = 0.1
EVERY = 5.0
"""Seconds between two looks while nothing happens here; none for a client that does not ask, nor without a book."""


class Others:
    """Looks when a document is opened or saved, and for a client that asks to be told every few seconds."""

    def __init__(self, ls: Session) -> None:
        self._ls = ls
        self._looking = asyncio.Lock()
        self._ticking: asyncio.Task[None] | None = None
        self._looked: Latest[None] = Latest(STIR, lambda _: self.look(), ls.spawn)
        ls.documents.listen(self._stirred)
        ls.when_open(self._begin)

    async def look(self) -> None:
        """One look at all open books, and at the user's settings where they are open."""
        async with self._looking:
            studio = await self._ls.studio()
            for book in list(studio.workspace.open_books()):
                if book.index is not None:
                    await self._at(book)
        await self._ls.reconfigure(if_changed=True)

    @asynccontextmanager
    async def deciding(self, book: OpenBook) -> AsyncIterator[None]:
        """Round a decision that this client makes."""
        async with self._looking, book.elsewhere.deciding():
            yield

    async def _begin(self, _ls: Session) -> None:
        if self._ls.wants_books:
            await self._ls.books.everywhere()
            await self.look()
            self._tick()

    def _stirred(self, _document: Document, event: Event) -> None:
        if event in ("opened", "saved"):
            self._looked.call(None)
            self._tick()

    def _tick(self) -> None:
        if self._ls.wants_books and (self._ticking is None or self._ticking.done()):
            self._ticking = self._ls.spawn(self._every())

    async def _every(self) -> None:
        studio = await self._ls.studio()
        while any(book.index is not None for book in studio.workspace.open_books()):
            await asyncio.sleep(EVERY)
            await self.look()
            self._ls.outside.again()

    async def _at(self, book: OpenBook) -> None:
        from inkwright.domain.errors import StorageError

        try:
            changed = await book.elsewhere.look()
        except StorageError as error:  # who uses what is kept there is told
            log.info("a book could not be looked at: %s", error.fault.code)
            return
        if not changed:
            return
        if changed & {"proposals", "candidates"}:
            self._ls.pending.changed()
        if changed & {"decisions"}:
            self._ls.checks.again()
        if changed & {"candidates"}:
            self._ls.spawn(self._ls.client.refresh_aids())
        tell(self._ls, book, changed)


def tell(ls: Session, book: OpenBook, changed: Collection[str]) -> None:
    """Tells a client that asks for it."""
    if ls.wants_books:
        ls.client.notify(CHANGED, {"uri": ls.documents.uri(book.root), "changed": sorted(changed)})

"""What the checks say of each document: worked out once per state of its text and of its book."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING
from weakref import WeakSet

from inkwright.lsp.latest import Latest

if TYPE_CHECKING:
    from pathlib import Path

    from inkwright.abilities.diagnose import Memory
    from inkwright.domain.diagnostic import Diagnostic, Said
    from inkwright.lsp.diagnosed import Rows
    from inkwright.lsp.documents import Document, Event
    from inkwright.lsp.session import Session
    from inkwright.lsp.still import Still
    from inkwright.manuscript.index import BookIndex
    from inkwright.workspace import OpenBook

SHARE = 20
REST = 3.0
"""Checking takes at most one part in SHARE of the time, but no text waits longer than REST seconds for it."""
READING = 1.0
"""Seconds that a text waits for its book to be read before it is checked without."""
STIR = 0.3
"""Seconds that a book is left to change before what hangs on it is checked anew."""

State = tuple[int, int, bool]
"""The settings, the book, and whether it has been read: with other ones the checks may say something else."""


@dataclass(frozen=True)
class Found:
    """What is said of a text, by its stretches."""

    text: str
    state: State
    said: Sequence[Said]

    @cached_property
    def placed(self) -> Sequence[Diagnostic]:
        """The diagnostics with their places in the text, by place: put together for those who ask."""
        from inkwright.domain.diagnostic import placed

        return placed(self.said)


class Checking:
    """The diagnostics of documents; one memory of paragraphs per open document.

    `changed` is told which documents are to be checked anew (None: all), and `cleared` whose diagnostics go.
    """

    def __init__(self, ls: Session) -> None:
        self._ls = ls
        self._memories: dict[str, Memory] = {}
        self._locks: dict[str, asyncio.Lock] = {}
        self._under_way: dict[str, asyncio.Task[Sequence[Said]]] = {}
        """The pass that a memory is in: goes on where whoever asked for it has gone."""
        self._found: dict[str, Found] = {}
        self._rows: dict[str, Rows] = {}
        self._round = 0
        self._heard: WeakSet[BookIndex] = WeakSet()
        self._stirred: Latest[Path] = Latest(STIR, self._stir, ls.spawn)
        self.changed: Callable[[Path | None], None] = lambda _: None
        self.cleared: Callable[[str], None] = lambda _: None
        self.rested: Callable[[str, float], None] = lambda _key, _seconds: None
        ls.documents.listen(self._follow)

    async def of(self, key: str, still: Still) -> Found:
        """What is said of a document as it stood; what was seen before costs nothing."""
        from inkwright.abilities import profile_files
        from inkwright.domain.diagnostic import Said
        from inkwright.i18n import render

        studio = await self._ls.studio()
        async with self._locks.setdefault(key, asyncio.Lock()):
            book = await self._ls.books.of(still.path)
            if still.path is not None:
                ours = await profile_files.review(studio, book, still.path, still.text)
                if ours is not None:  # hangs on files that are no part of the book: never taken from before
                    return Found(still.text, self.state(book), [Said(ours)])
            state = self.state(book)
            known = self._found.get(key)
            if known is not None and known.text is still.text and known.state == state:
                return known
            if (left := self._under_way.get(key)) is not None:
                await asyncio.wait({left})
            if (memory := self._memories.get(key)) is None:
                memory = self._memories[key] = await asyncio.to_thread(_memory, still)
            path = "" if still.path is None else book.relative(still.path)
            began = time.monotonic()
            book_file = still.path is not None and still.path.name == "book.toml"
            work = studio.findings.said(still.text, book, memory, book_file=book_file, path=path)
            self._under_way[key] = under_way = self._ls.spawn(work, told=True)
            said = await asyncio.shield(under_way)
            found = Found(still.text, state, said)
            for fault in studio.findings.intentions.untold(book.root):
                self._ls.client.show(render(fault, self._ls.locale))
            if self._ls.documents.get(still.uri) is not None:  # closed meanwhile: nothing is kept
                self.rested(key, min(REST, (time.monotonic() - began) * SHARE))
                self._found[key] = found
            else:
                self._forget(key)
            return found

    async def read(self, path: Path | None, seconds: float = READING) -> bool:
        """Waits a moment for a book that is just being read: half of what is to be said would be worked out twice.
        Whether it has been read."""
        from inkwright.domain.errors import InkwrightError

        book = await self._ls.books.of(path)
        with suppress(TimeoutError, InkwrightError):
            async with asyncio.timeout(seconds):
                await book.ready()
                return True
        return False

    async def closed(self, book: OpenBook, path: str, text: str) -> list[Said]:
        """What the checks of the book say of a file that is not open."""
        studio = await self._ls.studio()
        return await studio.findings.said(text, book, path=path, alone=False)

    def rows(self, key: str) -> Rows:
        """What was shown of an open document."""
        from inkwright.lsp.diagnosed import Rows

        return self._rows.setdefault(key, Rows())

    def last(self, key: str) -> Sequence[Said]:
        """What was last said of an open document, whatever has changed since."""
        known = self._found.get(key)
        return () if known is None else known.said

    def state(self, book: OpenBook) -> State:
        index = book.index
        if index is None:
            return (self._round, 0, True)
        if index not in self._heard:
            self._heard.add(index)
            index.listen(lambda: self._stirred.call(book.root) if index.ready.is_set() else None)
            if not index.ready.is_set():
                self._ls.spawn(self._once_read(book))
        index.cards()  # with what is typed in them just now
        return (self._round, index.bearing, index.ready.is_set())

    def again(self) -> None:
        """Settings or cards have changed: every open document is checked, and shown, anew."""
        self._round += 1
        self.changed(None)
        if len(self._ls.documents):
            self._ls.spawn(self._ls.client.refresh_aids())

    def clear(self, key: str) -> None:
        """Takes the diagnostics of a document away, under the URI that they were published with."""
        self.cleared(key)

    async def _once_read(self, book: OpenBook) -> None:
        await book.ready()
        self.changed(book.root)

    async def _stir(self, root: Path) -> None:
        self.changed(root)

    def _follow(self, document: Document, event: Event) -> None:
        if event == "closed":
            self._forget(document.key)

    def _forget(self, key: str) -> None:
        for kept in (self._memories, self._locks, self._under_way, self._found, self._rows):
            kept.pop(key, None)


def _memory(still: Still) -> Memory:
    """The first one takes a while, since the rules are read with it."""
    from inkwright.abilities.diagnose import Memory

    return Memory(None if still.live is None else still.live.buffer.ends)

"""One book in use: its index and its database."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from inkwright.domain.errors import InkwrightError
from inkwright.domain.manuscript import BOOK_FIELDS, Book, CountRule, Counts
from inkwright.domain.ports import BookView
from inkwright.manuscript.index import BookIndex
from inkwright.store.state import State

if TYPE_CHECKING:
    from inkwright.workspace.elsewhere import Elsewhere


@dataclass(slots=True)
class OpenBook:
    """A book in use. `index` is None for documents without a file, which stand alone.

    `count` is the counting rule where the book names none. `scan` is the first reading of the files.
    `found` is how long the chapters were as it found them, until that is noted. `making` is held by whoever makes a
    card: one at a time.
    """

    root: Path
    index: BookIndex | None
    state: State
    count: CountRule = "mixed"
    scan: asyncio.Task[None] | None = None
    found: Mapping[str, Counts] | None = None
    making: asyncio.Lock = field(default_factory=asyncio.Lock)
    noting: asyncio.Lock = field(default_factory=asyncio.Lock)
    _stored: Book | None = None
    _elsewhere: Elsewhere | None = None

    @property
    def view(self) -> BookView | None:
        return self.index

    @property
    def elsewhere(self) -> Elsewhere:
        """What other programs do to it."""
        if self._elsewhere is None:
            from inkwright.workspace.elsewhere import Elsewhere

            self._elsewhere = Elsewhere(self.root, self.state)
        return self._elsewhere

    @property
    def files(self) -> BookIndex:
        """The index of a book that has files. Raises `InkwrightError`: book_needs_folder."""
        if self.index is None:
            raise InkwrightError("book_needs_folder")
        return self.index

    @property
    def book(self) -> Book:
        """The metadata: what `book.toml` says, else what is stored, else what the settings say."""
        return self.index.book if self.index is not None else Book(root="", title="", count=self.count)

    def count_by(self, rule: CountRule) -> None:
        """Where the book names no counting rule, this one holds from now on."""
        self.count = rule
        if self.index is not None:
            self._take(self._stored)

    async def refresh(self) -> None:
        """Reads `book.toml` again and copies what it says into the database."""
        await self.files.reread_book()
        await self.take_stored()

    async def take_stored(
        self, changes: Mapping[str, str] | None = None, revision: int | None = None
    ) -> None:
        """Writes changes and the values of `book.toml` to the database, and its values into the index."""
        index, database = self.files, self.state.database
        said = {name: str(getattr(index.fields, name)) for name in BOOK_FIELDS if name in index.fields.given}
        if database.readonly and not changes:
            stored = await self.state.books.get(self.state.book_id)
        else:
            stored = await self.state.books.update(self.state.book_id, {**(changes or {}), **said}, revision)
        self._take(stored)

    def _take(self, stored: Book | None) -> None:
        self._stored = stored
        if stored is not None and stored.count in ("", "mixed"):
            # The database's own default: nobody chose it.
            stored = replace(stored, count=self.count)
        self.files.stored = stored

    async def ready(self) -> None:
        """Waits until the first scan of the files is done. Raises `InkwrightError`: book_not_read."""
        if self.index is None or self.index.ready.is_set():
            return
        done = asyncio.ensure_future(self.index.ready.wait())
        try:
            await asyncio.wait(
                {done, self.scan} if self.scan else {done}, return_when=asyncio.FIRST_COMPLETED
            )
        finally:
            done.cancel()
        if not self.index.ready.is_set():
            raise InkwrightError("book_not_read", root=str(self.root))

    def relative(self, path: Path) -> str:
        """The path in the book with `/`; the file's own name when it lies outside."""
        try:
            return path.relative_to(self.root).as_posix()
        except ValueError:
            return path.name

    async def note_counts(self) -> None:
        """Writes down which chapters there are and how long they are today. In a book that was never noted before,
        what the scan found on the disk is what today begins with."""
        if self.index is None or self.state.database.readonly:
            return
        async with self.noting:
            found = self.index.on_disk() if self.found is None else self.found
            chapters = self.index.chapters()
            before = set((await self.state.chapters.ids()).values())
            ids = await self.state.chapters.sync({c.path: self.index.digest(c.path) for c in chapters})
            await self.state.daily_counts.record(
                time.strftime("%Y-%m-%d"),
                {ids[c.path]: c.counts for c in chapters},
                gone=before - set(ids.values()),
                found={ids[path]: counts for path, counts in found.items() if path in ids},
            )
            self.found = None

    async def close(self) -> None:
        try:
            if self.index is not None:
                await self.index.close()
        finally:
            await self.state.close()

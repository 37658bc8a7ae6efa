"""The index of one book: built in the background, true while the writer types and files change outside.

One object, one event loop, one worker thread. All state is changed on the loop; the thread reads files
and works out leaves, in slices, and hands them back. Texts of files are never kept.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from inkwright.domain.errors import InkwrightError
from inkwright.domain.manuscript import Hit, Problem
from inkwright.domain.text import Encoding, Snapshot
from inkwright.manuscript import reading
from inkwright.manuscript.answers import Answers
from inkwright.manuscript.desk import Desk
from inkwright.manuscript.ends import Ends
from inkwright.manuscript.stock import Stock
from inkwright.manuscript.upkeep import Progress, Upkeep
from inkwright.manuscript.walk import Limits
from inkwright.manuscript.worker import Worker
from inkwright.store.index_store import IndexStore

if TYPE_CHECKING:
    from inkwright.manuscript.ranking import Findings
    from inkwright.manuscript.references import Places
    from inkwright.manuscript.renaming import Wish
    from inkwright.manuscript.renaming_gather import Touched
    from inkwright.manuscript.searching import Searching

_LIMITS = Limits()


class BookIndex(Answers):
    """One book, read only. Implements `domain.ports.BookView`; every method is for the loop's thread.

    `ready` is set when the first build is done; until then the answers grow. `deep` False keeps to the
    files of the root itself.
    """

    def __init__(
        self, root: Path, store: IndexStore | None = None, *, deep: bool = True, limits: Limits = _LIMITS
    ) -> None:
        self._worker = Worker()
        stock = Stock(deep)
        super().__init__(root.absolute(), stock, Desk(stock, self._worker))
        self.ready = asyncio.Event()
        self._store = store
        self._limits = limits
        self._upkeep = Upkeep(self.root, stock, self._worker, store, limits, self._desk.schedule)
        self._searching: Searching | None = None
        stock.names_changed = self._names_changed
        stock.catalogue.bore = self._bore
        self._listeners: list[Callable[[], None]] = []

    @classmethod
    async def open(
        cls, root: Path, store: IndexStore | None = None, *, deep: bool = True, limits: Limits = _LIMITS
    ) -> BookIndex:
        """An index that knows the book's own fields; its files are read by `build`."""
        index = cls(root, store, deep=deep, limits=limits)
        await index._upkeep.read_book()
        return index

    # What files have to be read for.

    async def references(self, card_path: str, encoding: Encoding) -> list[Places]:
        """The places that name a card, by chapter in reading order. Raises `InkwrightError`: book_closed."""
        from inkwright.manuscript import references

        self._desk.freshen_all()
        card = self.card(card_path)
        if card is None:
            return []
        return await references.of(self.root, self._stock, self._worker, card, encoding)

    async def renaming(
        self, wish: Wish, file: str, texts: Mapping[str, str], encoding: Encoding
    ) -> list[Touched]:
        """The places of a rename, the card's own file first. `file` is that file's new path, '' where it keeps its
        own; `texts` are the open documents by path. Raises `InkwrightError`: rename_files_changed, book_closed.
        """
        from inkwright.manuscript import renaming_book

        await self.settled()
        return await renaming_book.touched(
            self.root, self._stock, self._worker, wish, self.dictionary, file, texts, encoding
        )

    async def moving(
        self, moves: Mapping[str, str], texts: Mapping[str, str], encoding: Encoding
    ) -> list[Touched]:
        """The links that have to follow when files or folders go from one path to another. Raises as `renaming`."""
        from inkwright.manuscript import renaming_moves

        await self.settled()
        return await renaming_moves.touched(self.root, self._stock, self._worker, moves, texts, encoding)

    async def text(self, path: str) -> str:
        """The text of a chapter or card. Raises `InkwrightError`: file_missing, file_unreadable, file_binary."""
        return (await self.snapshot(path)).text

    async def snapshot(self, path: str) -> Snapshot:
        """A file as it stands, the open buffer before the disk; without a version. Raises as `text` does."""
        if (card := self._stock.catalogue.card(path)) is not None:
            path = card.file
        path = self._stock.known(path)
        uri = (self.root / path).as_uri()
        draft = self._stock.drafts.get(path)
        if draft is not None:
            return Snapshot(uri, path, None, draft.source(), self.readonly(path))
        named = self._stock.belongs(path)
        decoded = await self._worker.run(reading.text_of, self.root, path, self._limits, named)
        if isinstance(decoded, Problem):
            raise InkwrightError(decoded.code, **dict(decoded.params))
        if decoded.readonly == "binary":
            raise InkwrightError("file_binary", path=path)
        return Snapshot(uri, path, None, decoded.text, decoded.readonly)

    async def search(self, query: str, *, limit: int = 0) -> tuple[Hit, ...]:
        """The hits of `find`."""
        return (await self.find(query, limit=limit)).hits

    async def find(self, query: str, *, limit: int = 0) -> Findings:
        """The lines that hold every word of the query, best first; without any, those that hold most of it.

        Any string is safe; a card is searched whole, with what is private in it. `limit` 0 gives all.
        Raises `InkwrightError`: query_too_long, book_closed.
        """
        from inkwright.manuscript.searching import Searching

        self._desk.freshen_cards()
        if self._searching is None:
            self._searching = Searching(self.root, self._stock, self._worker, self._store)
        return await self._searching.search(query, limit)

    async def settled(self) -> None:
        """Waits until all that is known to have changed is in the answers."""
        while self._desk.begin() or await self._worker.idle(self._upkeep.hurry):
            pass

    # What it is told.

    def listen(self, listener: Callable[[], None]) -> None:
        """Calls `listener` on the loop after each change that other files than the changed one may hang on."""
        self._listeners.append(listener)

    async def build(self, progress: Progress | None = None) -> None:
        """Reads the book: from the store what is unchanged, from the files the rest. Sets `ready` at its end."""
        await self._upkeep.build(progress)
        self.ready.set()

    def deepen(self) -> bool:
        """The folders below the root belong to it from now on. True when that is new: then walk again."""
        new, self._stock.deep = not self._stock.deep, True
        return new

    def keep_apart(self, folders: Collection[str]) -> bool:
        """These folders in it are other books, whatever is in them. True when that is new: then walk again."""
        changed = self._stock.apart != set(folders)
        self._stock.apart = frozenset(folders)
        return changed

    async def rescan(self) -> None:
        """Walks the files again and reads those that are new or changed."""
        await self._upkeep.rescan()

    async def reread_book(self) -> None:
        """Reads `book.toml` again; what its globs decide is decided anew."""
        await self._upkeep.reread_book()

    async def file_changed(self, path: str) -> None:
        """A file or folder was created, changed, renamed to or away, or deleted on the disk."""
        await self._upkeep.changed((path,))

    async def files_changed(self, paths: Collection[str]) -> None:
        """The same for many at once."""
        await self._upkeep.changed(paths)

    def set_buffer(self, path: str, source: str | Callable[[], str], ends: Ends | None = None) -> None:
        """An open document as it stands: it wins over the file until `clear_buffer`.

        `source` may be a function that gives the text: it is called when the text is needed, so that a
        keystroke costs nothing here. `ends` are the document's, if somebody tells them what is typed.
        """
        path = self._stock.known(path)
        if self._searching is not None:
            self._searching.touched()
        text = source if callable(source) else lambda: source
        if self._stock.belongs(path) and self._desk.put(path, text, ends):
            self._worker.start(self._upkeep.place_anew(), "place files anew")

    def clear_buffer(self, path: str) -> None:
        """The document was closed: its file counts again, and is looked at."""
        path = self._stock.known(path)
        if self._stock.drafts.pop(path, None) is not None:
            self._stock.show(path)
            self._stock.refresh_dictionary()
            self._worker.start(self._upkeep.changed((path,)), "look at a closed document's file")

    async def move_store(self, target: Path) -> None:
        """The store goes on at `target`."""
        if self._store is not None:
            await self._worker.run(self._store.move, target)

    async def close(self) -> None:
        """Stops the background work and closes the store. Safe to call twice."""
        if not self._worker.closing.is_set():
            self._desk.close()
            await self._worker.close(self._store.close if self._store is not None else lambda: None)

    def _bore(self) -> None:
        for listener in self._listeners:
            listener()

    def _names_changed(self) -> None:
        self._desk.schedule()
        self._upkeep.names_changed()

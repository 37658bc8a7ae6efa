"""The index of one book: built in the background, true while the writer types and files change outside.

One object, one event loop, one worker thread. All state is changed on the loop; the thread reads files
and works out leaves, in slices, and hands them back. Texts of files are never kept.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Hashable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from inkwright.domain.cards import Card
from inkwright.domain.errors import InkwrightError
from inkwright.domain.manuscript import Book, Chapter, Hit, Mention, Problem
from inkwright.domain.text import Encoding, Snapshot
from inkwright.manuscript import drafts, reading
from inkwright.manuscript.bookfile import BookFields
from inkwright.manuscript.desk import Desk
from inkwright.manuscript.mentions import Dictionary
from inkwright.manuscript.stock import Stock
from inkwright.manuscript.structure import Mark
from inkwright.manuscript.tallies import Tally
from inkwright.manuscript.upkeep import Progress, Upkeep
from inkwright.manuscript.walk import Limits
from inkwright.manuscript.worker import Worker
from inkwright.store.index_store import IndexStore

if TYPE_CHECKING:
    from inkwright.manuscript.overview import CardTable, Overview
    from inkwright.manuscript.places import Order
    from inkwright.manuscript.ranking import Findings
    from inkwright.manuscript.references import Places
    from inkwright.manuscript.renaming import Wish
    from inkwright.manuscript.renaming_gather import Touched
    from inkwright.manuscript.searching import Searching

_LIMITS = Limits()


class BookIndex:
    """One book, read only. Implements `domain.ports.BookView`; every method is for the loop's thread.

    `ready` is set when the first build is done; until then the answers grow. `deep` False keeps to the
    files of the root itself. `stored` is the book's metadata as its database has it, when it is known.
    """

    def __init__(
        self, root: Path, store: IndexStore | None = None, *, deep: bool = True, limits: Limits = _LIMITS
    ) -> None:
        self.root = root.absolute()
        self.ready = asyncio.Event()
        self.stored: Book | None = None
        self._store = store
        self._limits = limits
        self._worker = Worker()
        self._stock = Stock(deep)
        self._desk = Desk(self._stock, self._worker)
        self._upkeep = Upkeep(self.root, self._stock, self._worker, store, limits, self._desk.schedule)
        self._searching: Searching | None = None
        self._stock.names_changed = self._names_changed
        self._stock.catalogue.bore = self._bore
        self._table: CardTable | None = None
        self._order: tuple[int, Order] | None = None
        self._kept: dict[str, tuple[Hashable, Any]] = {}
        self._listeners: list[Callable[[], None]] = []

    @classmethod
    async def open(
        cls, root: Path, store: IndexStore | None = None, *, deep: bool = True, limits: Limits = _LIMITS
    ) -> BookIndex:
        """An index that knows the book's own fields; its files are read by `build`."""
        index = cls(root, store, deep=deep, limits=limits)
        await index._upkeep.read_book()
        return index

    # What is asked of it.

    @property
    def book(self) -> Book:
        """What `book.toml` says; for the keys that it has not, what is stored."""
        said, stored = self.fields, self.stored or Book(root="", title="")

        def value(name: str) -> Any:
            return getattr(said if name in said.given else stored, name)

        return Book(
            root=str(self.root),
            title=value("title") or self._stock.arrangement.title or self.root.name,
            type=value("type"),
            language=value("language"),
            author=value("author") or self._stock.arrangement.author,
            count=value("count"),
            model=value("model"),
            revision=stored.revision,
            owned=self._stock.owned,
        )

    @property
    def fields(self) -> BookFields:
        """What `book.toml` says, and which keys it has."""
        return self._stock.fields

    @property
    def layout(self) -> str:
        """The layouts that the book's files were read by, joined by `+`; `plain` for a folder of our own kind."""
        return self._stock.arrangement.id

    @property
    def revision(self) -> int:
        """Goes up with every change of what the index would answer."""
        return self._stock.catalogue.revision

    @property
    def bearing(self) -> int:
        """Goes up with every change that other files than the changed one may hang on."""
        return self._stock.catalogue.bearing

    @property
    def dictionary(self) -> Dictionary:
        """The names of all cards, for a search in a single paragraph."""
        self._desk.freshen_cards()
        return self._stock.catalogue.dictionary

    def chapters(self) -> tuple[Chapter, ...]:
        """In reading order."""
        self._desk.freshen_all()
        return self._stock.catalogue.chapters()

    def chapter(self, path: str) -> Chapter | None:
        """One chapter; None for a path that is none."""
        return self._stock.catalogue.chapter(self._fresh(path))

    def cards(self) -> tuple[Card, ...]:
        """By path."""
        self._desk.freshen_cards()
        return self._stock.catalogue.cards()

    def card(self, path: str) -> Card | None:
        """One card; None for a path that is none."""
        if (found := self._stock.catalogue.card(path)) is not None and found.within:
            self._fresh(found.within)
        return self._stock.catalogue.card(self._fresh(path))

    def card_folder(self, written_type: str) -> str:
        """The folder for a new card of a type: none that a project of another tool has made its own."""
        from inkwright.manuscript import cardfile, cards

        kind = cards.kind_of(written_type.strip()) or "misc"
        arrangement = self._stock.arrangement
        own = [card for card in self.cards() if arrangement.place(card.file) is None]
        return cardfile.folder_for(kind, own, self.fields.cards)

    def mentions(self, path: str) -> tuple[Mention, ...]:
        """The mentions in one chapter, by place; of an ambiguous name one for each of its cards."""
        return self._stock.catalogue.mentions(self._fresh(path))

    def marks(self, path: str) -> tuple[Mark, ...]:
        """The headings and scenes of one chapter by line, but for the heading that is its title."""
        leaf = self._stock.catalogue.leaves.get(self._fresh(path))
        return leaf.marks if leaf else ()

    def card_counts(self, card_path: str) -> dict[str, int]:
        """How often a card is mentioned, by chapter in reading order; chapters without it are left out."""
        self._desk.freshen_all()
        return self.tally(card_path).counts()

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

    def tally(self, card_path: str) -> Tally:
        """The same as of the last pause in the typing: at no cost, for a hover."""
        return self._stock.catalogue.tally(self._stock.known(card_path))

    def seen(self, card_path: str) -> tuple[Chapter, Chapter] | None:
        """The first and the last chapter that mention a card, at as little cost."""
        return self._stock.catalogue.seen(self._stock.known(card_path))

    def listed(self) -> tuple[Chapter, ...]:
        """The chapters in reading order as of the last pause in the typing."""
        return self._stock.catalogue.chapters()

    def order(self, *, fresh: bool = True) -> Order:
        """The chapters in reading order, to be asked where a reference leads; with `fresh` False as of the last
        pause in the typing, at no cost. One for as long as nothing but texts changes."""
        from inkwright.manuscript.places import Order

        if fresh:
            self._desk.freshen_all()
        bearing = self.bearing
        if self._order is None or self._order[0] != bearing:
            self._order = bearing, Order(self.listed())
        return self._order[1]

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What could not be read, or not as meant."""
        self._desk.freshen_all()
        stock = self._stock
        faults = [stock.faults[path] for path in sorted(stock.faults)]
        return (*stock.book_problems, *stock.walk_problems, *faults, *stock.catalogue.problems())

    def paths(self) -> tuple[str, ...]:
        """The texts of the book: chapters in reading order, then all others by path."""
        chapters = [chapter.path for chapter in self.listed()]
        return (*chapters, *sorted(self._stock.catalogue.leaves.keys() - set(chapters)))

    def spelled(self, path: str) -> str:
        """A Markdown file's path as the book spells it; '' for one that is not the book's."""
        path = self._stock.known(path)
        return path if path in self._stock.files or path in self._stock.drafts else ""

    def digest(self, path: str) -> str:
        """What tells one content of a chapter or card from another; '' for a path that is none."""
        path = self._stock.known(path)
        if (draft := self._stock.drafts.get(path)) is not None:
            return drafts.digest(draft.source()).hex()
        leaf = self._stock.disk.get(path)
        return leaf.digest.hex() if leaf else ""

    def readonly(self, path: str) -> str:
        """Why the file on the disk must not be written (`encoding`, `binary`), else ''."""
        leaf = self._stock.disk.get(self._stock.known(path))
        return leaf.readonly if leaf else ""

    def locked(self, path: str) -> str:
        """Why the project that a file belongs to wants it left alone: `finished`, `locked`, `generated`, else ''."""
        path = self._stock.known(path)
        place = self._stock.places.get(path) or self._stock.arrangement.place(path)
        return place.readonly if place else ""

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

    def overview(self) -> Overview:
        """The book as it stands now, frozen: cards with what is typed in them, chapters as of the last pause."""
        from inkwright.manuscript.overview import CardTable, Overview

        cards = self.cards()
        if self._table is None or self._table.cards is not cards:
            self._table = CardTable(cards)
        catalogue = self._stock.catalogue
        return Overview(
            self.book.language,
            catalogue.chapters(),
            self._table,
            catalogue.dictionary,
            catalogue.bearing,
            lambda path: self.locked(path) or self.readonly(path),
            self.root,
            dict(catalogue.leaves),
            _kept=self._kept,
        )

    def listen(self, listener: Callable[[], None]) -> None:
        """Calls `listener` on the loop after each change that other files than the changed one may hang on."""
        self._listeners.append(listener)

    # What it is told.

    async def build(self, progress: Progress | None = None) -> None:
        """Reads the book: from the store what is unchanged, from the files the rest. Sets `ready` at its end."""
        await self._upkeep.build(progress)
        self.ready.set()

    @property
    def inner(self) -> tuple[str, ...]:
        """The folders in it that say themselves that they are books: they are left to themselves."""
        return tuple(self._stock.bounds.inner)

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

    def set_buffer(self, path: str, source: str | Callable[[], str]) -> None:
        """An open document as it stands: it wins over the file until `clear_buffer`.

        `source` may be a function that gives the text: it is called when the text is needed, so that a
        keystroke costs nothing here.
        """
        path = self._stock.known(path)
        if self._searching is not None:
            self._searching.touched()
        if self._stock.belongs(path) and self._desk.put(path, source if callable(source) else lambda: source):
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

    def _fresh(self, path: str) -> str:
        path = self._stock.known(path)
        self._desk.freshen(path)
        return path

    def _bore(self) -> None:
        for listener in self._listeners:
            listener()

    def _names_changed(self) -> None:
        self._desk.schedule()
        self._upkeep.names_changed()

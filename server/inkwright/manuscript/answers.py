"""What the index of a book answers at once: from what it knows, with what is typed in open documents."""

from __future__ import annotations

from collections.abc import Hashable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from inkwright.domain.cards import Card
from inkwright.domain.manuscript import Book, Chapter, Counts, Mention, Problem
from inkwright.manuscript import drafts
from inkwright.manuscript.bookfile import BookFields
from inkwright.manuscript.desk import Desk
from inkwright.manuscript.mentions import Dictionary
from inkwright.manuscript.stock import Stock
from inkwright.manuscript.structure import Mark
from inkwright.manuscript.tallies import Tally

if TYPE_CHECKING:
    from inkwright.manuscript.overview import CardTable, Overview
    from inkwright.manuscript.places import Order


class Answers:
    """The questions that nothing has to be read or waited for. Every method is for the loop's thread.

    `stored` is the book's metadata as its database has it, when it is known.
    """

    def __init__(self, root: Path, stock: Stock, desk: Desk) -> None:
        self.root = root
        self.stored: Book | None = None
        self._stock = stock
        self._desk = desk
        self._table: CardTable | None = None
        self._order: tuple[int, Order] | None = None
        self._kept: dict[str, tuple[Hashable, Any]] = {}

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

    def on_disk(self) -> dict[str, Counts]:
        """How long the chapters are as they lie on the disk, {path: counts}: nothing typed and not saved is in it."""
        leaves = ((path, leaf) for path, leaf in self._stock.disk.items() if path in self._stock.places)
        return {path: leaf.counts for path, leaf in leaves if leaf.role == "chapter"}

    def readonly(self, path: str) -> str:
        """Why the file on the disk must not be written (`encoding`, `binary`), else ''."""
        leaf = self._stock.disk.get(self._stock.known(path))
        return leaf.readonly if leaf else ""

    def locked(self, path: str) -> str:
        """Why the project that a file belongs to wants it left alone: `finished`, `locked`, `generated`, else ''."""
        path = self._stock.known(path)
        place = self._stock.places.get(path) or self._stock.arrangement.place(path)
        return place.readonly if place else ""

    @property
    def inner(self) -> tuple[str, ...]:
        """The folders in it that say themselves that they are books: they are left to themselves."""
        return tuple(self._stock.bounds.inner)

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

    def _fresh(self, path: str) -> str:
        path = self._stock.known(path)
        self._desk.freshen(path)
        return path

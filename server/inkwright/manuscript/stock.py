"""What is known of a book's files and open documents, and which of the two counts. No I/O; the loop's alone."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Collection, Iterable, Mapping

from inkwright.domain.manuscript import Problem
from inkwright.manuscript import layouts, walk
from inkwright.manuscript.bookfile import BookFields
from inkwright.manuscript.bounds import Bounds
from inkwright.manuscript.catalogue import Catalogue
from inkwright.manuscript.drafts import Draft
from inkwright.manuscript.layouts import Place
from inkwright.manuscript.leaf import Leaf
from inkwright.manuscript.walk import Listing, Seen


class Stock:
    """`files` are what the last look saw, `disk` their leaves, `drafts` the open documents. `racy` are files that
    may have changed since they were read without looking so.

    `apart` are folders that are books of their own though nothing in them says so. `names_changed` is called
    when chapters must be searched for other names than before.
    """

    def __init__(self, deep: bool) -> None:
        self.deep = deep
        self.fields = BookFields()
        self.owned = False
        self.book_problems: tuple[Problem, ...] = ()
        self.walk_problems: tuple[Problem, ...] = ()
        self.bounds = Bounds()
        self.apart: frozenset[str] = frozenset()
        self.faults: dict[str, Problem] = {}
        self.arrangement = layouts.PLAINLY
        self.files: dict[str, Seen] = {}
        self.racy: set[str] = set()
        self.places: Mapping[str, Place] = {}
        self.disk: dict[str, Leaf] = {}
        self.drafts: dict[str, Draft] = {}
        self.catalogue = Catalogue()
        self.names_changed: Callable[[], None] = lambda: None
        self._spelling: dict[str, str] = {}

    def known(self, path: str) -> str:
        """The spelling of a path that the book uses: systems differ in the normal form of names."""
        if path in self.files or path in self.drafts:
            return path
        return self._spelling.get(_nfc(path), path)

    def belongs(self, path: str) -> bool:
        """Whether a file or document of this path is one that the book reads."""
        parts = path.split("/")
        inside = bool(path) and not path.startswith("/") and ".." not in parts
        foreign = any(walk.is_foreign(part) for part in parts[:-1])
        own = not foreign and walk.is_text(parts[-1])
        taken = inside and (self.deep or len(parts) == 1) and (own or self.arrangement.takes(path))
        return taken and not self.bounds.outside(path)

    def held(self, paths: Iterable[str]) -> bool:
        """Whether one of the paths is a folder that texts of the book were in."""
        folders = tuple(f"{path}/" for path in paths)
        return bool(folders) and any(known.startswith(folders) for known in self.files)

    def respelled(self, paths: Collection[str]) -> bool:
        """Whether one of the paths is new and differs from a known one in case alone: they may be the same file."""
        new = {path.casefold() for path in paths if path not in self.files}
        return bool(new) and any(path.casefold() in new for path in self.files)

    def foreign(self, path: str) -> bool:
        """Whether nothing at or below a path is the book's."""
        return not self.deep or any(walk.is_foreign(part) for part in path.split("/"))

    def take_book(self, fields: BookFields, problems: tuple[Problem, ...], owned: bool) -> None:
        """Takes what `book.toml` says."""
        self.fields, self.book_problems, self.owned = fields, problems, owned
        self.catalogue.revision += 1
        self.catalogue.bears()

    def take_listing(self, listing: Listing) -> list[str]:
        """Takes what a walk saw; returns the files that are gone."""
        gone = [path for path in self.files if path not in listing.files]
        self.files = listing.files
        self.bounds = listing.bounds
        for path in [path for path in self.drafts if self.bounds.outside(path)]:
            del self.drafts[path]
            gone.append(path)
        self.walk_problems = tuple(listing.problems)
        self.faults = {path: fault for path, fault in self.faults.items() if path in listing.files}
        self._spelling = {_nfc(path): path for path in (*self.drafts, *listing.files)}
        return gone

    def take_looked(self, looked: Mapping[str, Seen | Problem | None]) -> list[str]:
        """Takes what was seen of single files; returns those that are gone."""
        gone: list[str] = []
        for path, seen in looked.items():
            self.faults.pop(path, None)
            if isinstance(seen, Seen):
                self.files[path] = seen
                self._spelling.setdefault(_nfc(path), path)
                continue
            if isinstance(seen, Problem):
                self.faults[path] = seen
            if self.files.pop(path, None) is not None:
                gone.append(path)
        self.walk_problems = tuple(
            p
            for p in self.walk_problems
            if p.path not in looked and not (p.code == "folder_ignored" and self.files)
        )
        return gone

    def drop(self, paths: Iterable[str]) -> None:
        """Forgets the leaves of files that are gone."""
        for path in paths:
            self.disk.pop(path, None)
            self.racy.discard(path)
            self.show(path)

    def open(self, draft: Draft) -> bool:
        """Takes a newly opened document; True when there was no such file before."""
        self.drafts[draft.path] = draft
        self._spelling.setdefault(_nfc(draft.path), draft.path)
        if draft.path in self.places:
            return False
        self.places = {**self.places, draft.path: self.plan()[draft.path]}
        return True

    @property
    def misplaced(self) -> bool:
        """Whether files or documents came or went since the places were planned."""
        return self.places.keys() != self.files.keys() | self.drafts.keys()

    def plan(self) -> Mapping[str, Place]:
        """The place of every file and open document, by the projects that the book consists of."""
        paths = self.files.keys() | self.drafts.keys()
        return self.arrangement.plan(paths, self.fields.chapters, self.fields.cards)

    def take_places(self, places: Mapping[str, Place]) -> list[str]:
        """Takes a plan; returns the files that may be something else now and must be read again."""
        self.places = places
        again: list[str] = []
        for path, leaf in list(self.disk.items()):
            place = places.get(path)
            if place is None or place == leaf.place:
                continue
            if place.reads_like(leaf.place):
                self.disk[path] = leaf.under(place)
                self.show(path)
            else:
                again.append(path)
        for draft in self.drafts.values():
            draft.dirty |= draft.leaf is not None and places.get(draft.path) != draft.leaf.place
        return again

    def show(self, path: str) -> None:
        """Puts what counts for a path into the catalogue: its draft, else its file, else nothing."""
        draft = self.drafts.get(path)
        leaf = draft.leaf if draft is not None and draft.leaf is not None else self.disk.get(path)
        if leaf is not None or path in self.catalogue.leaves:
            self.catalogue.put(path, leaf)

    def refresh_dictionary(self) -> None:
        """Makes the dictionary true to the cards; open documents then need a new reading."""
        if self.catalogue.refresh_dictionary():
            for draft in self.drafts.values():
                draft.dirty = True
            self.names_changed()

    def stale(self) -> list[str]:
        """Chapters on the disk with mentions of an older dictionary; drafts see to themselves."""
        version = self.catalogue.dictionary.version
        return [
            path
            for path, leaf in self.disk.items()
            if leaf.role == "chapter" and leaf.found.version != version and path in self.places
        ]


def _nfc(path: str) -> str:
    return unicodedata.normalize("NFC", path)

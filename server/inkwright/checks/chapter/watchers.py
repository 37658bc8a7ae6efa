"""The families of rules that look at a chapter: each notes its marks in a paragraph and judges their sums."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Protocol

from inkwright.checks.chapter import forms, frequent, openings, scripts
from inkwright.checks.chapter.marks import NOTHING, Mark, Noted, Notes
from inkwright.checks.hits import Hit
from inkwright.checks.names import Names
from inkwright.checks.piece import Piece
from inkwright.checks.rules import Family, families


class Chapter(Protocol):
    """The sums of a chapter. Marks come in order of place, with places in the chapter.

    `script` is hans or hant where the book's language says so, else ''.
    """

    @property
    def script(self) -> str: ...

    def forms(self, group: str) -> Mapping[int, int]:
        """How often each form of a group stands."""
        ...

    def marks(self, group: str, form: int) -> Iterator[Mark]: ...

    def amount(self, name: str) -> int: ...

    def groups(self) -> Iterable[str]: ...


class Watcher(Protocol):
    """One family at work."""

    @property
    def rules(self) -> frozenset[str]: ...

    def note(self, piece: Piece, notes: Notes) -> None: ...

    def judge(self, chapter: Chapter) -> Iterable[Hit]: ...


METHODS: Mapping[str, Callable[[Family], Sequence[Watcher]]] = {
    "forms": forms.watchers,
    "frequent": frequent.watchers,
    "scripts": scripts.watchers,
}


@dataclass(frozen=True, slots=True)
class Watch:
    """All watchers whose rules are on."""

    watchers: tuple[Watcher, ...]
    opening: openings.Openings | None

    def note(self, piece: Piece, names: Names) -> Noted:
        """What a paragraph adds. Marks that a name of the book touches don't count."""
        if not (piece.zh or piece.en):
            return NOTHING
        notes = Notes()
        for watcher in self.watchers:
            watcher.note(piece, notes)
        marks = notes.marks
        if names.given:
            marks = [m for m in marks if not names.touch(piece.text, m.start, m.end)]
        opening = "" if self.opening is None else self.opening.of(piece, names)
        return Noted(tuple(marks), tuple(notes.amounts), opening)

    def judge(self, chapter: Chapter) -> list[Hit]:
        return [hit for watcher in self.watchers for hit in watcher.judge(chapter)]


def words() -> set[str]:
    """The plain words that they look for in Chinese."""
    rows = [
        one.words for one in _all()[0] if isinstance(one, (forms.Forms, frequent.Frequent)) and one.search
    ]
    return set[str]().union(*rows)


@cache
def _all() -> tuple[tuple[Watcher, ...], openings.Openings]:
    found: list[Watcher] = []
    opening: Sequence[Family] = [family for family in families() if family.method == "openings"]
    for family in families():
        if family.method in METHODS:
            found += METHODS[family.method](family)
    return tuple(found), openings.Openings(opening[0])


def watch(disabled: frozenset[str]) -> Watch:
    watchers, opening = _all()
    on = tuple(w for w in watchers if not w.rules <= disabled)
    return Watch(on, None if opening.rules <= disabled else opening)

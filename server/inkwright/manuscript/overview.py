"""A book as it stood at one moment, for checks that look at all of it. Frozen: safe in any thread."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

from inkwright.domain.cards import Card
from inkwright.domain.facts import NewFact
from inkwright.domain.manuscript import Chapter, Mention, Problem
from inkwright.manuscript import links
from inkwright.manuscript.leaf import Leaf
from inkwright.manuscript.mentions import Dictionary
from inkwright.manuscript.structure import Mark

if TYPE_CHECKING:
    from inkwright.manuscript.ledger import Row

T = TypeVar("T")

_NUMBERED = re.compile(r"\s*第[^第]{1,12}?([章回节節话話幕集])")


def plain(name: str) -> str:
    """A name as names are compared: composed, without case, one space for any."""
    return " ".join(unicodedata.normalize("NFC", name).split()).casefold()


class CardTable:
    """The cards of a book by path, and what is looked up in them."""

    def __init__(self, cards: Sequence[Card]) -> None:
        self.cards = tuple(cards)

    @cached_property
    def by_path(self) -> Mapping[str, Card]:
        return {card.path: card for card in self.cards}

    @cached_property
    def by_name(self) -> Mapping[str, tuple[Card, ...]]:
        """The cards that have a name or alias, by the name as `plain` has it."""
        out: dict[str, dict[str, Card]] = {}
        for card in self.cards:
            for name in card.names:
                out.setdefault(plain(name), {})[card.path] = card
        return {name: tuple(found.values()) for name, found in out.items()}

    @cached_property
    def by_file(self) -> Mapping[str, tuple[Card, ...]]:
        out: dict[str, list[Card]] = {}
        for card in self.cards:
            out.setdefault(card.file, []).append(card)
        return {file: tuple(found) for file, found in out.items()}


@dataclass(frozen=True)
class Overview:
    """`chapters` are in reading order, `table` holds the cards. `bearing` changes with everything but texts and
    counts: cards, names, titles, order, front matter, headings, files.

    Places of chapters are of their texts as they were last read.
    """

    language: str
    chapters: tuple[Chapter, ...]
    table: CardTable
    dictionary: Dictionary
    bearing: int
    locked: Callable[[str], str]
    """Why the project that a file belongs to wants it left alone, or why it cannot be written; else ''."""
    _root: Path
    _leaves: Mapping[str, Leaf]
    lost: tuple[NewFact, ...] = ()
    """Facts of the checked document's cards that the chapters which they were taken from tell no more."""
    _kept: dict[str, tuple[Hashable, Any]] = field(default_factory=dict, repr=False, compare=False)

    def once(self, name: str, on: Hashable, make: Callable[[], T]) -> T:
        """What `make` gives, for all documents of the book: from an earlier call that had the same `on`."""
        known = self._kept.get(name)
        if known is None or known[0] != on:
            known = self._kept[name] = (on, make())
        return cast("T", known[1])

    def ledger(self) -> tuple[Row, ...]:
        """The book's threads, worked out once for all its documents. Takes CPU time."""
        from inkwright.manuscript.ledger import ledger

        return self.once("ledger", self.bearing, lambda: ledger(self.chapters))

    @property
    def cards(self) -> tuple[Card, ...]:
        """By path."""
        return self.table.cards

    @cached_property
    def order(self) -> Mapping[str, int]:
        """The place of each chapter in the reading order, by path."""
        return {chapter.path: at for at, chapter in enumerate(self.chapters)}

    def chapter(self, path: str) -> Chapter | None:
        at = self.order.get(path)
        return None if at is None else self.chapters[at]

    def named(self, name: str) -> tuple[Card, ...]:
        """The cards that have this name or alias."""
        return self.table.by_name.get(plain(name), ())

    def mentions(self, path: str) -> tuple[Mention, ...]:
        """The mentions in a chapter as it was last read, by place."""
        leaf = self._leaves.get(path)
        if leaf is None:
            return ()
        known = self.table.by_path
        return tuple(mention for mention in leaf.found.mentions() if mention.card in known)

    def cast(self, path: str) -> Mapping[str, int]:
        """How often each card is mentioned in a chapter, by the card's path."""
        leaf = self._leaves.get(path)
        return dict(zip(leaf.found.cards, leaf.found.tallies, strict=True)) if leaf is not None else {}

    def marks(self, path: str) -> tuple[Mark, ...]:
        """The headings and scenes of a chapter by line, but for the heading that is its title."""
        leaf = self._leaves.get(path)
        return leaf.marks if leaf is not None else ()

    def heading(self, path: str) -> str:
        """The heading that is a chapter's title, '' when it has none."""
        leaf = self._leaves.get(path)
        return leaf.heading if leaf is not None else ""

    def problems(self, path: str) -> tuple[Problem, ...]:
        """What in a file could not be read as meant."""
        leaf = self._leaves.get(path)
        return leaf.problems if leaf is not None else ()

    @cached_property
    def files(self) -> frozenset[str]:
        """The texts that the book knows, by path."""
        return frozenset(self._leaves)

    @cached_property
    def numbered(self) -> tuple[Chapter, ...]:
        """The chapters of the main run that have a number, in reading order."""
        return tuple([c for c in self.chapters if c.kind == "main" and c.number is not None])

    def ordered(self, path: str) -> bool:
        """Whether a project says where a chapter stands, whatever its number is."""
        leaf = self._leaves.get(path)
        return leaf is not None and bool(leaf.place.order)

    @cached_property
    def _units(self) -> frozenset[str]:
        named = (name for c in self.numbered for name in (c.path.rpartition("/")[2], c.title))
        found = (_NUMBERED.match(name) for name in named)
        return frozenset(match[1] for match in found if match)

    def called_so(self, unit: str) -> bool:
        """Whether chapters of the book are called by a unit (章, 回); in Latin letters, whether they have numbers."""
        return bool(self.numbered) if unit.isascii() else unit in self._units

    def note(self, target: str) -> str:
        """The path of a text of that name or path that is neither card nor chapter; '' when there is none."""
        wanted = plain(target)
        return self._notes.get(wanted) or self._notes.get(plain(links.without_suffix(target)), "")

    @cached_property
    def _notes(self) -> Mapping[str, str]:
        out: dict[str, str] = {}
        for path in sorted(self.files):
            bare = links.without_suffix(path)
            out.setdefault(plain(bare.rpartition("/")[2]), path)
            out.setdefault(plain(bare), path)
        return out

    def exists(self, path: str) -> bool:
        """Whether there is a file or folder of this path in the book. May look at the disk."""
        if path in self.files:
            return True
        try:
            return (self._root / path).exists()
        except (OSError, ValueError):
            return False

    def targets(self, here: str) -> links.Targets:
        """What can be linked to from a text."""
        return links.Targets(self.cards, self.chapters, here)

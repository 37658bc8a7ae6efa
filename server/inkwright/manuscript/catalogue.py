"""The book as its leaves make it: chapters in order, cards, the dictionary, problems. No I/O, no clock."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from inkwright.domain.cards import Card
from inkwright.domain.manuscript import Chapter, Mention, Problem
from inkwright.manuscript import naming, ordering
from inkwright.manuscript.leaf import Found, Leaf
from inkwright.manuscript.mentions import Dictionary
from inkwright.manuscript.ordering import Placed
from inkwright.manuscript.tallies import Tallies, Tally

_REMEMBERED = 16  # dictionaries back for which it is known what changed since


class Catalogue:
    """Leaves by path. `put` is cheap; order and dictionary are made anew only when something they hang on changed."""

    def __init__(self) -> None:
        self.leaves: dict[str, Leaf] = {}
        self.dictionary = Dictionary(())
        self.revision = 0
        """Goes up with every change of a leaf or of the dictionary."""
        self.bearing = 0
        """Goes up with every change that bears upon other files than the one that changed."""
        self.bore: Callable[[], None] = lambda: None
        """Called after such a change."""
        self._chapters: dict[str, Chapter] = {}
        self._placed: dict[str, Placed] = {}
        self._order: list[str] | None = []
        self._listed: tuple[Chapter, ...] | None = ()
        self._cards: tuple[Card, ...] | None = ()
        self._named: tuple[Card, ...] = ()
        """The cards that the dictionary was made of."""
        self._within: dict[str, Card] = {}
        self._since: dict[str, frozenset[str]] = {}
        self._tallies: Tallies | None = None

    def put(self, path: str, leaf: Leaf | None) -> None:
        """Sets or takes out the leaf of a path."""
        old = self.leaves.get(path)
        if old is leaf:
            return
        self.revision += 1
        if leaf is None:
            del self.leaves[path]
        else:
            self.leaves[path] = leaf
        if (old.cards if old else ()) != (leaf.cards if leaf else ()):
            self._cards = None
            for card in old.within if old else ():
                self._within.pop(card.path, None)
            for card in leaf.within if leaf else ():
                self._within[card.path] = card
        self._put_chapter(path, leaf if leaf is not None and leaf.role == "chapter" else None)
        if self._order is None:
            self._tallies = None
        elif self._tallies is not None:
            self._tallies.put(path, old.found if old else Found(), leaf.found if leaf else Found())
        if old is None or leaf is None or old.bearing != leaf.bearing:
            self.bears()

    def bears(self) -> None:
        """Something changed that other files hang on."""
        self.bearing += 1
        self.bore()

    def refresh_dictionary(self) -> bool:
        """Makes the dictionary anew when cards changed; True when it finds other names than before."""
        cards = self.cards()
        if cards is self._named:
            return False
        self._named = cards
        new, old = Dictionary(cards), self.dictionary
        if new.version == old.version:
            return False
        names = new.changed(old)
        since = {version: known | names for version, known in self._since.items()}
        since[old.version] = names
        since.pop(new.version, None)
        self._since = dict(list(since.items())[-_REMEMBERED:])
        self.dictionary = new
        self.revision += 1
        self.bears()
        return True

    def stale(self) -> list[str]:
        """The chapters whose mentions were found with an older dictionary."""
        version = self.dictionary.version
        return [path for path in self._chapters if self.leaves[path].found.version != version]

    def names_since(self, version: str) -> frozenset[str] | None:
        """The names that changed since a dictionary; None when that is not known."""
        return frozenset() if version == self.dictionary.version else self._since.get(version)

    def chapters(self) -> tuple[Chapter, ...]:
        """In reading order."""
        order = self._in_order()
        if self._listed is None:
            self._listed = tuple([self._chapters[path] for path in order])
        return self._listed

    def _in_order(self) -> list[str]:
        if self._order is None:
            self._order = ordering.reading_order(self._placed)
            self._listed = None
        return self._order

    def chapter(self, path: str) -> Chapter | None:
        return self._chapters.get(path)

    def cards(self) -> tuple[Card, ...]:
        """By path."""
        if self._cards is None:
            found = [card for leaf in self.leaves.values() for card in leaf.cards]
            self._cards = tuple(sorted(found, key=lambda card: card.path))
        return self._cards

    def mentions(self, path: str) -> tuple[Mention, ...]:
        """The mentions in a chapter, of cards that are still there."""
        leaf = self.leaves.get(path)
        if leaf is None:
            return ()
        found = leaf.found.mentions()
        if all(self._is_card(card) for card in leaf.found.cards):
            return found
        return tuple(mention for mention in found if self._is_card(mention.card))

    def tally(self, card: str) -> Tally:
        """How often a card is mentioned, by chapter in reading order; only chapters that mention it."""
        order = self._in_order()
        if self._tallies is None:
            self._tallies = Tallies(order, (self.leaves[path].found for path in order))
        return self._tallies.of(card if self._is_card(card) else "")

    def seen(self, card: str) -> tuple[Chapter, Chapter] | None:
        """The first and the last chapter that mention a card."""
        found = self.tally(card)
        return (self._chapters[found.first], self._chapters[found.last]) if found else None

    def problems(self) -> Iterable[Problem]:
        """What is wrong in files, by path, and the names that mean more than one card."""
        for path in sorted(self.leaves):
            yield from self.leaves[path].problems
        names: Mapping[str, str] = {card.path: card.name for card in self.cards()}
        for name, paths in sorted(self.dictionary.ambiguous.items()):
            for path in paths:
                others = ", ".join(names.get(other, other) for other in paths if other != path)
                yield Problem(path, 0, "name_ambiguous", {"name": name, "others": others})

    def card(self, path: str) -> Card | None:
        """The card of a path; None for one that is none, or the file of several."""
        leaf = self.leaves.get(path)
        return leaf.card if leaf is not None else self._within.get(path)

    def _is_card(self, path: str) -> bool:
        return self.card(path) is not None

    def _put_chapter(self, path: str, leaf: Leaf | None) -> None:
        if leaf is None:
            if self._chapters.pop(path, None) is not None:
                del self._placed[path]
                self._order = None
            return
        place, stem, title = leaf.place, leaf.stem, leaf.title
        rank = _ranked(leaf.meta) if place.reader == "storyline" else place.order
        placed = ordering.keyed(leaf.reading, stem, leaf.meta.get("order"), rank)
        chapter = Chapter(
            path=path,
            title=title or placed.reading.title or stem,
            volume=leaf.place.volume,
            number=None if placed.reading.number is None else int(placed.reading.number),
            kind=placed.reading.kind,
            counts=leaf.counts,
            meta=_with(leaf.meta, place.meta) if place.meta else leaf.meta,
        )
        if self._placed.get(path) != placed:
            self._placed[path] = placed
            self._order = None
        if self._chapters.get(path) != chapter:
            self._chapters[path] = chapter
            self._listed = None


def _with(meta: Mapping[str, Any], known: Iterable[tuple[str, str]]) -> Mapping[str, Any]:
    """What a text says of itself and, where that is nothing or a mere number, what its project knows."""
    return {**meta, **{k: v for k, v in known if k not in meta or str(meta[k]).isdecimal()}}


def _ranked(meta: Mapping[str, Any]) -> tuple[float, ...]:
    """Act, chapter, sequence; what is missing comes last."""
    found = [naming.order_value(meta.get(key)) for key in ("act", "chapter", "order")]
    return tuple([float("inf") if value is None else value for value in found])

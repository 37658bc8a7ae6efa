"""How often each card is mentioned in each chapter, by card: two numbers for a pair, since a book has many."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from inkwright.manuscript.leaf import Found

_NOTHING = array("I")


class Tally(Mapping[str, int]):
    """What a card has: how often it is mentioned, by the chapters that mention it, in reading order.

    True to the moment at which it was asked for and to changes of mentions since; not to changes of the order.
    """

    __slots__ = ("_at", "_order", "_ranks", "_times")

    def __init__(
        self, order: Sequence[str], ranks: Mapping[str, int], at: array[int], times: array[int]
    ) -> None:
        self._order = order
        self._ranks = ranks
        self._at = at
        self._times = times

    def __len__(self) -> int:
        return len(self._at)

    def __iter__(self) -> Iterator[str]:
        return map(self._order.__getitem__, self._at)

    def __getitem__(self, path: str) -> int:
        rank = self._ranks[path]
        where = bisect_left(self._at, rank)
        if where == len(self._at) or self._at[where] != rank:
            raise KeyError(path)
        return self._times[where]

    def counts(self) -> dict[str, int]:
        """A copy of it all."""
        return dict(zip(self, self._times, strict=True))

    @property
    def total(self) -> int:
        return sum(self._times)

    @property
    def first(self) -> str:
        """The first chapter. Raises IndexError when there is none."""
        return self._order[self._at[0]]

    @property
    def last(self) -> str:
        return self._order[self._at[-1]]


class Tallies:
    """The tallies of all cards, of chapters in an order that stays the same."""

    def __init__(self, order: Sequence[str], found: Iterable[Found]) -> None:
        """`found` are the mentions of the chapters of `order`."""
        self._order = order
        self._ranks = {path: rank for rank, path in enumerate(order)}
        # A list grows at half the cost of an array.
        growing: defaultdict[str, tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
        for rank, one in enumerate(found):
            for card, times in zip(one.cards, one.tallies, strict=True):
                at, all_times = growing[card]
                at.append(rank)
                all_times.append(times)
        self._cards = {card: (array("I", at), array("I", times)) for card, (at, times) in growing.items()}

    def of(self, card: str) -> Tally:
        at, times = self._cards.get(card, (_NOTHING, _NOTHING))
        return Tally(self._order, self._ranks, at, times)

    def put(self, path: str, old: Found, new: Found) -> None:
        """The mentions of one chapter have changed."""
        if (old.cards, old.tallies) == (new.cards, new.tallies):
            return
        rank = self._ranks[path]
        for card in old.cards:
            at, all_times = self._cards[card]
            where = bisect_left(at, rank)
            del at[where], all_times[where]
        for card, times in zip(new.cards, new.tallies, strict=True):
            at, all_times = self._cards.get(card) or self._new(card)
            where = bisect_left(at, rank)
            at.insert(where, rank)
            all_times.insert(where, times)

    def _new(self, card: str) -> tuple[array[int], array[int]]:
        made = self._cards[card] = (array("I"), array("I"))
        return made

"""Which of the lines that a search found are the best."""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Literal

from inkwright.domain.manuscript import Hit
from inkwright.manuscript.folding import fold
from inkwright.manuscript.query import Line, Needles, Query

# A card's name before part of one, then words of their own, then side by side.
_ALL, _NAME, _IN_NAME, _WHOLE, _TOGETHER = 1.0, 4.0, 2.0, 1.0, 0.5


@dataclass(frozen=True, slots=True)
class Source:
    """A chapter or card to search. `text` is that of an open document, None for what lies on the disk."""

    order: int
    kind: Literal["chapter", "card"]
    path: str
    title: str
    names: tuple[str, ...] = ()
    digest: bytes = b""
    text: str | None = None


@dataclass(frozen=True, slots=True)
class Findings:
    """What a search found: `hits` are the best of `total` lines. Those of an `exact` one hold all that was
    asked for; else no line does, and they hold most of it."""

    total: int = 0
    hits: tuple[Hit, ...] = ()
    exact: bool = True


class Best:
    """The best lines so far: at most `limit` of them, 0 for all, each worth at least `least` and at least
    `share` of the best one. Of those worth the same the first in the book."""

    def __init__(self, needles: Needles, limit: int, *, least: float = 0.0, share: float = 0.0) -> None:
        self.total = 0
        self._needles = needles
        self._limit = limit
        self._least = least
        self._share = share
        self._top = 0.0
        self._rows: list[tuple[float, int, int, Source, Line]] = []

    @property
    def least(self) -> float:
        """What a line must be worth."""
        return max(self._least, self._top * self._share)

    def put(self, worth: float, source: Source, line: Line) -> None:
        if worth < self.least:
            return
        self.total += 1
        self._top = max(self._top, worth)
        row = (worth, -source.order, -line.number, source, line)
        if not self._limit:
            self._rows.append(row)
        elif len(self._rows) < self._limit:
            heapq.heappush(self._rows, row)
        elif row[:3] > self._rows[0][:3]:
            heapq.heapreplace(self._rows, row)

    def findings(self, limit: int) -> Findings:
        """The first `limit` of them, 0 for all."""
        rows = sorted((row for row in self._rows if row[0] >= self.least), key=lambda r: r[:3], reverse=True)
        return Findings(
            len(rows) if self._share else self.total,
            tuple([self._hit(worth, source, line) for worth, _, _, source, line in rows[: limit or None]]),
            exact=not self._share,
        )

    def _hit(self, worth: float, source: Source, line: Line) -> Hit:
        spans = self._needles.spans(line)
        return Hit(source.kind, source.path, source.title, line.number, line.text, spans, worth, line.start)


def worth(wanted: Query, names: Collection[str]) -> Callable[[Line], float]:
    """What a line that holds all of a query is worth in the card of these names, or in a chapter."""
    asked = wanted.together or wanted.needles.texts
    folded = [fold(name) for name in names]
    base = _ALL
    if any(text in folded for text in asked):
        base += _NAME
    elif any(text in name for name in folded for text in asked):
        base += _IN_NAME

    def of(line: Line) -> float:
        out = base + _WHOLE if line.whole else base
        if wanted.together:
            text = fold(line.text)
            out += _TOGETHER * any(together in text for together in wanted.together)
        return out

    return of


def weights(masks: Collection[int], count: int) -> list[float]:
    """What each of `count` strings weighs, by the texts that hold it; together less than 1.

    What stands nowhere weighs most: it keeps the shares of the others small.
    """
    found = [sum(mask >> bit & 1 for mask in masks) for bit in range(count)]
    weights = [math.log(1 + len(masks) / (n or 0.5)) for n in found]
    most = sum(weights) * 1.01 or 1.0
    return [weight / most for weight in weights]


def weight(mask: int, weights: Sequence[float]) -> float:
    return sum(weight for bit, weight in enumerate(weights) if mask >> bit & 1)

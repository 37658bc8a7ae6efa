"""Quotations that run over paragraphs: what looks open in each of them is sound in the whole."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from inkwright.checks.settle import Seen

EDGES = frozenset({"zh-quote-edge", "en-quote-open"})
REACH = 30
"""Paragraphs that a quotation may go on for before it is closed."""
_OPENING = '“「『‘"'
_CLOSING = {"“": "”", "「": "」", "『": "』", "‘": "’"}
_MARKS = frozenset('“”「」『』"')


class Quoted(NamedTuple):
    """A paragraph with quotation marks: its number and place in the stretch, the character that it begins with,
    its marks without a partner as (place, character)."""

    number: int
    start: int
    first: str
    open: tuple[tuple[int, str], ...]


@dataclass(slots=True)
class Edges:
    """The paragraphs of a stretch that have quotation marks, and how many there are in all."""

    count: int = 0
    quoted: list[Quoted] = field(default_factory=list)
    open: bool = False
    """Whether any has a mark without a partner."""

    def add(self, start: int, masked: str, seen: Seen) -> None:
        open_ = tuple((start + h.start, masked[h.start]) for h in seen.hits if h.rule in EDGES)
        if open_ or not _MARKS.isdisjoint(masked):
            self.quoted.append(Quoted(self.count, start, masked.lstrip()[:1], open_))
            self.open = self.open or bool(open_)
        self.count += 1


def sound(stretches: Sequence[Edges]) -> dict[int, set[int]]:
    """By stretch, the places of marks at edges that a paragraph before or behind explains.

    An open quotation is explained by the next paragraph if that opens with the same mark again, or by the
    next one with marks, if one of them closes nothing there; and that mark by the open quotation.
    """
    out: dict[int, set[int]] = {}
    for i, edges in enumerate(stretches):
        if not edges.open:
            continue
        for j, quoted in enumerate(edges.quoted):
            for place, mark in quoted.open:
                if mark in _OPENING:
                    for where, explained in _explained(stretches, i, j, place, mark):
                        out.setdefault(where, set()).add(explained)
    return out


def _explained(
    stretches: Sequence[Edges], i: int, j: int, place: int, mark: str
) -> Iterator[tuple[int, int]]:
    found = _next(stretches, i, j)
    if found is None:
        return
    where, distance, quoted = found
    closing = _CLOSING.get(mark, mark)
    if distance == 1 and quoted.first == mark:
        yield i, place
    elif closes := [at for at, char in quoted.open if char == closing]:
        yield i, place
        yield where, closes[0]


def _next(stretches: Sequence[Edges], i: int, j: int) -> tuple[int, int, Quoted] | None:
    """The next paragraph with marks: its stretch, how many paragraphs on, itself."""
    edges = stretches[i]
    number = edges.quoted[j].number
    if j + 1 < len(edges.quoted):
        following = edges.quoted[j + 1]
        distance = following.number - number
        return (i, distance, following) if distance <= REACH else None
    passed = edges.count - number
    for k in range(i + 1, len(stretches)):
        if passed > REACH:
            return None
        if stretches[k].quoted:
            following = stretches[k].quoted[0]
            distance = passed + following.number
            return (k, distance, following) if distance <= REACH else None
        passed += stretches[k].count
    return None

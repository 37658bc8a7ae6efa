"""Quotations that run over paragraphs: what looks open in each of them is sound in the whole."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from inkwright.checks.hits import Hit
from inkwright.checks.settle import Checked

EDGES = frozenset({"zh-quote-edge", "en-quote-open"})
_OPENING = '“「『‘"'


def sound(checked: Sequence[Checked]) -> frozenset[int]:
    """The places in the document of the hits at edges that the paragraph before or behind explains.

    An open quotation is explained by a paragraph that opens with the same mark again, or by one with a
    closing mark of its kind that closes nothing there; and such a mark by the open quotation before it.
    """
    out: set[int] = set()
    for one, following in pairwise(checked):
        for hit in _edges(one):
            mark = one.masked[hit.start]
            if mark not in _OPENING:
                continue
            if following.masked.lstrip()[:1] == mark:
                out.add(one.start + hit.start)
            elif closing := next(
                (other for other in _edges(following) if _closes(mark, following, other)), None
            ):
                out |= {one.start + hit.start, following.start + closing.start}
    return frozenset(out)


def _edges(one: Checked) -> Iterator[Hit]:
    return (hit for hit in one.seen.hits if hit.rule in EDGES)


def _closes(mark: str, one: Checked, hit: Hit) -> bool:
    return one.masked[hit.start] == {"“": "”", "「": "」", "『": "』", "‘": "’"}.get(mark, mark)

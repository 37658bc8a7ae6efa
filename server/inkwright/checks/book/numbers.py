"""Chapter numbers that stand twice in a volume, or are missing between two chapters."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from inkwright.checks.book import places
from inkwright.checks.book.page import Page
from inkwright.domain.diagnostic import Diagnostic
from inkwright.domain.manuscript import Chapter
from inkwright.manuscript.overview import Overview

DOUBLED, MISSING = "chapter_number_doubled", "chapter_number_missing"
CODES = frozenset({DOUBLED, MISSING})

STEADY = 0.8
"""The share of neighbours that must follow each other for a book to be numbered through at all."""
FEW = 3
"""Chapters that say nothing of how a book is numbered."""


def find(book: Overview, page: Page) -> Iterable[Diagnostic]:
    here = page.chapter
    if here is None or here.number is None or here.kind != "main" or book.ordered(here.path):
        return
    mine = [c for c in book.numbered if c.volume == here.volume]
    same = [c for c in mine if c.number == here.number and c.path != here.path]
    params: dict[str, str | int | float]
    if same:
        params = {"number": here.number, "other": same[0].title}
        span = places.title(page.text)
        yield Diagnostic(span, "warning", DOUBLED, params, related=tuple(places.chapter(one) for one in same))
    gap = _gap(book, mine, here)
    if gap is not None:
        before, first, last = gap
        missing = str(first) if first == last else f"{first}–{last}"
        params = {"missing": missing, "before": before.number or 0, "number": here.number}
        span = places.title(page.text)
        yield Diagnostic(span, "information", MISSING, params, related=(places.chapter(before),))


def _gap(book: Overview, mine: Sequence[Chapter], here: Chapter) -> tuple[Chapter, int, int] | None:
    """The chapter before a gap that ends at `here`, and the numbers that are missing."""
    number = here.number or 0
    at = mine.index(here)
    if at:
        before = mine[at - 1]
    else:  # the first of its volume: numbering begins again, or runs on
        earlier = book.numbered[: book.numbered.index(here)]
        if not earlier or number <= 1:
            return None
        before = earlier[-1]
    first = (before.number or 0) + 1
    if first >= number or not _steady(mine if at else book.numbered, here):
        return None
    return before, first, number - 1


def _steady(chapters: Sequence[Chapter], here: Chapter) -> bool:
    """Whether the chapters follow each other's numbers, the step to `here` left aside."""
    if len(chapters) < FEW:
        return False
    steps = [
        (b.number or 0) - (a.number or 0) in (0, 1) for a, b in pairwise(chapters) if b.path != here.path
    ]
    return sum(steps) >= STEADY * len(steps)

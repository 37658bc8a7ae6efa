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
    numbered = book.once("numbered", book.bearing, lambda: _Numbered(book.numbered))
    mine = numbered.volumes[here.volume]
    same = [c for c in mine.doubled.get(here.number, ()) if c.path != here.path]
    params: dict[str, str | int | float]
    if same:
        params = {"number": here.number, "other": same[0].title}
        span = places.title(page.text)
        yield Diagnostic(span, "warning", DOUBLED, params, related=tuple(places.chapter(one) for one in same))
    gap = _gap(numbered.whole, mine, here)
    if gap is not None:
        before, first, last = gap
        missing = str(first) if first == last else f"{first}–{last}"
        params = {"missing": missing, "before": before.number or 0, "number": here.number}
        span = places.title(page.text)
        yield Diagnostic(span, "information", MISSING, params, related=(places.chapter(before),))


def _gap(whole: _Run, mine: _Run, here: Chapter) -> tuple[Chapter, int, int] | None:
    """The chapter before a gap that ends at `here`, and the numbers that are missing."""
    number = here.number or 0
    before = mine.before(here)
    first_of_volume = before is None
    if before is None:  # the first of its volume: numbering begins again, or runs on
        before = whole.before(here)
        if before is None or number <= 1:
            return None
    first = (before.number or 0) + 1
    if first >= number or not (whole if first_of_volume else mine).steady(here):
        return None
    return before, first, number - 1


class _Run:
    """Chapters that are numbered one behind the other, in reading order."""

    def __init__(self, chapters: Sequence[Chapter]) -> None:
        self._chapters = chapters
        self._places = {chapter.path: at for at, chapter in enumerate(chapters)}
        self._follows = [_follows(a, b) for a, b in pairwise(chapters)]
        self._sound = sum(self._follows)
        by_number: dict[int, list[Chapter]] = {}
        for chapter in chapters:
            by_number.setdefault(chapter.number or 0, []).append(chapter)
        self.doubled = {number: same for number, same in by_number.items() if len(same) > 1}

    def before(self, here: Chapter) -> Chapter | None:
        at = self._places[here.path]
        return self._chapters[at - 1] if at else None

    def steady(self, here: Chapter) -> bool:
        """Whether the chapters follow each other's numbers, the step to `here` left aside."""
        if len(self._chapters) < FEW:
            return False
        at = self._places[here.path]
        steps, sound = len(self._follows), self._sound
        if at:
            steps, sound = steps - 1, sound - self._follows[at - 1]
        return sound >= STEADY * steps


class _Numbered:
    """The numbered chapters of a book: all of them, and those of each volume."""

    def __init__(self, chapters: Sequence[Chapter]) -> None:
        volumes: dict[str, list[Chapter]] = {}
        for chapter in chapters:
            volumes.setdefault(chapter.volume, []).append(chapter)
        self.whole = _Run(chapters)
        self.volumes = {volume: _Run(mine) for volume, mine in volumes.items()}


def _follows(a: Chapter, b: Chapter) -> bool:
    return (b.number or 0) - (a.number or 0) in (0, 1)

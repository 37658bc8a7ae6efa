"""Which chapter a reference in a card or in front matter means: by title, file or number. Pure."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate

from inkwright.domain.manuscript import Chapter
from inkwright.manuscript import naming

BEYOND = float("inf")
KEPT = 10_000
"""References whose places are remembered."""


class Order:
    """The chapters of a book in reading order, to be asked often: a question costs the same in every book.

    Safe in any thread.
    """

    def __init__(self, chapters: Sequence[Chapter]) -> None:
        self.chapters = chapters
        self._index: dict[str, int] = {}
        self._names: dict[str, int] = {}
        self._numbers: dict[int, int] = {}
        self._placed: dict[str, float] = {}
        numbered: list[tuple[int, int]] = []
        for at, chapter in enumerate(chapters):
            path = chapter.path
            self._index.setdefault(path, at)
            for name in (chapter.title, path, path.rpartition("/")[2].rpartition(".")[0]):
                self._names.setdefault(name, at)
            if chapter.kind == "main" and chapter.number is not None:
                self._numbers.setdefault(chapter.number, at)
                numbered.append((chapter.number, at))
        self._numbered = [at for _, at in numbered]
        self._highest = list(accumulate((number for number, _ in numbered), max))

    def index(self, path: str) -> int | None:
        """Where a chapter stands; None for a path that is none."""
        return self._index.get(path)

    def place(self, reference: str) -> float:
        """The index of the chapter that is meant; between two indices for one that is not written yet, `BEYOND`
        for one after the last and for a reference that means no chapter."""
        if (known := self._placed.get(reference)) is None:
            if len(self._placed) >= KEPT:
                self._placed.clear()
            known = self._placed[reference] = self._place(reference.strip())
        return known

    def _place(self, wanted: str) -> float:
        if (named := self._names.get(wanted)) is not None:
            return named
        number = naming.parse(wanted).number
        if number is None:
            return BEYOND
        if (exact := self._numbers.get(number)) is not None:
            return exact
        after = bisect_right(self._highest, number)
        return self._numbered[after] - 0.5 if after < len(self._numbered) else BEYOND

    def reference(self, at: int, *, chinese: bool) -> str:
        """How to name a chapter so that `place` finds it: by its number, else by its file."""
        chapter = self.chapters[at]
        if chapter.number is not None and self._numbers.get(chapter.number) == at:
            return f"第{chapter.number}章" if chinese else f"Chapter {chapter.number}"
        stem = chapter.path.rpartition("/")[2].rpartition(".")[0]
        return stem if self._names.get(stem) == at else chapter.path

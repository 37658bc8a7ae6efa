"""Which chapter a reference in a card or in front matter means: by title, file or number. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from inkwright.domain.manuscript import Chapter
from inkwright.manuscript import naming

BEYOND = float("inf")


class Order:
    """The chapters of a book in reading order, to be asked often. Means what `facts.at` means."""

    def __init__(self, chapters: Sequence[Chapter]) -> None:
        self.chapters = chapters
        self._index: dict[str, int] = {}
        self._names: dict[str, int] = {}
        self._numbers: dict[int, int] = {}
        self._numbered: list[tuple[int, int]] = []
        for at, chapter in enumerate(chapters):
            path = chapter.path
            self._index.setdefault(path, at)
            for name in (chapter.title, path, path.rpartition("/")[2].rpartition(".")[0]):
                self._names.setdefault(name, at)
            if chapter.kind == "main" and chapter.number is not None:
                self._numbers.setdefault(chapter.number, at)
                self._numbered.append((chapter.number, at))

    def index(self, path: str) -> int | None:
        """Where a chapter stands; None for a path that is none."""
        return self._index.get(path)

    def place(self, reference: str) -> float:
        """The index of the chapter that is meant; between two indices for one that is not written yet, `BEYOND`
        for one after the last and for a reference that means no chapter."""
        wanted = reference.strip()
        if (named := self._names.get(wanted)) is not None:
            return named
        number = naming.parse(wanted).number
        if number is None:
            return BEYOND
        if (exact := self._numbers.get(number)) is not None:
            return exact
        return next((at - 0.5 for other, at in self._numbered if other > number), BEYOND)

    def reference(self, at: int, *, chinese: bool) -> str:
        """How to name a chapter so that `place` finds it: by its number, else by its file."""
        chapter = self.chapters[at]
        if chapter.number is not None and self._numbers.get(chapter.number) == at:
            return f"第{chapter.number}章" if chinese else f"Chapter {chapter.number}"
        stem = chapter.path.rpartition("/")[2].rpartition(".")[0]
        return stem if self._names.get(stem) == at else chapter.path

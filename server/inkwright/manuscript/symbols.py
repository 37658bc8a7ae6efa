"""What a book can be gone to by name: cards, chapters, headings, scenes. Pure.

A query is looked for inside the names, by the letters of their pinyin where it is Latin, and by number
among the chapters.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate
from typing import Literal, NamedTuple

from inkwright.domain.cards import Card
from inkwright.domain.manuscript import Chapter
from inkwright.manuscript import naming, pinyin
from inkwright.manuscript.folding import fold
from inkwright.manuscript.structure import SCENE, Mark

Kind = Literal["card", "chapter", "heading", "scene"]
MOST = 2_000
"""Names that are ranked; a query that finds more has not said yet what it is after."""


class Symbol(NamedTuple):
    """One name. `within` says where it belongs: a card's name for an alias, the volume, the chapter.

    `line` is zero-based; `type` is the kind of a card.
    """

    kind: Kind
    path: str
    name: str
    within: str = ""
    line: int = 0
    type: str = ""


class Match(NamedTuple):
    """A symbol that was found. `said` is how the query calls it where its name does not hold the query."""

    symbol: Symbol
    said: str = ""


class Symbols:
    """The names of one state of a book, laid out for searches."""

    def __init__(
        self, cards: Iterable[Card], chapters: Iterable[Chapter], marks: Callable[[str], Sequence[Mark]]
    ) -> None:
        self._rows = [*_of_cards(cards), *_of_chapters(chapters, marks)]
        self._numbers = [(c.number, c.path) for c in chapters if c.number is not None and c.kind == "main"]
        self._names = "\n".join([row.name for row in self._rows])
        self._folded = fold(self._names)
        self._starts = [0, *accumulate(len(row.name) + 1 for row in self._rows)][:-1]
        same = len(self._folded) == len(self._names)
        lengths = (len(line) + 1 for line in self._folded.split("\n"))
        self._folded_starts = self._starts if same else [0, *accumulate(lengths)][:-1]
        self._initials: str | None = None

    def __len__(self) -> int:
        return len(self._rows)

    def find(self, query: str, limit: int) -> list[Match]:
        """The best first: whole names, beginnings, parts, numbers, pinyin. Of an empty query the first names."""
        words = fold(query).split()
        if not self._rows:
            return []
        if not words:
            return [Match(row) for row in self._rows if row.kind in ("card", "chapter")][:limit]
        found = self._holding(words)
        if len(found) < limit:
            self._numbered(query, found)
        if len(found) < limit and (letters := pinyin.typed(query)):
            self._spelled(letters, found)
        best = sorted(found.items(), key=lambda entry: (entry[1][0], entry[0]))[:limit]
        return [Match(self._rows[at], said) for at, (_, said) in best]

    def _holding(self, words: Sequence[str]) -> dict[int, tuple[int, str]]:
        """The names that hold the first word, and with what they are within the others: their ranks."""
        whole = " ".join(words)
        out: dict[int, tuple[int, str]] = {}
        for at, offset in _places(self._folded, self._folded_starts, words[0]):
            row = self._rows[at]
            name = fold(row.name)
            if len(words) > 1:
                around = f"{name}\n{fold(row.within)}"
                if not all(word in around for word in words[1:]):
                    continue
            rank = 0 if name == whole else 1 if offset == self._folded_starts[at] else 2
            out[at] = (rank, "")
            if len(out) >= MOST:
                break
        return out

    def _numbered(self, query: str, found: dict[int, tuple[int, str]]) -> None:
        # What is being typed has not got to its last letter yet: 第38 of 第38回.
        read = (naming.parse(said) for said in (query, f"{query.strip()}章"))
        number = next((one.number for one in read if one.number is not None and not one.title), None)
        if number is None:
            return
        paths = {path for n, path in self._numbers if n == number}
        for at, row in enumerate(self._rows if paths else ()):
            if row.kind == "chapter" and row.path in paths:
                found.setdefault(at, (1, query.strip()))

    def _spelled(self, letters: str, found: dict[int, tuple[int, str]]) -> None:
        if self._initials is None:
            self._initials = pinyin.initials(self._names)
        for match in pinyin.starts(letters).finditer(self._initials):
            at = bisect_right(self._starts, match.start()) - 1
            if at in found:
                continue
            begin = match.start() - self._starts[at]
            if said := pinyin.found(letters, self._rows[at].name, begin):
                found[at] = (3 if begin == 0 else 4, said)
                if len(found) >= MOST:
                    break


def _places(text: str, starts: Sequence[int], word: str) -> Iterator[tuple[int, int]]:
    """Each line of `text` that holds `word`, and the first place where it does."""
    offset = text.find(word)
    while offset >= 0:
        at = bisect_right(starts, offset) - 1
        yield at, offset
        if at + 1 == len(starts):
            return
        offset = text.find(word, starts[at + 1])


def _of_cards(cards: Iterable[Card]) -> Iterator[Symbol]:
    for card in cards:
        for name in dict.fromkeys(card.names):
            within = "" if name == card.name else _line(card.name)
            yield Symbol("card", card.file, _line(name), within, card.line, card.kind)


def _of_chapters(chapters: Iterable[Chapter], marks: Callable[[str], Sequence[Mark]]) -> Iterator[Symbol]:
    for chapter in chapters:
        title = _line(chapter.title)
        yield Symbol("chapter", chapter.path, title, chapter.volume)
        for line, level, words in marks(chapter.path):
            yield Symbol("scene" if level == SCENE else "heading", chapter.path, _line(words), title, line)


def _line(name: str) -> str:
    return " ".join(name.split()) if not name.isprintable() or "  " in name else name

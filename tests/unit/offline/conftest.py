"""A small book in memory, read through the port that the offline engine reads."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import pytest

from inkwright.domain.cards import Card
from inkwright.domain.errors import InkwrightError
from inkwright.domain.manuscript import Book, Chapter, Hit, Mention
from inkwright.manuscript.counting import count
from inkwright.manuscript.markdown import scan
from inkwright.manuscript.mentions import Dictionary
from inkwright.manuscript.query import parse


@dataclass
class Shelf:
    """A `BookView` over a table of texts."""

    texts: Mapping[str, str]
    stock: tuple[Card, ...] = ()
    language: str = "zh-CN"
    fields: Mapping[str, str] = field(default_factory=dict)

    @property
    def book(self) -> Book:
        return Book("/book", "书", language=self.language)

    def chapters(self) -> tuple[Chapter, ...]:
        return tuple(
            Chapter(path, path.removesuffix(".md"), "", i, "main", count(text))
            for i, (path, text) in enumerate(self.texts.items(), 1)
        )

    def cards(self) -> tuple[Card, ...]:
        return self.stock

    def mentions(self, path: str) -> tuple[Mention, ...]:
        text = self.texts[path]
        return tuple(Dictionary(self.stock).find(text, scan(text).prose))

    async def text(self, path: str) -> str:
        if path not in self.texts:
            raise InkwrightError("file_missing", path=path)
        return self.texts[path]

    async def search(self, query: str, *, limit: int = 0) -> tuple[Hit, ...]:
        """Lines with all needles, else with one of them."""
        asked = parse(query)
        for needles, score in ((asked.needles, 1.0), (asked.loose, 0.5)):
            hits = [
                Hit("chapter", path, path, line.number, line.text, needles.spans(line), score, line.start)
                for path, text in self.texts.items()
                for line in (needles.lines(text, all_=score == 1) if needles.texts else [])
            ]
            if hits:
                return tuple(hits)
        return ()


@pytest.fixture
def shelf() -> Callable[..., Shelf]:
    return Shelf

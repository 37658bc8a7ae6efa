"""A small book on the disk, read by the real index, and what the checks say of its files."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from pathlib import Path

import pytest

from inkwright.checks.book import engine
from inkwright.domain.diagnostic import Change, Diagnostic, Fix
from inkwright.domain.text import Span, apply
from inkwright.manuscript.index import BookIndex


class Book:
    """`say` gives the diagnostics of a file; with a text, of the file as it is being typed."""

    def __init__(self, root: Path, index: BookIndex) -> None:
        self.root = root
        self.index = index

    def text(self, path: str) -> str:
        return (self.root / path).read_bytes().decode()

    def say(self, path: str, *codes: str, text: str | None = None) -> list[Diagnostic]:
        found = engine.find(self.index.overview(), path, self.text(path) if text is None else text)
        return [one for one in found if not codes or one.code in codes]

    def told(self, path: str, *codes: str) -> list[tuple[str, str]]:
        """(code, the text that it stands on)"""
        return [(one.code, one.span.of(self.text(path))) for one in self.say(path, *codes)]

    def related(self, one: Diagnostic) -> list[tuple[str, str]]:
        """(path, the text that the related place is)"""
        out = []
        for related in one.related:
            text = self.text(related.path)
            place = related.place if isinstance(related.place, Span) else related.place(text)
            out.append((related.path, place.of(text) if place else ""))
        return out

    def fixed(self, path: str, fix: Fix) -> dict[str, str]:
        """The texts that a fix makes, by path."""
        return {change.path or path: self._made(change, path) for change in fix.changes}

    def _made(self, change: Change, path: str) -> str:
        text = self.text(change.path or path)
        edits = change.edits if isinstance(change.edits, tuple) else tuple(change.edits(text))
        return apply(text, list(edits))


Write = Callable[[Mapping[str, str]], Awaitable[Book]]


@pytest.fixture
async def write(tmp_path: Path) -> AsyncIterator[Write]:
    """`await write({path: text})` makes a book and reads it."""
    books: list[BookIndex] = []

    async def made(files: Mapping[str, str]) -> Book:
        for path, text in files.items():
            file = tmp_path / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(text.encode())
        index = await BookIndex.open(tmp_path)
        await index.build()
        books.append(index)
        return Book(tmp_path, index)

    yield made
    for index in books:
        await index.close()

"""Books on the disk and indexes over them, for the tests of the manuscript room."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest

from inkwright.manuscript.index import BookIndex
from inkwright.store.index_store import IndexStore

Write = Callable[[str, str], Path]
Open = Callable[..., Awaitable[BookIndex]]


@pytest.fixture
def book(tmp_path: Path) -> Path:
    folder = tmp_path / "书 100%"
    folder.mkdir()
    return folder


@pytest.fixture
def write(book: Path) -> Write:
    """Writes one file of the book."""

    def write(path: str, text: str) -> Path:
        file = book / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode())
        return file

    return write


@pytest.fixture
async def opened(book: Path) -> AsyncIterator[Open]:
    """Opens and builds indexes, and closes them at the end."""
    indexes: list[BookIndex] = []

    async def open_(
        root: Path = book, store: Path | None = None, *, build: bool = True, **options: object
    ) -> BookIndex:
        index = await BookIndex.open(root, IndexStore(store) if store else None, **options)
        indexes.append(index)
        if build:
            await index.build()
        return index

    yield open_
    for index in indexes:
        await index.close()

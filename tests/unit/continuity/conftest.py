from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from inkwright.checks.book.engine import find
from inkwright.domain.diagnostic import Diagnostic
from inkwright.manuscript.index import BookIndex
from inkwright.manuscript.overview import Overview

Check = Callable[[Path, str], list[Diagnostic]]


@pytest.fixture
def read_book() -> Callable[[Path], Overview]:
    """A folder's book as its index has it."""

    def read(root: Path) -> Overview:
        async def work() -> Overview:
            index = await BookIndex.open(root)
            await index.build()
            view = index.overview()
            await index.close()
            return view

        return asyncio.run(work())

    return read


@pytest.fixture
def continuity() -> Callable[[Overview, Path, str], list[Diagnostic]]:
    """The findings of continuity and of threads in one file of a book."""

    def look(book: Overview, root: Path, path: str) -> list[Diagnostic]:
        text = (root / path).read_text("utf-8")
        found = find(book, path, text)
        return [one for one in found if one.code.startswith(("continuity_", "thread_"))]

    return look


@pytest.fixture
def write() -> Callable[[Path, Mapping[str, str]], Path]:
    """Files of a book."""

    def made(root: Path, files: Mapping[str, str]) -> Path:
        for name, text in files.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode())
        return root

    return made

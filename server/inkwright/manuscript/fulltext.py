"""The full-text index is brought up to date in the background, after a search and while nothing else goes on."""

from __future__ import annotations

import asyncio
import threading
import time
import unicodedata
from collections.abc import Sequence
from pathlib import Path

from inkwright.manuscript import bigrams, reading
from inkwright.manuscript.folding import fold
from inkwright.manuscript.stock import Stock
from inkwright.manuscript.worker import Worker
from inkwright.store.search import Entry, Words

VERSION = f"1/{unicodedata.unidata_version}"
"""To be raised when `bigrams.keys` or what it is given comes out differently than before."""

_QUIET = 1.0  # seconds that the writer must have done nothing
_SLICE = 0.02  # seconds of reading
_REST = 3  # times as long as a slice took nothing is done after it
_BATCH = 64  # files that are kept at once


class Fulltext:
    """Makes the texts of one book's files known to `words`. Open documents are left to those who search."""

    def __init__(self, root: Path, stock: Stock, worker: Worker, words: Words) -> None:
        self._root = root
        self._stock = stock
        self._worker = worker
        self._words = words
        self._task: asyncio.Task[None] | None = None
        self._touched = time.monotonic()

    def touched(self) -> None:
        """The writer does something: go on later."""
        self._touched = time.monotonic()

    def keep_up(self) -> None:
        """Begins to make known what is not, unless that goes on already."""
        if self._task is None or self._task.done():
            self._task = self._worker.start(self._keep_up(), "full-text index", awaited=False)

    async def _keep_up(self) -> None:
        tried: set[str] = set()
        while True:
            held = await self._worker.run(self._words.find)
            disk = self._stock.disk
            todo = [
                path
                for path, leaf in disk.items()
                if leaf.role != "other"
                and path not in tried
                and path not in self._stock.drafts
                and ((known := held.get(path)) is None or known.digest != leaf.digest)
            ][:_BATCH]
            # Who sees the root's own files only knows nothing of the others.
            gone = [path for path in held if path not in disk] if self._stock.deep and not tried else []
            if not todo and not gone:
                return
            entries: list[Entry] = []
            at = 0
            while at < len(todo):
                await self._wait()
                began = time.monotonic()
                more, read = await self._worker.run(_slice, self._root, todo, at, self._worker.closing)
                entries += more
                at += read
                await asyncio.sleep((time.monotonic() - began) * _REST)
            tried.update(todo)
            if not await self._worker.run(self._words.add, entries, gone):
                return

    async def _wait(self) -> None:
        while True:
            left = self._touched + _QUIET - time.monotonic()
            if left <= 0:
                return
            await asyncio.sleep(left)


def _slice(root: Path, paths: Sequence[str], start: int, closing: threading.Event) -> tuple[list[Entry], int]:
    """Entries of files from `paths[start]` on, and how many were read; at least one."""
    ends = time.monotonic() + _SLICE
    out: list[Entry] = []
    for count, path in enumerate(paths[start:], 1):
        if read := reading.read_text(root, path):
            text, digest = read
            out.append(Entry(path, digest, " ".join(bigrams.keys(fold(text)))))
        if time.monotonic() > ends or closing.is_set():
            return out, count
    return out, len(paths) - start

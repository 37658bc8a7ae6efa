"""aiosqlite's worker thread as we need it: a daemon, so that no exit hangs, and one hop per unit of work."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable
from typing import TypeVar, cast

import aiosqlite

T = TypeVar("T")


class Worker(aiosqlite.Connection):
    """One SQLite connection on one daemon thread.

    Cancelling the task that awaits `run` does not take back what was handed to the thread: the unit
    of work is done whole or not at all.
    """

    def __init__(self, connect: Callable[[], sqlite3.Connection]) -> None:
        super().__init__(connect, iter_chunk_size=64)
        self._thread.daemon = True
        self._thread.name = "inkwright-store"

    async def start(self) -> None:
        """Connects. When that fails the thread has ended before the exception comes out."""
        try:
            await self
        except BaseException:
            await asyncio.to_thread(self._thread.join)
            raise

    async def finish(self) -> None:
        """Closes the connection and waits until the thread has ended."""
        try:
            await self.close()
        finally:
            await asyncio.to_thread(self._thread.join)

    async def run(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Runs `work` on the thread, with the connection as it is by then."""
        execute = cast("Callable[..., Awaitable[object]]", self._execute)
        return cast("T", await execute(lambda: work(self._conn)))

    def swap(self, conn: sqlite3.Connection) -> None:
        """Puts another connection in the place of the present one. On the thread only."""
        old, self._connection = self._connection, conn
        if old is not None:
            old.close()

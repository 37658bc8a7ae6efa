"""What is known of what chapters are about. Derived from their texts: it may be stale, never in the way."""

from __future__ import annotations

import sqlite3
import time

from inkwright.domain.manuscript import Summary
from inkwright.store.database import Database
from inkwright.store.values import pack, unpack


class ChapterSummaries:
    """Implements `domain.ports.Summaries` for one book. Every method raises `StorageError`."""

    def __init__(self, database: Database, book_id: str) -> None:
        self._db = database
        self._book = book_id

    async def summary(self, path: str) -> Summary | None:
        """The one that was made last of the chapter at `path`, be it stale."""

        def work(conn: sqlite3.Connection) -> Summary | None:
            row = conn.execute(
                "SELECT * FROM summaries WHERE book_id = ? AND path = ?", (self._book, pack(path))
            ).fetchone()
            return _summary(row) if row else None

        return await self._db.read(work)

    async def list(self) -> tuple[Summary, ...]:
        """All of the book's, by path."""

        def work(conn: sqlite3.Connection) -> tuple[Summary, ...]:
            rows = conn.execute("SELECT * FROM summaries WHERE book_id = ? ORDER BY path", (self._book,))
            return tuple(_summary(row) for row in rows)

        return await self._db.read(work)

    async def put(self, summary: Summary) -> None:
        """Replaces the chapter's summary; a `made_at` of 0 means now."""

        def work(conn: sqlite3.Connection) -> None:
            conn.execute(
                "INSERT OR REPLACE INTO summaries (book_id, path, digest, text, by, made_at)"
                " VALUES (?, ?, ?, ?, ?, ?)",
                (
                    self._book,
                    pack(summary.path),
                    summary.digest,
                    pack(summary.text),
                    pack(summary.by),
                    summary.made_at or time.time(),
                ),
            )

        await self._db.write(work)

    async def delete(self, path: str) -> None:
        def work(conn: sqlite3.Connection) -> None:
            conn.execute("DELETE FROM summaries WHERE book_id = ? AND path = ?", (self._book, pack(path)))

        await self._db.write(work)

    async def rename(self, old: str, new: str) -> None:
        """Follows a chapter whose file was moved; what was known of `new` gives way."""

        def work(conn: sqlite3.Connection) -> None:
            conn.execute(
                "UPDATE OR REPLACE summaries SET path = ? WHERE book_id = ? AND path = ?",
                (pack(new), self._book, pack(old)),
            )

        await self._db.write(work)


def _summary(row: sqlite3.Row) -> Summary:
    return Summary(unpack(row["path"]), unpack(row["text"]), row["digest"], unpack(row["by"]), row["made_at"])

"""Which file holds a card that a run made: what keeps a second run from making it twice."""

from __future__ import annotations

import sqlite3
import time

from inkwright.store.database import Database
from inkwright.store.values import pack, unpack


class MadeCards:
    """The made cards of one book, by the digest of what makes a card the same one. Raises `StorageError`."""

    def __init__(self, database: Database, book_id: str) -> None:
        self._db = database
        self._book = book_id

    async def find(self, digest: str) -> str | None:
        """The path of the card's file, relative to the book. Whether the file is still there is not known here."""

        def work(conn: sqlite3.Connection) -> str | None:
            row = conn.execute(
                "SELECT path FROM made_cards WHERE book_id = ? AND digest = ?", (self._book, digest)
            ).fetchone()
            return unpack(row["path"]) if row else None

        return await self._db.read(work)

    async def put(self, digest: str, path: str, run_id: str) -> None:
        """Enters where the card of `digest` now stands, in the place of what was known before, and that
        it is one of the run's."""

        def work(conn: sqlite3.Connection) -> None:
            conn.execute(
                "INSERT INTO made_cards (book_id, digest, path, run_id, created_at) VALUES (?, ?, ?, ?, ?)"
                " ON CONFLICT (book_id, digest) DO UPDATE SET path = excluded.path, run_id = excluded.run_id",
                (self._book, digest, pack(path), pack(run_id), time.time()),
            )
            conn.execute(
                "INSERT OR IGNORE INTO run_cards SELECT id, ? FROM runs WHERE id = ?",
                (pack(path), pack(run_id)),
            )

        await self._db.write(work)

    async def of(self, run_id: str) -> tuple[str, ...]:
        """The paths of the cards that a run made or found made, in order."""

        def work(conn: sqlite3.Connection) -> tuple[str, ...]:
            rows = conn.execute("SELECT path FROM run_cards WHERE run_id = ? ORDER BY rowid", (pack(run_id),))
            return tuple(unpack(row["path"]) for row in rows)

        return await self._db.read(work)

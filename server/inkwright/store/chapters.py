"""Stable ids of chapters: kept when the text changes, and when the file is moved unchanged."""

from __future__ import annotations

import sqlite3
import time
import uuid
from collections.abc import Mapping

from inkwright.store.database import Database
from inkwright.store.values import pack, unpack


class Chapters:
    def __init__(self, database: Database, book_id: str) -> None:
        self._db = database
        self._book = book_id

    async def sync(self, digests: Mapping[str, str]) -> dict[str, str]:
        """Takes the book's chapters as {path: content digest}; returns {path: id}.

        A new path whose content is that of a chapter which is gone is that chapter, moved.
        """

        def work(conn: sqlite3.Connection) -> dict[str, str]:
            return _sync(conn, self._book, digests, time.time())

        return await self._db.write(work)

    async def ids(self) -> dict[str, str]:
        """{path: id} of the chapters that are there."""

        def work(conn: sqlite3.Connection) -> dict[str, str]:
            rows = conn.execute(
                "SELECT path, id FROM chapters WHERE book_id = ? AND gone_at IS NULL", (self._book,)
            )
            return {unpack(path): ident for path, ident in rows}

        return await self._db.read(work)


def _sync(conn: sqlite3.Connection, book: str, digests: Mapping[str, str], now: float) -> dict[str, str]:
    rows = conn.execute(
        "SELECT path, id, digest FROM chapters WHERE book_id = ? AND gone_at IS NULL", (book,)
    ).fetchall()
    present = {unpack(path): (ident, digest) for path, ident, digest in rows}
    conn.executemany(
        "UPDATE chapters SET gone_at = ?, updated_at = ? WHERE id = ?",
        [(now, now, ident) for path, (ident, _) in present.items() if path not in digests],
    )
    out: dict[str, str] = {}
    for path, digest in digests.items():
        if path in present:
            ident, old = present[path]
            if old != digest:
                conn.execute(
                    "UPDATE chapters SET digest = ?, updated_at = ? WHERE id = ?", (digest, now, ident)
                )
            out[path] = ident
    for path, digest in digests.items():
        if path not in out:
            out[path] = _place(conn, book, path, digest, now)
    return {path: out[path] for path in digests}


def _place(conn: sqlite3.Connection, book: str, path: str, digest: str, now: float) -> str:
    moved = conn.execute(
        "SELECT id FROM chapters WHERE book_id = ? AND digest = ? AND gone_at IS NOT NULL"
        " ORDER BY gone_at DESC, path LIMIT 1",
        (book, digest),
    ).fetchone()
    # The same path come back with other content is the same chapter too.
    back = (
        moved
        or conn.execute(
            "SELECT id FROM chapters WHERE book_id = ? AND path = ? AND gone_at IS NOT NULL"
            " ORDER BY gone_at DESC LIMIT 1",
            (book, pack(path)),
        ).fetchone()
    )
    if back:
        conn.execute(
            "UPDATE chapters SET path = ?, digest = ?, gone_at = NULL, updated_at = ? WHERE id = ?",
            (pack(path), digest, now, back["id"]),
        )
        return str(back["id"])
    ident = uuid.uuid4().hex
    conn.execute(
        "INSERT INTO chapters (id, book_id, path, digest, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?)",
        (ident, book, pack(path), digest, now, now),
    )
    return ident

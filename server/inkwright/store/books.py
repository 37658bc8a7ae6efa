"""The metadata of the book in SQLite, with a revision for those who change it together."""

from __future__ import annotations

import sqlite3
import time
import uuid
from collections.abc import Mapping
from pathlib import Path

from inkwright.domain.errors import InkwrightError
from inkwright.domain.manuscript import BOOK_FIELDS, Book
from inkwright.store.database import Database
from inkwright.store.values import pack, unpack


class Books:
    """One book per database; its id stays when its folder moves."""

    def __init__(self, database: Database) -> None:
        self._db = database

    async def ensure(self, root: Path) -> str:
        """The id of the database's book, entered at first sight; `root` is noted as where it is now."""
        place = pack(str(root))

        def look(conn: sqlite3.Connection) -> tuple[str, bool] | None:
            row = conn.execute("SELECT id, root FROM books ORDER BY created_at, id LIMIT 1").fetchone()
            return (row["id"], row["root"] == place) if row else None

        def enter(conn: sqlite3.Connection) -> str:
            now = time.time()
            if known := look(conn):
                conn.execute("UPDATE books SET root = ? WHERE id = ?", (place, known[0]))
                return known[0]
            ident = uuid.uuid4().hex
            conn.execute(
                "INSERT INTO books (id, root, created_at, updated_at) VALUES (?, ?, ?, ?)",
                (ident, place, now, now),
            )
            return ident

        found = await self._db.read(look)
        if found and (found[1] or self._db.readonly):
            return found[0]
        return await self._db.write(enter)

    async def get(self, book_id: str) -> Book | None:
        """The stored fields. `owned` is not stored: it is False here."""

        def work(conn: sqlite3.Connection) -> Book | None:
            row = conn.execute("SELECT * FROM books WHERE id = ?", (book_id,)).fetchone()
            return _book(row) if row else None

        return await self._db.read(work)

    async def update(self, book_id: str, changes: Mapping[str, str], revision: int | None = None) -> Book:
        """Sets some of BOOK_FIELDS; the revision goes up only when a value really changes.

        Raises `InkwrightError`: book_unknown; revision_conflict when `revision` is not the stored one.
        """

        def work(conn: sqlite3.Connection) -> Book:
            row = conn.execute("SELECT * FROM books WHERE id = ?", (book_id,)).fetchone()
            if row is None:
                raise InkwrightError("book_unknown")
            if revision is not None and revision != row["revision"]:
                raise InkwrightError("revision_conflict", revision=row["revision"])
            new = {name: pack(changes[name]) for name in BOOK_FIELDS if name in changes}
            if any(row[name] != value for name, value in new.items()):
                sets = ", ".join(f"{name} = ?" for name in new)
                conn.execute(
                    f"UPDATE books SET {sets}, revision = revision + 1, updated_at = ? WHERE id = ?",  # noqa: S608
                    (*new.values(), time.time(), book_id),
                )
                row = conn.execute("SELECT * FROM books WHERE id = ?", (book_id,)).fetchone()
            return _book(row)

        return await self._db.write(work)


def _book(row: sqlite3.Row) -> Book:
    return Book(
        root=unpack(row["root"]),
        title=unpack(row["title"]),
        type=unpack(row["type"]),
        language=unpack(row["language"]),
        author=unpack(row["author"]),
        count=row["count"],
        model=unpack(row["model"]),
        revision=row["revision"],
    )

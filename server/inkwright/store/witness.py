"""What other processes do to a book's database, seen from this one."""

from __future__ import annotations

import asyncio
import os
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from inkwright import intake
from inkwright.store.database import Database

Marks = Mapping[str, tuple[object, ...]]
Stamp = tuple[tuple[int, ...] | None, ...]

MARKS = {
    "runs": "SELECT count(*), (SELECT max(updated_at) FROM (SELECT updated_at FROM runs WHERE book_id = :book"
    " ORDER BY created_at DESC LIMIT 20)) FROM runs WHERE book_id = :book",
    "proposals": "SELECT count(*), sum(pending), max(updated_at) FROM proposals WHERE book_id = :book",
    "candidates": "SELECT count(*), sum(state = 'pending'), max(decided_at) FROM"
    " (SELECT state, decided_at, book_id FROM candidates UNION ALL SELECT state, decided_at, book_id FROM facts)"
    " WHERE book_id = :book",
    "memories": "SELECT count(*), sum(revision), max(updated_at) FROM memories WHERE book_id = :book",
}
"""What is another value when something of the kind has been made, changed or taken away. A long run's text is not read."""


@dataclass(frozen=True, slots=True)
class _Seen:
    stamp: Stamp | None
    version: tuple[int, int]
    marks: Marks


class Witness:
    """Looks at a database that is open here; while nobody writes to it a look costs two calls of `stat`."""

    def __init__(self, database: Database, book_id: str) -> None:
        self._db = database
        self._book = book_id
        self._seen: _Seen | None = None

    async def look(self) -> frozenset[str]:
        """Of what kinds other processes have made, changed or deleted something since the last look; the first one
        finds nothing. What this process did since is among them only where another one wrote as well. Raises
        `StorageError`."""
        before = self._seen
        stamp = await asyncio.to_thread(_stamp, self._db.path)
        if before is not None and stamp is not None and stamp == before.stamp:
            return frozenset()
        version, marks = await self._db.read(self._marks)
        self._seen = _Seen(stamp, version, marks)
        if before is None or version == before.version:
            return frozenset()
        return frozenset(kind for kind, mark in marks.items() if mark != before.marks[kind])

    def _marks(self, conn: sqlite3.Connection) -> tuple[tuple[int, int], Marks]:
        """The marks, and what only other connections change; read in one transaction."""
        given = {"book": self._book}
        marks = {kind: tuple(conn.execute(sql, given).fetchone()) for kind, sql in MARKS.items()}
        return (id(conn), conn.execute("PRAGMA data_version").fetchone()[0]), marks


def _stamp(path: Path) -> Stamp | None:
    """How the database's files look; None while they may change once more and look the same."""
    if os.name == "nt":  # there a file that is open is dated when it is closed
        return None
    out: list[tuple[int, ...] | None] = []
    for file in (path, path.with_name(f"{path.name}-wal")):
        try:
            found = file.stat()
        except OSError:
            out.append(None)
            continue
        if intake.young(found.st_mtime_ns):
            return None
        out.append((found.st_mtime_ns, found.st_size, found.st_ino))
    return tuple(out)

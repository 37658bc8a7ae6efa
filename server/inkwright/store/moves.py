"""What is kept of a chapter or card goes along when the writer gives its file another path."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict

from inkwright.domain.cards import NewCard
from inkwright.store.database import Database
from inkwright.store.values import pack, pack_json, unpack_json

_PATHS = (
    "UPDATE made_cards SET path = :new WHERE book_id = :book AND path = :old",
    "UPDATE OR REPLACE run_cards SET path = :new WHERE path = :old AND run_id IN (SELECT id FROM runs WHERE book_id = :book)",
    "UPDATE candidates SET path = :new WHERE book_id = :book AND path = :old",
    "UPDATE OR REPLACE facts SET card = :new WHERE book_id = :book AND card = :old",
    "UPDATE OR REPLACE facts SET source = :new WHERE book_id = :book AND source = :old",
    "UPDATE OR REPLACE summaries SET path = :new WHERE book_id = :book AND path = :old",
)
_PROPOSALS = "UPDATE proposals SET path = :new, uri = :uri WHERE book_id = :book AND path = :old"
_HELD = ".inkwright-moving/"
"""No path of a book begins so: files that change places with one another wait here."""
_MOMENT = 60.0
"""Seconds within which a file that went and one that came may be the same."""


class Moves:
    """Follows the files of one book. Raises `StorageError`."""

    def __init__(self, database: Database, book_id: str) -> None:
        self._db = database
        self._book = book_id

    async def follow(
        self,
        moves: Mapping[str, tuple[str, str]],
        made: Mapping[str, str],
        digest: Callable[[NewCard], str],
    ) -> None:
        """`moves` are {old path: (new path, its URI)} of files. What was known of a new path gives way to what
        comes; saying the same again changes nothing.

        A card's identity has its chapter's path in it: `made` are {digest: digest with the new path} of cards that
        are files, `digest` gives that of one that waits.
        """

        def work(conn: sqlite3.Connection) -> None:
            for old in moves:
                self._move(conn, old, _HELD + old, "")
            for old, (new, uri) in moves.items():
                self._move(conn, _HELD + old, new, uri)
            self._chapters(conn, moves, time.time())
            for before, after in made.items():
                conn.execute(
                    "UPDATE OR REPLACE made_cards SET digest = ? WHERE book_id = ? AND digest = ?",
                    (after, self._book, before),
                )
            self._waiting(conn, moves, digest)

        if moves:
            await self._db.write(work)

    def _move(self, conn: sqlite3.Connection, old: str, new: str, uri: str) -> None:
        given = {"book": self._book, "old": pack(old), "new": pack(new), "uri": pack(uri)}
        for statement in (*_PATHS, _PROPOSALS):
            conn.execute(statement, given)

    def _waiting(
        self,
        conn: sqlite3.Connection,
        moves: Mapping[str, tuple[str, str]],
        digest: Callable[[NewCard], str],
    ) -> None:
        """The candidates of a chapter that has moved are of the chapter where it now is."""
        rows = conn.execute(
            "SELECT id, card FROM candidates WHERE book_id = ? AND state = 'pending'", (self._book,)
        ).fetchall()
        for row in rows:
            said = unpack_json(row["card"])
            if (move := moves.get(said["source"])) is None:
                continue
            card = NewCard(**said | {"tags": tuple(said["tags"]), "source": move[0]})
            conn.execute(
                "UPDATE OR IGNORE candidates SET card = ?, digest = ? WHERE id = ?",
                (pack_json(asdict(card)), digest(card), row["id"]),
            )

    def _chapters(self, conn: sqlite3.Connection, moves: Mapping[str, tuple[str, str]], now: float) -> None:
        """The chapters keep their ids. One that was just taken for new at a new path was none."""
        moved: list[tuple[str, str]] = []
        for old, (new, _) in moves.items():
            at_old = self._chapter(conn, old)
            there = None if new in moves else self._chapter(conn, new)
            if at_old is None:
                continue
            if there is not None and there["gone_at"] is None:
                gone = at_old["gone_at"]
                if gone is None:
                    conn.execute(
                        "UPDATE chapters SET gone_at = ?, updated_at = ? WHERE id = ?",
                        (now, now, there["id"]),
                    )
                elif abs(there["created_at"] - gone) > _MOMENT:
                    continue
                else:
                    conn.execute("DELETE FROM daily_counts WHERE chapter_id = ?", (there["id"],))
                    conn.execute("DELETE FROM chapters WHERE id = ?", (there["id"],))
            moved.append((at_old["id"], new))
        for ident, new in moved:
            conn.execute("UPDATE chapters SET path = ? WHERE id = ?", (pack(_HELD + new), ident))
        for ident, new in moved:
            conn.execute(
                "UPDATE chapters SET path = ?, gone_at = NULL, updated_at = ? WHERE id = ?",
                (pack(new), now, ident),
            )

    def _chapter(self, conn: sqlite3.Connection, path: str) -> sqlite3.Row | None:
        """The chapter that is, or else last was, at a path."""
        row: sqlite3.Row | None = conn.execute(
            "SELECT id, created_at, gone_at FROM chapters WHERE book_id = ? AND path = ?"
            " ORDER BY gone_at IS NOT NULL, gone_at DESC LIMIT 1",
            (self._book, pack(path)),
        ).fetchone()
        return row

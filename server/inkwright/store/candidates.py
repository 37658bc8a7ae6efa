"""Cards that wait for the writer: they survive a restart, and a decision on one stands."""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Sequence
from dataclasses import asdict
from typing import Literal, cast

from inkwright.domain.cards import Candidate, NewCard
from inkwright.domain.errors import InkwrightError
from inkwright.store.database import Database
from inkwright.store.values import pack, pack_json, unpack, unpack_json

CandidateState = Literal["pending", "accepted", "rejected"]


class Candidates:
    """The candidates of one book. Every method raises `StorageError`."""

    def __init__(self, database: Database, book_id: str) -> None:
        self._db = database
        self._book = book_id

    async def add(self, candidate: Candidate, digest: str) -> Candidate:
        """Keeps `candidate`, made by a run of the journal, and returns it; where one of the same
        `digest` waits already, that one. Either is one of the run's. One that the writer put aside is
        returned as it is and does not wait again. Raises `InkwrightError`: run_unknown."""

        def work(conn: sqlite3.Connection) -> Candidate:
            run, ident = pack(candidate.run_id), pack(candidate.id)
            if conn.execute("SELECT 1 FROM runs WHERE id = ?", (run,)).fetchone() is None:
                raise InkwrightError("run_unknown", run=candidate.run_id)
            row = conn.execute(
                "SELECT * FROM candidates WHERE book_id = ? AND digest = ? AND state = 'pending'",
                (self._book, digest),
            ).fetchone()
            if row is not None:
                conn.execute("INSERT OR IGNORE INTO run_candidates VALUES (?, ?)", (run, row["id"]))
                return _candidate(row)
            aside = conn.execute(
                "SELECT * FROM candidates WHERE book_id = ? AND digest = ? AND state = 'rejected'",
                (self._book, digest),
            ).fetchone()
            if aside is not None:
                return _candidate(aside)
            conn.execute(
                "INSERT INTO candidates (id, book_id, run_id, card, digest, state, path, created_at)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    ident,
                    self._book,
                    run,
                    pack_json(asdict(candidate.card)),
                    digest,
                    candidate.state,
                    pack(candidate.path),
                    candidate.created_at or time.time(),
                ),
            )
            conn.execute("INSERT INTO run_candidates VALUES (?, ?)", (run, ident))
            return _candidate(conn.execute("SELECT * FROM candidates WHERE id = ?", (ident,)).fetchone())

        return await self._db.write(work)

    async def list(self, states: Sequence[CandidateState] = ("pending",)) -> tuple[Candidate, ...]:
        """Oldest first; no state at all means every one."""

        def work(conn: sqlite3.Connection) -> tuple[Candidate, ...]:
            wanted = json.dumps(list(states))
            rows = conn.execute(
                "SELECT * FROM candidates WHERE book_id = ?"
                " AND (? = '[]' OR state IN (SELECT value FROM json_each(?))) ORDER BY created_at, rowid",
                (self._book, wanted, wanted),
            )
            return tuple(_candidate(row) for row in rows)

        return await self._db.read(work)

    async def of(self, run_id: str) -> tuple[str, ...]:
        """The ids of those that a run asked for, in order, whoever asked first."""

        def work(conn: sqlite3.Connection) -> tuple[str, ...]:
            rows = conn.execute(
                "SELECT candidate_id FROM run_candidates WHERE run_id = ? ORDER BY rowid", (pack(run_id),)
            )
            return tuple(unpack(row["candidate_id"]) for row in rows)

        return await self._db.read(work)

    async def get(self, candidate_id: str) -> Candidate | None:
        return await self._db.read(lambda conn: _get(conn, candidate_id))

    async def decide(self, candidate_id: str, state: CandidateState, path: str = "") -> Candidate:
        """Sets the state of one that waits, `path` being its file, and returns it as it now stands.

        One that was decided keeps its first state. Raises `InkwrightError`: candidate_unknown.
        """

        def work(conn: sqlite3.Connection) -> Candidate:
            conn.execute(
                "UPDATE candidates SET state = ?, path = ?, decided_at = ? WHERE id = ? AND state = 'pending'",
                (state, pack(path), time.time(), pack(candidate_id)),
            )
            found = _get(conn, candidate_id)
            if found is None:
                raise InkwrightError("candidate_unknown", id=candidate_id)
            return found

        return await self._db.write(work)


def _get(conn: sqlite3.Connection, candidate_id: str) -> Candidate | None:
    row = conn.execute("SELECT * FROM candidates WHERE id = ?", (pack(candidate_id),)).fetchone()
    return _candidate(row) if row else None


def _candidate(row: sqlite3.Row) -> Candidate:
    card = unpack_json(row["card"])
    return Candidate(
        id=unpack(row["id"]),
        run_id=unpack(row["run_id"]),
        card=NewCard(**card | {"tags": tuple(card["tags"])}),
        state=cast("CandidateState", row["state"]),
        path=unpack(row["path"]),
        created_at=row["created_at"],
    )

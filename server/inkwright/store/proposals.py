"""Proposals and their hunks: they survive a restart, and a decision on a hunk stands."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import cast

from inkwright.domain.errors import InkwrightError
from inkwright.domain.proposal import Finding, Hunk, HunkState, Proposal
from inkwright.domain.text import Span
from inkwright.store import texts
from inkwright.store.database import Database
from inkwright.store.values import pack, pack_json, unpack, unpack_json


class Proposals:
    """The proposals of one book. Every method raises `StorageError`."""

    def __init__(self, database: Database, book_id: str) -> None:
        self._db = database
        self._book = book_id

    async def save(self, proposal: Proposal) -> None:
        """Keeps a proposal of a run in the journal; one of the same id is replaced, decisions and all.

        A proposal that came with its run's outcome is kept by the journal already.
        """

        def work(conn: sqlite3.Connection) -> None:
            conn.execute("DELETE FROM proposals WHERE id = ?", (pack(proposal.id),))
            insert(conn, self._book, proposal, time.time())

        await self._db.write(work)

    async def get(self, proposal_id: str) -> Proposal | None:
        def work(conn: sqlite3.Connection) -> Proposal | None:
            row = conn.execute("SELECT * FROM proposals WHERE id = ?", (pack(proposal_id),)).fetchone()
            return _proposal(conn, row) if row else None

        return await self._db.read(work)

    async def pending(self, path: str | None = None, uri: str | None = None) -> tuple[Proposal, ...]:
        """Those with a hunk that waits, oldest first; of one chapter when `path` or `uri` is given."""

        def work(conn: sqlite3.Connection) -> tuple[Proposal, ...]:
            rows = conn.execute(
                "SELECT * FROM proposals WHERE book_id = :book AND pending > 0"
                " AND (:path IS NULL OR path = :path) AND (:uri IS NULL OR uri = :uri)"
                " ORDER BY created_at, id",
                {
                    "book": self._book,
                    "path": None if path is None else pack(path),
                    "uri": None if uri is None else pack(uri),
                },
            ).fetchall()
            return tuple(_proposal(conn, row) for row in rows)

        return await self._db.read(work)

    async def decide(self, proposal_id: str, states: Mapping[int, HunkState]) -> Proposal:
        """Sets the states of hunks that wait and returns the proposal as it now stands.

        A hunk that was decided keeps its first state. Raises `InkwrightError`: proposal_unknown,
        hunk_unknown.
        """
        return await self._turn(proposal_id, states, "pending")

    async def reopen(self, proposal_id: str, hunks: Sequence[int]) -> Proposal:
        """Has accepted hunks wait again and returns the proposal as it now stands; others keep their state.

        Raises as `decide` does.
        """
        return await self._turn(proposal_id, dict.fromkeys(hunks, "pending"), "accepted")

    async def _turn(self, proposal_id: str, states: Mapping[int, HunkState], only: HunkState) -> Proposal:
        """Sets the states of hunks that are `only`."""

        def work(conn: sqlite3.Connection) -> Proposal:
            ident, now = pack(proposal_id), time.time()
            row = conn.execute("SELECT * FROM proposals WHERE id = ?", (ident,)).fetchone()
            if row is None:
                raise InkwrightError("proposal_unknown", proposal=proposal_id)
            known = {r[0] for r in conn.execute("SELECT idx FROM hunks WHERE proposal_id = ?", (ident,))}
            for index in states:
                if index not in known:
                    raise InkwrightError("hunk_unknown", proposal=proposal_id, hunk=index)
            conn.executemany(
                "UPDATE hunks SET state = ?, decided_at = ? WHERE proposal_id = ? AND idx = ? AND state = ?",
                [
                    (state, None if state == "pending" else now, ident, index, only)
                    for index, state in states.items()
                ],
            )
            conn.execute(
                "UPDATE proposals SET updated_at = ?, pending ="
                " (SELECT count(*) FROM hunks WHERE proposal_id = proposals.id AND state = 'pending')"
                " WHERE id = ?",
                (now, ident),
            )
            return _proposal(conn, row)

        return await self._db.write(work)


def insert(conn: sqlite3.Connection, book_id: str, proposal: Proposal, now: float) -> None:
    """Enters a proposal inside the caller's transaction."""
    ident = pack(proposal.id)
    conn.execute(
        "INSERT INTO proposals VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            ident,
            book_id,
            pack(proposal.run_id),
            pack(proposal.uri),
            pack(proposal.path),
            proposal.version,
            texts.put(conn, proposal.base),
            texts.put(conn, proposal.text),
            proposal.span.start,
            proposal.span.end,
            sum(hunk.state == "pending" for hunk in proposal.hunks),
            proposal.created_at or now,
            now,
        ),
    )
    conn.executemany(
        "INSERT INTO hunks VALUES (?, ?, ?, ?, ?, ?, ?, ?, NULL)",
        [
            (
                ident,
                hunk.index,
                hunk.span.start,
                hunk.span.end,
                pack(hunk.before),
                pack(hunk.after),
                pack_json([asdict(finding) for finding in hunk.findings]),
                hunk.state,
            )
            for hunk in proposal.hunks
        ],
    )


def _proposal(conn: sqlite3.Connection, row: sqlite3.Row) -> Proposal:
    hunks = conn.execute("SELECT * FROM hunks WHERE proposal_id = ? ORDER BY idx", (row["id"],))
    return Proposal(
        id=unpack(row["id"]),
        run_id=unpack(row["run_id"]),
        uri=unpack(row["uri"]),
        path=unpack(row["path"]),
        version=row["version"],
        base=texts.get(conn, row["base"]),
        span=Span(row["span_start"], row["span_end"]),
        text=texts.get(conn, row["text"]),
        hunks=tuple(_hunk(hunk) for hunk in hunks),
        created_at=row["created_at"],
    )


def _hunk(row: sqlite3.Row) -> Hunk:
    return Hunk(
        index=row["idx"],
        span=Span(row["span_start"], row["span_end"]),
        before=unpack(row["before"]),
        after=unpack(row["after"]),
        findings=tuple(_finding(**finding) for finding in unpack_json(row["findings"])),
        state=cast("HunkState", row["state"]),
    )


def _finding(code: str, params: dict[str, str | int | float | list[str]]) -> Finding:
    return Finding(code, {k: tuple(v) if isinstance(v, list) else v for k, v in params.items()})

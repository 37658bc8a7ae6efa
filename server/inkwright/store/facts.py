"""Facts that chapters tell of cards: what waits for the writer, and what the writer decided on."""

from __future__ import annotations

import hashlib
import json
import sqlite3
import time
import unicodedata
from collections.abc import Collection, Sequence
from typing import cast

from inkwright.domain.errors import InkwrightError
from inkwright.domain.facts import FactCandidate, FactState, NewFact
from inkwright.store import processes
from inkwright.store.database import Database
from inkwright.store.values import pack, unpack

_FIELDS = ("card", "name", "key", "value", "since", "until", "quote", "source")


class Facts:
    """The fact candidates of one book. Every method raises `StorageError`."""

    def __init__(self, database: Database, book_id: str) -> None:
        self._db = database
        self._book = book_id
        self.heard: object = None
        """The state of the shared decisions that were taken in last."""

    async def adopt(self, decided: Sequence[FactCandidate]) -> None:
        """Takes in what was decided elsewhere, as far as the same facts are not known here."""

        def work(conn: sqlite3.Connection) -> None:
            for one in decided:
                _insert(conn, self._book, one)

        if decided:
            await self._db.write(work)

    async def add(self, candidate: FactCandidate, gone: Collection[str] = ()) -> FactCandidate:
        """Keeps `candidate`, found by a run of the journal, and returns it; where the same fact is known, that
        one, whatever was decided on it. One whose `passage` is among `gone`, since the chapter has it no more,
        gives way. Raises `InkwrightError`: run_unknown."""

        def work(conn: sqlite3.Connection) -> FactCandidate:
            run, fact = pack(candidate.run_id), candidate.fact
            if conn.execute("SELECT 1 FROM runs WHERE id = ?", (run,)).fetchone() is None:
                raise InkwrightError("run_unknown", run=candidate.run_id)
            row = _same(conn, self._book, fact)
            if row is not None and row["passage"] in gone:
                conn.execute("DELETE FROM facts WHERE id = ?", (row["id"],))
                row = None
            if row is None:
                _insert(conn, self._book, candidate)
                row = _same(conn, self._book, fact)
                assert row is not None
            found = _candidate(row)
            if found.state == "pending":
                conn.execute("INSERT OR IGNORE INTO run_facts VALUES (?, ?)", (run, row["id"]))
            return found

        return await self._db.write(work)

    async def list(
        self, states: Sequence[FactState] = ("pending",), *, card: str = "", source: str = ""
    ) -> tuple[FactCandidate, ...]:
        """Oldest first; no state at all means every one. With `card` or `source` those of one card or chapter."""
        only = pack(card), pack(card), pack(source), pack(source)

        def work(conn: sqlite3.Connection) -> tuple[FactCandidate, ...]:
            wanted = json.dumps(list(states))
            rows = conn.execute(
                "SELECT * FROM facts WHERE book_id = ? AND (? = '' OR card = ?) AND (? = '' OR source = ?)"
                " AND (? = '[]' OR state IN (SELECT value FROM json_each(?))) ORDER BY created_at, rowid",
                (self._book, *only, wanted, wanted),
            )
            return tuple(_candidate(row) for row in rows)

        return await self._db.read(work)

    async def of(self, run_id: str) -> tuple[str, ...]:
        """The ids of those that a run found, in order, whoever found them first."""

        def work(conn: sqlite3.Connection) -> tuple[str, ...]:
            rows = conn.execute(
                "SELECT fact_id FROM run_facts WHERE run_id = ? ORDER BY rowid", (pack(run_id),)
            )
            return tuple(unpack(row["fact_id"]) for row in rows)

        return await self._db.read(work)

    async def get(self, fact_id: str) -> FactCandidate | None:
        def work(conn: sqlite3.Connection) -> FactCandidate | None:
            row = conn.execute(
                "SELECT * FROM facts WHERE id = ? AND book_id = ?", (pack(fact_id), self._book)
            ).fetchone()
            return _candidate(row) if row else None

        return await self._db.read(work)

    async def same(self, fact: NewFact) -> FactCandidate | None:
        """The one that is known of the same card, key, value and chapter."""

        def work(conn: sqlite3.Connection) -> FactCandidate | None:
            row = _same(conn, self._book, fact)
            return _candidate(row) if row else None

        return await self._db.read(work)

    async def claim(self, ids: Sequence[str]) -> frozenset[str]:
        """Those of the waiting ones that this process, and no other that is alive, writes into their cards
        from now on."""
        own = self._db.process_id

        def work(conn: sqlite3.Connection) -> frozenset[str]:
            dead = processes.dead(conn, time.time())
            conn.execute(
                "UPDATE facts SET claimed_by = ? WHERE book_id = ? AND state = 'pending'"
                " AND id IN (SELECT value FROM json_each(?))"
                " AND (claimed_by IN ('', ?) OR claimed_by NOT IN (SELECT id FROM processes)"
                " OR claimed_by IN (SELECT value FROM json_each(?)))",
                (own, self._book, json.dumps(list(ids)), own, json.dumps(dead)),
            )
            rows = conn.execute(
                "SELECT id FROM facts WHERE book_id = ? AND state = 'pending' AND claimed_by = ?"
                " AND id IN (SELECT value FROM json_each(?))",
                (self._book, own, json.dumps(list(ids))),
            )
            return frozenset(unpack(row["id"]) for row in rows)

        return await self._db.write(work)

    async def decide(self, ids: Sequence[str], state: FactState) -> tuple[FactCandidate, ...]:
        """Sets the state of those that wait, `pending` giving them back, and returns all as they now stand. What
        was decided keeps its first state. Raises `InkwrightError`: candidate_unknown."""

        def work(conn: sqlite3.Connection) -> tuple[FactCandidate, ...]:
            out: list[FactCandidate] = []
            for id_ in ids:
                conn.execute(
                    "UPDATE facts SET state = ?, claimed_by = '', decided_at = ?"
                    " WHERE id = ? AND book_id = ? AND state = 'pending'",
                    (state, None if state == "pending" else time.time(), pack(id_), self._book),
                )
                row = conn.execute(
                    "SELECT * FROM facts WHERE id = ? AND book_id = ?", (pack(id_), self._book)
                ).fetchone()
                if row is None:
                    raise InkwrightError("candidate_unknown", id=id_)
                out.append(_candidate(row))
            return tuple(out)

        return await self._db.write(work)


def _insert(conn: sqlite3.Connection, book: str, candidate: FactCandidate) -> None:
    """One that is known already stays as it is."""
    fact = candidate.fact
    conn.execute(
        "INSERT OR IGNORE INTO facts (id, book_id, run_id, card, name, key, value, since, until, quote,"
        " source, said, passage, state, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            pack(candidate.id),
            book,
            pack(candidate.run_id),
            *(pack(getattr(fact, name)) for name in _FIELDS),
            said(fact.value),
            candidate.passage,
            candidate.state,
            candidate.created_at or time.time(),
        ),
    )


def said(value: str) -> str:
    """What tells one value from another: white space, width and case do not."""
    plain = unicodedata.normalize("NFKC", value).casefold()
    return hashlib.sha256("".join(plain.split()).encode("utf-8", "surrogatepass")).hexdigest()


def _same(conn: sqlite3.Connection, book: str, fact: NewFact) -> sqlite3.Row | None:
    row: sqlite3.Row | None = conn.execute(
        "SELECT * FROM facts WHERE book_id = ? AND card = ? AND key = ? AND said = ? AND source = ?",
        (book, pack(fact.card), pack(fact.key), said(fact.value), pack(fact.source)),
    ).fetchone()
    return row


def _candidate(row: sqlite3.Row) -> FactCandidate:
    return FactCandidate(
        unpack(row["id"]),
        unpack(row["run_id"]),
        NewFact(*(unpack(row[name]) for name in _FIELDS)),
        row["passage"],
        cast("FactState", row["state"]),
        row["created_at"],
    )

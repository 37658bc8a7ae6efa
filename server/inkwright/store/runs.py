"""The journal of runs: written as it happens, on the disk when a call returns."""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Sequence
from dataclasses import asdict

from inkwright import __version__
from inkwright.domain.errors import InkwrightError
from inkwright.domain.proposal import Proposal
from inkwright.domain.run import Part, Product, RunEnded, RunRequest, State, StepRecord, Window
from inkwright.store import journal_rows, processes, products, proposals, retention, texts, usage
from inkwright.store.database import Database
from inkwright.store.journal_rows import StoredRun
from inkwright.store.values import pack, pack_json, unpack_json

# How long a request id names its first outcome.
REMEMBERED = 24 * 3600.0

_SELECT = (
    "SELECT runs.*, (SELECT proposals.id FROM proposals WHERE run_id = runs.id LIMIT 1) AS proposal_id"
    " FROM runs"
)
_ONE = f"{_SELECT} WHERE runs.id = ?"
_OLDER = "(created_at < ? OR (created_at = ? AND id > ?))"
_IN_STATE = "(? = '[]' OR state IN (SELECT value FROM json_each(?)))"
_PAGE = f"{_SELECT} WHERE book_id = ? AND {_OLDER} AND {_IN_STATE} ORDER BY created_at DESC, id LIMIT ?"

_FINAL: dict[str, State] = {
    "completed": "completed",
    "partial": "partial",
    "failed": "failed",
    "cancelled": "cancelled",
}


class Runs:
    """Implements `domain.ports.Journal` for one book. Every method raises `StorageError`."""

    def __init__(self, database: Database, book_id: str) -> None:
        self._db = database
        self._book = book_id

    async def begin(self, request: RunRequest, body_hash: str) -> None:
        """Enters a running run. Raises `InkwrightError` when its id is taken:
        `request_elsewhere` by the very same request, `request_conflict` by another.

        An id that is older than 24 hours is free again; the old run stays under a longer id.
        """
        now = time.time()
        context = json.dumps(journal_rows.context_in(request.context), ensure_ascii=False)
        row = {
            "id": pack(request.id),
            "book_id": self._book,
            "process_id": self._db.process_id,
            "state": "running",
            "ability": pack(request.profile.ability),
            "domain": pack(request.profile.domain),
            "profile_hash": journal_rows.profile_hash(request.profile),
            "model": pack(request.model),
            "effort": request.effort,
            "locale": request.locale,
            "message": pack(request.message),
            "body_hash": body_hash,
            "uri": pack(request.snapshot.uri),
            "path": pack(request.snapshot.path),
            "version": request.snapshot.version,
            "span_start": request.span.start,
            "span_end": request.span.end,
            "whole": request.whole,
            "windows": pack_json([[w.span.start, w.span.end] for w in request.windows]),
            "memories": pack_json(request.memories),
            "history": pack_json(request.history),
            "pipeline": pack(request.pipeline),
            "steps": journal_rows.steps_in(request.steps),
            "resumes": pack(request.resumes),
            "budget": pack_json(asdict(request.budget)),
            "context_window": request.context_window,
            "server_version": __version__,
            "created_at": now,
            "updated_at": now,
        }

        def work(conn: sqlite3.Connection) -> None:
            _free(conn, request.id, body_hash, now)
            row["snapshot"] = texts.put(conn, request.snapshot.text)
            row["context"] = texts.put(conn, context)
            marks = ", ".join(f":{name}" for name in row)
            conn.execute(f"INSERT INTO runs ({', '.join(row)}) VALUES ({marks})", row)  # noqa: S608 - our own names
            products.put(conn, request.id, request.products, now, given=True)

        await self._db.write(work)

    async def stands(self, run_id: str, state: State) -> None:
        """A run under way waits, or goes on; one that has ended stays as it ended."""

        def work(conn: sqlite3.Connection) -> None:
            conn.execute(
                "UPDATE runs SET state = ?, updated_at = ? WHERE id = ? AND ended_at IS NULL",
                (state, time.time(), pack(run_id)),
            )

        await self._db.write(work)

    async def step(self, record: StepRecord) -> None:
        """Enters one finished request; the same index again replaces what stood there."""

        def work(conn: sqlite3.Connection) -> None:
            _put_step(conn, record, time.time())

        await self._db.write(work)

    async def product(self, run_id: str, product: Product) -> None:
        """Enters what a step of a pipeline came to; the same index again replaces what stood there."""

        def work(conn: sqlite3.Connection) -> None:
            now = time.time()
            products.put(conn, run_id, (product,), now)
            conn.execute("UPDATE runs SET updated_at = ? WHERE id = ?", (now, pack(run_id)))

        await self._db.write(work)

    async def end(self, run_id: str, ended: RunEnded, proposal: Proposal | None) -> None:
        """Enters the outcome and the proposal in one transaction. An outcome is never replaced."""

        def work(conn: sqlite3.Connection) -> None:
            now = time.time()
            done = conn.execute(
                "UPDATE runs SET state = ?, stop_reason = ?, text = ?, window_texts = ?, usage = ?, fault = ?,"
                " notices = ?, updated_at = ?, ended_at = ? WHERE id = ? AND ended_at IS NULL",
                (
                    _FINAL[ended.status],
                    ended.stop_reason,
                    pack(ended.text),
                    pack_json(ended.window_texts),
                    pack_json(asdict(ended.usage)),
                    None if ended.fault is None else pack_json(asdict(ended.fault)),
                    pack_json([asdict(notice) for notice in ended.notices]),
                    now,
                    now,
                    pack(run_id),
                ),
            )
            if not done.rowcount:
                return
            products.put(conn, run_id, ended.steps, now)
            if proposal is not None:
                proposals.insert(conn, self._book, proposal, now)

        await self._db.write(work)

    async def get(self, run_id: str) -> StoredRun | None:
        return await self._db.read(lambda conn: _get(conn, run_id))

    async def find_by_request(self, request_id: str) -> StoredRun | None:
        """The run that this request id names: one of the last 24 hours."""

        def work(conn: sqlite3.Connection) -> StoredRun | None:
            found = _get(conn, request_id)
            return found if found and time.time() - found.created_at < REMEMBERED else None

        return await self._db.read(work)

    async def list(
        self, limit: int = 50, before: tuple[float, str] | None = None, states: Sequence[State] = ()
    ) -> tuple[StoredRun, ...]:
        """Newest first; `before` is (created_at, id) of the last one of the page before."""
        created, ident = before or (float("inf"), "")
        wanted = json.dumps(list(states))

        def work(conn: sqlite3.Connection) -> tuple[StoredRun, ...]:
            rows = conn.execute(
                _PAGE,
                (self._book, created, created, pack(ident), wanted, wanted, limit),
            )
            return tuple(journal_rows.run(row) for row in rows)

        return await self._db.read(work)

    async def steps(self, run_id: str) -> tuple[StepRecord, ...]:
        """The finished requests of a run with their tool calls, in order."""

        def work(conn: sqlite3.Connection) -> tuple[StepRecord, ...]:
            calls: dict[int, list[sqlite3.Row]] = {}
            for row in conn.execute(
                "SELECT * FROM tool_calls WHERE run_id = ? ORDER BY step_idx, idx", (pack(run_id),)
            ):
                calls.setdefault(row["step_idx"], []).append(row)
            rows = conn.execute("SELECT * FROM run_steps WHERE run_id = ? ORDER BY idx", (pack(run_id),))
            return tuple(journal_rows.step(row, calls.get(row["idx"], ())) for row in rows)

        return await self._db.read(work)

    async def products(self, run_id: str, *, given: bool = False) -> tuple[Product, ...]:
        """What the steps of a pipeline came to, in order; also of a run that was cut off. A step that
        was not reached is not among them: `store.products.every` adds those. `given`: only those that
        the run began with, from the one that it resumes."""
        return await self._db.read(lambda conn: products.get(conn, run_id, given=given))

    async def snapshot(self, run_id: str) -> str:
        """The whole text that the run was made from. Raises `InkwrightError` (`run_unknown`)."""
        return await self._db.read(lambda conn: texts.get(conn, _column(conn, run_id, "snapshot")))

    async def windows(self, run_id: str) -> tuple[Window, ...]:
        def work(conn: sqlite3.Connection) -> tuple[Window, ...]:
            snapshot = texts.get(conn, _column(conn, run_id, "snapshot"))
            return journal_rows.windows_out(unpack_json(_column(conn, run_id, "windows")), snapshot)

        return await self._db.read(work)

    async def context(self, run_id: str) -> tuple[tuple[Part, ...], ...]:
        """For each window the parts that stood below the passage."""

        def work(conn: sqlite3.Connection) -> tuple[tuple[Part, ...], ...]:
            found = json.loads(texts.get(conn, _column(conn, run_id, "context")))
            return journal_rows.context_out(found)

        return await self._db.read(work)

    async def interrupt_orphans(self) -> tuple[str, ...]:
        """Ends the runs whose process is gone; done at every open too. Returns their ids."""

        def work(conn: sqlite3.Connection) -> tuple[str, ...]:
            now = time.time()
            gone = processes.dead(conn, now)
            conn.executemany("DELETE FROM processes WHERE id = ?", [(ident,) for ident in gone])
            return processes.interrupt_orphans(conn, now)

        return await self._db.write(work)

    async def prune(self, keep: int = retention.KEEP_RUNS, seconds: float = retention.KEEP_SECONDS) -> int:
        """Deletes ended runs beyond the newest `keep` or older than `seconds`; returns how many."""
        return await self._db.write(lambda conn: retention.prune(conn, self._book, keep, seconds))


def _get(conn: sqlite3.Connection, run_id: str) -> StoredRun | None:
    row = conn.execute(_ONE, (pack(run_id),)).fetchone()
    return journal_rows.run(row) if row else None


def _column(conn: sqlite3.Connection, run_id: str, name: str) -> str:
    row = conn.execute("SELECT * FROM runs WHERE id = ?", (pack(run_id),)).fetchone()
    if row is None:
        raise InkwrightError("run_unknown", run=run_id)
    return str(row[name])


def _free(conn: sqlite3.Connection, run_id: str, body_hash: str, now: float) -> None:
    row = conn.execute("SELECT created_at, body_hash FROM runs WHERE id = ?", (pack(run_id),)).fetchone()
    if row is None:
        return
    if now - row["created_at"] < REMEMBERED:
        same = row["body_hash"] == body_hash
        raise InkwrightError("request_elsewhere" if same else "request_conflict", request=run_id)
    old, new = pack(run_id), pack(f"{run_id}~{row['created_at']:.6f}")
    conn.execute("UPDATE runs SET id = ? WHERE id = ?", (new, old))
    conn.execute("UPDATE runs SET resumes = ? WHERE resumes = ?", (new, old))
    conn.execute("UPDATE made_cards SET run_id = ? WHERE run_id = ?", (new, old))


def _put_step(conn: sqlite3.Connection, record: StepRecord, now: float) -> None:
    ident = pack(record.run_id)
    before = conn.execute(
        "DELETE FROM run_steps WHERE run_id = ? AND idx = ? RETURNING usage, created_at",
        (ident, record.index),
    ).fetchall()
    for row in before:
        usage.count(conn, record.run_id, journal_rows.usage(row["usage"]), row["created_at"], -1)
    usage.count(conn, record.run_id, record.usage, now)
    conn.execute(
        "INSERT INTO run_steps VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            ident,
            record.index,
            record.window,
            record.round,
            record.prompt_hash,
            record.prompt_chars,
            pack(record.text),
            record.finish,
            None if record.usage is None else pack_json(asdict(record.usage)),
            record.seconds,
            pack(record.provider_request_id),
            record.error_kind,
            now,
            pack_json([asdict(attempt) for attempt in record.attempts]),
        ),
    )
    conn.executemany(
        "INSERT INTO tool_calls VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (
                ident,
                record.index,
                number,
                pack(call.id),
                pack(call.name),
                None if call.arguments is None else pack_json(dict(call.arguments)),
                pack(call.raw),
                pack(call.result),
                call.ok,
                call.seconds,
            )
            for number, call in enumerate(record.calls)
        ],
    )
    conn.execute("UPDATE runs SET updated_at = ? WHERE id = ?", (now, ident))

"""The processes that have the database open, and what a dead one left behind."""

from __future__ import annotations

import sqlite3
import time
import uuid
from dataclasses import dataclass

from inkwright import __version__
from inkwright.store.owner import Owner, alive, current

# How long a process that runs where we cannot look is believed to be alive after its last sign.
UNSEEN = 24 * 3600.0


@dataclass(frozen=True, slots=True)
class Process:
    """This process' row: `id` stands on every run that it begins."""

    id: str
    owner: Owner


def this() -> Process:
    return Process(uuid.uuid4().hex, current())


def dead(conn: sqlite3.Connection, now: float) -> tuple[str, ...]:
    """The ids of registered processes that are gone without a word."""
    rows = conn.execute(
        "SELECT id, pid, started, machine, max(opened_at, coalesce((SELECT max(updated_at) FROM runs"
        " WHERE process_id = processes.id), 0)) FROM processes"
    ).fetchall()
    gone: list[str] = []
    for ident, pid, started, machine, seen in rows:
        living = alive(Owner(pid, started, machine))
        if living is False or (living is None and now - seen > UNSEEN):
            gone.append(ident)
    return tuple(gone)


def register(conn: sqlite3.Connection, process: Process, now: float | None = None) -> tuple[str, ...]:
    """Enters `process`, removes the dead ones, and marks the runs that nobody drives any more.

    Returns the ids of the runs that became `interrupted`. The caller holds the write transaction.
    """
    moment = time.time() if now is None else now
    conn.executemany("DELETE FROM processes WHERE id = ?", [(ident,) for ident in dead(conn, moment)])
    conn.execute(
        "INSERT OR REPLACE INTO processes (id, pid, started, machine, version, opened_at)"
        " VALUES (?, ?, ?, ?, ?, ?)",
        (
            process.id,
            process.owner.pid,
            process.owner.started,
            process.owner.machine,
            __version__,
            moment,
        ),
    )
    return interrupt_orphans(conn, moment)


def interrupt_orphans(conn: sqlite3.Connection, now: float) -> tuple[str, ...]:
    """Runs whose process is no longer registered end as `interrupted`; what they had stays."""
    orphans = conn.execute(
        "SELECT id FROM runs WHERE ended_at IS NULL AND process_id NOT IN (SELECT id FROM processes)"
    ).fetchall()
    conn.executemany(
        "UPDATE runs SET state = 'interrupted', stop_reason = 'interrupted', ended_at = ?, updated_at = ?"
        " WHERE id = ?",
        [(now, now, ident) for (ident,) in orphans],
    )
    return tuple(ident for (ident,) in orphans)


def leave(conn: sqlite3.Connection, process: Process) -> None:
    """A clean goodbye. The caller holds the write transaction."""
    conn.execute("DELETE FROM processes WHERE id = ?", (process.id,))

"""`inkwright.db`: one connection on one daemon thread, one hop and one transaction per unit of work."""

from __future__ import annotations

import asyncio
import json
import logging
import shutil
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from inkwright.domain.errors import Fault, StorageError
from inkwright.store import backups, opening, processes, schema
from inkwright.store.errors import damaged, wrap
from inkwright.store.worker import Worker

_logger = logging.getLogger(__name__)

T = TypeVar("T")

BUSY_MS = 5000

Notify = Callable[[Fault], None]


@dataclass(frozen=True, slots=True)
class Opened:
    """`notices` are for the writer: what was migrated, rebuilt, interrupted, or can only be read."""

    database: Database
    notices: tuple[Fault, ...]


class Database:
    """The open database. Every method raises `StorageError`; none turns a fault into "empty".

    A unit of work is a function of the connection that runs on the worker thread inside one
    transaction; it must not keep the connection or its cursors. Cancelling the task that waits for
    it does not undo it.
    """

    def __init__(
        self,
        path: Path,
        busy_ms: int,
        steps: Sequence[schema.Migration],
        notify: Notify,
        kept: bool = True,
    ) -> None:
        self._where = path
        self._busy_ms = busy_ms
        self._steps = steps
        self._notify = notify
        self._kept = kept
        self._process: processes.Process | None = None
        self._prepared: opening.Prepared | None = None
        self._suspect = False
        self._stale = False
        self._closed = False
        self._late: list[Fault] = []
        self._worker = Worker(self._first)

    @classmethod
    async def open(
        cls,
        path: Path,
        *,
        busy_ms: int = BUSY_MS,
        steps: Sequence[schema.Migration] | None = None,
        notify: Notify = lambda _: None,
    ) -> Opened:
        """Opens or makes the database at `path`.

        `busy_ms` is how long another process' transaction is waited for. `notify` is told on the
        loop what happens to the file later, while it is open.
        """
        self = cls(path, busy_ms, schema.migrations() if steps is None else steps, notify)
        await self._worker.start()
        return Opened(self, self._state.notices)

    @classmethod
    async def memory(cls, path: Path) -> Opened:
        """Stands in for a database that cannot be made at `path`; it is gone with this process."""
        self = cls(path, BUSY_MS, schema.migrations(), lambda _: None, kept=False)
        await self._worker.start()
        return Opened(self, self._state.notices)

    @property
    def path(self) -> Path:
        return self._state.path

    @property
    def readonly(self) -> Fault | None:
        """Why nothing can be written; None when all is well."""
        return self._state.readonly

    @property
    def process_id(self) -> str:
        """What stands on the runs that this process begins."""
        assert self._process is not None
        return self._process.id

    async def read(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Runs `work` on one consistent state of the database."""
        return await self._run(lambda: self._unit(work, "BEGIN"))

    async def write(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Runs `work` in a transaction that is on the disk when this returns."""
        if self._state.readonly:
            raise StorageError(self._state.readonly)
        return await self._run(lambda: self._unit(work, "BEGIN IMMEDIATE"))

    async def backup(self, target: Path) -> None:
        """Writes a whole copy to `target`, replacing what is there."""
        await self._run(lambda: self._guard(lambda: backups.copy(self._conn(), target)))

    async def move(self, target: Path) -> None:
        """Goes on at `target`; other processes that have the database open follow.

        Raises `StorageError` with `store_target_exists` when a file is there.
        """
        if self._state.readonly:
            raise StorageError(self._state.readonly)
        await self._run(lambda: self._guard(lambda: self._move(target)))

    async def close(self) -> None:
        """Says goodbye to the file and ends the thread; safe to call twice, and after any fault."""
        if self._closed:
            return
        self._closed = True
        try:
            await self._worker.run(self._leave)
        finally:
            await self._worker.finish()
            if self._state.scratch:
                await asyncio.to_thread(shutil.rmtree, self._state.scratch, ignore_errors=True)

    # ---- on the worker thread ----

    @property
    def _state(self) -> opening.Prepared:
        assert self._prepared is not None
        return self._prepared

    def _first(self) -> sqlite3.Connection:
        self._process = processes.this()
        if self._kept:
            self._prepared = self._prepare(self._where)
        else:
            self._prepared = opening.in_memory(self._where, self._process, self._steps)
        return self._prepared.conn

    def _prepare(self, where: Path) -> opening.Prepared:
        assert self._process is not None
        return opening.prepare(where, self._process, self._busy_ms, self._steps, self._suspect)

    def _unit(self, work: Callable[[sqlite3.Connection], T], begin: str) -> T:
        def attempt() -> T:
            while True:
                conn = self._conn()
                conn.execute(begin)
                # Only inside the transaction is it sure that nobody has moved or replaced the file,
                # or brought it to a format that this program does not know.
                known = self._stands() and self._knows(conn)
                if known:
                    return self._finish(conn, work)
                conn.execute("ROLLBACK")

        return self._guard(attempt)

    def _finish(self, conn: sqlite3.Connection, work: Callable[[sqlite3.Connection], T]) -> T:
        try:
            result = work(conn)
            conn.execute("COMMIT")
        except BaseException:
            if conn.in_transaction:
                conn.execute("ROLLBACK")
            raise
        return result

    def _guard(self, work: Callable[[], T]) -> T:
        try:
            return work()
        except sqlite3.ProgrammingError:
            raise
        except sqlite3.Error as error:
            if isinstance(error, sqlite3.IntegrityError):
                _logger.exception("%s refused a row", self._state.path.name)
            self._suspect = self._suspect or damaged(error)
            readonly = self._state.readonly
            raise (StorageError(readonly) if readonly else wrap(error, self._state.path)) from error
        except OSError as error:
            raise wrap(error, self._state.path) from error
        except (json.JSONDecodeError, UnicodeDecodeError) as error:
            # A row that SQLite gives but that cannot be read: bytes flipped on the disk pass its checks.
            raise StorageError("store_text_damaged", path=str(self._state.path)) from error

    def _stands(self) -> bool:
        state = self._state
        if state.identity is None:
            return True
        if self._suspect or self._stale or opening.identity(state.path) != state.identity:
            return False
        return opening.follow(state.path) == state.path

    def _knows(self, conn: sqlite3.Connection) -> bool:
        if self._state.readonly or schema.version(conn) == schema.latest(self._steps):
            return True
        self._stale = True
        return False

    def _conn(self) -> sqlite3.Connection:
        """The connection, opened anew when the file was moved, replaced, removed or found damaged."""
        if self._stands():
            return self._state.conn
        path = self._state.path
        if not path.parent.is_dir():
            raise StorageError("store_gone", path=str(path))
        if not self._suspect and opening.follow(path) == path and opening.identity(path) is None:
            # Removed under our hands: what we still hold is put back.
            backups.copy(self._state.conn, path)
        # Closed first: some systems rename no open file.
        self._state.conn.close()
        fresh = self._prepare(path)
        self._suspect = self._stale = False
        self._prepared = fresh
        self._worker.swap(fresh.conn)
        self._late += fresh.notices
        return fresh.conn

    def _move(self, target: Path) -> None:
        conn, old = self._conn(), self._state.path
        conn.execute("BEGIN IMMEDIATE")
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            if target.exists():
                raise StorageError("store_target_exists", path=str(target))
            # SQLite copies nothing through a connection that is inside a write transaction.
            with closing(sqlite3.connect(old)) as reader:
                backups.copy(reader, target)
            note = opening.forwarding(old)
            part = note.with_name(f"{note.name}-part")
            part.write_text(str(target.absolute()), encoding="utf-8")
            part.replace(note)
        finally:
            conn.execute("ROLLBACK")
        self._conn()

    def _leave(self, conn: sqlite3.Connection) -> None:
        if self._state.readonly or self._suspect or not self._stands():
            return
        try:
            conn.execute("PRAGMA busy_timeout = 500")
            conn.execute("BEGIN IMMEDIATE")
            assert self._process is not None
            processes.leave(conn, self._process)
            conn.execute("COMMIT")
            conn.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        except sqlite3.Error:
            # The next open finds our row, sees that we are gone and checks the file.
            return

    # ---- on the loop ----

    async def _run(self, work: Callable[[], T]) -> T:
        if self._closed:
            raise StorageError("store_closed", path=str(self._state.path))
        try:
            return await self._worker.run(lambda _: work())
        finally:
            late, self._late = self._late, []
            for notice in late:
                asyncio.get_running_loop().call_soon(self._notify, notice)

"""From a path to a usable connection: made, checked, migrated, or rebuilt. Blocks: for the worker thread."""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
import tempfile
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from inkwright import intake
from inkwright.domain.errors import Fault, StorageError
from inkwright.store import backups, locations, processes, recovery, schema
from inkwright.store.errors import damaged, fault, primary, wrap
from inkwright.store.lock import exclusive

WEEK = 7 * 24 * 3600.0
_NOTE = 100_000

Identity = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Prepared:
    """A connection and what is to be known of it. `readonly` says why nothing can be written.

    `scratch` is a folder that goes when the connection is closed.
    """

    path: Path
    conn: sqlite3.Connection
    identity: Identity | None
    readonly: Fault | None
    notices: tuple[Fault, ...]
    scratch: Path | None = None


def forwarding(path: Path) -> Path:
    """The note that a database leaves where it stood when it moved."""
    return path.with_name(f"{path.name}.moved")


def follow(path: Path) -> Path:
    """Where the database of `path` stands now.

    A note that leads nowhere any more counts for nothing, and so does one in a book's own folder: databases
    only ever move to there, and the folder may come from a stranger.
    """
    if path.parent.name == locations.HOME:
        return path
    try:
        target = Path(intake.read(forwarding(path), _NOTE).decode("utf-8").strip())
        return target if target.is_file() else path
    except (FileNotFoundError, NotADirectoryError, UnicodeDecodeError):
        return path
    except OSError as error:
        if error.errno == errno.ENAMETOOLONG:
            return path
        raise


def identity(path: Path) -> Identity | None:
    """What tells this file from another one under the same name; None when there is none."""
    try:
        found = path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    return found.st_dev, found.st_ino


def prepare(
    where: Path,
    process: processes.Process,
    busy_ms: int,
    steps: Sequence[schema.Migration],
    suspect: bool = False,
) -> Prepared:
    """Opens the database at `where`, whatever state it is in.

    `suspect` asks for the full check. Raises `StorageError`: store_locked, store_full,
    store_readonly (and no file to read), store_unopenable, store_foreign, store_migration_failed.
    """
    try:
        path = follow(where)
        if path.exists() and not path.is_file():
            raise StorageError("store_unopenable", path=str(path))
        try:
            locations.make_parent(path)
            lock = exclusive(path.with_name(f"{path.name}.lock"), busy_ms / 1000 + 10)
            lock.__enter__()
        except OSError as error:
            return _only_read(path, fault(error, path), busy_ms)
        try:
            if path.exists() and not os.access(path, os.W_OK):
                return _only_read(path, Fault("store_readonly", {"path": str(path)}), busy_ms)
            return _locked(path, process, busy_ms, steps, suspect)
        finally:
            lock.__exit__(None, None, None)
    except (sqlite3.Error, OSError) as error:
        raise wrap(error, where) from error


def in_memory(path: Path, process: processes.Process, steps: Sequence[schema.Migration]) -> Prepared:
    """A database that lives as long as this process, for a `path` where none can be made."""
    conn = sqlite3.connect(":memory:", isolation_level=None)
    conn.row_factory = sqlite3.Row
    conn.execute("PRAGMA foreign_keys = ON")
    conn.execute("BEGIN IMMEDIATE")
    schema.apply(conn, steps)
    processes.register(conn, process)
    conn.execute("COMMIT")
    return Prepared(path, conn, None, None, (Fault("store_memory_only", {"path": str(path)}),))


def connect(path: Path, busy_ms: int) -> sqlite3.Connection:
    """A connection with our pragmas; the caller owns it."""
    conn = sqlite3.connect(path, isolation_level=None, timeout=busy_ms / 1000)
    try:
        conn.row_factory = sqlite3.Row
        conn.execute("PRAGMA journal_mode = WAL")
        conn.execute("PRAGMA synchronous = FULL")
        conn.execute("PRAGMA foreign_keys = ON")
        conn.execute("PRAGMA trusted_schema = OFF")
    except BaseException:
        conn.close()
        raise
    return conn


def create(path: Path, steps: Sequence[schema.Migration]) -> None:
    """A new database, under its name only when it is whole: an empty file is never one of ours."""
    part = path.with_name(f"{path.name}-new")
    part.unlink(missing_ok=True)
    recovery.set_aside(path)
    with closing(sqlite3.connect(part, isolation_level=None)) as conn:
        conn.execute("BEGIN IMMEDIATE")
        schema.apply(conn, steps)
        conn.execute("COMMIT")
    backups.sync(part)
    part.replace(path)
    backups.sync(path.parent)


def _locked(
    path: Path,
    process: processes.Process,
    busy_ms: int,
    steps: Sequence[schema.Migration],
    suspect: bool,
) -> Prepared:
    notices: list[Fault] = []
    if not path.exists():
        create(path, steps)
    found: Prepared | None = None
    if path.stat().st_size:
        try:
            found = _settle(path, process, busy_ms, steps, suspect)
        except (sqlite3.Error, UnicodeDecodeError) as error:
            # Our own statements are sound: what they find missing in our own file was damaged.
            lost = isinstance(error, sqlite3.OperationalError) and primary(error) == sqlite3.SQLITE_ERROR
            if not (damaged(error) or lost):
                raise
    if found is None:
        notices.append(recovery.rebuild(path, steps, lambda new: create(new, steps)))
        found = _settle(path, process, busy_ms, steps, suspect=False)
    return Prepared(path, found.conn, identity(path), found.readonly, (*notices, *found.notices))


def _settle(
    path: Path,
    process: processes.Process,
    busy_ms: int,
    steps: Sequence[schema.Migration],
    suspect: bool,
) -> Prepared:
    """Checks, migrates and registers. Raises `sqlite3.DatabaseError` for a damaged file."""
    conn = connect(path, busy_ms)
    try:
        _ours(conn, path)
        known = schema.latest(steps)
        found = schema.version(conn)
        if found > known:
            why = Fault("store_newer", {"path": str(path), "version": found, "known": known})
            conn.close()
            return _only_read(path, why, busy_ms)
        due = _due(conn)
        if suspect or due or processes.dead(conn, time.time()):
            recovery.check(conn)
        if due and found:
            backups.make(conn, path, found)
            conn.execute(
                "INSERT OR REPLACE INTO meta (key, value) VALUES ('checked_at', ?)", (str(time.time()),)
            )
        if odd := schema.changed(conn, steps):
            why = Fault("store_schema_differs", {"path": str(path), "name": odd.name})
            conn.close()
            return _only_read(path, why, busy_ms)
        recovery.check_schema(conn, steps[:found])
        if found < known:
            _migrate(conn, path, steps)
        conn.execute("BEGIN IMMEDIATE")
        orphans = processes.register(conn, process)
        conn.execute("COMMIT")
    except BaseException:
        conn.close()
        raise
    notices = (Fault("runs_interrupted", {"count": len(orphans)}),) if orphans else ()
    return Prepared(path, conn, identity(path), None, notices)


def _ours(conn: sqlite3.Connection, path: Path) -> None:
    if not schema.ours(conn):
        raise StorageError("store_foreign", path=str(path))


def _due(conn: sqlite3.Connection) -> bool:
    """Whether the weekly check and copy are due; never on the first day."""
    conn.execute("INSERT OR IGNORE INTO meta (key, value) VALUES ('checked_at', ?)", (str(time.time()),))
    row = conn.execute("SELECT value FROM meta WHERE key = 'checked_at'").fetchone()
    try:
        return time.time() - float(row[0]) > WEEK
    except ValueError:
        return True


def _migrate(conn: sqlite3.Connection, path: Path, steps: Sequence[schema.Migration]) -> None:
    """All missing steps in one transaction, after a copy; a failing one leaves the old schema."""
    backup = backups.make(conn, path, schema.version(conn))
    conn.execute("PRAGMA foreign_keys = OFF")
    try:
        conn.execute("BEGIN IMMEDIATE")
        schema.apply(conn, steps)
        if conn.execute("PRAGMA foreign_key_check").fetchone():
            raise sqlite3.IntegrityError("a migration left a broken reference")
        recovery.check(conn)
        conn.execute("COMMIT")
    except (sqlite3.Error, ValueError) as error:
        if conn.in_transaction:
            conn.execute("ROLLBACK")
        known = fault(error, path) if isinstance(error, sqlite3.Error) else None
        if known and known.code in ("store_full", "store_locked", "store_readonly", "store_io"):
            raise StorageError(known) from error
        raise StorageError("store_migration_failed", path=str(path), backup=str(backup)) from error
    conn.execute("PRAGMA foreign_keys = ON")


def _only_read(path: Path, why: Fault, busy_ms: int) -> Prepared:
    """Opens what is there without writing a byte beside it; raises `StorageError(why)` if nothing is."""
    if not path.is_file() or not path.stat().st_size:
        raise StorageError(why)
    uri = path.absolute().as_uri()
    wal = path.with_name(f"{path.name}-wal")
    attempts = [f"{uri}?mode=ro"]
    scratch: Path | None = None
    if wal.is_file() and wal.stat().st_size:
        # On a read-only disk the log cannot be read in place.
        scratch = Path(tempfile.mkdtemp(prefix="inkwright-"))
        for part in (path, wal):
            shutil.copyfile(part, scratch / part.name)
        attempts.append((scratch / path.name).as_uri())
    else:
        attempts.append(f"{uri}?mode=ro&immutable=1")
    for attempt in attempts:
        conn = sqlite3.connect(attempt, uri=True, isolation_level=None, timeout=busy_ms / 1000)
        conn.row_factory = sqlite3.Row
        try:
            conn.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        except sqlite3.OperationalError:
            conn.close()
            continue
        except BaseException:
            conn.close()
            raise
        return Prepared(path, conn, None, why, (why,), scratch)
    raise StorageError(why)

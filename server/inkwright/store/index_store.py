"""`index.db`: what the book index would otherwise work out anew at each start. Deletable at any time."""

from __future__ import annotations

import shutil
import sqlite3
from array import array
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import TypeVar

from inkwright.domain.errors import Fault
from inkwright.store import locations
from inkwright.store.errors import damaged, primary
from inkwright.store.values import pack, unpack

T = TypeVar("T")

FORMAT = 3

_SCHEMA = (
    """CREATE TABLE files (
      path TEXT PRIMARY KEY,
      mtime_ns INTEGER NOT NULL,
      ctime_ns INTEGER NOT NULL,
      size INTEGER NOT NULL,
      digest BLOB NOT NULL,
      version TEXT NOT NULL,
      payload BLOB NOT NULL,
      names BLOB NOT NULL
    )""",
    # Files hold the same few names: each stands here once, `files.names` holds ids.
    "CREATE TABLE names (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE)",
)


@dataclass(frozen=True, slots=True)
class FileRecord:
    """What is known of one file. `version`, `payload` and `names` belong to whoever made the record."""

    path: str
    mtime_ns: int
    size: int
    digest: bytes
    version: str
    payload: bytes
    names: tuple[str, ...] = ()
    ctime_ns: int = 0


class IndexStore:
    """The index on the disk. Blocks: to be called on the index's worker thread, never on the loop.

    Nothing here raises for a bad disk or file: what cannot be kept is worked out again, and
    `problem` says so. A damaged file or one of another format is replaced by an empty one.
    """

    def __init__(self, path: Path, busy_ms: int = 2000) -> None:
        self.path = path
        self.problem: Fault | None = None
        self._busy_ms = busy_ms
        self._conn: sqlite3.Connection | None = None
        self._identity: tuple[int, int] | None = None
        self._lock = Lock()

    def load(self) -> dict[str, FileRecord]:
        """Every record by path; empty when there are none or none can be read."""
        return self.each(lambda record: record)

    def each(self, take: Callable[[FileRecord], T]) -> dict[str, T]:
        """What `take` makes of every record, by path: they are not all in memory at once."""

        def work(conn: sqlite3.Connection) -> dict[str, T]:
            name = {number: unpack(name) for number, name in conn.execute("SELECT id, name FROM names")}
            out: dict[str, T] = {}
            rows = conn.execute(
                "SELECT path, mtime_ns, ctime_ns, size, digest, version, payload, names FROM files"
            )
            for packed, mtime_ns, ctime_ns, size, digest, version, payload, ids in rows:
                path = unpack(packed)
                try:
                    names = tuple(map(name.__getitem__, array("I", ids)))
                except (KeyError, ValueError):
                    continue
                out[path] = take(FileRecord(path, mtime_ns, size, digest, version, payload, names, ctime_ns))
            return out

        return self.use(work) or {}

    def save(self, changed: Iterable[FileRecord], deleted: Collection[str] = ()) -> bool:
        """Puts and drops records in one transaction; False when they could not be kept."""
        records = list(changed)
        gone = [(pack(path),) for path in deleted]

        def work(conn: sqlite3.Connection) -> bool:
            with transaction(conn):
                ids = _ids(conn, {name for record in records for name in record.names})
                rows = [
                    (
                        *(pack(r.path), r.mtime_ns, r.ctime_ns, r.size),
                        *(r.digest, r.version, r.payload, _packed(r.names, ids)),
                    )
                    for r in records
                ]
                conn.executemany("DELETE FROM files WHERE path = ?", gone)
                conn.executemany("INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)
            return True

        return self.use(work) or False

    def use(self, work: Callable[[sqlite3.Connection], T]) -> T | None:
        """What `work` gives for the connection; None when the disk or the file does not let it, twice."""
        with self._lock:
            for _ in range(2):
                try:
                    return work(self._open())
                except (sqlite3.Error, OSError, UnicodeDecodeError) as error:
                    self._failed(error)
            return None

    def move(self, target: Path) -> None:
        """Goes on at `target`, with what is known if the file can be moved, else from nothing."""
        with self._lock:
            self._drop()
            source, self.path = self.path, target
            try:
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.move(source, target)
            except OSError:
                # What the old place holds can be worked out again.
                return

    def close(self) -> None:
        """Safe to call twice and from any thread; a later call opens the file again."""
        with self._lock:
            self._drop()

    def _open(self) -> sqlite3.Connection:
        if self._conn is not None and self._seen() == self._identity:
            return self._conn
        self._drop()
        locations.make_parent(self.path)
        # The lock above lets one thread at a time in.
        conn = sqlite3.connect(
            self.path, isolation_level=None, timeout=self._busy_ms / 1000, check_same_thread=False
        )
        try:
            conn.execute("PRAGMA journal_mode = WAL")
            conn.execute("PRAGMA synchronous = NORMAL")
            # Who only reads waits for nobody.
            if not _current(conn):
                with transaction(conn):
                    if not _current(conn):
                        _empty(conn)
                        for statement in _SCHEMA:
                            conn.execute(statement)
                        conn.execute(f"PRAGMA user_version = {FORMAT}")
        except BaseException:
            conn.close()
            raise
        self._conn, self._identity, self.problem = conn, self._seen(), None
        return conn

    def _seen(self) -> tuple[int, int] | None:
        try:
            found = self.path.stat()
        except OSError:
            return None
        return found.st_dev, found.st_ino

    def _failed(self, error: sqlite3.Error | OSError | UnicodeDecodeError) -> None:
        self._drop()
        self.problem = Fault("index_unusable", {"path": str(self.path)})
        if _hopeless(error):
            for tail in ("", "-wal", "-shm"):
                try:
                    self.path.with_name(self.path.name + tail).unlink(missing_ok=True)
                except OSError:
                    return

    def _drop(self) -> None:
        if self._conn is not None:
            self._conn.close()
        self._conn = self._identity = None


@contextmanager
def transaction(conn: sqlite3.Connection) -> Iterator[None]:
    """All of it or nothing, and no other process meanwhile."""
    conn.execute("BEGIN IMMEDIATE")
    try:
        yield
        conn.execute("COMMIT")
    except BaseException:
        if conn.in_transaction:
            conn.execute("ROLLBACK")
        raise


def _ids(conn: sqlite3.Connection, names: Collection[str]) -> dict[str, int]:
    """The number of each name; those that are new get one."""
    found: dict[str, int] = {}
    for name in names:
        value = (pack(name),)
        row = conn.execute("SELECT id FROM names WHERE name = ?", value).fetchone()
        if row is None:
            row = conn.execute("INSERT INTO names (name) VALUES (?) RETURNING id", value).fetchone()
        found[name] = row[0]
    return found


def _packed(names: Iterable[str], ids: Mapping[str, int]) -> bytes:
    return array("I", map(ids.__getitem__, names)).tobytes()


def _current(conn: sqlite3.Connection) -> bool:
    return bool(conn.execute("PRAGMA user_version").fetchone()[0] == FORMAT)


def _empty(conn: sqlite3.Connection) -> None:
    """Drops every table; those that belong to a virtual one go with it."""
    query = (
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY rootpage"
    )
    while found := conn.execute(query).fetchone():
        conn.execute(f'DROP TABLE "{found[0]}"')


def _hopeless(error: sqlite3.Error | OSError | UnicodeDecodeError) -> bool:
    """Whether the file is damaged. Our own statements are sound: what they find missing was there."""
    if isinstance(error, OSError):
        return False
    if isinstance(error, UnicodeDecodeError) or damaged(error):
        return True
    return isinstance(error, sqlite3.OperationalError) and primary(error) in (0, sqlite3.SQLITE_ERROR)

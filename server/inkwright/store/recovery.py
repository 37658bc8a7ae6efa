"""A damaged database is moved aside, never deleted, and what it still gives goes into a new one."""

from __future__ import annotations

import sqlite3
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from inkwright.domain.errors import Fault
from inkwright.store import backups, mending, schema
from inkwright.store.errors import damaged
from inkwright.store.schema import Migration

_BESIDE = ("", "-wal", "-shm", "-journal")
_WIDE = 2048
_SAMPLES = 64
_UNREADABLE = (sqlite3.DatabaseError, UnicodeDecodeError)


def check(conn: sqlite3.Connection) -> None:
    """SQLite's quick check. Raises `sqlite3.DatabaseError` (SQLITE_CORRUPT) for a damaged file."""
    found = conn.execute("PRAGMA quick_check(1)").fetchone()[0]
    if found != "ok":
        raise _corrupt(found)


def check_schema(conn: sqlite3.Connection, steps: Sequence[Migration]) -> None:
    """Whether the tables and indexes are as `steps` made them: a damaged name is no matter to SQLite."""
    if not schema.sound(conn, steps):
        raise _corrupt("the schema is not what its migrations made")


def _corrupt(why: str) -> sqlite3.DatabaseError:
    error = sqlite3.DatabaseError(why)
    error.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
    return error


def set_aside(path: Path) -> Path | None:
    """Renames the database and its companions to `NAME.damaged-TIME`; None when nothing was there."""
    stamp = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
    target = path.with_name(f"{path.name}.damaged-{stamp}")
    number = 1
    while target.exists():
        number += 1
        target = path.with_name(f"{path.name}.damaged-{stamp}.{number}")
    moved = False
    for tail in _BESIDE:
        part = path.with_name(path.name + tail)
        if part.exists():
            part.rename(target.with_name(target.name + tail))
            moved = True
    return target if moved else None


def rebuild(path: Path, steps: Sequence[Migration], create: Callable[[Path], None]) -> Fault:
    """Replaces the damaged database at `path`, which `steps` made; returns what to tell the writer.

    Rows come from the damaged file first. A table that it does not give whole is filled up from the
    newest backup that can be read.
    """
    aside = set_aside(path) or path
    part = path.with_name(f"{path.name}-rebuild")
    part.unlink(missing_ok=True)
    create(part)
    saved, whole = 0, True
    source = mending.mended(aside, part, steps)
    then = mending.tables(source, steps)
    with closing(sqlite3.connect(part, isolation_level=None)) as new:
        new.execute("BEGIN IMMEDIATE")
        tables = _tables(new)
        for table in tables:
            rescue = _rescue(source, table, columns(new, table))
            saved += _insert(new, table, rescue)
            if not rescue.whole and (rescue.names or table in then):
                whole = False
                saved += _fill(new, path, table)
        _name_book(new, tables)
        _drop_orphans(new)
        new.execute("COMMIT")
    if source != aside:
        mending.remove(source)
    backups.sync(part)
    part.replace(path)
    backups.sync(path.parent)
    code = "store_recovered" if whole else "store_recovered_partly"
    return Fault(code if saved else "store_recovered_nothing", {"count": saved, "aside": str(aside)})


@dataclass(frozen=True, slots=True)
class Rescue:
    """The rows that a file gave of one table, under `names`, and whether all could be read."""

    names: tuple[str, ...]
    rows: list[tuple[object, ...]]
    whole: bool


def columns(conn: sqlite3.Connection, table: str) -> tuple[str, ...]:
    return tuple(row[0] for row in conn.execute("SELECT name FROM pragma_table_info(?)", (table,)))


def _tables(conn: sqlite3.Connection) -> tuple[str, ...]:
    rows = conn.execute(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
        " AND name NOT IN ('schema_migrations', 'processes') ORDER BY rootpage"
    )
    return tuple(row[0] for row in rows)


def _rescue(path: Path, table: str, wanted: tuple[str, ...]) -> Rescue:
    try:
        with closing(sqlite3.connect(path, isolation_level=None)) as conn:
            # Without this a file that is shorter than its header says gives nothing at all.
            conn.execute("PRAGMA writable_schema = ON")
            # A flipped byte in a text costs a character, not the row.
            conn.text_factory = _text
            return _read(conn, table, wanted, path.stat().st_size)
    except (*_UNREADABLE, OSError):
        return Rescue((), [], whole=False)


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _read(conn: sqlite3.Connection, table: str, wanted: tuple[str, ...], size: int) -> Rescue:
    present = set(columns(conn, table))
    names = tuple(name for name in wanted if name in present)
    if not names:
        return Rescue((), [], whole=False)
    listed = ", ".join(f'"{name}"' for name in names)
    query = f'SELECT {listed} FROM "{table}" NOT INDEXED WHERE rowid BETWEEN ? AND ?'  # noqa: S608 - our own names
    try:
        top = conn.execute(f'SELECT max(rowid) FROM "{table}"').fetchone()[0] or 0  # noqa: S608
        whole = True
    except _UNREADABLE:
        top, whole = size, False
    rows: list[tuple[object, ...]] = []
    for piece in _pieces(conn, query, 1, top):
        if piece is None:
            whole = False
        else:
            rows += piece
    return Rescue(names, rows, whole)


def _pieces(
    conn: sqlite3.Connection, query: str, low: int, high: int
) -> Iterator[list[tuple[object, ...]] | None]:
    """Halves a stretch of rowids until what is left unread is lost; None for each lost stretch."""
    stack = [(low, high)]
    while stack:
        start, end = stack.pop()
        if start > end:
            continue
        try:
            yield [tuple(row) for row in conn.execute(query, (start, end))]
        except _UNREADABLE as error:
            if not damaged(error):
                raise
            if start == end or (end - start > _WIDE and _lost(conn, query, start, end)):
                yield None
            else:
                middle = (start + end) // 2
                stack += [(middle + 1, end), (start, middle)]


def _lost(conn: sqlite3.Connection, query: str, low: int, high: int) -> bool:
    """Whether none of many rowids spread over a wide stretch can even be looked for."""
    for rowid in range(low, high, max(1, (high - low) // _SAMPLES)):
        try:
            conn.execute(query, (rowid, rowid)).fetchall()
        except _UNREADABLE:
            continue
        return False
    return True


def _insert(conn: sqlite3.Connection, table: str, rescue: Rescue) -> int:
    if not rescue.rows:
        return 0
    names = ", ".join(f'"{name}"' for name in rescue.names)
    marks = ", ".join("?" * len(rescue.names))
    before = conn.total_changes
    # OR IGNORE: a row that a flipped byte made impossible is left out, the rest goes in.
    conn.executemany(f'INSERT OR IGNORE INTO "{table}" ({names}) VALUES ({marks})', rescue.rows)  # noqa: S608
    return conn.total_changes - before


def _fill(new: sqlite3.Connection, path: Path, table: str) -> int:
    for backup in backups.every(path):
        rescue = _rescue(backup, table, columns(new, table))
        if rescue.whole:
            return _insert(new, table, rescue)
    return 0


def _name_book(conn: sqlite3.Connection, tables: Sequence[str]) -> None:
    """Where the row of the book is lost, one is made for the id that most of the rows name: everything
    else hangs on it, and the next opening enters where the book is."""
    if conn.execute("SELECT 1 FROM books").fetchone():
        return
    named: Counter[str] = Counter()
    for table in tables:
        if "book_id" in columns(conn, table):
            query = f'SELECT book_id, count(*) FROM "{table}" GROUP BY book_id'  # noqa: S608 - our own names
            named.update(dict(conn.execute(query).fetchall()))
    for ident, _ in named.most_common(1):
        now = time.time()
        conn.execute(
            "INSERT INTO books (id, root, created_at, updated_at) VALUES (?, '', ?, ?)", (ident, now, now)
        )


def _drop_orphans(conn: sqlite3.Connection) -> None:
    """Removes rows whose parents were lost, until every reference holds."""
    while broken := conn.execute("PRAGMA foreign_key_check").fetchall():
        conn.executemany(
            f'DELETE FROM "{broken[0][0]}" WHERE rowid = ?',  # noqa: S608
            [(rowid,) for table, rowid, *_ in broken if table == broken[0][0]],
        )

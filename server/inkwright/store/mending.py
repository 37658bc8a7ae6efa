"""A damaged file's header and schema are not its rows: a copy with those of ours gives what the file does not."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from inkwright.store import schema
from inkwright.store.schema import Migration

_BESIDE = ("", "-wal", "-shm", "-journal")
_MAGIC = b"SQLite format 3\0"
_HEADER = 100
_PAGE = 4096  # SQLite's default, which all our databases have


def mended(aside: Path, model: Path, steps: Sequence[Migration]) -> Path:
    """The damaged file itself, or a copy beside it: with the header of the sound database `model` where
    the file has none, with the tables of `steps` where its schema is damaged. The caller removes a copy."""
    copy = aside.with_name(f"{aside.name}-mended")
    with aside.open("rb") as file:
        headless = file.read(len(_MAGIC)) != _MAGIC and aside.stat().st_size >= _PAGE
    if headless:
        _copy(aside, copy)
        _crown(copy, model)
    source = copy if headless else aside
    if not _wrong(source, steps):
        return source
    if not headless:
        _copy(aside, copy)
    if _redescribed(copy, steps) or headless:
        return copy
    remove(copy)
    return aside


def tables(path: Path, steps: Sequence[Migration]) -> frozenset[str]:
    """The names of the tables that a file of its format has: one made by older steps has fewer."""
    return frozenset(
        name.decode() for (kind, name) in schema.shape(_made_by(path, steps)) if kind == b"table"
    )


def remove(copy: Path) -> None:
    for tail in _BESIDE:
        copy.with_name(copy.name + tail).unlink(missing_ok=True)


def _copy(aside: Path, copy: Path) -> None:
    remove(copy)
    for tail in ("", "-wal"):
        part = aside.with_name(aside.name + tail)
        if part.exists():
            shutil.copyfile(part, copy.with_name(copy.name + tail))


def _crown(copy: Path, model: Path) -> None:
    header = bytearray(model.read_bytes()[:_HEADER])
    header[28:32] = (copy.stat().st_size // _PAGE).to_bytes(4, "big")
    header[32:40] = bytes(8)
    with copy.open("r+b") as file:
        file.write(header)


def _made_by(path: Path, steps: Sequence[Migration]) -> tuple[Migration, ...]:
    """The steps that a file went through, all of them when it does not say."""
    try:
        with closing(sqlite3.connect(path, isolation_level=None)) as conn:
            conn.execute("PRAGMA writable_schema = ON")
            found = schema.version(conn)
    except (sqlite3.Error, UnicodeDecodeError):
        found = 0
    return tuple(steps[:found]) if 0 < found <= len(steps) else tuple(steps)


def _wrong(path: Path, steps: Sequence[Migration]) -> bool:
    """Whether the schema can be read and a table stands in it otherwise than it was made."""
    try:
        with closing(sqlite3.connect(path, isolation_level=None)) as conn:
            conn.execute("PRAGMA writable_schema = ON")
            found = schema.described(conn)
    except (sqlite3.Error, UnicodeDecodeError):
        return False
    return any(
        found.get(key) != sql
        for key, sql in schema.shape(_made_by(path, steps)).items()
        if key[0] == b"table"
    )


def _redescribed(copy: Path, steps: Sequence[Migration]) -> bool:
    """Writes our own statements over those of the tables; True when that went well."""
    made = schema.shape(_made_by(copy, steps))
    try:
        with closing(sqlite3.connect(copy, isolation_level=None)) as conn:
            conn.execute("PRAGMA writable_schema = ON")
            conn.executemany(
                "UPDATE sqlite_schema SET type = 'table', name = :name, tbl_name = :name, sql = :sql"
                " WHERE name = :name OR (tbl_name = :name AND type = 'table')",
                [
                    {"name": name.decode(), "sql": sql.decode()}
                    for (kind, name), sql in made.items()
                    if kind == b"table" and sql is not None
                ],
            )
    except (sqlite3.Error, UnicodeDecodeError):
        return False
    return True

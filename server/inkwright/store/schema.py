"""The numbered migrations of `inkwright.db`: read from `migrations/NNNN_name.sql`, applied in order, once."""

from __future__ import annotations

import hashlib
import re
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cache
from pathlib import Path

# Marks a file as ours: "INKW".
APPLICATION_ID = 0x494E4B57

_NAME = re.compile(r"(\d{4})_([a-z0-9_]+)\.sql")

_LEDGER = """
CREATE TABLE IF NOT EXISTS schema_migrations (
  version INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  applied_at REAL NOT NULL
)
"""


@dataclass(frozen=True, slots=True)
class Migration:
    version: int
    name: str
    sql: str

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.sql.encode("utf-8")).hexdigest()


@cache
def migrations() -> tuple[Migration, ...]:
    """All migrations, numbered from 1 without a gap."""
    found: list[Migration] = []
    for entry in Path(__file__).with_name("migrations").iterdir():
        if match := _NAME.fullmatch(entry.name):
            sql = entry.read_text("utf-8").replace("\r\n", "\n")
            found.append(Migration(int(match[1]), match[2], sql))
    found.sort(key=lambda m: m.version)
    if [m.version for m in found] != list(range(1, len(found) + 1)):
        raise ValueError("the migrations are not numbered 1, 2, 3, …")
    return tuple(found)


def latest(steps: Sequence[Migration] | None = None) -> int:
    return len(migrations() if steps is None else steps)


def version(conn: sqlite3.Connection) -> int:
    found: int = conn.execute("PRAGMA user_version").fetchone()[0]
    return found


def ours(conn: sqlite3.Connection) -> bool:
    """False for a database that some other program made."""
    if conn.execute("PRAGMA application_id").fetchone()[0] == APPLICATION_ID:
        return True
    return version(conn) == 0 and conn.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0] == 0


def changed(conn: sqlite3.Connection, steps: Sequence[Migration]) -> Migration | None:
    """The first applied migration whose text is not the one that this program knows."""
    applied = dict(conn.execute("SELECT version, sha256 FROM schema_migrations").fetchall())
    return next((m for m in steps if m.version in applied and applied[m.version] != m.sha256), None)


@cache
def shape(steps: tuple[Migration, ...]) -> dict[tuple[bytes, bytes], bytes | None]:
    """What these steps make: (type, name) of each table and index, and the statement it was made by."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as conn:
        apply(conn, steps)
        return described(conn)


def described(conn: sqlite3.Connection) -> dict[tuple[bytes, bytes], bytes | None]:
    """The same of a database, in bytes: what is damaged need not be text."""
    rows = conn.execute(
        "SELECT CAST(type AS BLOB), CAST(name AS BLOB), CAST(sql AS BLOB) FROM sqlite_schema"
    ).fetchall()
    return {(kind, name): sql for kind, name, sql in rows}


def sound(conn: sqlite3.Connection, steps: Sequence[Migration]) -> bool:
    """Whether everything that these steps make is there as they made it. More may be there."""
    return shape(tuple(steps)).items() <= described(conn).items()


def apply(conn: sqlite3.Connection, steps: Sequence[Migration]) -> None:
    """Runs the steps above the database's version. The caller holds the write transaction."""
    conn.execute(_LEDGER)
    for step in steps[version(conn) :]:
        for statement in statements(step.sql):
            conn.execute(statement)
        conn.execute(
            "INSERT INTO schema_migrations VALUES (?, ?, ?, ?)",
            (step.version, step.name, step.sha256, time.time()),
        )
    # A pragma takes no parameters; both values are integers of ours.
    conn.execute(f"PRAGMA user_version = {len(steps)}")
    conn.execute(f"PRAGMA application_id = {APPLICATION_ID}")


def statements(sql: str) -> Iterator[str]:
    """The single statements of a script (`executescript` would commit the transaction first)."""
    pending = ""
    for piece in re.split(r"(?<=;)", sql):
        pending += piece
        if sqlite3.complete_statement(pending):
            yield pending.strip()
            pending = ""
    if _bare(pending):
        raise ValueError("a migration ends in the middle of a statement")


def _bare(sql: str) -> str:
    return re.sub(r"--[^\n]*", "", sql).strip()

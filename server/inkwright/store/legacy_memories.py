"""The memories in another program's database. The file is not trusted, and not one byte beside it is written."""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from inkwright.domain.errors import InkwrightError
from inkwright.store.errors import primary

SECONDS = 10
"""So long a file is read before it is given up."""
ROWS = 20_000
CELL = 100_000
"""A row with a longer value, in bytes, is left out."""
COPIED = 2_000_000_000
"""A file with a log beside it is read from a copy, unless both are larger than that."""

TABLE = "memories"
COLUMNS = (
    "book_id",
    "skill_type",
    "memory_type",
    "content",
    "relevance_score",
    "created_at",
    "updated_at",
    "last_hit_at",
)
_NEEDED = frozenset(("memory_type", "content"))


@dataclass(frozen=True, slots=True)
class Legacy:
    """`rows` are as the file has them, newest first: a value may be of any type, a missing column is None.

    `titles` are the books' by their ids where the file tells, `lost` counts rows that could not be read.
    """

    rows: tuple[dict[str, object], ...]
    titles: dict[str, str]
    lost: int = 0


def read(path: Path) -> Legacy | None:
    """The file's memories; None when it has no table of them. Blocks: for a worker thread.

    Raises `InkwrightError`: file_missing, file_denied, memories_import_not_file,
    memories_import_unreadable, memories_import_slow.
    """
    regular(path)
    end = time.monotonic() + SECONDS
    try:
        with _opened(path, end) as conn:
            return _read(conn, end)
    except TimeoutError as error:
        raise InkwrightError("memories_import_slow", path=str(path), seconds=SECONDS) from error
    except (sqlite3.Error, UnicodeDecodeError) as error:
        if isinstance(error, sqlite3.Error) and primary(error) == sqlite3.SQLITE_INTERRUPT:
            raise InkwrightError("memories_import_slow", path=str(path), seconds=SECONDS) from error
        raise InkwrightError("memories_import_unreadable", path=str(path)) from error
    except OSError as error:
        raise InkwrightError("file_denied", path=str(path), error=error.strerror or "") from error


def regular(path: Path) -> None:
    """Raises `InkwrightError` unless there is a file that can be read and is not empty: file_missing,
    file_denied, memories_import_not_file, memories_import_unreadable. Blocks."""
    try:
        if not path.exists():
            raise InkwrightError("file_missing", path=str(path))
        if not path.is_file():
            raise InkwrightError("memories_import_not_file", path=str(path))
        # SQLite takes an empty file for an empty database.
        if not path.stat().st_size:
            raise InkwrightError("memories_import_unreadable", path=str(path))
        with path.open("rb"):
            pass
    except (OSError, ValueError) as error:
        said = error.strerror if isinstance(error, OSError) else str(error)
        raise InkwrightError("file_denied", path=str(path), error=said or "") from error


@contextmanager
def _opened(path: Path, end: float) -> Iterator[sqlite3.Connection]:
    """Opened so that nothing is written beside it: with a log it is read from a copy."""
    beside = [part for tail in ("-wal", "-journal") if (part := path.with_name(path.name + tail)).is_file()]
    beside = [part for part in beside if part.stat().st_size]
    if not beside:
        with closing(_connect(f"{path.absolute().as_uri()}?mode=ro&immutable=1", end)) as conn:
            yield conn
        return
    if sum(part.stat().st_size for part in (path, *beside)) > COPIED:
        raise InkwrightError("memories_import_slow", path=str(path), seconds=SECONDS)
    with tempfile.TemporaryDirectory(prefix="inkwright-", ignore_cleanup_errors=True) as scratch:
        for part in (path, *beside):
            shutil.copyfile(part, Path(scratch) / part.name)
        with closing(_connect((Path(scratch) / path.name).as_uri(), end)) as conn:
            yield conn


def _connect(uri: str, end: float) -> sqlite3.Connection:
    conn = sqlite3.connect(uri, uri=True, isolation_level=None, timeout=2)
    conn.set_progress_handler(lambda: time.monotonic() > end, 10_000)
    conn.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, CELL)
    conn.text_factory = lambda data: data.decode("utf-8", "replace")
    conn.execute("PRAGMA trusted_schema = OFF")
    conn.execute("PRAGMA cell_size_check = ON")
    return conn


def _read(conn: sqlite3.Connection, end: float) -> Legacy | None:
    if not _is_table(conn, TABLE):
        return None
    present = {name for (name,) in conn.execute("SELECT name FROM pragma_table_info(?)", (TABLE,))}
    if not present >= _NEEDED:
        return None
    listed = ", ".join(name if name in present else f"NULL AS {name}" for name in COLUMNS)
    query = f"SELECT {listed} FROM {TABLE} WHERE rowid = ?"  # noqa: S608 - our own names
    rows: list[dict[str, object]] = []
    lost = 0
    # Row by row: one that is too large costs no other.
    for (rowid,) in conn.execute(f"SELECT rowid FROM {TABLE} ORDER BY rowid DESC LIMIT {ROWS}"):  # noqa: S608
        if time.monotonic() > end:
            raise TimeoutError
        try:
            row = conn.execute(query, (rowid,)).fetchone()
        except sqlite3.DataError:
            lost += 1
        else:
            rows.append(dict(zip(COLUMNS, row, strict=True)))
    return Legacy(tuple(rows), _titles(conn), lost)


def _titles(conn: sqlite3.Connection) -> dict[str, str]:
    """The titles of the books, in the file that has them too."""
    out: dict[str, str] = {}
    if _is_table(conn, "books"):
        with suppress(sqlite3.Error):
            for ident, title in conn.execute(f"SELECT id, title FROM books LIMIT {ROWS}"):  # noqa: S608
                if isinstance(title, str):
                    out[str(ident)] = title
    return out


def _is_table(conn: sqlite3.Connection, name: str) -> bool:
    """A table of rows: no view and no virtual table, which run what they were made of."""
    row = conn.execute(
        "SELECT rootpage FROM sqlite_schema WHERE type = 'table' AND name = ? COLLATE NOCASE", (name,)
    ).fetchone()
    return row is not None and bool(row[0])

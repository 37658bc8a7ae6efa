"""Full text in `index.db`: which files may hold a string. Blocks, and never raises, as `IndexStore` does.

One FTS5 row for a file, contentless and without places: who asks looks the string up in the file anyway.
The row of a file that changed or went stays behind under an id that no file has any more; when more rows
are so than not, all begins anew. Taking rows out would need the text of then.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from inkwright.store.index_store import IndexStore, transaction
from inkwright.store.values import pack, unpack

_FEW = 1000
"""Rows left behind that are never worth a new beginning."""

_SCHEMA = (
    """CREATE TABLE texts (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      path TEXT UNIQUE NOT NULL,
      digest BLOB NOT NULL,
      version TEXT NOT NULL
    )""",
    # To the tokenizer every character beyond ASCII is a letter: the keys arrive as they were made.
    "CREATE VIRTUAL TABLE words USING fts5(keys, content='', columnsize=0, detail=none, tokenize='ascii')",
    "INSERT INTO words (words, rank) VALUES ('automerge', 16)",
)


@dataclass(frozen=True, slots=True)
class Entry:
    """One file's text by its keys, parted by spaces: letters and digits only, in lower case. `digest` is
    the content's."""

    path: str
    digest: bytes
    keys: str


@dataclass(frozen=True, slots=True)
class Needs:
    """What a file must have to hold a string: all of `keys`, and of each of `begun` one that begins so."""

    keys: Collection[str] = ()
    begun: Collection[str] = ()


@dataclass(frozen=True, slots=True)
class Held:
    """A file that is known by its keys. Bit n of `mask` is set when it has what the n-th `Needs` says."""

    digest: bytes
    mask: int


class Words:
    """`version` tells the way the keys are made: what was made another way counts for nothing."""

    def __init__(self, store: IndexStore, version: str) -> None:
        self._store = store
        self._version = version

    def find(self, needs: Sequence[Needs] = ()) -> dict[str, Held]:
        """Every file that is known, by path."""
        return self._store.use(lambda conn: self._find(conn, needs)) or {}

    def add(self, entries: Iterable[Entry], gone: Collection[str] = ()) -> bool:
        """Makes files known, and others forgotten; False when that could not be kept."""
        rows = [(pack(one.path), one.digest, one.keys) for one in entries]
        paths = [(pack(path),) for path in gone]
        return self._store.use(lambda conn: self._add(conn, rows, paths)) or False

    def _find(self, conn: sqlite3.Connection, needs: Sequence[Needs]) -> dict[str, Held]:
        if not (_able(conn) and _there(conn)):
            return {}
        conn.execute("BEGIN")
        try:
            masks: Counter[int] = Counter()
            open_ = 0
            for bit, one in enumerate(needs):
                if expression := _expression(one):
                    found = conn.execute("SELECT rowid FROM words WHERE words MATCH ?", (expression,))
                    masks.update({row[0]: 1 << bit for row in found})
                else:
                    open_ |= 1 << bit
            rows = conn.execute(
                "SELECT path, digest, id FROM texts WHERE version = ?", (self._version,)
            ).fetchall()
        finally:
            conn.execute("ROLLBACK")
        return {unpack(path): Held(digest, masks[ident] | open_) for path, digest, ident in rows}

    def _add(
        self,
        conn: sqlite3.Connection,
        rows: Sequence[tuple[str | bytes, bytes, str]],
        gone: Sequence[tuple[str | bytes]],
    ) -> bool:
        if not _able(conn):
            return False
        with transaction(conn):
            if _there(conn) and _crowded(conn):
                conn.execute("DROP TABLE words")
                conn.execute("DROP TABLE texts")
            if not _there(conn):
                for statement in _SCHEMA:
                    conn.execute(statement)
            conn.executemany("DELETE FROM texts WHERE path = ?", gone)
            for path, digest, keys in rows:
                known = conn.execute("SELECT digest, version FROM texts WHERE path = ?", (path,)).fetchone()
                if known == (digest, self._version):
                    continue  # another process was first
                ident = conn.execute(
                    "INSERT OR REPLACE INTO texts (path, digest, version) VALUES (?, ?, ?)",
                    (path, digest, self._version),
                ).lastrowid
                conn.execute("INSERT INTO words (rowid, keys) VALUES (?, ?)", (ident, keys))
        return True


def _able(conn: sqlite3.Connection) -> bool:
    """Whether this SQLite has FTS5; asking for it in vain would look like damage."""
    return bool(conn.execute("SELECT 1 FROM pragma_module_list WHERE name = 'fts5'").fetchone())


def _there(conn: sqlite3.Connection) -> bool:
    return bool(conn.execute("SELECT 1 FROM sqlite_schema WHERE name = 'words'").fetchone())


def _crowded(conn: sqlite3.Connection) -> bool:
    """Whether more rows are left behind than are in use."""
    (alive,) = conn.execute("SELECT count(*) FROM texts").fetchone()
    made = conn.execute("SELECT seq FROM sqlite_sequence WHERE name = 'texts'").fetchone()
    return bool(made and made[0] - alive > max(alive, _FEW))


def _expression(needs: Needs) -> str:
    """The question in FTS5's words; '' when every file will do. Keys hold nothing that could be syntax."""
    terms = [f'"{key}"' for key in sorted(needs.keys)] + [f'"{key}" *' for key in sorted(needs.begun)]
    return " AND ".join(terms)

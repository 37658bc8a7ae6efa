"""Long texts, once each, under the digest of their bytes. The functions run inside a unit of work."""

from __future__ import annotations

import hashlib
import sqlite3
import zlib

from inkwright.domain.errors import StorageError


def digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def put(conn: sqlite3.Connection, text: str) -> str:
    """Keeps `text` and returns its digest."""
    data = text.encode("utf-8", "surrogatepass")
    name = hashlib.sha256(data).hexdigest()
    conn.execute(
        "INSERT OR IGNORE INTO texts (digest, chars, body) VALUES (?, ?, ?)",
        (name, len(text), zlib.compress(data, 6)),
    )
    return name


def get(conn: sqlite3.Connection, name: str) -> str:
    """The text under `name`. Raises `StorageError` (`store_text_damaged`) when it is not what was kept."""
    row = conn.execute("SELECT body FROM texts WHERE digest = ?", (name,)).fetchone()
    try:
        data = zlib.decompress(row[0]) if row else b""
    except zlib.error:
        data = b""
    if hashlib.sha256(data).hexdigest() != name:
        raise StorageError("store_text_damaged", path=_file(conn))
    return data.decode("utf-8", "surrogatepass")


def sweep(conn: sqlite3.Connection) -> int:
    """Drops texts that no run and no proposal names any more; returns how many."""
    return conn.execute(
        "DELETE FROM texts WHERE digest NOT IN (SELECT snapshot FROM runs UNION SELECT context FROM runs"
        " UNION SELECT base FROM proposals UNION SELECT text FROM proposals)"
    ).rowcount


def _file(conn: sqlite3.Connection) -> str:
    return str(conn.execute("PRAGMA database_list").fetchone()[2])

"""Copies of a database in `backups/` beside it: before a migration and once a week; the newest three stay."""

from __future__ import annotations

import os
import sqlite3
import time
from contextlib import closing
from pathlib import Path

KEEP = 3


def folder(path: Path) -> Path:
    return path.parent / "backups"


def every(path: Path) -> list[Path]:
    """The backups of the database at `path`, newest first."""
    try:
        found = [
            p for p in folder(path).iterdir() if p.name.startswith(f"{path.name}.v") and "-" not in p.name
        ]
    except FileNotFoundError:
        return []
    return sorted(found, key=lambda p: p.name.rpartition(".")[2], reverse=True)


def make(conn: sqlite3.Connection, path: Path, version: int) -> Path:
    """Copies what `conn` reads of the database at `path`; the copy is whole or not there at all."""
    place = folder(path)
    place.mkdir(exist_ok=True)
    stamp = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
    target = place / f"{path.name}.v{version}.{stamp}"
    copy(conn, target)
    for old in every(path)[KEEP:]:
        old.unlink(missing_ok=True)
    return target


def copy(conn: sqlite3.Connection, target: Path) -> None:
    """A whole, synced copy at `target`, in rollback-journal form, so that it is one file.

    `conn` must not be inside a write transaction: SQLite would wait for itself.
    """
    part = target.with_name(f"{target.name}-part")
    part.unlink(missing_ok=True)
    with closing(sqlite3.connect(part, isolation_level=None)) as to:
        conn.backup(to)
        to.execute("PRAGMA journal_mode = DELETE")
    sync(part)
    part.replace(target)
    sync(target.parent)


def sync(path: Path) -> None:
    """Forces a file, or where the system can a folder's entries, onto the disk."""
    try:
        handle = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    except OSError:
        return
    try:
        os.fsync(handle)
    except OSError:
        return
    finally:
        os.close(handle)

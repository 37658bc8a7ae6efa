"""SQLite's faults under our own codes. None of them is ever turned into "empty"."""

from __future__ import annotations

import errno
import sqlite3
from pathlib import Path

from inkwright.domain.errors import Fault, StorageError

# By primary result code (the low byte of SQLite's extended codes).
_CODES = {
    sqlite3.SQLITE_BUSY: "store_locked",
    sqlite3.SQLITE_LOCKED: "store_locked",
    sqlite3.SQLITE_FULL: "store_full",
    sqlite3.SQLITE_READONLY: "store_readonly",
    sqlite3.SQLITE_PERM: "store_readonly",
    sqlite3.SQLITE_CORRUPT: "store_damaged",
    sqlite3.SQLITE_NOTADB: "store_damaged",
    sqlite3.SQLITE_IOERR: "store_io",
    sqlite3.SQLITE_CANTOPEN: "store_unopenable",
}

_ERRNO = {
    errno.ENOSPC: "store_full",
    errno.EDQUOT: "store_full",
    errno.EROFS: "store_readonly",
    errno.EACCES: "store_readonly",
    errno.EPERM: "store_readonly",
}


def primary(error: sqlite3.Error) -> int:
    """SQLite's primary result code, 0 when the error came from Python's own wrapper."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def damaged(error: sqlite3.Error | UnicodeDecodeError) -> bool:
    """A sound database gives and names nothing that is no UTF-8: not even SQLite's messages can be read then."""
    if isinstance(error, UnicodeDecodeError):
        return True
    return primary(error) in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def fault(error: sqlite3.Error | OSError, path: Path) -> Fault:
    """What the writer is told. `path` names the file in the sentence."""
    if isinstance(error, OSError):
        code = _ERRNO.get(error.errno or 0, "store_io")
    elif isinstance(error, sqlite3.OperationalError) and not primary(error):
        code = "store_text_damaged"  # Python's own complaint: a text that is no UTF-8
    else:
        code = _CODES.get(primary(error), "store_failed")
    return Fault(code, {"path": str(path)}, retryable=code in ("store_locked", "store_full", "store_io"))


def wrap(error: sqlite3.Error | OSError, path: Path) -> StorageError:
    return StorageError(fault(error, path))

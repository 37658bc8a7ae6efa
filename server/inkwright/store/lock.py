"""One process at a time may open, migrate or rebuild a database. The system frees the lock of a dead one."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from inkwright.domain.errors import StorageError

_PAUSE = 0.02


@contextmanager
def exclusive(path: Path, seconds: float) -> Iterator[None]:
    """Holds the lock file `path`. Raises `StorageError` (`store_locked`) after `seconds`.

    Raises `OSError` where the file cannot be made: then nothing beside it can be written either.
    Blocks: for a worker thread only. The file stays, since to delete it would let two hold it.
    """
    handle = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o600)
    try:
        end = time.monotonic() + seconds
        while not _try(handle):
            if time.monotonic() >= end:
                raise StorageError("store_locked", path=str(path))
            time.sleep(_PAUSE)
        try:
            yield
        finally:
            _free(handle)
    finally:
        os.close(handle)


if sys.platform == "win32":
    import msvcrt

    def _try(handle: int) -> bool:
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

    def _free(handle: int) -> None:
        os.lseek(handle, 0, os.SEEK_SET)
        msvcrt.locking(handle, msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def _try(handle: int) -> bool:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _free(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_UN)

"""The one door for files that come from outside: regular ones only, never more than a limit, never waiting.

A pipe, a device or a folder by the name of a file that is looked for is refused before it is opened.
"""

from __future__ import annotations

import errno
import os
import stat
import time

_FLAGS = (
    os.O_RDONLY
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_NOCTTY", 0)
    | getattr(os, "O_BINARY", 0)
)
_PIECE = 1 << 20
SAVING = 0.5
"""Seconds that a program which saves a file by emptying it first may take to fill it."""
_PAUSE = 0.02
"""Seconds between two looks at a file that is waited for."""
_YOUNG_NS = 2_000_000_000
"""The coarsest clock of a file system."""


class NotRegularError(OSError):
    """There is something by that name, but no file that has an end."""


class TooLargeError(OSError):
    """The file has more bytes than are taken."""


def read(path: str | os.PathLike[str], limit: int, *, follow: bool = True) -> bytes:
    """The whole file, of at most `limit` bytes. Blocks, but for no other process. `follow`: it may be a link.

    Raises `OSError`, of it `NotRegularError` and `TooLargeError`; `ValueError` for a path that none can be.
    """
    return taken(path, limit, follow=follow)[0]


def taken(path: str | os.PathLike[str], limit: int, *, follow: bool = True) -> tuple[bytes, os.stat_result]:
    """As `read`, with the file as it was when it was opened; one that grows meanwhile is read to its end."""
    handle, found = _opened(path, follow=follow)
    try:
        if found.st_size > limit:
            raise TooLargeError(errno.EFBIG, os.strerror(errno.EFBIG), str(path))
        data = os.read(handle, min(found.st_size, limit) + 1)
        if len(data) == found.st_size:
            return data, found
        return _rest(handle, data, limit, path), found
    finally:
        os.close(handle)


class Patience:
    """Waiting for files that are being saved: `SAVING` in all, however many they are. Blocks."""

    def __init__(self) -> None:
        self._left = round(SAVING / _PAUSE)

    def more(self) -> bool:
        """Waits a moment, if that was not enough yet."""
        if self._left <= 0:
            return False
        self._left -= 1
        time.sleep(_PAUSE)
        return True


def saving(data: bytes, mtime_ns: int) -> bool:
    """Whether a file says nothing and was written just now: the first half of a save looks like that."""
    return not data.strip() and since(mtime_ns) < SAVING


def since(time_ns: int) -> float:
    """The seconds from a file's time to now, or from now to it: clocks differ."""
    return abs(time.time_ns() - time_ns) / 1e9


def head(path: str | os.PathLike[str], size: int) -> bytes:
    """The first `size` bytes of a file, or all it has. Raises as `read` does."""
    handle, _ = _opened(path)
    try:
        return os.read(handle, size)
    finally:
        os.close(handle)


def young(*times_ns: int) -> bool:
    """Whether a file of these times may change once more and have the same ones."""
    now = time.time_ns()
    return any(abs(now - one) <= _YOUNG_NS for one in times_ns)


def _opened(path: str | os.PathLike[str], *, follow: bool = True) -> tuple[int, os.stat_result]:
    # To open a device is to do something to it.
    _regular(os.stat(path, follow_symlinks=follow), path)  # noqa: PTH116 - mostly no Path
    handle = os.open(path, _FLAGS if follow else _FLAGS | getattr(os, "O_NOFOLLOW", 0))
    try:
        found = os.fstat(handle)
        _regular(found, path)
    except BaseException:
        os.close(handle)
        raise
    return handle, found


def _regular(found: os.stat_result, path: str | os.PathLike[str]) -> None:
    if stat.S_ISDIR(found.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not stat.S_ISREG(found.st_mode):
        raise NotRegularError(errno.EINVAL, "not a regular file", str(path))


def _rest(handle: int, data: bytes, limit: int, path: str | os.PathLike[str]) -> bytes:
    parts, size = [data], len(data)
    while data:
        if size > limit:
            raise TooLargeError(errno.EFBIG, os.strerror(errno.EFBIG), str(path))
        data = os.read(handle, _PIECE)
        parts.append(data)
        size += len(data)
    return b"".join(parts)

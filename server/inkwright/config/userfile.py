"""The user's `config.toml` while it changes: looked at when it counts, and what it said last is kept."""

from __future__ import annotations

import hashlib
import threading
import tomllib
from pathlib import Path
from typing import Any

from inkwright import intake
from inkwright.domain.errors import Fault

MAX_SIZE = 1_000_000
"""Bytes of the file."""


class UserFile:
    """A file of settings, or none (`path` None). Safe to use from several threads.

    One that cannot be used as it stands leaves what it said before in force; `problem` says so. One that never
    could be is `unknown`: nobody knows what the writer chose there. `told` is for its owner: what was wrong with all
    settings when they were read last.
    """

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self.problem: Fault | None = None
        self.told: tuple[Fault, ...] = ()
        self._tree: Any = None
        self._good = False
        self._lock = threading.Lock()
        self._digest: str | None = None
        self._stamp: tuple[int, ...] | None = None
        self._read = False

    @property
    def unknown(self) -> bool:
        """Whether there is a file that could not be read once since it is there."""
        return self.problem is not None and not self._good

    def read(self) -> Any:
        """What it says, parsed; None where there is none. Blocks."""
        with self._lock:
            data, self._digest, self._stamp = self._content()
            self._read = True
            if isinstance(data, Fault):
                self._fail(data.code, **data.params)
            elif data is None:
                self._tree, self._good, self.problem = None, False, None
            else:
                self._parse(data)
            return self._tree

    def changed(self) -> bool:
        """Whether it says something else than when it was read last. Blocks, for a look at one file."""
        with self._lock:
            if not self._read or self.path is None:
                return False
            if self._stamp is not None and self._stamp == _stamp(self.path):
                return False
            _, digest, stamp = self._content()
            if digest == self._digest:
                self._stamp = stamp
            return digest != self._digest

    def _parse(self, data: bytes) -> None:
        assert self.path is not None
        try:
            self._tree = tomllib.loads(data.decode("utf-8-sig"))
        except (ValueError, RecursionError) as error:
            self._fail("settings_not_toml", name=self.path.name, reason=str(error))
        else:
            self._good, self.problem = True, None

    def _fail(self, code: str, **params: str | int | float) -> None:
        if self._good:
            code = code.replace("settings_", "settings_kept_")
        self.problem = Fault(code, params)

    def _content(self) -> tuple[bytes | Fault | None, str | None, tuple[int, ...] | None]:
        """What stands there, what tells it from something else, and how the file looks; None while it may change
        once more and look the same."""
        if self.path is None:
            return None, None, None
        try:
            data, found = intake.taken(self.path, MAX_SIZE)
        except FileNotFoundError:
            return None, None, None
        except intake.TooLargeError:
            limit = MAX_SIZE // 1_000_000
            return Fault("settings_too_large", {"name": self.path.name, "limit": limit}), "large", None
        except (OSError, ValueError):
            return Fault("settings_unreadable", {"name": self.path.name}), "unreadable", None
        young = intake.young(found.st_mtime_ns, found.st_ctime_ns)
        digest = hashlib.blake2b(data, digest_size=16).hexdigest()
        return data, digest, None if young else _look(found)


def _stamp(path: Path) -> tuple[int, ...] | None:
    try:
        return _look(path.stat())
    except (OSError, ValueError):
        return None


def _look(found: Any) -> tuple[int, ...]:
    return (found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_ino)

"""The user's `config.toml` while it changes: looked at when it counts, and what it said last is kept."""

from __future__ import annotations

import hashlib
import threading
import tomllib
from pathlib import Path
from typing import Any, NamedTuple

from inkwright import intake
from inkwright.domain.errors import Fault

MAX_SIZE = 1_000_000
"""Bytes of the file."""


STILL = 0.2
"""Seconds after its last change for which a file is waited for: it may be in the midst of being saved."""


class _Seen(NamedTuple):
    """What stands there, what tells it from something else, how the file looks, and for how many seconds it has stood.
    The look is None while it may change once more and look the same."""

    data: bytes | Fault | None
    digest: str | None
    stamp: tuple[int, ...] | None
    age: float = 0.0


class UserFile:
    """A file of settings, or none (`path` None). Safe to use from several threads.

    One that cannot be used as it stands leaves what it said before in force; `problem` says so. So does, for a moment,
    one that is empty or gone: programs save like that. One that never
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
        """What it says, parsed; None where there is none. Blocks, for a moment longer while it is being saved."""
        with self._lock:
            seen, patience = self._content(), intake.Patience()
            while (passing := self._passing(seen)) and patience.more():
                seen = self._content()
            self._read = True
            if passing and self._good and seen.data is not None:
                self._digest, self._stamp = "passing", None  # looked at anew when it counts next
                return self._tree
            self._digest, self._stamp = seen.digest, seen.stamp
            if isinstance(seen.data, Fault):
                self._fail(seen.data.code, **seen.data.params)
            elif seen.data is None:
                self._tree, self._good, self.problem = None, False, None
            else:
                self._parse(seen.data)
            return self._tree

    def changed(self) -> bool:
        """Whether it says something else than when it was read last. Blocks, for a look at one file."""
        with self._lock:
            if not self._read or self.path is None:
                return False
            if self._stamp is not None and self._stamp == _stamp(self.path):
                return False
            seen = self._content()
            if seen.digest == self._digest:
                self._stamp = seen.stamp
            return seen.digest != self._digest

    def _passing(self, seen: _Seen) -> bool:
        """Whether it may be a file that is being saved: emptied or taken away, and not there as a whole yet."""
        if seen.digest == self._digest:
            return False
        if seen.data is None:
            return self._good and bool(self._tree)
        if isinstance(seen.data, Fault):
            return False
        if self._read and seen.age < STILL:
            return True
        return seen.age < intake.SAVING and not isinstance(found := _parsed(seen.data), str) and not found

    def _parse(self, data: bytes) -> None:
        assert self.path is not None
        found = _parsed(data)
        if isinstance(found, str):
            self._fail("settings_not_toml", name=shown(self.path), reason=found)
        else:
            self._tree, self._good, self.problem = found, True, None

    def _fail(self, code: str, **params: str | int | float) -> None:
        if self._good:
            code = code.replace("settings_", "settings_kept_")
        self.problem = Fault(code, params)

    def _content(self) -> _Seen:
        if self.path is None:
            return _Seen(None, None, None)
        try:
            data, found = intake.taken(self.path, MAX_SIZE)
        except FileNotFoundError:
            return _Seen(None, None, None)
        except intake.TooLargeError:
            limit = MAX_SIZE // 1_000_000
            return _Seen(Fault("settings_too_large", {"name": self.path.name, "limit": limit}), "large", None)
        except (OSError, ValueError):
            return _Seen(Fault("settings_unreadable", {"name": shown(self.path)}), "unreadable", None)
        young = intake.young(found.st_mtime_ns, found.st_ctime_ns)
        digest = hashlib.blake2b(data, digest_size=16).hexdigest()
        return _Seen(data, digest, None if young else _look(found), intake.since(found.st_mtime_ns))


def _parsed(data: bytes) -> dict[str, Any] | str:
    """The tree, or why there is none."""
    try:
        return tomllib.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        return str(error)


def _stamp(path: Path) -> tuple[int, ...] | None:
    try:
        return _look(path.stat())
    except (OSError, ValueError):
        return None


def _look(found: Any) -> tuple[int, ...]:
    return (found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_ino)


def shown(path: Path) -> str:
    """A path as a writer reads it, in which their home folder is `~`: the file's name alone does not say where it is."""
    try:
        return f"~/{path.relative_to(Path.home()).as_posix()}"
    except (ValueError, RuntimeError):  # it lies elsewhere, or nobody has a home
        return str(path)

"""The code that attrs and cattrs generate for LSP's 554 types, kept between two starts of the server.

Compiling it is half of a start. The kept file holds what `compile` gave for exactly the same source; it
is only believed when it lies in a folder that nobody else can write to and its checksum holds, since it
is run as code. Without it, or when it cannot be written, a start just takes longer.
"""

from __future__ import annotations

import hashlib
import importlib.util
import marshal
import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

DIGEST = 32

Key = bytes
"""The digest of a source, its file's name and how it is compiled: the sources themselves take megabytes."""


class Compiled:
    """Stands in for `compile` in the two libraries from `install` until `restore`."""

    def __init__(self, file: Path | None) -> None:
        self._file = file
        self._known: dict[Key, CodeType] = {} if file is None else _read(file)
        self._used: dict[Key, CodeType] = {}
        self._new = False
        self._patched: list[ModuleType] = []

    def install(self) -> None:
        """Imports no more than the two modules that are about to be imported anyway."""
        if self._file is None:
            return
        for name in ("attr._make", "cattrs.gen"):
            module = importlib.import_module(name)
            module.compile = self._compile  # type: ignore[attr-defined]
            self._patched.append(module)

    def restore(self) -> None:
        """Gives the libraries their own `compile` back; calling it again does nothing."""
        while self._patched:
            del self._patched.pop().compile
        self._known = {}

    def save(self) -> None:
        """Keeps what this start used, if there was anything new. Blocks; never raises for the disk."""
        used, self._used = self._used, {}
        if self._file is None or not self._new:
            return
        data = marshal.dumps(used)
        part = self._file.with_suffix(f".{os.getpid()}")
        try:
            self._file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            if not _private(self._file.parent):
                return
            part.write_bytes(hashlib.sha256(data).digest() + data)
            part.replace(self._file)
        except OSError:
            with suppress(OSError):
                part.unlink()

    def _compile(self, source: Any, filename: Any, mode: str, *args: Any, **more: Any) -> Any:
        if not isinstance(source, str) or args or more:
            return compile(source, filename, mode, *args, **more)
        told = f"{mode}\0{filename}\0{source}".encode("utf-8", "surrogatepass")
        key = hashlib.blake2b(told, digest_size=DIGEST).digest()
        code = self._known.get(key)
        if code is None:
            code = self._known[key] = compile(source, filename, mode)
            self._new = True
        self._used[key] = code
        return code


def kept_file(environ: Mapping[str, str] = os.environ) -> Path | None:
    """Where it is kept: in the user's cache folder, by the version of the byte code; None without one."""
    if sys.platform == "win32":
        base = environ.get("LOCALAPPDATA", "")
    elif sys.platform == "darwin":
        base = f"{environ['HOME']}/Library/Caches" if environ.get("HOME") else ""
    else:
        base = environ.get("XDG_CACHE_HOME") or (f"{environ['HOME']}/.cache" if environ.get("HOME") else "")
    if not base or not Path(base).is_absolute():
        return None
    return Path(base) / "inkwright" / "start" / f"{importlib.util.MAGIC_NUMBER.hex()}.code"


def _read(file: Path) -> dict[Key, CodeType]:
    try:
        if not _private(file.parent) or not _private(file):
            return {}
        data = file.read_bytes()
    except OSError:
        return {}
    if hashlib.sha256(data[DIGEST:]).digest() != data[:DIGEST]:
        return {}
    found: dict[Key, CodeType] = marshal.loads(data[DIGEST:])  # noqa: S302 - checked just above
    return found


def _private(place: Path) -> bool:
    """Whether only this user can have written there (Windows: the profile folder is the user's own)."""
    if os.name != "posix":
        return True
    found = place.stat()
    return found.st_uid == os.getuid() and not found.st_mode & 0o022

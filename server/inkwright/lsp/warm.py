"""What Python works out at every start, kept between two starts of the server: the code that attrs, cattrs
and dataclasses generate, and compiled regular expressions.

Compiling is half of a start. The kept file holds what came of exactly the same source; it is only
believed when it lies in a folder that nobody else can write to and its checksum holds, since it is run
as code. Without it, or when it cannot be written, a start just takes longer.
"""

from __future__ import annotations

import dataclasses
import hashlib
import importlib.util
import marshal
import os
import re
import sys
from array import array
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

DIGEST = 32
FORMAT = 3
"""To be raised with every change of what is kept for a source."""

Key = bytes
"""The digest of a source, its file's name and how it is compiled: the sources themselves take megabytes."""


class Compiled:
    """Stands in for the compilers of four libraries from `install` until `restore`."""

    def __init__(self, file: Path | None) -> None:
        self._file = file
        self._known: Mapping[Key, memoryview] = {} if file is None else _read(file)
        self._used: dict[Key, bytes | memoryview] = {}
        self._new = False
        self._patched: list[tuple[Any, str, Any]] = []
        self._expressions: Any = None
        self._own_expression: Callable[..., Any] = re.compile

    def install(self) -> None:
        """Imports no more than the modules that are about to be imported anyway."""
        if self._file is None:
            return
        for name in ("attr._make", "cattrs.gen"):
            self._patch(importlib.import_module(name), "compile", self._compile)
        self._patch(dataclasses, "exec", self._exec)
        # Private to the library: where it is laid out otherwise, expressions are compiled as ever.
        self._expressions = getattr(re, "_compiler", None)
        if all(hasattr(self._expressions, name) for name in ("compile", "_code", "_parser", "_sre")):
            self._own_expression = self._expressions.compile
            self._patch(self._expressions, "compile", self._expression)

    def restore(self) -> None:
        """Gives the libraries their own compilers back; calling it again does nothing."""
        while self._patched:
            module, name, own = self._patched.pop()
            if own is None:
                delattr(module, name)
            else:
                setattr(module, name, own)
        self._known = {}

    def _patch(self, module: Any, name: str, stand_in: Callable[..., Any]) -> None:
        self._patched.append((module, name, vars(module).get(name)))
        setattr(module, name, stand_in)

    def save(self) -> None:
        """Keeps what this start used, if there was anything new. Blocks; never raises for the disk."""
        used, self._used = self._used, {}
        if self._file is None or not self._new:
            return
        part = self._file.with_suffix(f".{os.getpid()}")
        try:
            self._file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            if not _private(self._file.parent):
                return
            _write(part, used)
            part.replace(self._file)
        except OSError:
            with suppress(OSError):
                part.unlink()

    def _compile(self, source: Any, filename: Any, mode: str, *args: Any, **more: Any) -> Any:
        if not isinstance(source, str) or args or more:
            return compile(source, filename, mode, *args, **more)
        return self._kept(f"{mode}\0{filename}\0{source}", lambda: compile(source, filename, mode))

    def _exec(self, source: Any, *names: Any) -> None:
        if isinstance(source, str):
            source = self._compile(source, "<string>", "exec")
        exec(source, *names)  # noqa: S102 - what dataclasses itself would run

    def _expression(self, pattern: Any, flags: int = 0) -> Any:
        """As `re._compiler.compile`, but what costs time in it is kept."""
        lib = self._expressions
        if not isinstance(pattern, str | bytes) or flags & re.DEBUG:
            return self._own_expression(pattern, flags)

        def parts() -> tuple[bytes, int, int, dict[str, int], tuple[str | None, ...]]:
            parsed = lib._parser.parse(pattern, flags)  # noqa: SLF001
            state = parsed.state
            names: list[str | None] = [None] * state.groups
            for name, group in state.groupdict.items():
                names[group] = name
            words = array("I", map(int, lib._code(parsed, flags))).tobytes()  # noqa: SLF001
            return words, int(flags) | int(state.flags), state.groups - 1, dict(state.groupdict), tuple(names)

        told = f"{type(pattern).__name__}\0{int(flags)}\0{pattern!r}"
        words, all_flags, *groups = self._kept(told, parts)
        code = array("I")
        code.frombytes(words)
        return lib._sre.compile(pattern, all_flags, code.tolist(), *groups)  # noqa: SLF001

    def _kept(self, told: str, make: Callable[[], Any]) -> Any:
        key = hashlib.blake2b(told.encode("utf-8", "surrogatepass"), digest_size=DIGEST).digest()
        kept = self._used.get(key) or self._known.get(key)
        if kept is not None:
            self._used[key] = kept
            return marshal.loads(kept)  # noqa: S302 - checked when it was read
        made = make()
        self._used[key] = marshal.dumps(made)
        self._new = True
        return made


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
    return Path(base) / "inkwright" / "start" / f"{importlib.util.MAGIC_NUMBER.hex()}-{FORMAT}.code"


def _write(file: Path, kept: Mapping[Key, bytes | memoryview]) -> None:
    """A checksum, the length of the table of contents, the table {key: (place, length)}, and what is kept: piece by
    piece, since all together it is megabytes."""
    table: dict[Key, tuple[int, int]] = {}
    end = 0
    for key, value in kept.items():
        table[key] = (end, len(value))
        end += len(value)
    contents = marshal.dumps(table)
    digest = hashlib.sha256()
    with file.open("wb") as out:
        out.write(digest.digest())
        for piece in (len(contents).to_bytes(8, "little"), contents, *kept.values()):
            digest.update(piece)
            out.write(piece)
        out.seek(0)
        out.write(digest.digest())


def _read(file: Path) -> dict[Key, memoryview]:
    """Unpacked when they are wanted: all at once they would take three times their bytes."""
    try:
        if not _private(file.parent) or not _private(file):
            return {}
        data = file.read_bytes()
    except OSError:
        return {}
    body = memoryview(data)[DIGEST:]
    if hashlib.sha256(body).digest() != data[:DIGEST]:
        return {}
    size = int.from_bytes(body[:8], "little")
    contents: dict[Key, tuple[int, int]] = marshal.loads(body[8 : 8 + size])  # noqa: S302 - checked just above
    values = body[8 + size :]
    return {key: values[at : at + length] for key, (at, length) in contents.items()}


def _private(place: Path) -> bool:
    """Whether only this user can have written there (Windows: the profile folder is the user's own)."""
    if os.name != "posix":
        return True
    found = place.stat()
    return found.st_uid == os.getuid() and not found.st_mode & 0o022

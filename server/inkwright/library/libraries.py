"""The library of each book while its files change: read again as soon as one of them has."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from inkwright import intake
from inkwright.domain.diagnostic import Diagnostic
from inkwright.domain.manuscript import Problem
from inkwright.domain.profile import Profile
from inkwright.library.folder import EMPTY, Entry, digest, entries, entry_of
from inkwright.library.loader import Layer, add, builtin
from inkwright.library.registry import Library, together

EVERY = 1.0
"""Seconds for which what was looked at counts as looked at."""

BOOK_DIR = ".inkwright/profiles"
"""Where a book's own profiles lie, from its root."""

Fingerprint = dict[str, "Print"]


class Print(NamedTuple):
    """A file by what stands in it, '' for one that cannot be read. `stamp` is how it looked; () while it may change
    once more and look the same."""

    digest: str
    stamp: tuple[int, ...]


@dataclass(slots=True)
class _Known:
    """A layer, what it was read from, and when its files were last looked at."""

    below: Layer
    fingerprint: Fingerprint
    layer: Layer
    seen: float


class Libraries:
    """Of one user and of any number of books. Safe to use from several threads.

    `tell` gets what is wrong with a file, once for as long as it is wrong; the paths are those from the
    configuration folder or from the book's root. `tools` gives the names that a profile may use, once they are needed; None: any.
    `changed` is called when a library says something else than it did, or a book's than the user's alone, in the
    thread of whoever asked.
    """

    def __init__(
        self,
        user_dir: Path | None,
        tell: Callable[[Problem], None] = lambda _: None,
        tools: Callable[[], Collection[str]] | None = None,
        clock: Callable[[], float] = time.monotonic,
        changed: Callable[[], None] = lambda: None,
    ) -> None:
        self._user_dir = user_dir
        self._tell = tell
        self._tools = tools
        self._clock = clock
        self._changed = changed
        self._lock = threading.Lock()
        self._builtin: Layer | None = None
        self._names: Collection[str] | None = None
        self._layers: dict[Path, _Known] = {}
        self._libraries: dict[Path | None, tuple[Layer, Library]] = {}
        self._told: dict[Path, frozenset[str]] = {}

    def of(self, root: Path | None) -> Library:
        """The library of a trusted book, of none without one. Blocks.

        The library is the same object until a file has changed.
        """
        with self._lock:
            layer = self._users()
            if root is not None:
                layer = self._layer(layer, "book", root / BOOK_DIR, BOOK_DIR)
            known = self._libraries.get(root)
            before = known or self._libraries.get(None)
            if known is None or known[0] is not layer:
                known = self._libraries[root] = (layer, layer.library())
        if before is not None and before is not known and _differ(before[1], known[1]):
            self._changed()
        return known[1]

    def look(self) -> bool:
        """Files may have changed just now: whoever asks next does not get what was there a moment ago.

        Whether any library has been read at all.
        """
        with self._lock:
            for known in self._layers.values():
                known.seen = -math.inf
            return bool(self._libraries)

    def entry(self, file: Path, root: Path | None) -> tuple[Path, Entry] | None:
        """The folder of profiles that a file lies in, the user's or the book's, and what it is there. Reads nothing."""
        for folder in self._folders(root):
            if folder in file.parents and (found := entry_of(file.relative_to(folder).as_posix())):
                return folder, found
        return None

    def folder(self, root: Path | None) -> Path | None:
        """Where the profiles of a book lie, of the user without one; it need not be there."""
        return self._user_dir if root is None else root / BOOK_DIR

    def review(self, file: Path, text: str, root: Path | None, *, trusted: bool) -> tuple[Diagnostic, ...]:
        """What is wrong with a file as it is being written; nothing in one that is none of ours. Blocks.

        For a book that is not trusted, nothing outside of it is read.
        """
        from inkwright.library.reviewing import review

        found = self.entry(file, root)
        if found is None:
            return ()
        folder, entry = found
        with self._lock:
            origin = "user" if folder == self._user_dir else "book"
            below = self._builtins() if origin == "user" else self._users()
            names = self._names
        within = None if trusted or origin == "user" else root
        return review(text, entry, below, origin, folder, names, within)

    def _folders(self, root: Path | None) -> list[Path]:
        return [folder for folder in (self._user_dir, root and root / BOOK_DIR) if folder]

    def _builtins(self) -> Layer:
        if self._builtin is None:
            self._names = None if self._tools is None else self._tools()
            self._builtin = builtin(self._names)
        return self._builtin

    def _users(self) -> Layer:
        layer = self._builtins()
        if self._user_dir is None:
            return layer
        return self._layer(layer, "user", self._user_dir, self._user_dir.name)

    def has_own(self, root: Path) -> bool:
        """Whether a book has profiles of its own, used or not. Blocks."""
        return any(entries(root / BOOK_DIR))

    def known(self, ability: str) -> Profile | None:
        """An ability of any library that has been read. Reads nothing."""
        return together(library for _, library in tuple(self._libraries.values())).ability(ability)

    def _layer(self, below: Layer, origin: str, folder: Path, shown: str) -> Layer:
        now, known = self._clock(), self._layers.get(folder)
        if known is not None and known.below is below and now - known.seen < EVERY:
            return known.layer
        before = {} if known is None else known.fingerprint
        fingerprint, patience = fingerprint_of(folder, before), intake.Patience()
        while _lost(before, fingerprint) and patience.more():
            fingerprint = fingerprint_of(folder, before)
        if known is not None and known.below is below and _same(known.fingerprint, fingerprint):
            known.seen, known.fingerprint = now, fingerprint
            return known.layer
        layer = add(below, origin, folder, self._names)
        self._layers[folder] = _Known(below, fingerprint, layer, now)
        self._tell_of(folder, shown, layer.problems[len(below.problems) :])
        return layer

    def _tell_of(self, folder: Path, shown: str, problems: Sequence[Problem]) -> None:
        before = self._told.get(folder, frozenset())
        self._told[folder] = frozenset(map(repr, problems))
        for problem in problems:
            if repr(problem) not in before:
                self._tell(replace(problem, path=f"{shown}/{problem.path}"))


def _differ(one: Library, other: Library) -> bool:
    return one is not other and (one.profiles, one.by_id) != (other.profiles, other.by_id)


def fingerprint_of(folder: Path, before: Fingerprint) -> Fingerprint:
    """What tells one state of a folder's files from another, in their order. Blocks.

    Of a file that looks as it did `before` nothing is read.
    """
    out: Fingerprint = {}
    for entry in entries(folder):
        known = before.get(entry.path)
        try:
            found = (folder / entry.path).stat()
        except OSError:
            out[entry.path] = Print("", ())
            continue
        stamp = (found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_ino)
        if known is not None and known.stamp == stamp:
            out[entry.path] = known
            continue
        settled = not intake.young(found.st_mtime_ns, found.st_ctime_ns)
        out[entry.path] = Print(digest(entry), stamp if settled else ())
    return out


def _lost(before: Fingerprint, now: Fingerprint) -> bool:
    """Whether a file is gone or says nothing any more, as one is for a moment while it is being saved."""
    return any(
        print_.digest not in ("", EMPTY) and (path not in now or now[path].digest in ("", EMPTY))
        for path, print_ in before.items()
    )


def _same(one: Fingerprint, other: Fingerprint) -> bool:
    return [(path, a.digest) for path, a in one.items()] == [(path, b.digest) for path, b in other.items()]

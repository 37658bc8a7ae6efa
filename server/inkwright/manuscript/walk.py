"""The one place that walks a book's files: Markdown only, hidden, ignored and foreign folders left alone, bounded."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from time import monotonic

from inkwright.domain.manuscript import Problem
from inkwright.manuscript import bookfile, ignoring
from inkwright.manuscript.bounds import Bounds
from inkwright.manuscript.layouts.signs import SIGNS
from inkwright.manuscript.layouts.signs import SUFFIXES as SUFFIXES_OF_PROJECTS

SUFFIXES = (".md", ".markdown")
_OFTEN = 512  # entries after which the clock is looked at
SKIPPED = frozenset(
    ("node_modules", "bower_components", "__pycache__", "site-packages", "venv", "$recycle.bin", "lost+found")
)


@dataclass(frozen=True, slots=True)
class Limits:
    """Where a walk ends: entries looked at, Markdown files taken, levels down, seconds."""

    entries: int = 200_000
    files: int = 50_000
    depth: int = 32
    seconds: float = 30.0
    size: int = 64_000_000


@dataclass(frozen=True, slots=True)
class Seen:
    """A file as the walk saw it. One that another file of the same age and size was moved over differs by `ctime_ns`."""

    mtime_ns: int
    size: int
    ctime_ns: int = 0

    @classmethod
    def of(cls, found: os.stat_result) -> Seen:
        return cls(found.st_mtime_ns, found.st_size, found.st_ctime_ns)


@dataclass(slots=True)
class Listing:
    """The Markdown files of a book by path relative to its root, and what kept the walk from more.

    `others` are files that another tool's project may consist of, `marks` the files and folders by whose
    names such projects are known; `bounds` tell what in the folder is not the book's.
    """

    files: dict[str, Seen] = field(default_factory=dict)
    others: list[str] = field(default_factory=list)
    marks: list[str] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    bounds: Bounds = field(default_factory=Bounds)


def refused(root: Path) -> bool:
    """True for a folder that is no book unless it says so itself: the file system's root, the user's home or above."""
    if bookfile.marked(root):
        return False
    try:
        here, home = root.resolve(), Path.home().resolve()
    except (OSError, RuntimeError):
        return root.parent == root
    return here.parent == here or here == home or here in home.parents


def scan(
    root: Path,
    *,
    deep: bool = True,
    limits: Limits = Limits(),
    apart: Collection[str] = (),
    clock: Callable[[], float] = monotonic,
) -> Listing:
    """All Markdown files of the book at `root`. Blocks.

    Links to folders are not followed, links out of the book not read. A folder that is a book of its own,
    by its mark or since it is one of `apart`, is left to itself; so is what an ignore file names.
    """
    out = Listing(bounds=Bounds(frozenset(apart)))
    if refused(root):
        out.problems.append(Problem("", 0, "root_refused", {"root": str(root)}))
        return out
    ends, entries = clock() + limits.seconds, 0
    waiting: list[tuple[str, int]] = [("", 0)]
    while waiting:
        folder, depth = waiting.pop()
        try:
            with os.scandir(root / folder if folder else root) as there:
                found = list(islice(there, limits.entries - entries + 1))
            if folder and _marked(found):
                out.bounds.inner.append(folder)
                continue
            out.bounds.read(root, folder, {entry.name for entry in found if entry.name in ignoring.NAMES})
            for entry in found:
                entries += 1
                late = entries % _OFTEN == 0 and clock() > ends
                if late or entries > limits.entries or len(out.files) >= limits.files:
                    out.problems.append(_cut(folder, entries, len(out.files)))
                    return out
                below = _take(root, folder, entry, out, limits)
                if below and deep:
                    if depth + 1 < limits.depth:
                        waiting.append((below, depth + 1))
                    else:
                        out.problems.append(Problem(below, 0, "folder_too_deep", {"depth": limits.depth}))
        except OSError as error:
            if folder and isinstance(error, FileNotFoundError | NotADirectoryError):
                continue  # gone meanwhile
            code = "folder_unreadable" if folder else "root_unreadable"
            out.problems.append(Problem(folder, 0, code, {"path": folder, "error": error.strerror or ""}))
        if clock() > ends:
            out.problems.append(_cut(folder, entries, len(out.files)))
            return out
    for inner in sorted({*out.bounds.inner, *out.bounds.apart}):
        out.problems.append(Problem(inner, 0, "book_inside", {"path": inner}))
    if out.bounds.ignored and not out.files:
        out.problems.append(Problem("", 0, "folder_ignored", {"names": ", ".join(ignoring.NAMES)}))
    return out


def look(root: Path, path: str, limits: Limits = Limits(), *, named: bool = False) -> Seen | Problem | None:
    """One file as `scan` would see it; None when it is not there or no file that a book reads. Blocks.

    `named`: a project names it, whatever it is called.
    """
    parts = path.split("/")
    if not named and (any(is_foreign(part) for part in parts[:-1]) or not is_text(parts[-1])):
        return None
    try:
        for depth in range(1, len(parts)):
            if stat.S_ISLNK((root / "/".join(parts[:depth])).lstat().st_mode):
                return None
        found = (root / path).lstat()
        return _seen(root, path, found, limits)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError, RuntimeError) as error:
        return _unreadable(path, error)


def is_text(name: str) -> bool:
    """Whether a file of this name is Markdown that a book may hold."""
    return name.lower().endswith(SUFFIXES) and not name.startswith(".")


def is_foreign(folder: str) -> bool:
    """Whether a folder of this name is left alone: hidden ones, and those of other tools."""
    return folder.startswith(".") or folder.lower() in SKIPPED


def _marked(entries: Sequence[os.DirEntry[str]]) -> bool:
    """Whether the folder of these says itself that it is a book."""
    names = {entry.name: entry for entry in entries if entry.name in bookfile.MARKS}
    home, file = (names.get(name) for name in bookfile.MARKS)
    try:
        return (home is not None and home.is_dir()) or (file is not None and file.is_file())
    except OSError:
        return False


def _take(root: Path, folder: str, entry: os.DirEntry[str], out: Listing, limits: Limits) -> str:
    """Takes a file into the listing; returns the path of a folder that is to be walked."""
    name = entry.name
    path = f"{folder}/{name}" if folder else name
    try:
        if name in SIGNS and (entry.is_file() or entry.is_dir()):
            out.marks.append(path)
        if entry.is_dir(follow_symlinks=False):
            shut = is_foreign(name) or out.bounds.hides(path, folder=True)
            return "" if shut or not _encodable(path, out) else path
        if not is_text(name):
            other = name.endswith(SUFFIXES_OF_PROJECTS) and not name.startswith(".")
            if (
                other
                and entry.is_file()
                and not out.bounds.hides(path, folder=False)
                and _encodable(path, out)
            ):
                out.others.append(path)
            return ""
        if out.bounds.hides(path, folder=False) or not _encodable(path, out):
            return ""
        seen = _seen(root, path, entry.stat(follow_symlinks=False), limits)
    except (FileNotFoundError, NotADirectoryError):
        return ""  # gone meanwhile
    except (OSError, RuntimeError) as error:
        out.problems.append(_unreadable(path, error))
        return ""
    if isinstance(seen, Problem):
        out.problems.append(seen)
    elif seen is not None:
        out.files[path] = seen
    return ""


def _seen(root: Path, path: str, found: os.stat_result, limits: Limits) -> Seen | Problem | None:
    if stat.S_ISLNK(found.st_mode):
        target = (root / path).resolve()
        if not target.exists():
            return None
        if not target.is_relative_to(root.resolve()):
            return None if target.is_dir() else Problem(path, 0, "link_outside", {"path": path})
        found = target.stat()
    if not stat.S_ISREG(found.st_mode):
        return None
    if found.st_size > limits.size:
        return too_large(path, limits.size)
    return Seen.of(found)


def _encodable(path: str, out: Listing) -> bool:
    """False, with a problem, for a name that is no text: nothing could carry it to an editor."""
    try:
        path.encode()
    except UnicodeEncodeError:
        shown = path.encode("utf-8", "backslashreplace").decode()
        out.problems.append(Problem(shown, 0, "name_undecodable", {"path": shown}))
        return False
    return True


def too_large(path: str, limit: int) -> Problem:
    """What is said of a file of more than `limit` bytes."""
    return Problem(path, 0, "file_too_large", {"path": path, "limit": limit // 1_000_000})


def _cut(folder: str, entries: int, files: int) -> Problem:
    return Problem(folder, 0, "walk_cut", {"entries": entries, "files": files})


def _unreadable(path: str, error: Exception) -> Problem:
    """A loop of links is a RuntimeError to pathlib, a NUL in a name a ValueError."""
    said = error.strerror if isinstance(error, OSError) else str(error)
    return Problem(path, 0, "file_unreadable", {"path": path, "error": said or ""})

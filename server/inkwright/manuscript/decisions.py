"""`decisions.jsonl`: what a writer decided about their book, one line each, in a file that goes with it.

It stands in `.inkwright/`; for a book without one, in the user's own folder for that book, and nothing is put
beside the chapters. Lines are added at the end and taken out whole; all others stay as they are.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from inkwright import intake
from inkwright.domain.errors import InkwrightError
from inkwright.manuscript import files
from inkwright.store import locations
from inkwright.store.lock import exclusive

NAME = "decisions.jsonl"
MAX_SIZE = 8_000_000
WAIT = 10.0
"""Seconds that another process of ours may take to write a decision."""

Stamp = tuple[tuple[int, ...] | None, ...]


def shared(root: Path) -> bool:
    """Whether the decisions go with the book."""
    return locations.owned(root)


def path(root: Path) -> Path:
    """Where the next decision goes."""
    return locations.home(root) / NAME if shared(root) else _own(root)


def stamp(root: Path) -> Stamp:
    """Changes when the decisions may have. Blocks for a look at two files."""
    return tuple(_stamp(file) for file in _files(root))


def lines(root: Path) -> list[str]:
    """All lines, without their ends. Blocks. Raises `InkwrightError`: decisions_unreadable, decisions_too_large."""
    return [line for file in _files(root) for line in _lines(_read(file))]


def add(root: Path, given: Sequence[str]) -> None:
    """Adds lines at the end. Blocks. Raises `InkwrightError`: decisions_unreadable, decisions_too_large,
    decisions_unwritable, link_outside, store_locked."""
    file = path(root)
    _inside(root, file)
    with _alone(root):
        known = set(lines(root))
        new = [line for line in given if line not in known]
        if not new:
            return
        data = _read(file)
        ended = not data or data.endswith("\n")
        locations.make_parent(file)
        with file.open("ab") as stream:
            stream.write((("" if ended else "\n") + "".join(f"{line}\n" for line in new)).encode("utf-8"))
            stream.flush()
            os.fsync(stream.fileno())


def remove(root: Path, gone: Collection[str]) -> int:
    """Takes out every line that is one of `gone`; how many. Blocks. Raises as `add` does."""
    count = 0
    with _alone(root):
        for file in _files(root):
            data = _read(file)
            parts = data.split("\n")
            kept = [part for part in parts if part.rstrip("\r") not in gone]
            removed = len(parts) - len(kept)
            if removed:
                _inside(root, file)
                files.replace(file, "\n".join(kept).encode("utf-8", "surrogateescape"))
                count += removed
    return count


def _files(root: Path) -> tuple[Path, ...]:
    """The book's own, and the user's, which stays where it is when the book gets a home."""
    own = _own(root)
    return (locations.home(root) / NAME, own) if shared(root) else (own,)


def _own(root: Path) -> Path:
    return locations.book_folder(root) / NAME


@contextmanager
def _alone(root: Path) -> Iterator[None]:
    """One writer at a time, of all threads and processes: what another one adds meanwhile would be lost."""
    try:
        lock = locations.book_folder(root) / "decisions.lock"
        lock.parent.mkdir(parents=True, exist_ok=True)
        with exclusive(lock, WAIT):
            yield
    except OSError as error:
        raise InkwrightError("decisions_unwritable", error=error.strerror or "") from error


def _inside(root: Path, file: Path) -> None:
    """A book from the internet may bring a link to any file of the writer's."""
    own = _own(root)
    if file != own and not file.resolve().is_relative_to(root.resolve()):
        raise InkwrightError("link_outside", path=f"{locations.HOME}/{NAME}")


def _stamp(file: Path) -> tuple[int, ...] | None:
    try:
        found = file.stat()
    except OSError:
        return None
    # The change time: who may read a file is no change of its content.
    return (found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_ino)


def _read(file: Path) -> str:
    try:
        return intake.read(file, MAX_SIZE).decode("utf-8-sig", "surrogateescape")
    except FileNotFoundError:
        return ""
    except intake.TooLargeError as error:
        raise InkwrightError("decisions_too_large", name=file.name, limit=MAX_SIZE // 1_000_000) from error
    except OSError as error:
        raise InkwrightError("decisions_unreadable", name=file.name) from error


def _lines(text: str) -> list[str]:
    return [line.rstrip("\r") for line in text.split("\n")]

"""The index's work on its thread: reading files in slices of time, so that nothing else waits long."""

from __future__ import annotations

import logging
import os
import re
import threading
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from inkwright import intake
from inkwright.domain.manuscript import Problem
from inkwright.manuscript import cards, encoding, layouts, leaf, shelf, walk
from inkwright.manuscript.encoding import Decoded
from inkwright.manuscript.layouts import Place
from inkwright.manuscript.leaf import Leaf
from inkwright.manuscript.mentions import Dictionary
from inkwright.manuscript.walk import Limits, Seen
from inkwright.store.index_store import IndexStore

_LOG = logging.getLogger(__name__)
_SLICE = 0.05  # seconds
_RACY_NS = 2_000_000_000
_HEAD = 2048
_SIZE = Limits().size
_TYPE = re.compile(
    rb"^(?:type|kind|card_type|%s|%s)[ \t]*:[ \t]*([^\r\n#]+)" % ("类型".encode(), "卡片类型".encode()), re.M
)


@dataclass(frozen=True, slots=True)
class Job:
    """One file to read. `known` is its leaf so far."""

    path: str
    place: Place
    known: Leaf | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a job: a leaf and the file as it was when read, or a fault.

    `racy`: it changed so shortly before that it may change again and look the same. `passing`: it was emptied just now,
    as by a save, and what is known of it holds for `intake.SAVING`.
    """

    job: Job
    leaf: Leaf | None = None
    seen: Seen | None = None
    racy: bool = False
    passing: bool = False
    fault: Problem | None = None


def cards_first(root: Path, jobs: Sequence[Job]) -> tuple[list[Job], list[Job]]:
    """The jobs that look like cards, and the others. Only an order: what a file is, is decided when it is read."""
    first: list[Job] = []
    rest: list[Job] = []
    for job in jobs:
        likely = job.place.role == "card" or (not job.place.fixed and _looks_like_card(root, job.path))
        (first if likely else rest).append(job)
    return first, rest


def read_slice(
    root: Path, jobs: Sequence[Job], start: int, dictionary: Dictionary, closing: threading.Event
) -> list[Outcome]:
    """Reads from `jobs[start]` on, at least one, as far as a slice of time goes."""
    ends = time.monotonic() + _SLICE
    out: list[Outcome] = []
    for job in jobs[start:]:
        out.append(_read(root, job, dictionary))
        if time.monotonic() > ends or closing.is_set():
            break
    return out


def search_slice(
    root: Path,
    jobs: Sequence[Job],
    start: int,
    dictionary: Dictionary,
    names: Mapping[str, frozenset[str] | None],
    closing: threading.Event,
) -> list[Outcome]:
    """Brings the mentions of known chapters to `dictionary`.

    `names` holds, by the version that a leaf was searched with, the names that changed since: a text in
    which none of them stands keeps its mentions.
    """
    ends = time.monotonic() + _SLICE
    out: list[Outcome] = []
    for job in jobs[start:]:
        out.append(_search(root, job, dictionary, names))
        if time.monotonic() > ends or closing.is_set():
            break
    return out


def keep(store: IndexStore, outcomes: Sequence[Outcome]) -> None:
    """Writes leaves to the store, and takes out the files that could not be read."""
    records = [
        shelf.record(o.leaf, o.seen, o.racy) for o in outcomes if o.leaf is not None and o.seen is not None
    ]
    store.save(records, [o.job.path for o in outcomes if o.leaf is None])


def look_at(root: Path, paths: Sequence[str], limits: Limits) -> dict[str, Seen | Problem | None]:
    """Each file, of those that belong to the book, as a walk would see it."""
    return {path: walk.look(root, path, limits, named=True) for path in paths}


def any_project(root: Path, paths: Sequence[str]) -> bool:
    """Whether one of the files says that it is a project of another tool."""
    return any(layouts.note(root, path) for path in paths)


def any_folder(root: Path, paths: Collection[str]) -> bool:
    """Whether one of the paths is a folder."""
    return any((root / path).is_dir() for path in paths if ".." not in path.split("/"))


def text_of(root: Path, path: str, limits: Limits, named: bool = False) -> Decoded | Problem:
    """The text of one file of the book; nothing outside of it. `named`: a project of another tool reads it."""
    seen = walk.look(root, path, limits, named=named) if ".." not in path.split("/") else None
    if seen is None:
        return Problem(path, 0, "file_missing", {"path": path})
    if isinstance(seen, Problem):
        return seen
    found = _bytes(root, path)
    return found if isinstance(found, Problem) else encoding.decode(found[0])


def read_text(root: Path, path: str) -> tuple[str, bytes] | None:
    """The text of a file that a walk saw, and its digest; None when it cannot be read any more."""
    found = _bytes(root, path)
    if isinstance(found, Problem):
        return None
    return encoding.decode(found[0]).text, leaf.digest(found[0])


def raw(root: Path, path: str) -> tuple[bytes, Seen] | None:
    """The bytes of a file that a walk saw, and the file as it was then; None when it cannot be read any more."""
    found = _bytes(root, path)
    return None if isinstance(found, Problem) else found[:2]


def _read(root: Path, job: Job, dictionary: Dictionary) -> Outcome:
    found = _bytes(root, job.path)
    if isinstance(found, Problem):
        return Outcome(job, fault=found)
    return _passing(job, *found) or _worked_out(job, *found, dictionary)


def _passing(job: Job, data: bytes, seen: Seen, racy: bool) -> Outcome | None:
    if job.known is None or not intake.saving(data, seen.mtime_ns) or job.known.digest == leaf.digest(data):
        return None
    return Outcome(job, job.known, seen, racy, passing=True)


def _worked_out(job: Job, data: bytes, seen: Seen, racy: bool, dictionary: Dictionary) -> Outcome:
    """A fault of ours with one file must not cost the writer the others."""
    try:
        return Outcome(job, leaf.from_bytes(job.path, data, job.place, dictionary), seen, racy)
    except Exception as error:  # noqa: BLE001
        kind = type(error).__name__
        _LOG.error("a file could not be worked out: %s", kind)
        return Outcome(job, fault=Problem(job.path, 0, "file_failed", {"path": job.path, "error": kind}))


def _search(
    root: Path, job: Job, dictionary: Dictionary, names: Mapping[str, frozenset[str] | None]
) -> Outcome:
    known = job.known
    found = _bytes(root, job.path)
    if isinstance(found, Problem):
        return Outcome(job, fault=found)
    data, seen, racy = found
    if known is not None and (passing := _passing(job, data, seen, racy)) is not None:
        same = replace(known.found, version=dictionary.version)
        return replace(passing, leaf=replace(known, found=same))
    if known is not None and known.digest == leaf.digest(data):
        changed = names.get(known.found.version)
        if changed is not None and not dictionary.touches(encoding.decode(data).text, changed):
            same = replace(known.found, version=dictionary.version)
            return Outcome(job, replace(known, found=same), seen, racy)
    return _worked_out(job, data, seen, racy, dictionary)


def _bytes(root: Path, path: str) -> tuple[bytes, Seen, bool] | Problem:
    """A file, what it looked like, and whether it may change again and look the same."""
    try:
        now = time.time_ns()
        data, found = intake.taken(os.path.join(root, path), _SIZE)  # noqa: PTH118 - half the cost
        return data, Seen.of(found), found.st_mtime_ns + _RACY_NS >= now
    except (FileNotFoundError, NotADirectoryError):
        return Problem(path, 0, "file_missing", {"path": path})
    except intake.TooLargeError:
        return walk.too_large(path, _SIZE)
    except OSError as error:
        return Problem(path, 0, "file_unreadable", {"path": path, "error": error.strerror or ""})


def _looks_like_card(root: Path, path: str) -> bool:
    try:
        head = intake.head(os.path.join(root, path), _HEAD).removeprefix(b"\xef\xbb\xbf")  # noqa: PTH118
    except OSError:
        return False
    if not head.startswith(b"---"):
        return False
    found = _TYPE.search(head)
    return found is not None and cards.marks_card(found[1].decode("utf-8", "replace").strip(" '\"\t"))

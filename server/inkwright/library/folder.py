"""What a folder of the library holds: profiles, pipelines, skills of other tools."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from importlib.resources.abc import Traversable
from itertools import islice
from pathlib import Path
from typing import Literal

from inkwright import intake
from inkwright.domain.manuscript import Problem
from inkwright.domain.profile import ProfileKind
from inkwright.library import files, pipelines
from inkwright.library.files import Draft
from inkwright.library.header import MAX_CHARS
from inkwright.library.pipelines import PipelineDraft

EMPTY = "empty"
"""The digest of a file without a word."""
MOST = 2_000
"""Entries of one folder that are looked at."""

_FOLDERS: dict[str, ProfileKind | Literal["pipeline"]] = {
    "abilities": "ability",
    "domains": "domain",
    "pipelines": "pipeline",
}


@dataclass(frozen=True, slots=True)
class Found:
    """A profile's draft; `stem` is its id where it names none."""

    kind: ProfileKind
    draft: Draft
    stem: str


@dataclass(frozen=True, slots=True)
class FoundPipeline:
    draft: PipelineDraft
    stem: str


@dataclass(frozen=True, slots=True)
class Entry:
    """A file by its path in the folder, and what it is by its place; `file` None for one that is not looked up."""

    kind: ProfileKind | Literal["pipeline", "skill"]
    path: str
    file: Traversable | None
    stem: str


Read = Found | FoundPipeline | Problem


def found_in(
    folder: Traversable, instead: Mapping[str, str] | None = None, within: Path | None = None
) -> Iterator[Read]:
    """Every file of a folder, read; `instead` are texts by path that are not saved yet. Blocks.

    A link that leads out of `within` is passed over.
    """
    unsaved = dict(instead or {})
    for entry in entries(folder):
        text = unsaved.pop(entry.path, None)
        if text is None and within is not None and not _lies_in(entry.file, within):
            continue
        yield _read(entry) if text is None else found_of(text, entry)
    for path, text in unsaved.items():
        if (new := entry_of(path)) is not None:
            yield found_of(text, new)


def found_of(text: str, entry: Entry) -> Read:
    """What the text of a file holds."""
    if entry.kind == "pipeline":
        pipeline = pipelines.read(text, entry.path)
        return pipeline if isinstance(pipeline, Problem) else FoundPipeline(pipeline, entry.stem)
    draft = files.read(text, entry.path, skill=entry.kind == "skill")
    if isinstance(draft, Problem):
        return draft
    kind: ProfileKind = draft.file.kind or ("domain" if entry.kind == "domain" else "ability")
    return Found(kind, draft, entry.stem)


def _lies_in(file: Traversable | None, within: Path) -> bool:
    try:
        return isinstance(file, Path) and file.resolve().is_relative_to(within.resolve())
    except (OSError, RuntimeError):  # a loop of links
        return False


def _read(entry: Entry) -> Read:
    assert entry.file is not None
    try:
        return found_of(_bytes(entry.file).decode("utf-8"), entry)
    except UnicodeDecodeError:
        return Problem(entry.path, 0, "profile_not_utf8")
    except OSError:
        return Problem(entry.path, 0, "profile_unreadable")


def digest(entry: Entry) -> str:
    """Tells one content of a file from another; '' where it cannot be read, `EMPTY` where nothing stands there. Blocks."""
    assert entry.file is not None
    try:
        data = _bytes(entry.file)
        return hashlib.blake2b(data, digest_size=16).hexdigest() if data.strip() else EMPTY
    except OSError:
        return ""


def _bytes(file: Traversable) -> bytes:
    """More than a profile may have is for its reader to refuse."""
    most = 4 * MAX_CHARS + 1
    if isinstance(file, Path):
        return intake.head(file, most)
    with file.open("rb") as stream:
        return stream.read(most)


def entries(folder: Traversable) -> Iterator[Entry]:
    """The files that count, by name. Blocks."""
    for entry in _listed(folder):
        if entry.name.startswith("."):
            continue
        if _is_profile(entry):
            yield replace(_entry(entry.name), file=entry)
        elif entry.is_dir():
            for file in _listed(entry):
                found = entry_of(f"{entry.name}/{file.name}")
                if found is not None and _is_profile(file):
                    yield replace(found, file=file)


def entry_of(path: str) -> Entry | None:
    """What a file at `path` of a folder would be, by its place alone; None: nothing."""
    above, _, name = path.rpartition("/")
    if "/" in above or above.startswith(".") or name.startswith(".") or not name.endswith(".md"):
        return None
    if not above or above in _FOLDERS:
        return _entry(path)
    return Entry("skill", path, None, above) if name == "SKILL.md" else None


def _entry(path: str) -> Entry:
    above, _, name = path.rpartition("/")
    return Entry(_FOLDERS.get(above, "ability"), path, None, name.removesuffix(".md"))


def _is_profile(entry: Traversable) -> bool:
    """A Markdown file, or a link by such a name: one that leads nowhere is to be named, not passed over."""
    dangling = isinstance(entry, Path) and entry.is_symlink() and not entry.exists()
    return entry.name.endswith(".md") and (dangling or entry.is_file())


def _listed(folder: Traversable) -> list[Traversable]:
    try:
        return sorted(islice(folder.iterdir(), MOST), key=lambda e: e.name)
    except OSError:
        return []

"""What a folder of the library holds: profiles, pipelines, skills of other tools."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
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
    """A file by its path in the folder, and what it is by its place."""

    kind: ProfileKind | Literal["pipeline", "skill"]
    path: str
    file: Traversable
    stem: str


def found_in(folder: Traversable) -> Iterator[Found | FoundPipeline | Problem]:
    """Every file of a folder, read. Blocks."""
    for entry in entries(folder):
        try:
            text = _bytes(entry.file).decode("utf-8")
        except UnicodeDecodeError:
            yield Problem(entry.path, 0, "profile_not_utf8")
            continue
        except OSError:
            yield Problem(entry.path, 0, "profile_unreadable")
            continue
        if entry.kind == "pipeline":
            pipeline = pipelines.read(text, entry.path)
            yield pipeline if isinstance(pipeline, Problem) else FoundPipeline(pipeline, entry.stem)
            continue
        draft = files.read(text, entry.path, skill=entry.kind == "skill")
        if isinstance(draft, Problem):
            yield draft
            continue
        kind: ProfileKind = draft.file.kind or ("domain" if entry.kind == "domain" else "ability")
        yield Found(kind, draft, entry.stem)


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
            yield Entry("ability", entry.name, entry, _stem(entry))
        elif entry.is_dir():
            kind = _FOLDERS.get(entry.name)
            for file in _listed(entry):
                path = f"{entry.name}/{file.name}"
                if kind is None and file.name == "SKILL.md" and _is_profile(file):
                    yield Entry("skill", path, file, entry.name)
                elif kind is not None and not file.name.startswith(".") and _is_profile(file):
                    yield Entry(kind, path, file, _stem(file))


def _stem(file: Traversable) -> str:
    return file.name.removesuffix(".md")


def _is_profile(entry: Traversable) -> bool:
    """A Markdown file, or a link by such a name: one that leads nowhere is to be named, not passed over."""
    dangling = isinstance(entry, Path) and entry.is_symlink() and not entry.exists()
    return entry.name.endswith(".md") and (dangling or entry.is_file())


def _listed(folder: Traversable) -> list[Traversable]:
    try:
        return sorted(islice(folder.iterdir(), MOST), key=lambda e: e.name)
    except OSError:
        return []

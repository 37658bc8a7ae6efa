"""The plain layout: folders of Markdown, told apart by their names in English and Chinese."""

from __future__ import annotations

import tomllib
import unicodedata
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Literal

from inkwright.manuscript import naming
from inkwright.manuscript.layouts.base import OTHER, Place
from inkwright.manuscript.layouts.globs import Glob


@dataclass(frozen=True, slots=True)
class _Folder:
    """What a folder's own name says: '' for nothing, `type` for a folder of cards."""

    role: Literal["", "chapter", "card", "other"]
    type: str = ""


_UNTAKEN = Place("other")


class PlainLayout:
    """Takes any folder.

    Where one folder holds the manuscript, a file outside of it is a chapter only if its name says so.
    """

    id = "plain"

    def plan(
        self, paths: Collection[str], chapters: Sequence[str] = (), cards: Sequence[str] = ()
    ) -> Mapping[str, Place]:
        """The place of every path, by the author's globs where given, else by folder and file names."""
        split = {path: path.rsplit("/", 1) if "/" in path else ("", path) for path in paths}
        folders = {folder: _place_of(folder) for folder in {folder for folder, _ in split.values()}}
        housed = any(known.role == "chapter" for known, _ in folders.values())
        chapter_globs, card_globs = [Glob(g) for g in chapters], [Glob(g) for g in cards]
        places: dict[str, Place] = {}
        for path, (folder, name) in split.items():
            known, chapter = folders[folder]
            globbed = chapter_globs or card_globs
            place = _globbed(path, known, chapter.volume, chapter_globs, card_globs) if globbed else None
            places[path] = place or _by_name(name, known, chapter, housed, bool(chapters), bool(cards))
        return places


PLAIN = PlainLayout()


def globbed(path: str, place: Place, chapters: list[Glob], cards: list[Glob]) -> Place | None:
    """The place of a project's file by the author's globs; None where they say nothing of it."""
    if not chapters and not cards:
        return None
    said = _globbed(path, _Folder("", place.type), place.volume, chapters, cards)
    if said is None or said.role == "other":
        return None
    return replace(said, title=place.title, order=place.order, meta=place.meta, readonly=place.readonly)


def _globbed(path: str, known: _Folder, volume: str, chapters: list[Glob], cards: list[Glob]) -> Place | None:
    """What the author's globs say of a file, None when none of them takes it."""
    if any(glob.matches(path) for glob in cards):
        return Place("card", known.type or "misc", fixed=True)
    for glob in chapters:
        if glob.matches(path):
            inside = path.rpartition("/")[0].removeprefix(glob.base).strip("/")
            return Place("chapter", volume=_place_of(inside)[1].volume if glob.base else volume, fixed=True)
    return None


def _by_name(name: str, known: _Folder, chapter: Place, housed: bool, chapters: bool, cards: bool) -> Place:
    """The place by folder and file name, `chapter` for a chapter; `chapters` and `cards`: globs took all there are
    of these."""
    stem = _plain(name.rpartition(".")[0])
    nothing = OTHER if cards else _UNTAKEN
    if known.role == "other" or stem in _table().other_files:
        return nothing
    if known.role == "card":
        reader = _listing(stem)
        kind = _table().folders[stem].type if reader and known.type == "misc" else known.type
        return nothing if cards else Place("card", kind, reader=reader)
    if known.role == "" and not cards and (reader := _listing(stem)):
        return Place("card", _table().folders[stem].type, reader=reader)
    if chapters:
        return nothing
    if known.role == "" and housed:
        found = naming.read(stem)
        if found.number is None and not found.sure:
            return nothing
    return chapter


def _listing(stem: str) -> str:
    """How a file is read that is called as a folder of cards would be (人物.md): each top heading is a card."""
    found = _table().folders.get(stem)
    return "headings" if found is not None and found.type not in ("", "misc") else ""


@dataclass(frozen=True, slots=True)
class _Table:
    folders: Mapping[str, _Folder]
    other_files: frozenset[str]


@cache
def _table() -> _Table:
    data = tomllib.loads(Path(__file__).with_name("plain.toml").read_text("utf-8"))
    folders = {name: _Folder("chapter") for name in data["manuscript"]}
    folders |= {name: _Folder("other") for name in data["other"]}
    for kind, names in data["cards"].items():
        folders |= {name: _Folder("card", kind) for name in names}
    return _Table(folders, frozenset(data["other_files"]))


def _place_of(folder: str) -> tuple[_Folder, Place]:
    """What the nearest known folder says, and the place of the chapters in it: their volume are the folders that
    are no manuscript folder."""
    names = folder.split("/") if folder else []
    known = [_known(name) for name in names]
    nearest = next((k for k in reversed(known) if k.role), _Folder(""))
    volume = "/".join(n for n, k in zip(names, known, strict=True) if k.role != "chapter")
    return nearest, Place("chapter", volume=volume)


def _known(name: str) -> _Folder:
    folders = _table().folders
    plain = _plain(name)
    return folders.get(plain) or folders.get(_plain(naming.read(name).title)) or _Folder("")


def _plain(name: str) -> str:
    plain = name if unicodedata.is_normalized("NFKC", name) else unicodedata.normalize("NFKC", name)
    return plain.casefold().strip()

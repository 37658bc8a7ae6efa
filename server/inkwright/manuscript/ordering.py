"""Reading order: a book's files, folder by folder, by what their names and front matter say."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise

from inkwright.manuscript import naming
from inkwright.manuscript.naming import Reading, SortKey


@dataclass(frozen=True, slots=True)
class Placed:
    """What the order of one file hangs on. `reading` is its file name's, or its heading's if that says more.

    `rank` is the place that a project gives it, () where names decide.
    """

    reading: Reading
    key: SortKey
    rank: tuple[float, ...] = ()


def placed(stem: str, heading: str, order: object, rank: tuple[float, ...] = ()) -> Placed:
    """The place of a chapter by its file's stem, else by its title (`第三章 …`), and its `order`."""
    return keyed(read(stem, heading), stem, order, rank)


def read(stem: str, heading: str) -> Reading:
    """What a chapter's file name says, or its title where that says more."""
    found = naming.read(stem)
    if found.number is None and not found.sure and heading:
        said = naming.read(heading)
        if said.sure:
            return said
    return found


def keyed(found: Reading, stem: str, order: object, rank: tuple[float, ...] = ()) -> Placed:
    """The place that a name which was read makes."""
    return Placed(found, naming.key_of(found, stem, naming.order_value(order)), rank)


def reading_order(files: Mapping[str, Placed]) -> list[str]:
    """The paths in reading order; those with a rank come first, by it.

    Files and folders of one level stand side by side by their names. Where numbers run through the
    book, folders without a number of their own are put in the order of the chapters in them.
    """
    root = _Node()
    ranked: list[tuple[tuple[float, ...], SortKey, str]] = []
    for path, place in files.items():
        if place.rank:
            ranked.append((place.rank, place.key, path))
            continue
        *folders, name = path.split("/")
        node = root
        for folder in folders:
            node = node.folders.setdefault(folder, _Node())
        node.files[name] = (path, place)
    return [*(path for _, _, path in sorted(ranked)), *_walk(root)]


class _Node:
    __slots__ = ("files", "folders")

    def __init__(self) -> None:
        self.files: dict[str, tuple[str, Placed]] = {}
        self.folders: dict[str, _Node] = {}


def _walk(node: _Node) -> Iterable[str]:
    runs = _running(node)
    entries: list[tuple[SortKey, str | None, str]] = []
    for name, (path, place) in node.files.items():
        entries.append((place.key, path, name))
    for name in node.folders:
        found = naming.read(name)
        if name in runs:
            found = Reading(runs[name], found.title, rank=found.rank)
        entries.append((naming.key_of(found, name), None, name))
    entries.sort(key=lambda entry: (entry[0], entry[2]))
    for _, found_path, name in entries:
        if found_path is not None:
            yield found_path
        else:
            yield from _walk(node.folders[name])


def _running(node: _Node) -> dict[str, float]:
    """The first number in each unnumbered folder, when those ranges do not overlap; else nothing."""
    silent = [name for name in node.folders if _silent(name)]
    if len(silent) < 2 or any(naming.read(name).number is not None for name in node.folders):
        return {}
    ranges: list[tuple[float, float, str]] = []
    for name in silent:
        numbers = sorted(_numbers(node.folders[name]))
        if not numbers:
            return {}
        ranges.append((numbers[0], numbers[-1], name))
    ranges.sort()
    if any(a[1] >= b[0] for a, b in pairwise(ranges)):
        return {}
    return {name: first for first, _, name in ranges}


def _silent(name: str) -> bool:
    found = naming.read(name)
    return found.number is None and not found.sure


def _numbers(node: _Node) -> Iterable[float]:
    for _, place in node.files.values():
        if place.reading.kind == "main" and place.reading.number is not None:
            yield place.reading.number
    for folder in node.folders.values():
        yield from _numbers(folder)

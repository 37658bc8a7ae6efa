"""InkOS: books below `books/`, each with numbered chapters, an index of them, and what is known of its world."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from inkwright.manuscript.layouts.base import OTHER, Place, Project, below, join
from inkwright.manuscript.layouts.ground import Ground

ID = "inkos"

_NUMBER = re.compile(r"(\d{1,6})(?:[_\-. ](.*))?")
_GENERATED = frozenset(("runtime", "snapshots", "state"))
_PEOPLE = frozenset(("roles", "characters", "角色"))


def find(ground: Ground) -> Iterator[Project]:
    """One for each `books/<id>/book.json` beside an `inkos.json`; several books are volumes by their titles."""
    for base in ground.bases("inkos.json"):
        shelf = join(base, "books/")
        books = [b for b in ground.bases("book.json") if b.startswith(shelf) and "/" not in b[len(shelf) :]]
        for book in books:
            yield _project(ground, book, len(books) > 1)


def _project(ground: Ground, book: str, several: bool) -> Project:
    about = ground.json(join(book, "book.json"))
    title = about.get("title") if isinstance(about, Mapping) else None
    title = title.strip() if isinstance(title, str) else book.rpartition("/")[2]
    index = join(book, "chapters/index.json")
    rows = ground.json(index, wanted=False)
    chapters = _chapters(rows)
    files = {
        number: path
        for path in sorted(ground.texts)
        if path.startswith(join(book, "chapters/")) and (number := _number(path)) is not None
    }
    for number in sorted(chapters.keys() - files.keys()):
        ground.told(index, "project_names_missing", name=str(number))
    readonly = "locked" if join(book, ".write.lock") in ground.marks else ""
    return Project(
        ID,
        book,
        partial(_place, book, title if several else "", chapters, readonly),
        rest="other",
        title=title,
    )


def _place(
    book: str, volume: str, chapters: Mapping[int, tuple[float, Mapping[str, Any]]], readonly: str, path: str
) -> Place | None:
    folder, _, name = below(book, path).partition("/")
    if not path.lower().endswith(".md"):
        return None
    if folder == "chapters" and name and "/" not in name:
        number = _number(path)
        if number is None:
            return OTHER
        position, row = chapters.get(number, (float("inf"), {}))
        title, status = row.get("title"), row.get("status")
        meta = (("status", status),) if isinstance(status, str) and status else ()
        return Place(
            "chapter",
            "",
            volume,
            True,
            title=f"第{number}章 {title}" if isinstance(title, str) and title else "",
            order=(float(position), float(number)),
            meta=meta,
            readonly=readonly,
        )
    if folder == "story" and name:
        inner = name.split("/")
        if inner[0] in _GENERATED or inner[0] == "outline":
            return OTHER
        if name == "character_matrix.md":
            return Place("card", "character", fixed=True, reader="matrix", readonly=readonly)
        kind = "character" if inner[0] in _PEOPLE and len(inner) > 1 else "misc"
        return Place("card", kind, fixed=True, readonly=readonly)
    return OTHER


def _chapters(rows: Any) -> dict[int, tuple[float, Mapping[str, Any]]]:
    """The entries of the index by number: an array, or an object that holds one; the first of a number counts."""
    if isinstance(rows, Mapping):
        rows = next((value for value in rows.values() if isinstance(value, list)), [])
    out: dict[int, tuple[float, Mapping[str, Any]]] = {}
    for position, row in enumerate(rows if isinstance(rows, list) else ()):
        number = row.get("number", row.get("chapter")) if isinstance(row, Mapping) else None
        if isinstance(number, int) and not isinstance(number, bool):
            out.setdefault(number, (position, row))
    return out


def _number(path: str) -> int | None:
    found = _NUMBER.fullmatch(path.rpartition("/")[2].rpartition(".")[0])
    return int(found[1]) if found else None

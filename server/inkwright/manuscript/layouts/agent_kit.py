"""Long Novel Agent Kit: chapters recorded in `chapters.jsonl`, cards in `characters.json`, debts of the plot."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from inkwright.manuscript.layouts.base import OTHER, Place, Project, below, join
from inkwright.manuscript.layouts.ground import Ground

ID = "long-novel-agent-kit"

_HOME = ".novel-agent"
_PATHS = ("path", "file", "source_path", "chapter_path")
_NUMBERS = ("chapter", "number", "chapter_number", "index")


def find(ground: Ground) -> Iterator[Project]:
    """One for each folder with `.novel-agent/manifest.json`."""
    for base in ground.bases(_HOME):
        manifest = ground.json(join(base, f"{_HOME}/manifest.json"))
        about = manifest if isinstance(manifest, Mapping) else {}
        said = (about.get(key) for key in ("title", "project_name", "name"))
        title = next((value.strip() for value in said if isinstance(value, str) and value.strip()), "")
        listed = next((p for p in _at(base, "chapters.jsonl") if (ground.root / p).is_file()), "")
        known = _chapters(ground, base, listed) if listed else {}
        yield Project(ID, base, partial(_place, base, known), "cards", title=title, extra=_hidden(base))


def _hidden(base: str) -> tuple[str, str]:
    return _at(base, "characters.json")[0], _at(base, "debts.json")[0]


def _chapters(ground: Ground, base: str, listed: str) -> dict[str, Place]:
    """The chapters in the order of the list; an entry for a chapter that stands there already is newer."""
    out: dict[str, Place] = {}
    for position, row in enumerate(ground.rows(listed)):
        path = _path(ground, base, listed, row)
        if path:
            title = row.get("title")
            number = next((row[k] for k in _NUMBERS if isinstance(row.get(k), int)), None)
            named = f"第{number}章 {title}" if number is not None and isinstance(title, str) and title else ""
            order = out[path].order if path in out else (float(position),)
            out[path] = Place("chapter", fixed=True, title=named, order=order)
    return out


def _path(ground: Ground, base: str, listed: str, row: Mapping[str, Any]) -> str:
    """The file that an entry means: the one it names, else that of its number. '' for none, which is said."""
    written = next((row[key] for key in _PATHS if isinstance(row.get(key), str) and row[key]), "")
    if written:
        inside = ground.inside(base, written)
        if inside is None:
            ground.told(listed, "project_path_outside", name=written)
            return ""
        tried = [inside]
    else:
        number = next((row[k] for k in _NUMBERS if isinstance(row.get(k), int)), None)
        if number is None:
            return ""
        written = str(number)
        tried = [join(base, f"chapters/{number:0{width}d}.md") for width in (3, 4, 2, 1)]
    found = next((path for path in tried if path in ground.texts), "")
    if not found:
        ground.told(listed, "project_names_missing", name=written)
    return found


def _place(base: str, known: Mapping[str, Place], path: str) -> Place | None:
    if path in known:
        return known[path]
    name = below(base, path)
    if name.startswith("chapters/") and name.endswith(".md"):
        return Place("chapter", fixed=True, order=(float("inf"),))
    if path in _at(base, "characters.json"):
        return Place("card", "character", fixed=True, reader="json")
    if path in _at(base, "debts.json"):
        return Place("card", "debt", fixed=True, reader="json")
    return OTHER if name.startswith(f"{_HOME}/") else None


def _at(base: str, name: str) -> tuple[str, str]:
    return join(base, f"{_HOME}/{name}"), join(base, name)

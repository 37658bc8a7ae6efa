"""Longform: a note whose front matter lists the scenes of a draft, in order and indented."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fnmatch import fnmatchcase
from typing import Any

from inkwright.manuscript import frontmatter
from inkwright.manuscript.layouts.base import OTHER, Place, Project
from inkwright.manuscript.layouts.ground import Ground

ID = "longform"

KEY = re.compile(r"[\r\n]longform[ \t]*:")
_MAX_DEPTH = 30


def find(ground: Ground, notes: dict[str, str]) -> Iterator[Project]:
    """One for each note that lists scenes, or that says of itself that it is a whole draft."""
    for path, head in sorted(notes.items()):
        if not KEY.search(head):
            continue
        found = frontmatter.read(ground.text(path))
        about = found.meta.get("longform")
        if found.problem is not None:
            ground.told(path, found.problem.code, found.line, **found.problem.params)
        elif isinstance(about, dict):
            yield _project(ground, path, about)


def _project(ground: Ground, path: str, about: dict[str, Any]) -> Project:
    base, _, name = path.rpartition("/")
    title = str(about.get("title") or "").strip() or name.rpartition(".")[0]
    if str(about.get("format") or "scenes") == "single":
        single = {path: Place("chapter", fixed=True, title=title, order=(0.0,))}
        return Project(ID, base, single.get, "cards", title=title)

    written = str(about.get("sceneFolder") or "/").strip("/")
    folder = ground.inside(base, written) if written else base
    if folder is None:
        ground.told(path, "project_path_outside", name=written)
        folder = base
    places: dict[str, Place] = {path: OTHER}
    spelled = {p.rpartition(".")[0].casefold(): p for p in ground.texts}
    for order, (depth, scene) in enumerate(_listed(about.get("scenes"), 0)):
        inside = ground.inside(folder, scene)
        if inside is None:
            ground.told(path, "project_path_outside", name=scene)
            continue
        found = spelled.get(inside.casefold()) or spelled.get(inside.removesuffix(".md").casefold())
        if found is None:
            ground.told(path, "project_names_missing", name=scene)
        elif places.get(found, OTHER).role == "chapter":
            ground.told(path, "project_names_twice", name=scene)
        else:
            meta = (("level", str(depth)),) if depth else ()
            places[found] = Place("chapter", fixed=True, order=(float(order),), meta=meta)
    ignored = [str(one) for one in about.get("ignoredFiles") or () if isinstance(one, str)]
    inside_folder = folder + "/" if folder else ""

    def place(asked: str) -> Place | None:
        known = places.get(asked)
        if known is not None or not asked.startswith(inside_folder):
            return known
        stem = asked[len(inside_folder) :].rpartition(".")[0]
        return OTHER if any(fnmatchcase(stem, pattern) for pattern in ignored) else None

    return Project(ID, base, place, "cards", title=title)


def _listed(scenes: Any, depth: int) -> Iterator[tuple[int, str]]:
    """The names of scenes in order, each with how far it is indented."""
    if isinstance(scenes, str | int | float) and not isinstance(scenes, bool):
        yield max(depth - 1, 0), str(scenes)
    elif isinstance(scenes, list) and depth < _MAX_DEPTH:
        for one in scenes:
            yield from _listed(one, depth + 1)

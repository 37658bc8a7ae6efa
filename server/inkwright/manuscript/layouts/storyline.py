"""StoryLine: scenes with act, chapter and sequence in their front matter, a codex of cards beside them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from inkwright.manuscript import frontmatter
from inkwright.manuscript.layouts.base import OTHER, Place, Project, below, join
from inkwright.manuscript.layouts.ground import Ground

ID = "storyline"

KEY = re.compile(r"[\r\n]type[ \t]*:[ \t]*[\"']?storyline(?:-project)?[\"']?[ \t]*[\r\n]")
_FOLDERS = {
    "characters": "character",
    "locations": "location",
    "items": "item",
    "factions": "faction",
    "organizations": "faction",
}
_SCENES = "Scenes/"


def find(ground: Ground, notes: dict[str, str]) -> Iterator[Project]:
    """One for each project note with a folder `Scenes` beside it, or in the folder of its name."""
    for path, head in sorted(notes.items()):
        if not KEY.search(head):
            continue
        folder, _, name = path.rpartition("/")
        stem = name.rpartition(".")[0]
        for base in (folder, join(folder, stem)):
            scenes = join(base, _SCENES)
            if any(text.startswith(scenes) for text in ground.texts):
                meta = frontmatter.read(ground.text(path)).meta
                title = str(meta.get("title") or "").strip() or stem
                yield _project(base, path, title)
                break


def _project(base: str, note: str, title: str) -> Project:
    def place(path: str) -> Place | None:
        if path == note:
            return OTHER
        name = below(base, path)
        if name.startswith(_SCENES):
            return Place("chapter", reader="storyline")
        folder, _, rest = name.partition("/")
        if folder == "Codex" and "/" in rest:
            inner = rest.partition("/")[0]
            return Place("card", _FOLDERS.get(inner.casefold(), inner), fixed=True)
        if folder.casefold() in _FOLDERS and rest:
            return Place("card", _FOLDERS[folder.casefold()], fixed=True)
        return None

    return Project(ID, base, place, "cards", title=title)

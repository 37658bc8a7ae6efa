"""novel-writer-cn, NovelWeave: stories below `stories/`, what is known of the world below `spec/`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from inkwright.manuscript import naming
from inkwright.manuscript.layouts.base import OTHER, Place, Project, below, join
from inkwright.manuscript.layouts.ground import Ground

ID = "novel-writer"

_STORY = re.compile(r"stories/(\d{1,6}[^/]*)/")


def find(ground: Ground) -> Iterator[Project]:
    """One for each folder with `.specify/` and stories; several stories are volumes."""
    for base in ground.bases(".specify"):
        found = (_STORY.match(below(base, t)) for t in ground.texts if t.startswith(join(base, "stories/")))
        stories = sorted({match[1] for match in found if match}, key=naming.sort_key)
        if stories:
            title = naming.parse(stories[0]).title if len(stories) == 1 else ""
            yield Project(ID, base, partial(_place, base, len(stories) > 1), "cards", title=title)


def _place(base: str, several: bool, path: str) -> Place | None:
    name = below(base, path)
    story = _STORY.match(name)
    if story is not None:
        rest = name[story.end() :]
        if not rest.startswith("chapters/"):
            return OTHER
        inner = rest.removeprefix("chapters/").rpartition("/")[0]
        return Place("chapter", volume="/".join(filter(None, (story[1] if several else "", inner))))
    if name.startswith("spec/tracking/"):
        kind = name.removeprefix("spec/tracking/")
        return (
            Place("card", "character", fixed=True, reader="json") if kind == "character-state.json" else OTHER
        )
    if name.startswith("spec/knowledge/") and name.endswith(".md"):
        stem = name.rpartition("/")[2].rpartition(".")[0].casefold()
        if stem.startswith(("character", "角色", "人物")):
            return Place("card", "character", reader="headings", fixed=True)
        return Place("card", "location" if stem.startswith(("location", "地点")) else "misc", fixed=True)
    return OTHER if name.startswith(("spec/", "memory/")) else None

"""oh-story: 正文, 设定 and 大纲 of one book, and 追踪 that the tool makes by itself."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from inkwright.manuscript.layouts.base import Place, Project, below, join
from inkwright.manuscript.layouts.ground import Ground
from inkwright.manuscript.layouts.records import lines

ID = "oh-story"

_TRACKED = "追踪/_tracking-state.json"
_FOLDERS = ("正文/", "设定/")


def find(ground: Ground) -> Iterator[Project]:
    """One for each folder that a `.active-book` names, or that has the state of the tracking."""
    bases = [base for base in ground.bases(_TRACKED) if _whole(ground, base)]
    for base in ground.bases(".active-book"):
        written = lines(ground.text(join(base, ".active-book")))[0].strip()
        found = ground.inside(base, written) if written else base
        if found is None:
            ground.told(join(base, ".active-book"), "project_path_outside", name=written)
        elif _whole(ground, found):
            bases.append(found)
        elif _whole(ground, base):
            bases.append(base)
        else:
            ground.told(join(base, ".active-book"), "project_names_missing", name=written or base or ".")
    for base in dict.fromkeys(bases):
        title = base.rpartition("/")[2]
        yield Project(ID, base, partial(_place, base), title=title)


def _whole(ground: Ground, base: str) -> bool:
    return any(text.startswith(join(base, _FOLDERS[0])) for text in ground.texts)


def _place(base: str, path: str) -> Place | None:
    name = below(base, path)
    if name.startswith("追踪/"):
        return Place("other", fixed=True, readonly="generated")
    return None

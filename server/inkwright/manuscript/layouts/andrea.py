"""Andrea Novel Helper: texts in any folder, roles in `novel-helper/` or in files named so, outlines beside them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from inkwright.manuscript.layouts.base import OTHER, Place, Project, below, join
from inkwright.manuscript.layouts.ground import Ground

ID = "andrea-novel-helper"

_HOME = "novel-helper/"
_GALLERY = re.compile(r"character-?gallery|roles?(?![a-z])", re.IGNORECASE)
_READERS = {".json5": "json5", ".md": "roles", ".txt": "words"}
_OUTLINE = re.compile(r".+_(?:dir_)?outline\.md", re.IGNORECASE)
_PROJECT = "anhproject.md"


def find(ground: Ground) -> Iterator[Project]:
    """One for each folder with `novel-helper/`, `anhproject.md` or a gallery of roles in JSON5.

    Of Markdown and plain text the name alone does not tell: a chapter may be called so.
    """
    bases = [*ground.bases("novel-helper"), *ground.bases(_PROJECT)]
    for path in sorted(ground.others):
        folder, _, name = path.rpartition("/")
        inside = any(folder == join(base, "novel-helper") for base in bases)
        if name.endswith(".json5") and _GALLERY.search(name) and not inside:
            bases.append(folder)
    outer = sorted(dict.fromkeys(bases), key=lambda base: (base.count("/") + bool(base), base))
    kept: list[str] = []
    for base in outer:
        if not any(not above or base.startswith(f"{above}/") for above in kept):
            kept.append(base)
            yield Project(ID, base, partial(_place, base), chapters=False)


def _place(base: str, path: str) -> Place | None:
    name = below(base, path)
    stem = name.rpartition("/")[2]
    suffix = stem[stem.rfind(".") :].lower() if "." in stem else ""
    reader = _READERS.get(suffix)
    sure = reader == "json5" or name.startswith(_HOME) or "gallery" in stem.lower()
    if reader and sure and _GALLERY.search(stem):
        return Place("card", "character", fixed=True, reader=reader)
    if name.startswith(_HOME) or f"/{_HOME}" in name or stem.lower() == _PROJECT or _OUTLINE.fullmatch(stem):
        return OTHER
    if suffix == ".txt":
        return Place("chapter", volume=name.rpartition("/")[0])
    return None

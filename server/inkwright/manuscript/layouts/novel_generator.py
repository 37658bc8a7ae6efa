"""AI_NovelGenerator: chapters as plain text, an architecture, a directory of chapters, the state of characters."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import partial

from inkwright.manuscript import naming
from inkwright.manuscript.layouts.base import OTHER, Place, Project, below, join
from inkwright.manuscript.layouts.ground import Ground
from inkwright.manuscript.layouts.records import MAX_LINE, lines

ID = "ai-novel-generator"

_ARCHITECTURE = "Novel_architecture.txt"
_DIRECTORY = "Novel_directory.txt"
_STATES = "character_state.txt"
_LISTED = re.compile(
    r"[#*\s]*(第\s*[0-9零一二三四五六七八九十百千]{1,8}\s*章)[\s\-–—:：]*[\[【]?([^\]】*#]*)[\]】]?[*\s]*"
)
_TITLE = 60


def find(ground: Ground) -> Iterator[Project]:
    """One for each folder with an architecture or a directory of the usual name."""
    for base in sorted({*ground.bases(_ARCHITECTURE), *ground.bases(_DIRECTORY)}):
        text = ground.text(join(base, _DIRECTORY), wanted=False)
        place = partial(_place, base, _titles(text))
        # Its own chapters are texts; where there are none, somebody has gone on in Markdown.
        texts = [path for path in ground.others if not base or path.startswith(f"{base}/")]
        own = any((found := place(path)) is not None and found.role == "chapter" for path in texts)
        yield Project(ID, base, place, "cards" if own else "plain", chapters=own)


def _titles(text: str) -> Mapping[int, str]:
    """The titles of chapters by number, as the directory has them."""
    out: dict[int, str] = {}
    for row in lines(text):
        found = _LISTED.fullmatch(row.strip()) if len(row) < MAX_LINE else None
        number = naming.parse(found[1]).number if found else None
        if found is not None and number is not None and len(found[2]) <= _TITLE:
            out.setdefault(number, found[2].strip())
    return out


def _place(base: str, titles: Mapping[int, str], path: str) -> Place | None:
    name = below(base, path)
    if not name.endswith(".txt"):
        return None
    if name == _ARCHITECTURE:
        return Place("card", "misc", fixed=True, reader="sections")
    if name == _STATES:
        return Place("card", "character", fixed=True, reader="states")
    stem = name.rpartition("/")[2].removesuffix(".txt")
    said = naming.read(stem)
    if name == _DIRECTORY or stem.startswith("outline"):
        return Place("other")
    if said.number is None or "/" in name.removeprefix("chapters/"):
        return OTHER
    title = titles.get(int(said.number), "")
    return Place("chapter", title=f"第{int(said.number)}章 {title}" if title and not said.title else "")

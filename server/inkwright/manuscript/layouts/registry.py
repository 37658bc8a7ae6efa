"""Which projects stand in a book's folder, and what they make of its files."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import Protocol

from inkwright import intake
from inkwright.domain.manuscript import Problem
from inkwright.manuscript.layouts import signs
from inkwright.manuscript.layouts.base import OTHER, Place, Project, Rest
from inkwright.manuscript.layouts.globs import Glob
from inkwright.manuscript.layouts.plain import PLAIN, globbed

_NUMBERED = re.compile(r"[0-9０-９第]")
_NOTE = re.compile(r"[\r\n](?:longform[ \t]*:|type[ \t]*:[ \t]*[\"']?storyline)")
_MAX_NOTES = 5_000
OURS = "cards/"
"""Where new cards go in a project that keeps its own in another form."""
_TEXTS = (".md", ".markdown")


class Stat(Protocol):
    """What a walk saw of a file."""

    @property
    def mtime_ns(self) -> int: ...

    @property
    def ctime_ns(self) -> int: ...


Heads = dict[str, tuple[Stat | None, str]]
"""What is known of notes from before, by path: as the walk saw it, and its beginning if a project may stand in it.

None for one so young that it may change once more and look the same.
"""


@dataclass(frozen=True, slots=True)
class Arrangement:
    """The projects of a book, the innermost first. None: it is a plain folder.

    `sources` are the files that the projects hang on, `named` those that are no Markdown and yet the book's.
    """

    projects: tuple[Project, ...] = ()
    sources: frozenset[str] = frozenset()
    named: frozenset[str] = frozenset()
    problems: tuple[Problem, ...] = ()

    @property
    def id(self) -> str:
        """The layouts that were read, joined by `+`."""
        return "+".join(dict.fromkeys(project.id for project in self.projects)) or PLAIN.id

    @property
    def title(self) -> str:
        """What a single project calls itself; several are no one book."""
        return self._said("title")

    @property
    def author(self) -> str:
        return self._said("author")

    def place(self, path: str) -> Place | None:
        """What the first project that takes a path makes of it."""
        for project in self.projects:
            if project.holds(path):
                if (found := project.place(path)) is not None:
                    return found
                if project.rest == "other":
                    return OTHER
        return None

    def takes(self, path: str) -> bool:
        """Whether a path that is no Markdown is one that a project reads."""
        return path in self.named or (path.endswith(signs.SUFFIXES) and self.place(path) not in (None, OTHER))

    def hangs_on(self, path: str) -> bool:
        """Whether a change of a path may change what the projects are."""
        return path in self.sources or signs.sign(path)

    def plan(
        self, paths: Collection[str], chapters: Sequence[str] = (), cards: Sequence[str] = ()
    ) -> Mapping[str, Place]:
        """The place of every path. `chapters` and `cards` are the author's globs, which go before a project."""
        if not self.projects:
            return PLAIN.plan(paths, chapters, cards)
        taken = {path: place for path in paths if (place := self._ordered(path)) is not None}
        plain = PLAIN.plan([path for path in paths if path not in taken], chapters, cards)
        out = {path: self._left(path, place) for path, place in plain.items()}
        if base := self._home:
            out = {path: _without(base, place) for path, place in out.items()}
        chapter_globs, card_globs = [Glob(g) for g in chapters], [Glob(g) for g in cards]
        for path, place in taken.items():
            said = globbed(path, place, chapter_globs, card_globs)
            if said is None and chapter_globs and place.role == "chapter":
                said = OTHER
            out[path] = said or place
        return out

    def _ordered(self, path: str) -> Place | None:
        for number, project in enumerate(self.projects):
            if project.holds(path) and (found := project.place(path)) is not None:
                many = found.order and len(self.projects) > 1
                return replace(found, order=(float(number), *found.order)) if many else found
        return None

    def _left(self, path: str, place: Place) -> Place:
        """What becomes of a file that no project took."""
        rest = next((p.rest for p in self.projects if p.holds(path)), self._outside)
        ours = rest == "cards" or path.startswith(OURS)
        if place.fixed or rest == "plain" or (ours and place.role != "chapter"):
            return place
        return OTHER if rest == "other" else Place("other")

    @property
    def _home(self) -> str:
        """The folder of the one book that there is: it is no volume of itself."""
        bases = {project.base for project in self.projects if project.chapters}
        return bases.pop() if len(bases) == 1 else ""

    @property
    def _outside(self) -> Rest:
        """Beside a project whose chapters are all named, other texts are notes."""
        return "plain" if all(project.rest == "plain" for project in self.projects) else "cards"

    def _said(self, key: str) -> str:
        found = {said for project in self.projects if (said := str(getattr(project, key)))}
        return found.pop() if len(found) == 1 else ""


PLAINLY = Arrangement()


def survey(
    root: Path, texts: Mapping[str, Stat], others: Collection[str], marks: Collection[str], heads: Heads
) -> Arrangement:
    """The projects below `root`, by what a walk saw. Blocks; a plain folder costs a look at its file names.

    `heads` is kept from one call to the next.
    """
    names = {name for mark in marks if (name := signs.SIGNS[mark.rpartition("/")[2]])}
    names |= {name for ending, name in signs.ENDINGS.items() if any(p.endswith(ending) for p in others)}
    notes = _notes(root, texts, heads)
    if notes:
        names |= {"longform", "storyline"}
    if not names:
        return PLAINLY
    from inkwright.manuscript.layouts.ground import Ground

    ground = Ground(root, texts.keys(), set(others), set(marks))
    projects: list[Project] = []
    for name in signs.ORDER:
        if name in names:
            module = import_module(f"inkwright.manuscript.layouts.{name}")
            with_notes = name in ("longform", "storyline")
            projects += module.find(ground, notes) if with_notes else module.find(ground)
    projects.sort(key=lambda project: -(project.base.count("/") + bool(project.base)))
    found = Arrangement(tuple(projects))
    named = {p for p in others if (place := found.place(p)) is not None and place.role != "other"}
    named.update(path for project in projects for path in project.extra)
    return replace(
        found, sources=frozenset(ground.sources), named=frozenset(named), problems=tuple(ground.problems)
    )


def _without(base: str, place: Place) -> Place:
    if place.volume != base and not place.volume.startswith(f"{base}/"):
        return place
    return replace(place, volume=place.volume[len(base) + 1 :])


def note(root: Path, path: str) -> bool:
    """Whether a file is a note that a project may stand in. Blocks."""
    return _candidate(path) and bool(_NOTE.search(_head(root, path)))


def _notes(root: Path, texts: Mapping[str, Stat], heads: Heads) -> dict[str, str]:
    """The beginnings of the notes that a project may stand in: Markdown whose name has no number."""
    for path in [path for path in heads if path not in texts]:
        del heads[path]
    for path in list(_candidates(texts)):
        seen = texts[path]
        known = heads.get(path)
        if known is None or known[0] != seen:
            young = intake.young(seen.mtime_ns, seen.ctime_ns)
            head = _head(root, path)
            heads[path] = (None if young else seen, head if _NOTE.search(head) else "")
    return {path: head for path, (_, head) in heads.items() if head}


def _candidates(texts: Mapping[str, Stat]) -> Iterator[str]:
    for count, path in enumerate(filter(_candidate, texts)):
        if count == _MAX_NOTES:
            return
        yield path


def _candidate(path: str) -> bool:
    return path.lower().endswith(_TEXTS) and not _NUMBERED.search(path[path.rfind("/") + 1 :])


def _head(root: Path, path: str) -> str:
    """The front matter a file begins with, '' for one without."""
    try:
        data = intake.head(root / path, 1_024).removeprefix(b"\xef\xbb\xbf")
        if not data.startswith(b"---"):
            return ""
        return intake.head(root / path, 16_384).removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")
    except (OSError, ValueError):
        return ""

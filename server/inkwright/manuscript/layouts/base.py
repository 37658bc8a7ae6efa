"""What a layout is: how the files of one tool's project are read as chapters and cards."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

Role = Literal["chapter", "card", "other"]
Rest = Literal["other", "cards", "plain"]


@dataclass(frozen=True, slots=True)
class Place:
    """What a file is by its place alone. `type` is the card type its folder stands for, else ''.

    `fixed` is True where the author or a project named the file: front matter then changes no role.
    `volume` is the folder of a chapter below the manuscript's own, '/' between levels. `reader` names the
    form of the text, '' for Markdown. `title` stands for a file name that says nothing, `order` for the
    place that a project gives a chapter (() where names decide). `meta` is what the project knows of a
    chapter besides its text, under our field names. `readonly` is the reason why nothing may be written.
    """

    role: Role
    type: str = ""
    volume: str = ""
    fixed: bool = False
    reader: str = ""
    title: str = ""
    order: tuple[float, ...] = ()
    meta: tuple[tuple[str, str], ...] = ()
    readonly: str = ""

    def reads_like(self, other: Place) -> bool:
        """Whether a text that was read under the other place says the same under this one."""
        mine = (self.role, self.type, self.fixed, self.reader)
        same = mine == (other.role, other.type, other.fixed, other.reader)
        return same and (self.role != "card" or self.title == other.title)


OTHER = Place("other", fixed=True)


@dataclass(frozen=True, slots=True)
class Project:
    """A project as a layout found it at the folder `base` ('' for the root of the book).

    `place` says what a file is by its path relative to the root; None leaves it to others. `rest` says what
    then becomes of a file below `base` that nobody took: nothing, a card at most, or what a plain folder
    makes of it. `chapters` is False for one that only adds cards; `extra` are files that it reads where no
    walk looks. `place` is pure and cheap.
    """

    id: str
    base: str
    place: Callable[[str], Place | None]
    rest: Rest = "plain"
    chapters: bool = True
    title: str = ""
    author: str = ""
    extra: tuple[str, ...] = ()

    def holds(self, path: str) -> bool:
        """Whether a path lies below its folder."""
        return not self.base or path.startswith(f"{self.base}/")


def join(base: str, name: str) -> str:
    """A path below a folder; `base` '' is the root."""
    return f"{base}/{name}" if base else name


def below(base: str, path: str) -> str:
    """A path relative to a folder that holds it."""
    return path[len(base) + 1 :] if base else path

"""What a layout is."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

Role = Literal["chapter", "card", "other"]


@dataclass(frozen=True, slots=True)
class Place:
    """What a file is by its place alone. `type` is the card type its folder stands for, else ''.

    `fixed` is True where the author named the files (globs): front matter then changes no role.
    `volume` is the folder of a chapter below the manuscript's own, '/' between levels.
    """

    role: Role
    type: str = ""
    volume: str = ""
    fixed: bool = False


class Layout(Protocol):
    """A way of laying out a book. Both methods are pure and see paths relative to the root, '/' between."""

    @property
    def id(self) -> str: ...

    def matches(self, paths: Collection[str]) -> bool:
        """Whether these files are laid out so."""
        ...

    def plan(
        self, paths: Collection[str], chapters: Sequence[str] = (), cards: Sequence[str] = ()
    ) -> Mapping[str, Place]:
        """The place of every path. `chapters` and `cards` are the author's globs; empty ones decide nothing."""
        ...

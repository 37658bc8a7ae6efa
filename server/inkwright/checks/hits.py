"""What a rule finds in a paragraph, before it becomes a diagnostic of a document."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Protocol

from inkwright.checks.piece import Piece
from inkwright.domain.diagnostic import Severity


@dataclass(slots=True)
class Hit:
    """A place in a paragraph. `fix` (None: the rule only points) replaces `where`, by default the place itself.

    Never changed once made; not frozen, since a faulty book makes ten thousand of them a megabyte.
    """

    start: int
    end: int
    rule: str
    severity: Severity
    fix: str | None = None
    params: Mapping[str, str | int | float] | None = None
    where: tuple[int, int] | None = None

    @property
    def replaced(self) -> tuple[int, int]:
        return self.where or (self.start, self.end)

    @property
    def told(self) -> Mapping[str, str | int | float]:
        """What its sentence tells, to be kept where its fix becomes none, or one of more than its place."""
        return {"better": self.fix or "", **(self.params or {})}

    def unfixed(self) -> Hit:
        """It still tells what is better; another's fix sees to it, or none can."""
        return self if self.fix is None else replace(self, fix=None, where=None, params=self.told)


class Finder(Protocol):
    """One family's method at work, on paragraphs of its `scope` (zh, en, any) that have one of `triggers`.

    No `triggers`: on every paragraph.
    """

    @property
    def scope(self) -> str: ...

    @property
    def triggers(self) -> frozenset[str]: ...

    def find(self, piece: Piece) -> Iterable[Hit]: ...

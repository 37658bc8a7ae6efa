"""What a paragraph adds to its chapter's sums, and the sums of a stretch of paragraphs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple


class Mark(NamedTuple):
    """A place that counts: `form` is one of several ways in which `group` is written.

    `start`, `end` lie in the paragraph. `forms` is what each form would be here, () where forms are only told
    apart. `times` is more than 1 where the place is the first of several in its paragraph.
    """

    group: str
    form: int
    start: int
    end: int
    forms: tuple[str, ...] = ()
    times: int = 1


Key = tuple[str, int]
"""A group and a form."""


class Noted(NamedTuple):
    """What is kept of one paragraph: its marks, amounts by name, and the word that it opens with."""

    marks: tuple[Mark, ...] = ()
    amounts: tuple[tuple[str, int], ...] = ()
    opening: str = ""


NOTHING = Noted()


@dataclass(slots=True)
class Notes:
    """The same while it is being written."""

    marks: list[Mark] = field(default_factory=list)
    amounts: list[tuple[str, int]] = field(default_factory=list)


class Run(NamedTuple):
    """Paragraphs in a row that open alike: how many, and where the last one's opening stands."""

    opening: str
    length: int
    start: int
    end: int


@dataclass(slots=True)
class Tally:
    """The marks of a stretch by group and form, places from its beginning; `amounts` by name; `runs` in order.

    Of the runs the first, the last and those of some length are kept, and an empty one where two that open alike
    would else come to stand side by side.
    """

    marks: dict[Key, list[Mark]] = field(default_factory=dict)
    amounts: dict[str, int] = field(default_factory=dict)
    runs: list[Run] = field(default_factory=list)

    def add(self, start: int, noted: Noted) -> None:
        """Take in a paragraph that begins at `start`; in order."""
        for mark in noted.marks:
            moved = mark._replace(start=mark.start + start, end=mark.end + start)
            self.marks.setdefault((mark.group, mark.form), []).append(moved)
        for name, amount in noted.amounts:
            self.amounts[name] = self.amounts.get(name, 0) + amount
        self.extend(Run(noted.opening, 1, start, start + len(noted.opening)))

    def extend(self, run: Run) -> None:
        last = self.runs[-1] if self.runs else None
        if last is not None and run.opening and last.opening == run.opening:
            self.runs[-1] = Run(run.opening, last.length + run.length, run.start, run.end)
        else:
            if last is not None and len(self.runs) > 1 and last.length < LONG:
                self.runs.pop()
                if run.opening and self.runs[-1].opening == run.opening:
                    self.runs.append(Run("", 0, last.start, last.end))
            self.runs.append(run)


LONG = 4
"""Paragraphs in a row that open alike before anything is said."""


def joined(tallies: Iterable[tuple[int, Tally]]) -> list[Run]:
    """The long runs of a whole from those of its stretches, each with where it begins."""
    out: list[Run] = []
    opening, length, start, end = "", 0, 0, 0
    for begin, tally in tallies:
        for first, times, at, stop in tally.runs:
            if first and first == opening:
                length += times
            else:
                if length >= LONG and opening:
                    out.append(Run(opening, length, start, end))
                opening, length = first, times
            start, end = begin + at, begin + stop
    if length >= LONG and opening:
        out.append(Run(opening, length, start, end))
    return out

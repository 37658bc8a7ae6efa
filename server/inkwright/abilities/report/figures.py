"""What a report says of a book, as frozen data; and the sums that are made of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median

from inkwright.domain.diagnostic import Severity
from inkwright.domain.manuscript import Book, CountRule, Counts, Problem
from inkwright.manuscript.ledger import Row as Thread

SEVERITIES: tuple[Severity, ...] = ("error", "warning", "information", "hint")
ALARMS: tuple[Severity, ...] = ("error", "warning")


@dataclass(frozen=True, slots=True)
class ChapterRow:
    """One chapter. `scenes` are the lengths of its scenes by the book's rule; `spoken` is the part of
    `counts.nonspace` that stands in quotation marks. `found` counts its diagnostics by severity.
    """

    path: str
    title: str
    volume: str
    number: int | None
    counts: Counts
    scenes: tuple[int, ...] = ()
    spoken: int = 0
    found: Mapping[Severity, int] = field(default_factory=dict)
    unread: str = ""
    """Why the chapter could not be read: a code; '' for one that was."""

    @property
    def alarms(self) -> int:
        return sum(self.found.get(severity, 0) for severity in ALARMS)


@dataclass(frozen=True, slots=True)
class CastRow:
    """One card: its mentions by the index of the chapter."""

    card: str
    name: str
    mentions: Mapping[int, int]

    @property
    def total(self) -> int:
        return sum(self.mentions.values())


@dataclass(frozen=True, slots=True)
class CodeRow:
    """One kind of diagnostic: how often it was found, and what the first one says in the report's language."""

    code: str
    severity: Severity
    count: int
    example: str


@dataclass(frozen=True, slots=True)
class Report:
    """`cast` are all cards that a chapter mentions, the most mentioned first: people, or whatever there is where
    no card is a person's. `codes` and the chapters' `found` are empty where nothing was `checked`.
    """

    book: Book
    rule: CountRule
    chapters: tuple[ChapterRow, ...]
    cast: tuple[CastRow, ...]
    threads: tuple[Thread, ...]
    codes: tuple[CodeRow, ...]
    problems: tuple[Problem, ...]
    checked: bool

    def length(self, row: ChapterRow) -> int:
        """A chapter's length by the book's rule."""
        return int(getattr(row.counts, self.rule))

    @property
    def volumes(self) -> list[tuple[str, list[ChapterRow]]]:
        """The chapters of each volume, in the order in which they begin."""
        out: dict[str, list[ChapterRow]] = {}
        for row in self.chapters:
            out.setdefault(row.volume, []).append(row)
        return list(out.items())


def share(rows: Sequence[ChapterRow]) -> float:
    """How much of the text is spoken, 0 to 1."""
    whole = sum(row.counts.nonspace for row in rows)
    return sum(row.spoken for row in rows) / whole if whole else 0.0


def middle(values: Sequence[int]) -> int:
    """The median; 0 of nothing."""
    return round(median(values)) if values else 0


def stretches(chapters: int, most: int) -> list[range]:
    """The chapters in at most `most` stretches of one length, the last one shorter."""
    size = max(1, -(-chapters // most))
    return [range(at, min(at + size, chapters)) for at in range(0, chapters, size)]

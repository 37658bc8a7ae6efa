"""Books, volumes, chapters, scenes: what the manuscript room finds in files and buffers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from inkwright.domain.text import Span

BookType = str  # novel, thesis, breakdown, note, or the id of any loaded domain; '' means unset
CountRule = Literal["mixed", "han", "word", "nonspace"]
ChapterKind = Literal["prologue", "main", "epilogue", "extra"]


@dataclass(frozen=True, slots=True)
class Counts:
    """The four named counting rules over prose (no front matter, comments, Markdown marks).

    mixed: Han characters + Latin words + numbers. han: Han only. word: mixed + CJK and typographic
    punctuation. nonspace: characters that are not white space.
    """

    mixed: int = 0
    han: int = 0
    word: int = 0
    nonspace: int = 0

    def __add__(self, other: Counts) -> Counts:
        return Counts(
            self.mixed + other.mixed,
            self.han + other.han,
            self.word + other.word,
            self.nonspace + other.nonspace,
        )

    def __sub__(self, other: Counts) -> Counts:
        return Counts(
            self.mixed - other.mixed,
            self.han - other.han,
            self.word - other.word,
            self.nonspace - other.nonspace,
        )


@dataclass(frozen=True, slots=True)
class Heading:
    """A Markdown heading. `span` is the whole line, `title` its text, `title_span` where that stands."""

    level: int
    title: str
    span: Span
    title_span: Span


@dataclass(frozen=True, slots=True)
class Scene:
    """A part of a chapter between scene breaks (the breaks themselves belong to none)."""

    index: int
    span: Span
    counts: Counts


@dataclass(frozen=True, slots=True)
class ChapterName:
    """What a file name or heading says: `number` None when it has none."""

    number: int | None
    title: str
    kind: ChapterKind = "main"


@dataclass(frozen=True, slots=True)
class Chapter:
    """One Markdown file of the manuscript, in reading order by `BookIndex.chapters`."""

    path: str
    title: str
    volume: str
    number: int | None
    kind: ChapterKind
    counts: Counts
    meta: Mapping[str, Any] = field(default_factory=dict)
    """Front matter under our own field names; unknown keys as written."""


@dataclass(frozen=True, slots=True)
class Problem:
    """Something in a book that could not be read as meant. `line` is zero-based."""

    path: str
    line: int
    code: str
    params: Mapping[str, str | int | float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Book:
    """A folder with chapters. `root` is an absolute path; `language` a BCP 47 tag or ''."""

    root: str
    title: str
    type: BookType = ""
    language: str = ""
    author: str = ""
    count: CountRule = "mixed"
    model: str = ""
    revision: int = 0
    owned: bool = False
    """True when `.inkwright/` stands in the root."""


BOOK_FIELDS = ("title", "author", "language", "type", "count", "model")
"""The fields of a book that its writer may change."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A place in a chapter where a card's name or alias stands. `card` is the card's path."""

    card: str
    span: Span


@dataclass(frozen=True, slots=True)
class Summary:
    """What a chapter is about, derived from its text. `by` is the model that made it, '' for rules.

    `digest` is `BookView.digest` of the text it was made from: with another it is stale.
    """

    path: str
    text: str
    digest: str
    by: str = ""
    made_at: float = 0.0


@dataclass(frozen=True, slots=True)
class Hit:
    """One line of a chapter or card that a search found. `spans` are the places of the words in the
    file's text (code points), `line` is zero-based, `text` the line itself, `start` where it begins.

    `score` is 1 or more for a line that holds all that was asked for, else its share of that.
    """

    kind: Literal["chapter", "card"]
    path: str
    title: str
    line: int
    text: str
    spans: tuple[Span, ...]
    score: float = 0.0
    start: int = 0

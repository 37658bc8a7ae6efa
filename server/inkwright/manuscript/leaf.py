"""What the index keeps of one file: everything that is worked out from its text, and never the text."""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, overload

from inkwright.domain.cards import Card
from inkwright.domain.manuscript import Counts, Mention, Problem
from inkwright.domain.text import Span
from inkwright.manuscript import (
    cards,
    counting,
    encoding,
    fields,
    frontmatter,
    markdown,
    naming,
    ordering,
    structure,
    threads,
)
from inkwright.manuscript.frontmatter import FrontMatter
from inkwright.manuscript.layouts import Place, Role
from inkwright.manuscript.markdown import Document
from inkwright.manuscript.mentions import Dictionary, Hit
from inkwright.manuscript.naming import Reading
from inkwright.manuscript.structure import Mark

REPORT = "<!-- inkwright report -->"
"""How a page about a book begins that was made of it."""
_NO_COUNTS = Counts()
_NO_META: Mapping[str, Any] = {}
_NO_NAME = Reading(None, "")


class Places(Sequence[int]):
    """Numbers that are put together when somebody asks for them; equal to an array of the same ones."""

    def whole(self) -> array[int]:
        raise NotImplementedError

    def __len__(self) -> int:
        return len(self.whole())

    def __iter__(self) -> Iterator[int]:
        return iter(self.whole())

    @overload
    def __getitem__(self, at: int) -> int: ...
    @overload
    def __getitem__(self, at: slice) -> array[int]: ...
    def __getitem__(self, at: int | slice) -> int | array[int]:
        return self.whole()[at]

    def __eq__(self, other: object) -> bool:
        return self.whole() == (other.whole() if isinstance(other, Places) else other)

    __hash__ = None  # type: ignore[assignment]

    def tobytes(self) -> bytes:
        return self.whole().tobytes()


@dataclass(frozen=True, slots=True)
class Found:
    """The mentions of one chapter, packed. `cards` are paths, `tallies` how often each is meant.

    `places` holds three numbers a mention, by place: index into `cards`, start, length. `version` is
    the dictionary's that they were found with.
    """

    version: str = ""
    cards: tuple[str, ...] = ()
    tallies: array[int] = field(default_factory=lambda: array("I"))
    places: array[int] | Places = field(default_factory=lambda: array("I"))

    def mentions(self) -> tuple[Mention, ...]:
        rows = iter(self.places)
        return tuple(
            Mention(self.cards[card], Span(at, at + n)) for card, at, n in zip(rows, rows, rows, strict=True)
        )


_NOT_FOUND = Found()


@dataclass(frozen=True, slots=True)
class Written:
    """What a chapter's Markdown says: its front matter, the title that a heading gives it, its marks, its comments."""

    head: FrontMatter
    heading: str
    marks: tuple[Mark, ...]
    comments: Sequence[Span]


@dataclass(frozen=True, slots=True)
class Leaf:
    """One file of a book. `place` is what it was read under: another place may mean another role.

    `heading` is the title that its text gives it, '' when none; `meta` the front matter under our
    names, `marks` its further headings and its scenes, `reading` what its name says of its place in the
    book. `card` is set for a file that is one, `within` for one that holds several; `found`, `counts` and
    `reading` mean something for a chapter only.
    """

    path: str
    role: Role
    place: Place
    digest: bytes
    readonly: str = ""
    heading: str = ""
    counts: Counts = _NO_COUNTS
    meta: Mapping[str, Any] = field(default_factory=lambda: _NO_META)
    found: Found = _NOT_FOUND
    card: Card | None = None
    problems: tuple[Problem, ...] = ()
    marks: tuple[Mark, ...] = ()
    within: tuple[Card, ...] = ()
    reading: Reading = _NO_NAME

    @property
    def title(self) -> str:
        """The title that a chapter gives itself, '' for none."""
        return fields.text(self.meta.get("title")) or self.heading

    @property
    def stem(self) -> str:
        """What a chapter's file is called, or what stands for it."""
        return self.place.title or stem(self.path)

    def under(self, place: Place) -> Leaf:
        """The same text under another place that it reads alike under."""
        moved = replace(self, place=place)
        if self.role != "chapter" or place.title == self.place.title:
            return moved
        return replace(moved, reading=ordering.read(moved.stem, moved.title))

    @property
    def cards(self) -> tuple[Card, ...]:
        """The card that the file is, or those that it holds."""
        return self.within if self.card is None else (self.card,)

    @property
    def bearing(self) -> object:
        """What other files may hang on: all but the counts, the scenes and the places of things."""
        headings = [mark[1:] for mark in self.marks if mark[1] != structure.SCENE]
        where = (self.role, self.place, self.heading)
        return where, self.meta, headings, self.cards, self.found.cards, self.problems


def from_bytes(path: str, data: bytes, place: Place, dictionary: Dictionary) -> Leaf:
    """The leaf of a file on the disk. Never raises for anything in it."""
    decoded = encoding.decode(data)
    leaf = from_text(path, decoded.text, place, dictionary, digest(data), decoded.readonly)
    if decoded.readonly == "binary":
        return Leaf(path, "other", place, leaf.digest, "binary", problems=(_said(path, "file_binary"),))
    if decoded.readonly:
        told = Problem(path, 0, "file_not_utf8", {"path": path, "encoding": decoded.encoding})
        return replace(leaf, problems=(*leaf.problems, told))
    return leaf


def role_of(text: str, place: Place, meta: Mapping[str, Any]) -> Role:
    """What a file is by its place and front matter; a page that was made of the book is no part of it."""
    return "other" if text.startswith(REPORT) else cards.role(place, meta)


def from_text(
    path: str, text: str, place: Place, dictionary: Dictionary, digest: bytes = b"", readonly: str = ""
) -> Leaf:
    """The leaf of a text."""
    if place.role == "card" and place.reader:
        return listed_leaf(path, text, place, digest, readonly)
    head = frontmatter.read(text)
    role = role_of(text, place, head.meta)
    if role == "other":
        return Leaf(path, role, place, digest, readonly)
    outline = markdown.outline(text, head)
    if role == "card":
        return card_leaf(path, text, outline.document(), place, digest, readonly)
    found = pack(dictionary.version, dictionary.in_outline(text, outline))
    heading, marks = structure.contents([structure.shape(text, outline)])
    written = Written(outline.frontmatter, heading, marks, outline.comments)
    return chapter_leaf(path, text, written, place, counting.whole(text, outline), found, digest, readonly)


def listed_leaf(path: str, text: str, place: Place, digest: bytes, readonly: str) -> Leaf:
    """The leaf of a file that may hold several cards. One in Markdown that lists fewer than two is itself the card."""
    found, problems = cards.several(path, text, place)
    if place.reader == "manuskript-character" and len(found) == 1:
        alone = replace(found[0], path=path, within="")
        return Leaf(path, "card", place, digest, readonly, card=alone, problems=problems)
    if place.reader == "headings" and len(found) < 2:
        return card_leaf(path, text, markdown.scan(text), place, digest, readonly)
    return Leaf(path, "card" if found else "other", place, digest, readonly, problems=problems, within=found)


def card_leaf(path: str, text: str, document: Document, place: Place, digest: bytes, readonly: str) -> Leaf:
    card, problems = cards.read(path, text, document, place.type, place.title)
    problems = (*_front_problems(path, document.frontmatter), *problems)
    return Leaf(path, "card", place, digest, readonly, card=card, problems=problems)


def chapter_leaf(
    path: str,
    text: str,
    said: Written,
    place: Place,
    counts: Counts,
    found: Found,
    digest: bytes,
    readonly: str,
) -> Leaf:
    written = said.head.meta
    if place.reader == "novelwriter":
        from inkwright.manuscript.layouts import novelwriter

        written = {**novelwriter.meta(text), **written}
    meta = threads.with_marks(fields.canonical(written, "chapter.keys"), text, said.comments)
    problems = _front_problems(path, said.head)
    if meta.get("order") is not None and naming.order_value(meta["order"]) is None:
        shown = fields.text(meta["order"])[:40]
        problems = (*problems, Problem(path, 0, "order_not_number", {"value": shown}))
    return Leaf(
        path,
        "chapter",
        place,
        digest,
        readonly,
        said.heading,
        counts,
        meta or _NO_META,
        found,
        None,
        problems,
        said.marks,
        reading=ordering.read(place.title or stem(path), fields.text(meta.get("title")) or said.heading),
    )


def stem(path: str) -> str:
    """A file's name without its ending."""
    name = path.rpartition("/")[2]
    return name.rpartition(".")[0] or name


def pack(version: str, hits: Iterable[Hit]) -> Found:
    """Hits as the index keeps them."""
    index: dict[str, int] = {}
    tallies: list[int] = []
    places: list[int] = []
    for start, end, paths in hits:
        for path in paths:
            at = index.get(path)
            if at is None:
                at = index[path] = len(tallies)
                tallies.append(0)
            tallies[at] += 1
            places += (at, start, end - start)
    return Found(version, tuple(index), array("I", tallies), array("I", places))


def digest(data: bytes) -> bytes:
    """What tells one content from another."""
    return hashlib.blake2b(data, digest_size=16).digest()


def _front_problems(path: str, found: FrontMatter) -> tuple[Problem, ...]:
    if found.problem is None:
        return ()
    return (Problem(path, found.line, found.problem.code, found.problem.params),)


def _said(path: str, code: str) -> Problem:
    return Problem(path, 0, code, {"path": path})

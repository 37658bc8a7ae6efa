"""The one document that is checked, with what is remembered of its paragraphs."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple, TypeVar, cast

from inkwright.domain.cards import Card
from inkwright.domain.diagnostic import Change, Diagnostic, Fix
from inkwright.domain.manuscript import Chapter, Mention
from inkwright.domain.text import Span, TextEdit
from inkwright.manuscript import frontmatter, links, markdown
from inkwright.manuscript.blocks import Kind
from inkwright.manuscript.frontmatter import FrontMatter, Scalar
from inkwright.manuscript.inline import WikiLink
from inkwright.manuscript.links import Link
from inkwright.manuscript.markdown import Document
from inkwright.manuscript.mentions import Hit
from inkwright.manuscript.overview import Overview

Key = tuple[str, Kind, tuple[int, ...] | None, tuple[tuple[Span, Span], ...]]
"""A paragraph's text, kind, pieces of prose (None: all of it), and links that show something else."""
Name = tuple[str, Hashable]
T = TypeVar("T")


class Passage(NamedTuple):
    """One paragraph by itself. `text` is all of it, `prose` the pieces that mentions and checks may touch, as
    spans of that text; `hits` are the mentions in it."""

    text: str
    kind: Kind
    prose: tuple[Span, ...]
    hits: tuple[Hit, ...]


class Memory:
    """What was worked out of each paragraph in the last two passes, by its text."""

    def __init__(self) -> None:
        self.state: Hashable = None
        self.now: dict[tuple[Name, Key], Any] = {}
        self.before: dict[tuple[Name, Key], Any] = {}
        self.kept: dict[str, tuple[Hashable, Any]] = {}
        """The latest of what hangs on more than a paragraph, by name, with what it hangs on."""

    def begin(self, state: Hashable) -> None:
        """Begin a pass; what was known holds for the same `state` only."""
        self.before, self.now = (self.now if self.state == state else {}), {}
        self.state = state


@dataclass(frozen=True)
class Page:
    """The document at `path` of the book. `chapter` and `cards` say what it is; both may be missing.

    `parsed` are its parts, spans are code points of `text`.
    """

    path: str
    text: str
    parsed: Document
    book: Overview
    memory: Memory = field(default_factory=Memory)

    @cached_property
    def chapter(self) -> Chapter | None:
        return self.book.chapter(self.path)

    @cached_property
    def cards(self) -> tuple[Card, ...]:
        """The card that the document is, or those that it holds."""
        return self.book.table.by_file.get(self.path, ())

    @property
    def front(self) -> FrontMatter:
        return self.parsed.frontmatter

    @cached_property
    def scalars(self) -> tuple[Scalar, ...]:
        """The single values of the front matter with their places; `key` as written."""
        return tuple(frontmatter.scalars(self.text)) if self.front else ()

    @cached_property
    def links(self) -> tuple[Link, ...]:
        """The links of the text, front matter included, by place."""
        front = markdown.Document(self.front, (), (), (), ())
        found = [*links.find(self.text, front), *self._links()]
        if self.parsed.comments:
            hidden = self.parsed.comments
            found = [k for k in found if not any(c.start <= k.span.start < c.end for c in hidden)]
        return tuple(found[: links.LIMIT])

    @cached_property
    def mentions(self) -> tuple[Mention, ...]:
        """The mentions in headings and prose, by place; of an ambiguous name one for each of its cards."""
        return tuple(
            Mention(card, Span(start + at, end + at))
            for at, passage in self.passages()
            for start, end, cards in passage.hits
            for card in cards
        )

    def passages(self) -> Iterator[tuple[int, Passage]]:
        """The paragraphs with anything in them, each with the offset that its spans count from."""
        for at, _, passage in self._passages:
            yield at, passage

    def each(
        self,
        name: str,
        look: Callable[[Overview, Passage], tuple[Diagnostic, ...]],
        on: Hashable = None,
    ) -> Iterator[Diagnostic]:
        """What `look` says of each paragraph, its spans in the text; it is asked once for each that is new.

        `look` must hang on nothing but the passage, the names of the cards and `on`. `name` tells it from
        other looks.
        """
        for at, key, passage in self._passages:
            for one in self._remembered((name, on), key, lambda p: look(self.book, p), passage):
                yield moved(one, at)

    def read(self, name: str, make: Callable[[Passage], T]) -> Iterator[tuple[int, T]]:
        """What `make` gives for each paragraph, with the offset that its spans count from; asked once for each
        that is new. It must hang on nothing but the passage and the names of the cards."""
        for at, key, passage in self._passages:
            yield at, self._remembered((name, None), key, make, passage)

    def once(self, name: str, on: Hashable, make: Callable[[], T]) -> T:
        """What `make` gives, from this pass or an earlier one that had the same `on`."""
        known = self.memory.kept.get(name)
        if known is None or known[0] != on:
            known = self.memory.kept[name] = (on, make())
        return cast("T", known[1])

    @cached_property
    def _passages(self) -> list[tuple[int, Key, Passage]]:
        out: list[tuple[int, Key, Passage]] = []
        shown = self._shown()
        for number, paragraph in enumerate(self.parsed.paragraphs):
            at = paragraph.span.start
            prose = paragraph.prose
            whole = len(prose) == 1 and prose[0] == paragraph.span
            pieces = None if whole else tuple([x - at for piece in prose for x in (piece.start, piece.end)])
            key = (paragraph.span.of(self.text), paragraph.kind, pieces, tuple(shown.get(number, ())))
            out.append((at, key, self._remembered(("", None), key, self._passage, key)))
        return out

    def _shown(self) -> dict[int, list[tuple[Span, Span]]]:
        """The links that show something else than their target, by the number of their paragraph."""
        out: dict[int, list[tuple[Span, Span]]] = {}
        for link in self.parsed.wikilinks:
            if link.shown != link.target:
                number = bisect_right(self.parsed.paragraphs, link.span.start, key=lambda p: p.span.start) - 1
                at = -self.parsed.paragraphs[number].span.start
                out.setdefault(number, []).append((link.target.shift(at), link.shown.shift(at)))
        return out

    def _passage(self, key: Key) -> Passage:
        text, kind, pieces, shown = key
        ends = iter(pieces or ())
        prose = tuple(Span(a, b) for a, b in zip(ends, ends, strict=True))
        if pieces is None:
            prose = (Span(0, len(text)),)
        names = self.book.dictionary
        links_ = [WikiLink(Span(target.start, shown.end), target, shown) for target, shown in shown]
        return Passage(text, kind, prose, tuple(names.with_links(text, names.hits(text, prose), links_)))

    def _links(self) -> Iterator[Link]:
        for at, key, passage in self._passages:
            for link in self._remembered(("links", None), key, _links_of, passage):
                yield link._replace(span=link.span.shift(at))

    def _remembered(self, name: Name, key: Key, make: Callable[[Any], Any], given: Any) -> Any:
        place = (name, key)
        memory = self.memory
        found = memory.now.get(place)
        if found is None:
            found = memory.before.get(place)
            if found is None:
                found = make(given)
            memory.now[place] = found
        return found


def moved(one: Diagnostic, by: int) -> Diagnostic:
    """A diagnostic of a paragraph as one of the text that it begins in at `by`."""
    if by == 0:
        return one
    fix = None if one.fix is None else _edit(one.fix, by)
    return replace(one, span=one.span.shift(by), fix=fix, fixes=tuple(_fix(fix, by) for fix in one.fixes))


def _fix(fix: Fix, by: int) -> Fix:
    return replace(fix, changes=tuple(_change(change, by) for change in fix.changes))


def _change(change: Change, by: int) -> Change:
    if change.path or not isinstance(change.edits, tuple):
        return change
    return Change("", tuple(_edit(edit, by) for edit in change.edits))


def _edit(edit: TextEdit, by: int) -> TextEdit:
    return TextEdit(edit.span.shift(by), edit.new)


def _links_of(passage: Passage) -> tuple[Link, ...]:
    return links.in_paragraph(passage.text, passage.kind, passage.prose)

"""The one document that is checked, with what is remembered of its paragraphs."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeVar

from inkwright.checks.book.strips import Kept, Passage, Strip, Strips
from inkwright.domain.cards import Card
from inkwright.domain.diagnostic import Diagnostic
from inkwright.domain.manuscript import Chapter, Heading, Mention
from inkwright.domain.text import Span
from inkwright.manuscript import fieldnames, frontmatter, links
from inkwright.manuscript.fieldnames import Named
from inkwright.manuscript.frontmatter import FrontMatter, Scalar
from inkwright.manuscript.links import Link
from inkwright.manuscript.markdown import Document
from inkwright.manuscript.overview import Overview

T = TypeVar("T")


@dataclass(frozen=True)
class Page:
    """The document at `path` of the book. `chapter` and `cards` say what it is; both may be missing.

    Spans are code points of `text`. What is asked for is worked out then, of the parts that changed.
    """

    path: str
    text: str
    book: Overview
    strips: Strips = field(default_factory=Strips)

    def __post_init__(self) -> None:
        self.strips.begin(self.book.dictionary, self.text)

    @cached_property
    def chapter(self) -> Chapter | None:
        return self.book.chapter(self.path)

    @cached_property
    def cards(self) -> tuple[Card, ...]:
        """The card that the document is, or those that it holds."""
        return self.book.table.by_file.get(self.path, ())

    # Its front matter.

    @cached_property
    def front(self) -> FrontMatter:
        return frontmatter.read(self.text)

    @cached_property
    def scalars(self) -> tuple[Scalar, ...]:
        """The single values of the front matter with their places; `key` as written."""
        return self._of_head("scalars", lambda: tuple(frontmatter.scalars(self.text)))

    @cached_property
    def named(self) -> tuple[Named, ...]:
        """The names that a chapter's front matter has."""
        return self._of_head("named", lambda: tuple(fieldnames.names(self.text, fieldnames.CHAPTER)))

    def _of_head(self, name: str, make: Callable[[], tuple[T, ...]]) -> tuple[T, ...]:
        if not self.front:
            return ()
        return self.once(name, self.text[: self.front.body_start], make)

    # Its parts.

    @cached_property
    def _marked(self) -> list[tuple[int, Document]]:
        """The stretches that have more than paragraphs, with where they begin."""
        return self.strips.few("marked", None, lambda strip: None if strip.plain else strip.parsed)

    @cached_property
    def headings(self) -> tuple[Heading, ...]:
        return tuple(
            Heading(one.level, one.title, one.span.shift(at), one.title_span.shift(at))
            for at, parsed in self._marked
            for one in parsed.headings
        )

    @cached_property
    def scene_breaks(self) -> tuple[Span, ...]:
        return tuple([span.shift(at) for at, parsed in self._marked for span in parsed.scene_breaks])

    @cached_property
    def comments(self) -> tuple[Span, ...]:
        return tuple([span.shift(at) for at, parsed in self._marked for span in parsed.comments])

    @cached_property
    def links(self) -> tuple[Link, ...]:
        """The links of the text, front matter included, by place."""
        front = Document(self.front, (), (), (), ())
        found = [*links.find(self.text, front)]
        for at, mine in self.strips.few("links", None, Strip.links):
            found += (link._replace(span=link.span.shift(at)) for link in mine)
        if found and (hidden := self.comments):
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
        """The paragraphs, each with the offset that its spans count from."""
        for at, strip in self.strips.starts():
            for begin, _, passage, _ in strip.paragraphs:
                yield at + begin, passage

    # What is said of them.

    def each(
        self,
        name: str,
        look: Callable[[Overview, Passage], tuple[Diagnostic, ...]],
        on: Hashable = None,
    ) -> Iterator[Diagnostic]:
        """What `look` says of each paragraph, its spans in the text; it is asked once for each that is new.

        `look` must hang on nothing but the passage, the names of the cards and `on`. `name` tells it from
        other looks. Stretches of which nothing is said cost nothing.
        """

        def passage(passage: Passage, kept: Kept) -> tuple[Diagnostic, ...]:
            return kept.once(name, on, lambda: look(self.book, passage))

        def said(strip: Strip) -> tuple[Diagnostic, ...]:
            rows = strip.paragraphs
            return tuple(one.shift(begin) for begin, _, text, kept in rows for one in passage(text, kept))

        for at, found in self.strips.few(name, on, said):
            for one in found:
                yield one.shift(at)

    def once(self, name: str, on: Hashable, make: Callable[[], T]) -> T:
        """What `make` gives, from this pass or an earlier one that had the same `on`."""
        return self.strips.kept.once(name, on, make)

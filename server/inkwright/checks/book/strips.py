"""A document as the checks of the book remember it: stretches with their paragraphs, and what was said of each."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, ParamSpec, TypeVar, cast

from inkwright.domain.text import Span
from inkwright.manuscript import links
from inkwright.manuscript.blocks import Kind
from inkwright.manuscript.borders import reaching
from inkwright.manuscript.ends import Ends
from inkwright.manuscript.inline import WikiLink
from inkwright.manuscript.links import Link
from inkwright.manuscript.markdown import Document, scan
from inkwright.manuscript.mentions import Dictionary, Hit
from inkwright.manuscript.overlong import pieces
from inkwright.manuscript.stretches import Stretches

P = ParamSpec("P")
T = TypeVar("T")

Key = tuple[str, Kind, tuple[Span, ...], tuple[WikiLink, ...]]
"""A paragraph's text, kind, pieces of prose, and links that show something else than their target."""


class Passage(NamedTuple):
    """One paragraph by itself. `text` is all of it, `prose` the pieces that mentions and checks may touch, as
    spans of that text; `hits` are the mentions in it."""

    text: str
    kind: Kind
    prose: tuple[Span, ...]
    hits: tuple[Hit, ...]


@dataclass(slots=True)
class Kept:
    """What was made of something, by name: the latest alone, with what it hangs on."""

    _made: dict[str, tuple[Hashable, Any]] = field(default_factory=dict)

    def once(self, name: str, on: Hashable, make: Callable[P, T], *given: P.args, **named: P.kwargs) -> T:
        known = self._made.get(name)
        if known is None or known[0] != on:
            known = self._made[name] = (on, make(*given, **named))
        return cast("T", known[1])


@dataclass(slots=True)
class Strip:
    """One stretch. `paragraphs` are its paragraphs by where they begin in it, each with what is kept of it.
    `plain`: it has no heading, scene break or comment."""

    text: str
    reaches: bool
    parsed: Document
    paragraphs: list[tuple[int, Key, Passage, Kept]]
    kept: Kept
    plain: bool

    def links(self) -> tuple[Link, ...]:
        """The links in its paragraphs, front matter excepted."""
        found = self.paragraphs if links.likely(self.text) else ()
        return tuple(
            link._replace(span=link.span.shift(at))
            for at, _, passage, _ in found
            for link in links.in_paragraph(passage.text, passage.kind, passage.prose)
        )


class Strips(Stretches[Strip]):
    """The strips of one document, with the mentions of the names in `names`."""

    def __init__(self, ends: Ends | None = None) -> None:
        super().__init__(ends=ends)
        self.names: Dictionary = Dictionary(())
        self.kept = Kept()

    def begin(self, names: Dictionary, text: str) -> None:
        """Become the strips of a text; what was known holds for the same names only."""
        if names.version != self.names.version:
            self.clear()
            self.kept = Kept()
        self.names = names
        self.follow(text)

    def made(self, texts: Iterable[str], old: Sequence[Strip]) -> list[Strip]:
        known = {key: (passage, kept) for strip in old for _, key, passage, kept in strip.paragraphs}
        return [self._strip(text, known) for text in texts]

    def _strip(self, text: str, known: dict[Key, tuple[Passage, Kept]]) -> Strip:
        parsed = scan(text)
        shown = _shown(parsed)
        paragraphs: list[tuple[int, Key, Passage, Kept]] = []
        for number, paragraph in enumerate(parsed.paragraphs):
            links_of = shown.get(number, [])
            whole = paragraph.span
            for span, parts in pieces(text, whole, paragraph.prose):
                at = span.start
                prose = tuple([part.shift(-at) for part in parts])
                own = links_of if span == whole else _within(links_of, span.shift(-whole.start))
                key = (span.of(text), paragraph.kind, prose, tuple(own))
                found = known.get(key)
                if found is None:
                    found = known[key] = self._passage(key), Kept()
                paragraphs.append((at, key, *found))
        plain = not (parsed.headings or parsed.scene_breaks or parsed.comments)
        return Strip(text, reaching(text), parsed, paragraphs, Kept(), plain)

    def _passage(self, key: Key) -> Passage:
        text, kind, prose, shown = key
        hits = self.names.with_links(text, self.names.hits(text, prose), shown)
        return Passage(text, kind, prose, tuple(hits))


def _within(found: Sequence[WikiLink], span: Span) -> list[WikiLink]:
    """The links that stand wholly in a part of their paragraph, from the part's start."""
    by = -span.start
    return [
        WikiLink(link.span.shift(by), link.target.shift(by), link.shown.shift(by))
        for link in found
        if span.start <= link.span.start and link.span.end <= span.end
    ]


def _shown(parsed: Document) -> dict[int, list[WikiLink]]:
    """The links that show something else than their target, by the number of their paragraph, from its start."""
    out: dict[int, list[WikiLink]] = {}
    number = 0
    for link in sorted(parsed.wikilinks, key=lambda link: link.span):
        if link.shown == link.target:
            continue
        while parsed.paragraphs[number].span.end <= link.span.start:
            number += 1
        by = -parsed.paragraphs[number].span.start
        moved = WikiLink(link.span.shift(by), link.target.shift(by), link.shown.shift(by))
        out.setdefault(number, []).append(moved)
    return out

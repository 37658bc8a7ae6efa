"""The names that stand in front matter, each with its place. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from inkwright.domain.cards import Card
from inkwright.domain.text import Span
from inkwright.manuscript import fields, frontmatter
from inkwright.manuscript.frontmatter import Scalar
from inkwright.manuscript.markdown import Document

CHAPTER = "chapter.keys"
CARD = "card.keys"

_PART = re.compile(r"[^,，、;；|/\r\n]+")
_LINK = re.compile(r"\[\[([^\[\]|#]+)(?:#[^\[\]|]*)?(?:\|[^\[\]]*)?\]\]")
_OWN = ("name", "aliases")
_CAST = ("pov", "characters", "mentions", "location")


class Named(NamedTuple):
    """One name in front matter. `key` is the field under our own name, `span` the name alone."""

    key: str
    name: str
    span: Span


def names(text: str, table: str) -> list[Named]:
    """The names in a text's front matter, by place; `table` says whose fields they are (CHAPTER, CARD).

    Of a chapter those of its fields that name people and places; of a card all.
    """
    return [
        Named(key, name, span)
        for scalar in frontmatter.scalars(text)
        for key in (fields.word(scalar.key, table) or scalar.key,)
        if table != CHAPTER or key in _CAST
        for name, span in _parts(text, scalar)
    ]


def of_card(text: str, card: Card) -> list[Span]:
    """Where the front matter of a chapter names a card."""
    wanted = frozenset(card.names)
    return [named.span for named in names(text, CHAPTER) if named.name in wanted]


def named(meta: Mapping[str, object], wanted: Collection[str]) -> bool:
    """Whether a chapter's front matter, under our names, has one of the names in it."""
    return any(name in wanted for key in _CAST if key in meta for name in fields.texts(meta[key]))


def declared(text: str, parsed: Document, card: Card) -> list[Span]:
    """Where a card's own file says its names: its name, or the heading that gives it, then its aliases."""
    own = [found for found in names(text, CARD) if found.key in _OWN and found.name in card.names]
    spans = [found.span for found in own]
    if not any(found.name == card.name and found.key == "name" for found in own):
        heading = next((h.title_span for h in parsed.headings if h.level == 1 and h.title == card.name), None)
        spans.insert(0, heading or Span(parsed.frontmatter.body_start, parsed.frontmatter.body_start))
    return spans


def typed(text: str) -> Span | None:
    """Where a card's file says its type."""
    found = (s for s in frontmatter.scalars(text) if fields.word(s.key, CARD) == "type")
    return next((scalar.span for scalar in found), None)


def _parts(text: str, scalar: Scalar) -> Iterator[tuple[str, Span]]:
    """A list in one string by its parts; a link by what it links to; what is written otherwise than it reads, whole."""
    written = scalar.span.of(text)
    if written != scalar.value:
        yield scalar.value.strip(), scalar.span
        return
    at = scalar.span.start
    for link in _LINK.finditer(written):
        yield _stripped(link[1], at + link.start(1))
    rest = _LINK.sub(lambda match: "," * len(match[0]), written)
    for part in _PART.finditer(rest):
        if not part[0].isspace():
            yield _stripped(part[0], at + part.start())


def _stripped(part: str, at: int) -> tuple[str, Span]:
    name = part.strip()
    start = at + len(part) - len(part.lstrip())
    return name, Span(start, start + len(name))

"""Names in a chapter's front matter that no card has."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files

from inkwright.checks.book import fixes
from inkwright.checks.book.nearest import nearest
from inkwright.checks.book.page import Page
from inkwright.domain.diagnostic import Diagnostic
from inkwright.domain.text import Span
from inkwright.manuscript import fieldnames, fields, frontmatter_edits
from inkwright.manuscript.overview import Overview

UNKNOWN, NEAR = "name_unknown", "name_unknown_near"
CODES = frozenset({UNKNOWN, NEAR})

KINDS: Mapping[str, str] = {
    "pov": "character",
    "characters": "character",
    "mentions": "character",
    "location": "location",
}
"""The fields that name cards, and the kind of card that a new one would be."""

_NOTE = re.compile(r"[（(][^()（）]*[)）]\s*\Z")


def find(book: Overview, page: Page) -> Iterable[Diagnostic]:
    if page.chapter is None or not page.front:
        return
    kinds = {card.kind for card in book.cards}
    if not kinds & set(KINDS.values()):
        return
    meta = fields.canonical(page.front.meta, fieldnames.CHAPTER)
    for named in page.named:
        kind = KINDS.get(named.key)
        if kind is None or kind not in kinds:  # a book without cards of people has no unknown people
            continue
        said = meta.get(named.key)
        if any(isinstance(row, Mapping | list) for row in (said if isinstance(said, list) else [said])):
            continue  # told of as no list of names
        bare = _NOTE.sub("", named.name).rstrip()
        if not any(map(str.isalnum, bare)) or bare.casefold() in _nobody() or book.named(bare):
            continue
        if book.named(named.name):
            continue
        names = (name for card in book.cards if card.kind == kind for name in card.names)
        near = [name for name in nearest(bare, names) if frontmatter_edits.plain(name) == name]
        span = Span(named.span.start, named.span.start + len(bare))
        if span.of(page.text) != bare:  # an escape in quotes: the whole is replaced
            span = named.span
        yield Diagnostic(
            span,
            "warning" if near else "information",
            NEAR if near else UNKNOWN,
            {"name": bare, "key": named.key, "better": near[0] if near else ""},
            fixes=(*fixes.replaced(span, near), *fixes.create(bare, kind)),
        )


@cache
def _nobody() -> frozenset[str]:
    text = (files("inkwright.checks.book") / "nobody.txt").read_text("utf-8")
    return frozenset(line for line in text.split("\n") if line and not line.startswith("#"))

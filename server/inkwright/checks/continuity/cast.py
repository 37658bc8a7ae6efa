"""People who act in a chapter and are not in its list of characters, and a point of view that is nowhere."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial

from inkwright.checks.book.page import Page
from inkwright.checks.continuity import known, story
from inkwright.checks.continuity.claims import Act
from inkwright.checks.continuity.story import Story
from inkwright.domain.diagnostic import Change, Diagnostic, Fix, Related
from inkwright.domain.text import TextEdit
from inkwright.manuscript import fields, frontedits
from inkwright.manuscript.overview import Overview

CAST, POV = "continuity_cast", "continuity_pov"
CODES = frozenset({CAST, POV})

FEW = 3
"""A list that leaves out more of those who act than this, and more than it names, is not meant to be whole."""
ENOUGH = 200
"""Code points of a chapter from which on somebody must be in it."""


def find(book: Overview, page: Page) -> Iterable[Diagnostic]:
    told = story.of(book, page)
    if told is None or page.chapter is None:
        return
    meta = page.chapter.meta
    listed = fields.texts(meta.get("characters")) if meta.get("characters") is not None else ()
    if listed and not told.aside:
        names = {name for key in ("characters", "pov", "mentions") for name in _names(meta.get(key))}
        yield from _unlisted(page, told, names, len(listed))
    povs = fields.texts(meta.get("pov")) if meta.get("pov") is not None else ()
    if len(povs) == 1:
        yield from _absent(page, told, povs[0])


def _names(value: object) -> tuple[str, ...]:
    return fields.texts(value) if value is not None else ()


def _unlisted(page: Page, told: Story, names: set[str], listed: int) -> Iterator[Diagnostic]:
    cards = told.known.cards
    missing = {path for path in told.known.people if not names.intersection(cards[path].names)}
    acting = told.firsts(Act, missing)
    if len(acting) > max(FEW, listed):
        return
    for act in acting.values():
        card = cards[act.card]
        change = Change("", partial(_added, card.name))
        fixes = (Fix("fix_add_character", {"name": card.name}, (change,)),)
        place = known.field_of(page.text, "characters", "chapter.keys")
        related = (Related(page.path, place, "related_characters"),) if place else ()
        yield Diagnostic(act.span, "information", CAST, {"name": card.name}, related=related, fixes=fixes)


def _added(name: str, text: str) -> Sequence[TextEdit]:
    return frontedits.add(text, "characters", name, "chapter.keys")


def _absent(page: Page, told: Story, pov: str) -> Iterator[Diagnostic]:
    card = told.known.person(pov)
    if card is None or len(page.text) - page.front.body_start < ENOUGH or told.first:
        return
    others: set[str] = set()
    for _, passage in page.passages():
        for _, _, paths in passage.hits:
            if card.path in paths:
                return
            others.update(paths)
    place = known.field_of(page.text, "pov", "chapter.keys")
    if place is None:
        return
    somebody = bool(others & told.known.people)
    related = known.named(card)
    yield Diagnostic(
        place, "information" if somebody else "hint", POV, {"name": card.name}, related=(related,)
    )

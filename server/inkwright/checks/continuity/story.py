"""A chapter put together from its paragraphs: which claims are told of the present, and which beside it."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

from inkwright.checks.book.page import Page
from inkwright.checks.continuity import claims, known, reading
from inkwright.checks.continuity.claims import Claim
from inkwright.checks.continuity.known import Known
from inkwright.checks.continuity.reading import Reading
from inkwright.checks.continuity.words import fact_words, words
from inkwright.manuscript import fields
from inkwright.manuscript.overview import Overview

C = TypeVar("C", bound=Claim)

_MARK = re.compile(
    r"(?:<!--|%%)\s*(?:mode\s*[:：]\s*|叙事\s*[:：]\s*)?(?P<mode>[^\W\d_]+)\s*(?:-->|%%)", re.IGNORECASE
)


@dataclass(frozen=True)
class Story:
    """The claims of a chapter by place, their spans in its text. `place` is where it stands in the book.

    `aside`: the whole chapter is told of another time. `scenes` are where the parts of it begin. `first`: its
    narration is somebody's own.
    """

    known: Known
    place: int
    aside: bool
    claims: tuple[Claim, ...]
    scenes: tuple[int, ...]
    first: bool = False

    def of(self, kind: type[C]) -> list[C]:
        """The claims of one kind about the present that is told."""
        return [one for one in self.claims if isinstance(one, kind) and not one.past and not one.unreal]

    def every(self, kind: type[C]) -> list[C]:
        return [one for one in self.claims if isinstance(one, kind)]

    def scene(self, at: int) -> int:
        """Where the part of the chapter begins that a place is in."""
        return self.scenes[max(0, bisect_right(self.scenes, at) - 1)] if self.scenes else 0


def of(book: Overview, page: Page) -> Story | None:
    """The story of a chapter of the book; None for any other text."""
    at = book.order.get(page.path)
    if at is None or page.chapter is None:
        return None
    facts = page.once("known", (book.bearing, book.dictionary.version), lambda: known.of(book))
    on = (book.bearing, book.dictionary.version, page.text)
    return page.once("story", on, lambda: _story(facts, at, page))


def flashback(mode: object) -> bool:
    """Whether a word for how a chapter is told says that it is not told in its turn."""
    return any(word.casefold() in fact_words("flashback") for word in fields.texts(mode))


def _story(facts: Known, at: int, page: Page) -> Story:
    assert page.chapter is not None
    aside = flashback(page.chapter.meta.get("mode"))
    borders = sorted({0, *(s.end for s in page.scene_breaks), *(h.span.end for h in page.headings)})
    beside = _beside(page, borders)
    people, things = facts.people, facts.things
    name = f"continuity {hash((people, things))}"
    found = list(page.read(name, partial(reading.read, people=people, things=things))) if people else []
    told = tuple(_told(found, borders, beside))
    if aside:
        told = tuple(replace(one, past=True) for one in told)
    return Story(facts, at, aside, told, tuple(borders), any(said.first for _, said in found))


def _beside(page: Page, borders: Sequence[int]) -> frozenset[int]:
    """The parts of a chapter, by number, that a mark or their heading puts into another time."""
    out: set[int] = set()
    for comment in page.comments:
        mark = _MARK.fullmatch(page.text, comment.start, comment.end)
        if mark is not None and mark["mode"].casefold() in fact_words("flashback"):
            out.add(bisect_right(borders, comment.start) - 1)
    for heading in page.headings:
        if heading.level > 1 and _heading(heading.title):
            out.add(bisect_right(borders, heading.span.end) - 1)
    return frozenset(out)


def _heading(title: str) -> bool:
    both = (words("zh"), words("en"))
    return any(w.opens.match(title) for w in both) or any(
        part.casefold() in fact_words("flashback") for part in re.split(r"[\s：:·—-]+", title)
    )


def _told(
    found: Sequence[tuple[int, Reading]], borders: Sequence[int], beside: frozenset[int]
) -> Iterator[Claim]:
    part = -1
    open_ = False
    for at, said in found:
        here = bisect_right(borders, at) - 1
        if here != part:
            part, open_ = here, False
        if said is reading.NOTHING:
            continue
        open_ = open_ or said.opens
        for claim in said.claims:
            before = said.closes < 0 or claim.span.start < said.closes
            aside = part in beside or (open_ and before)
            moved = claims.moved(claim, at)
            yield replace(moved, past=True) if aside else moved
        if said.closes >= 0:
            open_ = False
        open_ = open_ or said.leads

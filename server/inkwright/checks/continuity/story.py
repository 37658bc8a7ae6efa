"""A chapter put together from its paragraphs: which claims are told of the present, and which beside it."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from operator import attrgetter
from typing import TypeVar, cast

from inkwright.checks.book.page import Page
from inkwright.checks.book.strips import Strip
from inkwright.checks.continuity import claims, known, reading
from inkwright.checks.continuity.claims import Claim
from inkwright.checks.continuity.known import Known
from inkwright.checks.continuity.words import fact_words, words
from inkwright.manuscript import fields
from inkwright.manuscript.overview import Overview

C = TypeVar("C", bound=Claim)

_MARK = re.compile(
    r"(?:<!--|%%)\s*(?:mode\s*[:：]\s*|叙事\s*[:：]\s*)?(?P<mode>[^\W\d_]+)\s*(?:-->|%%)", re.IGNORECASE
)


Rows = Mapping[type[Claim], Mapping[str, tuple[Claim, ...]]]
"""Claims by kind and by card, each by place."""


@dataclass(frozen=True)
class Told:
    """One stretch of a chapter: what is claimed of the present in `now`, and all else in `beside`, with spans of
    the stretch. `leaves`: another time is told at its end."""

    now: Rows
    beside: Rows
    leaves: bool
    first: bool


@dataclass(frozen=True)
class Story:
    """The claims of a chapter. `place` is where it stands in the book.

    `aside`: the whole chapter is told of another time. `parts` are where the parts of it begin, `marked` those
    that a mark or their heading puts into another time. `first`: its narration is somebody's own.
    """

    known: Known
    place: int
    aside: bool
    stretches: tuple[tuple[int, Told], ...]
    parts: tuple[int, ...]
    marked: frozenset[int]

    @property
    def first(self) -> bool:
        return any(told.first for _, told in self.stretches)

    @cached_property
    def _now(self) -> Mapping[type[Claim], Sequence[tuple[int, Mapping[str, tuple[Claim, ...]]]]]:
        """What is claimed of the present, by kind, with where each stretch begins."""
        out: dict[type[Claim], list[tuple[int, Mapping[str, tuple[Claim, ...]]]]] = {}
        for at, told in self.stretches:
            for kind, rows in told.now.items():
                out.setdefault(kind, []).append((at, rows))
        return out

    def of(self, kind: type[C], cards: Collection[str]) -> Iterator[C]:
        """The claims of one kind about the present that is told and about one of `cards`, those of each card by
        place."""
        for at, rows in self._now.get(kind, ()):
            for card in rows.keys() & cards:
                for one in rows[card]:
                    if not self.marked or self.part(at + one.span.start) not in self.marked:
                        yield cast(C, claims.moved(one, at))

    def firsts(self, kind: type[C], cards: Collection[str]) -> dict[str, C]:
        """The first of these claims of each card."""
        out: dict[str, C] = {}
        left = set(cards)
        for at, rows in self._now.get(kind, ()):
            for card in rows.keys() & left:
                for one in rows[card]:
                    if not self.marked or self.part(at + one.span.start) not in self.marked:
                        out[card] = cast(C, claims.moved(one, at))
                        left.discard(card)
                        break
        return out

    def every(self, kind: type[C]) -> Iterator[C]:
        """The claims of one kind, those about another time too."""
        for at, told in self.stretches:
            for rows in (told.now.get(kind), told.beside.get(kind)):
                for found in rows.values() if rows else ():
                    for one in found:
                        yield cast(C, claims.moved(one, at))

    def part(self, at: int) -> int:
        """The number of the part of the chapter that a place is in."""
        return max(0, bisect_right(self.parts, at) - 1)

    def scene(self, at: int) -> int:
        """Where the part of the chapter begins that a place is in."""
        return self.parts[self.part(at)]


def of(book: Overview, page: Page) -> Story | None:
    """The story of a chapter of the book; None for any other text."""
    at = book.order.get(page.path)
    if at is None or page.chapter is None:
        return None
    facts = book.once("known", (book.bearing, book.dictionary.version), lambda: known.of(book))
    on = (book.bearing, book.dictionary.version, page.text)
    return page.once("story", on, lambda: _story(facts, at, page))


def flashback(mode: object) -> bool:
    """Whether a word for how a chapter is told says that it is not told in its turn."""
    return any(word.casefold() in fact_words("flashback") for word in fields.texts(mode))


def _story(facts: Known, at: int, page: Page) -> Story:
    assert page.chapter is not None
    aside = flashback(page.chapter.meta.get("mode"))
    borders = sorted({0, *(s.end for s in page.scene_breaks), *(h.span.end for h in page.headings)})
    told = _stretches(page, facts.people, facts.things) if facts.people else ()
    return Story(facts, at, aside, tuple(told), tuple(borders), _beside(page, borders))


def _stretches(page: Page, people: frozenset[str], things: frozenset[str]) -> Sequence[tuple[int, Told]]:
    """The stretches in which anything is told, each with where it begins."""

    def told(strip: Strip, entering: bool) -> Told:
        on = people, things, entering
        return strip.kept.once(f"told {entering}", on, _told, strip, *on)

    def anything(found: Told) -> Told | None:
        return found if found.now or found.beside or found.first else None

    on = people, things
    alone = page.strips.few("told", on, lambda strip: anything(told(strip, False)))
    leaving = page.strips.few("leaving", on, lambda strip: told(strip, False).leaves)
    if not leaving:
        return alone
    # A stretch that begins in another time tells something else, and so on while that is not left.
    other: dict[int, Told] = {}
    starts = list(page.strips.starts())
    numbers = {begin: number for number, (begin, _) in enumerate(starts)}
    for begin, _ in leaving:
        if begin in other:  # what follows it has been told already
            continue
        for number in range(numbers[begin] + 1, len(starts)):
            at, strip = starts[number]
            other[at] = told(strip, True)
            if not other[at].leaves:
                break
    rows = {**dict(alone), **other}
    return [(at, rows[at]) for at in sorted(rows) if anything(rows[at])]


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


def _told(strip: Strip, people: frozenset[str], things: frozenset[str], entering: bool) -> Told:
    """A stretch that begins in another time or not."""
    parsed = strip.parsed
    borders = sorted({*(s.end for s in parsed.scene_breaks), *(h.span.end for h in parsed.headings)})
    now: dict[type[Claim], dict[str, list[Claim]]] = {}
    beside: dict[type[Claim], dict[str, list[Claim]]] = {}
    part, open_, first = 0, entering, False
    for begin, _, passage, kept in strip.paragraphs:
        said = kept.once("claims", (people, things), partial(reading.read, passage, people, things))
        if said is reading.NOTHING:
            continue
        here = bisect_right(borders, begin)
        if here != part:
            part, open_ = here, False
        open_ = open_ or said.opens
        first = first or said.first
        for claim in said.claims:
            away = open_ and (said.closes < 0 or claim.span.start < said.closes)
            rows = beside if away or claim.past or claim.unreal else now
            rows.setdefault(type(claim), {}).setdefault(claim.card, []).append(claims.moved(claim, begin))
        open_ = (open_ and said.closes < 0) or said.leads
    if bisect_right(borders, len(strip.text)) != part:
        open_ = False
    return Told(_frozen(now), _frozen(beside), open_, first)


def _frozen(rows: Mapping[type[Claim], Mapping[str, Sequence[Claim]]]) -> Rows:
    by_place = attrgetter("span")
    return {
        kind: {card: tuple(sorted(found, key=by_place)) for card, found in cards.items()}
        for kind, cards in rows.items()
    }

"""People who act after they have died, or before they are born or come into the story."""

from __future__ import annotations

import re
from collections.abc import Iterable

from inkwright.checks.book.page import Page
from inkwright.checks.continuity import dates, known, offers, story
from inkwright.checks.continuity.claims import Act
from inkwright.checks.continuity.known import Known
from inkwright.checks.continuity.stating import Statement
from inkwright.checks.continuity.story import Story
from inkwright.checks.continuity.words import HAN, fact_pattern, fact_words
from inkwright.domain.cards import Fact
from inkwright.domain.diagnostic import Diagnostic
from inkwright.manuscript import fields
from inkwright.manuscript.overview import Overview
from inkwright.manuscript.places import BEYOND

DEAD, UNBORN = "continuity_dead", "continuity_unborn"
CODES = frozenset({DEAD, UNBORN})

ENOUGH = 4
"""Code points of a quotation that can be looked for."""
_LINE_END = re.compile(r"[\r\n]")


def find(book: Overview, page: Page) -> Iterable[Diagnostic]:
    told = story.of(book, page)
    if told is None or told.aside:
        return
    facts = told.known
    gone: dict[str, Statement] = {}
    to_come: dict[str, Statement] = {}
    here: list[tuple[str, Statement]] = []
    for card in facts.stating("status", "death", "birth", "first") & facts.people:
        if (one := _death(told, card)) is not None:
            if dead_by(facts, one) == told.place:
                here.append((card, one))
            else:
                gone[card] = one
        if (one := _beginning(told, card)) is not None:
            to_come[card] = one
    for code, rows in ((DEAD, gone), (UNBORN, to_come)):
        for card, act in told.firsts(Act, rows).items() if rows else ():
            yield _found(book, page, told, act, code, rows[card])
    for card, one in here:
        if (end := _happens(page, one)) is not None:
            behind = (act for act in told.of(Act, (card,)) if act.span.start > end)
            if (first := next(behind, None)) is not None:
                yield _found(book, page, told, first, DEAD, one)


def _found(book: Overview, page: Page, told: Story, act: Act, code: str, one: Statement) -> Diagnostic:
    params = {"name": one.card.name, "key": one.key, "value": one.value, "since": _since(told, one)}
    chinese = HAN.search(one.key) is not None
    alive = Fact("生死" if chinese else "status", "活" if chinese else "alive", offers.reference(told, page))
    fixes = [*offers.aside(page, told, act.span.start)]
    if code == DEAD:
        fixes += offers.stated(book, one.card, alive)
    else:
        fixes += offers.since(book, one, alive.since)
    return Diagnostic(
        act.span, "information", code, params, related=(known.related(one),), fixes=tuple(fixes)
    )


def dead_by(facts: Known, one: Statement) -> float | None:
    """The chapter in which a statement lets its card die; None where it says nothing of that kind."""
    if one.topic == "death":
        if one.dated:
            return one.since
        place = facts.order.place(one.value)
        return place if place != BEYOND else None
    if one.topic == "status" and one.dated and says_dead(one.value):
        return one.since
    return None


def says_dead(value: str) -> bool:
    plain = value.strip().casefold()
    if plain in fact_words("dead"):
        return True
    return fact_pattern("alive").search(plain) is None and fact_pattern("dead").search(plain) is not None


def _death(told: Story, card: str) -> Statement | None:
    """The statement by which somebody is dead in this chapter, or dies in it."""
    rows = told.known.of(card, "status", "death")
    for at, one in enumerate(rows):
        since = dead_by(told.known, one)
        if since is None:
            if one.topic == "death" and _behind(told, one.value):
                return one
            continue
        later = (r for n, r in enumerate(rows) if (r.since, n) > (since, at) and r.topic == "status")
        back = (r.since for r in later if not says_dead(r.value))
        if since <= told.place <= one.until and told.place < min(back, default=BEYOND):
            return one
    return None


def _beginning(told: Story, card: str) -> Statement | None:
    """The statement by which somebody is not there yet."""
    for one in told.known.of(card, "birth", "first", "status"):
        if one.topic == "status":
            if one.value.strip().casefold() in fact_words("unborn") and told.place < one.until < BEYOND:
                return one
            continue
        if one.topic == "birth" and not one.dated:
            if _behind(told, one.value, before=True):
                return one
            continue
        since = one.since if one.dated else told.known.order.place(one.value)
        if told.place < since < BEYOND:
            return one
    return None


def _happens(page: Page, one: Statement) -> int | None:
    """The end of the paragraph in which it is told, by the quotation of the fact; None where that is not known."""
    quote = one.fact.quote.strip() if one.fact is not None else ""
    if len(quote) < ENOUGH:
        return None
    found = page.text.find(quote, page.front.body_start)
    rest = _LINE_END.search(page.text, found + len(quote)) if found >= 0 else None
    return rest.start() if rest is not None else None


def _behind(told: Story, said: str, *, before: bool = False) -> bool:
    """Whether the chapter's date lies behind (before) a date."""
    here = dates.read(fields.text(told.known.order.chapters[told.place].meta.get("date")))
    there = dates.read(said)
    if here is None or there is None or not here.kind.startswith("year"):
        return False
    return dates.compare(here, there) == (-1 if before else 1)


def _since(told: Story, one: Statement) -> str:
    """The chapter from which on it holds, as the fact names it, else by its title; a date as it is."""
    if one.fact is not None and one.fact.since:
        return one.fact.since
    place = told.known.order.place(one.value)
    return one.value if place == BEYOND else told.known.order.chapters[max(0, int(place))].title

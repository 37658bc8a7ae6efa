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


def find(book: Overview, page: Page) -> Iterable[Diagnostic]:
    told = story.of(book, page)
    if told is None or told.aside:
        return
    seen: set[tuple[str, str]] = set()
    for act in told.of(Act):
        for code, one in ((DEAD, _death(told, page, act)), (UNBORN, _beginning(told, act))):
            if one is None or (code, act.card) in seen:
                continue
            seen.add((code, act.card))
            params = {"name": one.card.name, "key": one.key, "value": one.value, "since": _since(one)}
            alive = Fact(
                "生死" if HAN.search(one.key) else "status",
                "活" if HAN.search(one.key) else "alive",
                offers.reference(told, page),
            )
            fixes = [*offers.aside(page, told, act.span.start)]
            if code == DEAD:
                fixes += offers.stated(book, one.card, alive)
            else:
                fixes += offers.since(book, one, alive.since)
            yield Diagnostic(
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


def _death(told: Story, page: Page, act: Act) -> Statement | None:
    rows = told.known.of(act.card, "status", "death")
    for one in rows:
        since = dead_by(told.known, one)
        if since is None:
            if one.topic == "death" and _behind(told, one.value):
                return one
            continue
        ends = min(
            (r.since for r in rows if r.topic == "status" and r.since > since and not says_dead(r.value)),
            default=BEYOND,
        )
        if told.place >= ends or told.place > one.until:
            continue
        if told.place > since or (told.place == since and _after(page, one, act.span.start)):
            return one
    return None


def _beginning(told: Story, act: Act) -> Statement | None:
    for one in told.known.of(act.card, "birth", "first", "status"):
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


def _after(page: Page, one: Statement, at: int) -> bool:
    """Whether a place lies behind the passage that a fact of this chapter rests on."""
    quote = one.fact.quote.strip() if one.fact is not None else ""
    if len(quote) < 4:
        return False
    found = page.text.find(quote, page.front.body_start)
    if found < 0:
        return False
    rest = re.compile(r"[\r\n]").search(page.text, found + len(quote))
    return rest is not None and at > rest.start()


def _behind(told: Story, said: str, *, before: bool = False) -> bool:
    """Whether the chapter's date lies behind (before) a date."""
    here = dates.read(fields.text(told.known.order.chapters[told.place].meta.get("date")))
    there = dates.read(said)
    if here is None or there is None or not here.kind.startswith("year"):
        return False
    return dates.compare(here, there) == (-1 if before else 1)


def _since(one: Statement) -> str:
    if one.fact is not None and one.fact.since:
        return one.fact.since
    return one.value

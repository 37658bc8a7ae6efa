"""Things in the hand of somebody who does not have them any more, or not yet; things that are lost."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from inkwright.checks.book.page import Page
from inkwright.checks.continuity import known, offers, story
from inkwright.checks.continuity.claims import Handed, Use
from inkwright.checks.continuity.stating import Statement
from inkwright.checks.continuity.story import Story
from inkwright.checks.continuity.words import fact_pattern, fact_words
from inkwright.domain.cards import Fact
from inkwright.domain.diagnostic import Diagnostic, Severity
from inkwright.manuscript import fields
from inkwright.manuscript.overview import Overview
from inkwright.manuscript.places import BEYOND

NOT_OWNER, RUINED = "continuity_not_owner", "continuity_thing_gone"
CODES = frozenset({NOT_OWNER, RUINED})


class _Wrong(NamedTuple):
    code: str
    against: Statement
    now: str
    severity: Severity


def find(book: Overview, page: Page) -> Iterable[Diagnostic]:
    told = story.of(book, page)
    if told is None or told.aside:
        return
    given: dict[str, int] = {}
    for handed in told.every(Handed):
        given[handed.card] = min(handed.span.start, given.get(handed.card, handed.span.start))
    seen: set[tuple[str, str]] = set()
    for use in told.of(Use, told.known.people):
        if given.get(use.thing, len(page.text)) <= use.span.start or (use.card, use.thing) in seen:
            continue
        wrong = _wrong(told, use)
        if wrong is None:
            continue
        seen.add((use.card, use.thing))
        person, thing = told.known.cards[use.card], told.known.cards[use.thing]
        params = {"name": person.name, "thing": thing.name, "owner": wrong.now, "value": wrong.against.value}
        key = next((one.key for one in told.known.of(use.thing, "owner")), wrong.against.key)
        fact = Fact(key, person.name, offers.reference(told, page))
        fixes = (*offers.aside(page, told, use.span.start), *offers.stated(book, thing, fact))
        yield Diagnostic(
            use.span, wrong.severity, wrong.code, params, related=(known.related(wrong.against),), fixes=fixes
        )


def _wrong(told: Story, use: Use) -> _Wrong | None:
    facts, place = told.known, told.place
    for one in facts.of(use.thing, "status"):
        if one.dated and one.holds(place) and place > one.since and fact_pattern("ruined").search(one.value):
            return _Wrong(RUINED, one, "", "information")
    rows = facts.of(use.thing, "owner")
    ended = [one for one in rows if _has(told, one, use.card)]
    over = bool(ended) and all(one.until < place for one in ended)  # whatever changes here, it is not theirs
    if not rows or (
        not over and any(one.changing(place) for one in rows if one.dated or one.until != BEYOND)
    ):
        return None
    holding = [one for one in rows if one.holds(place)]
    names: list[str] = []
    for one in holding:
        if _nobody(one.value):
            return _Wrong(RUINED, one, "", "information") if one.dated else None
        for name in fields.texts(one.value):
            card = facts.person(name)
            if card is None or card.path == use.card:
                return None
            names.append(name)
    own = [one for one in rows if not one.holds(place) and _has(told, one, use.card)]
    if not own:
        return None
    said = any(one.until < place or place < one.since for one in own)
    against = holding[-1] if holding else own[-1]
    return _Wrong(
        NOT_OWNER, against, names[-1] if names else "", "information" if said or holding else "hint"
    )


def _has(told: Story, one: Statement, person: str) -> bool:
    return any((card := told.known.person(name)) and card.path == person for name in fields.texts(one.value))


def _nobody(value: str) -> bool:
    return value.strip().casefold() in fact_words("nobody")

"""Who has which thing in use in a paragraph, and which things go from hand to hand."""

from __future__ import annotations

import re
from collections.abc import Iterator

from inkwright.checks.continuity.claims import Handed, Use
from inkwright.checks.continuity.clauses import Clauses, Who
from inkwright.checks.continuity.words import used_after
from inkwright.domain.text import Span

_NEAR_ZH, _NEAR_EN = 12, 36
_INTO = re.compile(r"[把将]\s*\Z")
_BEHIND = re.compile(r"(?:[握拿提捧]在[^，。]{0,4}手|出鞘|在[^，。]{0,2}手(?:中|里)?)")
_GAP = re.compile(r"[^，。．！？；：,.;:\ue000]*")


def uses(told: Clauses) -> Iterator[Use]:
    """Those who have a thing in use. Somebody else's, named as such, is no claim."""
    for thing in told.things:
        clause = told.clause(thing.start)
        verb = _verb(told, thing, clause)
        if verb is None:
            continue
        card, named = told.topic(thing.start)
        if not card or told.words.negative.search(told.told, max(named, clause.start), thing.start):
            continue
        yield Use(card, Span(thing.start, thing.end), thing=thing.card)


def handed(told: Clauses) -> Iterator[Handed]:
    """The things that are given, taken or found in a sentence; in speech and in another time too."""
    named = {who.card for who in told.things}
    for thing in told.things:
        sentence = told.sentence(thing.start)
        if told.words.moves.search(told.told, sentence.start, sentence.end):
            yield Handed(thing.card, Span(thing.start, thing.end))
    for who in told.hidden:
        if who.card not in named and told.words.moves.search(told.text, max(0, who.start - 20), who.end + 20):
            yield Handed(who.card, Span(who.start, who.end))


def _verb(told: Clauses, thing: Who, clause: Span) -> int | None:
    """Where the word stands that says that a thing is in use."""
    text, chinese = told.told, told.words.language == "zh"
    if text.startswith(("的", "之", "'s"), thing.end):
        return None
    if chinese and _INTO.search(text, clause.start, thing.start) and used_after().match(text, thing.end):
        return thing.start
    if chinese and _BEHIND.match(text, thing.end):
        return thing.start
    near = max(clause.start, thing.start - (_NEAR_ZH if chinese else _NEAR_EN))
    for found in told.words.use.finditer(text, near, thing.start):
        between = Span(found.end(), thing.start)
        if _GAP.fullmatch(text, between.start, between.end) and not any(
            between.start <= who.start < between.end for who in told.people
        ):
            return found.start()
    return None

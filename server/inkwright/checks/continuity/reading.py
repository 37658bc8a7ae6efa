"""What one paragraph claims, and how it stands to the time that is told. Pure."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from inkwright.checks.book.strips import Passage
from inkwright.checks.continuity import acting, bodies, clauses, holding
from inkwright.checks.continuity.claims import Act, Claim, Said, Use
from inkwright.checks.continuity.clauses import Clauses
from inkwright.checks.continuity.words import QUOTED
from inkwright.domain.text import Span


@dataclass(frozen=True, slots=True)
class Reading:
    """`opens`: another time begins with the paragraph. `closes` is where the present comes back, -1 if it does
    not. `leads`: another time begins behind it. `first`: somebody tells of himself."""

    claims: tuple[Claim, ...] = ()
    opens: bool = False
    closes: int = -1
    leads: bool = False
    first: bool = False


NOTHING = Reading()
_FIRST = re.compile(r"我|\bI\b")


def read(passage: Passage, people: Collection[str], things: Collection[str]) -> Reading:
    """`people` and `things` are the paths of the cards that can act, and that can be held."""
    if passage.kind not in ("text", "list") or not passage.prose:
        return NOTHING
    told = clauses.read(passage.text, passage.prose, passage.hits, people, things)
    words = told.words
    back = [found.start() for found in words.returns.finditer(told.told)]
    frame = Reading(
        (),
        words.opens.match(told.told) is not None,
        back[-1] if back else -1,
        words.leads.search(told.told) is not None,
        _FIRST.search(told.told) is not None,
    )
    if not told.people and not told.hidden:
        return NOTHING if frame == NOTHING else frame
    return replace(frame, claims=tuple(_claims(told)))


def _claims(told: Clauses) -> Iterator[Claim]:
    acts = list(acting.acts(told))
    asides = [_aside(told, sentence, drifting) for sentence, drifting in _drift(told)]
    starts = [sentence.start for sentence in told.sentences]
    found: list[Claim] = [*acts, *acting.said(told, acts)]
    if told.things or told.hidden:
        found += holding.uses(told)
        found += holding.handed(told)
    if told.people:
        found += bodies.ages(told)
        found += bodies.looks(told)
        found += bodies.limbs(told)
    for claim in dict.fromkeys(found):
        at = bisect_right(starts, claim.span.start) - 1
        aside = asides[max(0, at)]
        if isinstance(claim, Said) and not told.told.startswith(QUOTED, claim.span.start):
            sentence = told.sentences[max(0, at)]  # what is known may itself be of another time
            aside = _aside(told, Span(sentence.start, claim.span.start), drifting=aside.drifting)
        unreal = aside.unreal or (isinstance(claim, Act | Use | Said) and aside.likened)
        yield replace(claim, past=aside.past, unreal=unreal)


class _Aside(NamedTuple):
    """How a sentence stands to what is told. `drifting`: one before it has gone into another time."""

    past: bool
    unreal: bool
    likened: bool
    drifting: bool


def _aside(told: Clauses, sentence: Span, drifting: bool) -> _Aside:
    words, text = told.words, told.told
    where = sentence.start, sentence.end
    return _Aside(
        drifting
        or words.past.search(text, *where) is not None
        or words.strong.search(text, *where) is not None,
        told.haunted or words.unreal.search(text, *where) is not None,
        words.simile.search(text, *where) is not None,
        drifting,
    )


def _drift(told: Clauses) -> Iterator[tuple[Span, bool]]:
    """The sentences, each with whether one before it has led into another time; from a strong word on all do."""
    drifting = False
    for sentence in told.sentences:
        back = told.words.returns.search(told.told, sentence.start, sentence.end)
        strong = told.words.strong.search(told.told, sentence.start, sentence.end)
        if back is not None and (strong is None or strong.start() < back.start()):
            drifting = False
        yield sentence, drifting
        drifting = drifting or (strong is not None and back is None)

"""What one paragraph claims, and how it stands to the time that is told. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace

from inkwright.checks.book.strips import Passage
from inkwright.checks.continuity import acting, bodies, clauses, holding
from inkwright.checks.continuity.claims import Claim
from inkwright.checks.continuity.clauses import Clauses
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
    past, unreal = _asides(told)
    found: list[Claim] = [*acts, *acting.said(told, acts)]
    if told.things or told.hidden:
        found += holding.uses(told)
        found += holding.handed(told)
    if told.people:
        found += bodies.ages(told)
        found += bodies.looks(told)
        found += bodies.limbs(told)
    for claim in dict.fromkeys(found):
        at = claim.span.start
        yield replace(claim, past=_in(at, past), unreal=_in(at, unreal))


def _asides(told: Clauses) -> tuple[list[Span], list[Span]]:
    """The sentences that tell of another time, and of what is not so. From a strong word on, all that follow."""
    past: list[Span] = []
    unreal: list[Span] = []
    drifting = False
    for sentence in told.sentences:
        text = told.told
        back = told.words.returns.search(text, sentence.start, sentence.end)
        strong = told.words.strong.search(text, sentence.start, sentence.end)
        if back is not None and (strong is None or strong.start() < back.start()):
            drifting = False
        if drifting or strong or told.words.past.search(text, sentence.start, sentence.end):
            past.append(sentence)
        if told.words.unreal.search(text, sentence.start, sentence.end):
            unreal.append(sentence)
        drifting = drifting or (strong is not None and back is None)
    return past, unreal


def _in(at: int, spans: list[Span]) -> bool:
    return any(span.start <= at < span.end for span in spans)

"""Where the pending hunks of a proposal stand in the text as it is now."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from inkwright.domain.proposal import Hunk, Proposal
from inkwright.domain.text import Span, TextEdit, apply
from inkwright.proposals.matching import Matching
from inkwright.proposals.taken import taken

_TELLING = 8
"""A hunk that was moved over other text is found again only if it has this many characters."""
_BESIDE = 16
"""Characters on each side that tell a text apart from a longer one that holds it."""


@dataclass(frozen=True, slots=True)
class Rebased:
    """`placed` maps pending hunks to where their text stands in the current text. Of those in `standing` the new text
    is there already, where accepting them would have put it: an acceptance that nobody wrote down, or the writer's own
    hand. The others are stale.

    Placed spans never overlap and have the order of the hunks.
    """

    placed: dict[int, Span]
    stale: tuple[int, ...]
    standing: tuple[int, ...] = ()


def rebase(proposal: Proposal, current: str, hunks: Collection[int] | None = None) -> Rebased:
    """Places the pending hunks (or those of them in `hunks`) in `current`.

    A hunk stands where its own text stands unchanged and in one possible reading; one that only
    inserts, where the characters on both sides of its place are still neighbours.
    """
    pending = [hunk for hunk in proposal.hunks if hunk.state == "pending"]
    found = _rebased(proposal, pending, current) if pending else Rebased({}, ())
    if hunks is None:
        return found
    return Rebased(  # what is there of the others is known only by looking at all
        {index: span for index, span in found.placed.items() if index in hunks},
        tuple(index for index in found.stale if index in hunks),
        tuple(index for index in found.standing if index in hunks),
    )


def _rebased(proposal: Proposal, pending: Sequence[Hunk], current: str) -> Rebased:
    expected, spans = _expected(proposal, pending)
    if expected == current:
        return Rebased({hunk.index: span for hunk, span in zip(pending, spans, strict=True)}, ())
    found = _found(expected, current, pending, spans)
    if all(
        hunk.index in found.placed
        and (hunk.before not in hunk.after or _alike(expected, span, current, found.placed[hunk.index]))
        for hunk, span in zip(pending, spans, strict=True)
    ):
        return found
    standing = taken(expected, current, pending, spans)
    rest = [hunk for hunk in pending if hunk.index not in standing]
    if standing:
        expected, spans = _expected(_having(proposal, standing), rest)
        found = _found(expected, current, rest, spans)
    doubtful = [hunk for hunk in rest if hunk.index in found.stale]
    standing |= _standing(_having(proposal, standing), doubtful, current)
    for hunk, span in zip(rest, spans, strict=True):
        place = found.placed.get(hunk.index)
        if place is not None and _spelled(hunk, current, place) and not _spelled(hunk, expected, span):
            standing.add(hunk.index)
    return Rebased(
        {index: place for index, place in found.placed.items() if index not in standing},
        tuple(index for index in found.stale if index not in standing),
        tuple(sorted(standing)),
    )


def _found(expected: str, current: str, pending: Sequence[Hunk], spans: Sequence[Span]) -> Rebased:
    matching = Matching(expected, current, spans)
    places = [matching.place(span) for span in spans]
    places = _moved(expected, current, spans, places)
    placed: dict[int, Span] = {}
    at = 0
    for hunk, place in zip(pending, places, strict=True):
        if place is not None and place.start >= at and place.of(current) == hunk.before:
            placed[hunk.index] = place
            at = place.end
    return Rebased(placed, tuple(hunk.index for hunk in pending if hunk.index not in placed))


def _spelled(hunk: Hunk, text: str, place: Span) -> bool:
    """Whether the new text of a hunk stands in a text around its old one, which it holds."""
    at = hunk.after.find(hunk.before)
    while at >= 0 and hunk.after != hunk.before:
        if text.startswith(hunk.after, place.start - at) and place.start >= at:
            return True
        at = hunk.after.find(hunk.before, at + 1)
    return False


def _standing(proposal: Proposal, doubtful: Sequence[Hunk], current: str) -> set[int]:
    """Those of the hunks whose new text stands where it would stand had they been accepted."""
    doubtful = [hunk for hunk in doubtful if hunk.before != hunk.after]
    if not doubtful:
        return set()
    accepted = _having(proposal, [hunk.index for hunk in doubtful])
    expected, spans = _expected(accepted, doubtful)
    spans = [
        Span(span.start, span.start + len(hunk.after)) for hunk, span in zip(doubtful, spans, strict=True)
    ]
    matching = Matching(expected, current, spans)
    out: set[int] = set()
    for hunk, span in zip(doubtful, spans, strict=True):
        place = matching.place(span)
        if place is None or place.of(current) != hunk.after:
            continue
        # What holds the old text, or is held by it, is told apart by what stands beside it.
        close = hunk.before in hunk.after or hunk.after in hunk.before
        if not close or _alike(expected, span, current, place):
            out.add(hunk.index)
    return out


def _having(proposal: Proposal, accepted: Collection[int]) -> Proposal:
    hunks = (replace(hunk, state="accepted") if hunk.index in accepted else hunk for hunk in proposal.hunks)
    return replace(proposal, hunks=tuple(hunks))


def _alike(old: str, span: Span, new: str, place: Span) -> bool:
    """Whether a text has the same on both sides of it in two texts."""
    before = old[max(0, span.start - _BESIDE) : span.start], new[max(0, place.start - _BESIDE) : place.start]
    after = old[span.end : span.end + _BESIDE], new[place.end : place.end + _BESIDE]
    return before[0] == before[1] and after[0] == after[1]


def _expected(proposal: Proposal, pending: Sequence[Hunk]) -> tuple[str, list[Span]]:
    """The base with the accepted hunks in it, and where the pending ones stand there."""
    accepted = [hunk for hunk in proposal.hunks if hunk.state == "accepted"]
    text = apply(proposal.base, [TextEdit(hunk.span, hunk.after) for hunk in accepted])
    spans: list[Span] = []
    shift, at = 0, 0
    for hunk in pending:
        while at < len(accepted) and accepted[at].index < hunk.index:
            shift += len(accepted[at].after) - len(accepted[at].before)
            at += 1
        spans.append(hunk.span.shift(shift))
    return text, spans


def _moved(
    expected: str, current: str, spans: Sequence[Span], places: Sequence[Span | None]
) -> list[Span | None]:
    """Finds text that was cut and pasted elsewhere, between the places of its neighbours."""
    out = list(places)
    for k, span in enumerate(spans):
        text = span.of(expected)
        if out[k] is not None or len(text) < _TELLING:
            continue
        at = current.find(text)
        if at < 0 or current.find(text, at + 1) >= 0 or expected.count(text) != 1:
            continue
        low = max((place.end for place in out[:k] if place is not None), default=0)
        high = min((place.start for place in out[k + 1 :] if place is not None), default=len(current))
        if low <= at and at + len(text) <= high:
            out[k] = Span(at, at + len(text))
    return out

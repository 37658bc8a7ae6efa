"""Accepting and rejecting: from a proposal and the current text to edits and new states. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from inkwright.domain.errors import InkwrightError
from inkwright.domain.proposal import HunkState, Proposal
from inkwright.domain.text import Span, TextEdit, apply
from inkwright.proposals.matching import Matching
from inkwright.proposals.rebase import rebase


@dataclass(frozen=True, slots=True)
class Decision:
    """What accepting or rejecting comes to.

    `edits` are on the current text: ordered, not overlapping; empty when there is nothing to write.
    `applied`, `stale` and `rejected` are the asked hunks by the state they have afterwards.
    `proposal` has those states: keep it only once the edits are in the document.
    """

    edits: tuple[TextEdit, ...]
    applied: tuple[int, ...]
    stale: tuple[int, ...]
    rejected: tuple[int, ...]
    proposal: Proposal

    @property
    def done(self) -> bool:
        """True when no hunk is pending any more."""
        return not pending(self.proposal)


def pending(proposal: Proposal) -> tuple[int, ...]:
    return tuple(hunk.index for hunk in proposal.hunks if hunk.state == "pending")


def clean(proposal: Proposal) -> tuple[int, ...]:
    """The hunks that "accept all" takes: those without findings that wait; where none waits all without findings, so
    that the same command again is answered as it was.
    """
    sound = [hunk for hunk in proposal.hunks if not hunk.findings]
    waiting = [hunk for hunk in sound if hunk.state == "pending"]
    return tuple(hunk.index for hunk in waiting or sound)


def accept(proposal: Proposal, current: str, hunks: Sequence[int] | None = None) -> Decision:
    """Accepts the given hunks, or those that wait without findings. Decided hunks keep their state and give no edit;
    those whose new text stands there already are accepted without one.

    Raises `InkwrightError` with `hunk_unknown` for an index that the proposal has not.
    """
    asked = clean(proposal) if hunks is None else _asked(proposal, hunks)
    where = rebase(proposal, current, asked)
    edits = tuple(TextEdit(span, proposal.hunks[index].after) for index, span in where.placed.items())
    states: dict[int, HunkState] = dict.fromkeys([*where.placed, *where.standing], "accepted")
    states |= dict.fromkeys(where.stale, "stale")
    return _decision(proposal, asked, edits, states)


def reject(proposal: Proposal, hunks: Sequence[int] | None = None) -> Decision:
    """Rejects the given hunks, or every pending one without findings; nothing is written."""
    asked = clean(proposal) if hunks is None else _asked(proposal, hunks)
    return _decision(
        proposal, asked, (), {i: "rejected" for i in asked if proposal.hunks[i].state == "pending"}
    )


def landed(text: str, edits: Sequence[TextEdit], current: str) -> bool:
    """Whether `edits` of `text` were made, though the writer may have typed elsewhere since.

    An editor may make an edit and still fail to say so: then its hunks are accepted, not stale.
    """
    expected = apply(text, list(edits))
    if expected == current:
        return True
    spans: list[Span] = []
    shift = 0
    for edit in edits:
        start = edit.span.start + shift
        spans.append(Span(start, start + len(edit.new)))
        shift += len(edit.new) - len(edit.span)
    matching = Matching(expected, current, spans)
    places = [matching.place(span) for span in spans]
    return all(
        place is not None and place.of(current) == edit.new for place, edit in zip(places, edits, strict=True)
    )


def before(proposal: Proposal, hunks: Sequence[int], current: str) -> str | None:
    """`current` without the given hunks, which are accepted in it; None where one of them is not to be found."""
    taken = [hunk for hunk in proposal.hunks if hunk.state == "accepted"]
    expected = apply(proposal.base, [TextEdit(hunk.span, hunk.after) for hunk in taken])
    spans: list[Span] = []
    olds: list[str] = []
    shift = 0
    for hunk in taken:
        start = hunk.span.start + shift
        shift += len(hunk.after) - len(hunk.before)
        if hunk.index in hunks:
            spans.append(Span(start, start + len(hunk.after)))
            olds.append(hunk.before)
    matching = Matching(expected, current, spans)
    edits: list[TextEdit] = []
    for span, old in zip(spans, olds, strict=True):
        place = matching.place(span)
        if place is None or place.of(current) != span.of(expected):
            return None
        edits.append(TextEdit(place, old))
    return apply(current, edits) if edits else None


def with_states(proposal: Proposal, states: Mapping[int, HunkState]) -> Proposal:
    """The proposal with some of its hunks in new states."""
    return replace(
        proposal,
        hunks=tuple(replace(hunk, state=states.get(hunk.index, hunk.state)) for hunk in proposal.hunks),
    )


def _asked(proposal: Proposal, hunks: Sequence[int]) -> tuple[int, ...]:
    for index in hunks:
        if not 0 <= index < len(proposal.hunks):
            raise InkwrightError("hunk_unknown", proposal=proposal.id, hunk=index)
    return tuple(sorted(set(hunks)))


def _decision(
    proposal: Proposal, asked: tuple[int, ...], edits: tuple[TextEdit, ...], states: Mapping[int, HunkState]
) -> Decision:
    after = with_states(proposal, states)

    def having(state: HunkState) -> tuple[int, ...]:
        return tuple(index for index in asked if after.hunks[index].state == state)

    return Decision(edits, having("accepted"), having("stale"), having("rejected"), after)

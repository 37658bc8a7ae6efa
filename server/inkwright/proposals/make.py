"""The answers of a run → a proposal."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from inkwright.domain.errors import Fault
from inkwright.domain.proposal import FindingCode, Hunk, Proposal
from inkwright.domain.run import Window
from inkwright.domain.text import Snapshot, Span, TextEdit, apply
from inkwright.proposals.answer import read_answer
from inkwright.proposals.guard import Guard
from inkwright.proposals.names import Names
from inkwright.proposals.rewrite import untouching

_AROUND = 700
"""Characters around a window in which a model may have read on."""


@dataclass(frozen=True, slots=True)
class Made:
    """What the answers came to.

    `proposal` is None when nothing is to change. `refused` maps windows to the reason their answer
    is no rewrite; `missing` are those without a whole answer. `notes` are the model's, in order.
    """

    proposal: Proposal | None
    notes: tuple[str, ...]
    refused: dict[int, Fault]
    missing: tuple[int, ...]

    @property
    def fault(self) -> Fault | None:
        """The first refusal; with a proposal beside it the run is partial, else it has failed."""
        return next(iter(self.refused.values()), None)


def make(
    run_id: str,
    snapshot: Snapshot,
    span: Span,
    windows: Sequence[Window],
    answers: Sequence[str | None],
    names: Names | Collection[str] = (),
    *,
    length: tuple[float, float] | None = None,
    allows: Collection[FindingCode] = (),
    created_at: float = 0.0,
) -> Made:
    """Hunks from the answers of all windows, bound to the snapshot.

    `names` are those of the book's cards. `length` bounds each answer, as in `read_answer`, and with
    `allows` says what the guard holds against a hunk. The proposal's id is the run's: a run makes one at
    most.
    """
    base = snapshot.text
    changes: list[TextEdit] = []
    notes: list[str] = []
    refused: dict[int, Fault] = {}
    missing: list[int] = []
    for window in windows:
        answer = answers[window.index] if window.index < len(answers) else None
        if answer is None:
            missing.append(window.index)
            continue
        before = base[max(0, window.span.start - _AROUND) : window.span.start]
        after = base[window.span.end : window.span.end + _AROUND]
        rewrite = read_answer(window.text, answer, before=before, after=after, length=length)
        if isinstance(rewrite, Fault):
            refused[window.index] = rewrite
            continue
        if rewrite.notes:
            notes.append(rewrite.notes)
        changes += [TextEdit(edit.span.shift(window.span.start), edit.new) for edit in rewrite.edits]
    proposal = None
    changes = untouching(changes)
    if changes:
        known = names if isinstance(names, Names) else Names.plain(names)
        whole = apply(base, changes)
        guard = Guard(base, known, after=whole, length=length, allows=allows)
        proposal = Proposal(
            id=run_id,
            run_id=run_id,
            uri=snapshot.uri,
            path=snapshot.path,
            version=snapshot.version,
            base=base,
            span=span,
            text=_accepted(base, span, changes),
            hunks=hunks(base, changes, guard),
            created_at=created_at,
        )
    return Made(proposal, tuple(notes), refused, tuple(missing))


def hunks(base: str, changes: Sequence[TextEdit], guard: Guard) -> tuple[Hunk, ...]:
    """Edits in order, as hunks with their findings."""
    return tuple(
        Hunk(index, edit.span, edit.span.of(base), edit.new, guard.findings(edit))
        for index, edit in enumerate(changes)
    )


def _accepted(base: str, span: Span, changes: Sequence[TextEdit]) -> str:
    inner = [TextEdit(edit.span.shift(-span.start), edit.new) for edit in changes]
    return apply(span.of(base), inner)

"""Runs of the journal as the results that they had."""

from __future__ import annotations

from collections.abc import Sequence

from inkwright.abilities.asks import RunResult
from inkwright.domain.errors import Fault
from inkwright.domain.proposal import Proposal
from inkwright.domain.run import StepRecord, StopReason
from inkwright.runtime.state import SEPARATOR
from inkwright.runtime.stops import fault_of, status_of
from inkwright.store.journal_rows import StoredRun


def why(stored: StoredRun) -> Fault | None:
    """What a run ended with. One that was interrupted left no word of its own."""
    return stored.fault or (fault_of("interrupted") if stored.stop_reason == "interrupted" else None)


def result(
    stored: StoredRun, reason: StopReason, proposal: Proposal | None, steps: Sequence[StepRecord]
) -> RunResult:
    """The result of a run that has ended. The text of an interrupted one is that of its finished steps."""
    text = stored.text
    if reason == "interrupted":
        text = SEPARATOR.join(step.text for step in steps if step.text)
    return RunResult(
        stored.id,
        stored.ability,
        status_of(reason, text),
        reason,
        stored.model,
        text,
        proposal,
        stored.usage,
        why(stored),
    )

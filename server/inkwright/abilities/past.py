"""Runs of the journal as the results that they had."""

from __future__ import annotations

from inkwright.abilities.asks import RunResult
from inkwright.domain.errors import Fault
from inkwright.domain.run import StopReason
from inkwright.runtime.state import SEPARATOR
from inkwright.runtime.steptext import text_of
from inkwright.runtime.stops import fault_of, status_of
from inkwright.store import products
from inkwright.store.journal_rows import StoredRun
from inkwright.workspace import OpenBook


def why(stored: StoredRun) -> Fault | None:
    """What a run ended with. One that was interrupted left no word of its own."""
    return stored.fault or (fault_of("interrupted") if stored.stop_reason == "interrupted" else None)


async def result(stored: StoredRun, reason: StopReason, book: OpenBook) -> RunResult:
    """The result of a run that has ended. The text of an interrupted one is that of its finished steps."""
    from inkwright.abilities.requests import cards_of

    state = book.state
    text, done = stored.text, await state.runs.products(stored.id)
    if reason == "interrupted" and stored.steps:
        text = text_of(stored.steps, done, stored.locale)
    elif reason == "interrupted":
        steps = await state.runs.steps(stored.id)
        text = SEPARATOR.join(step.text for step in steps if step.text)
    proposal = await state.proposals.get(stored.proposal_id) if stored.proposal_id else None
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
        stored.notices,
        stored.pipeline,
        products.every(stored.steps, done),
        await cards_of(book, stored.id),
        await state.candidates.of(stored.id),
    )

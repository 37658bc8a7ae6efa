"""Runs of the journal as the results that they had."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from inkwright.abilities.asks import RunResult
from inkwright.domain.conversation import Locale
from inkwright.domain.errors import Fault, StorageError
from inkwright.domain.run import RunEnded, RunRequest, StopReason
from inkwright.runtime.state import SEPARATOR
from inkwright.runtime.steptext import label as step_label
from inkwright.runtime.steptext import text_of
from inkwright.runtime.stops import fault_of, status_of
from inkwright.store import products
from inkwright.store.journal_rows import StoredRun
from inkwright.workspace import OpenBook

if TYPE_CHECKING:
    from inkwright.library.registry import Library


def why(stored: StoredRun) -> Fault | None:
    """What a run ended with. One that was interrupted left no word of its own."""
    return stored.fault or (fault_of("interrupted") if stored.stop_reason == "interrupted" else None)


def label(stored: StoredRun, library: Library, locale: Locale) -> str:
    """The name of what was run; its id when there is none of that id any more."""
    found = library.ability(stored.ability) or library.pipeline(stored.pipeline or stored.ability)
    return found.label[locale] if found else stored.ability


async def settled(
    book: OpenBook, find: Callable[[str], Awaitable[StoredRun | None]], run_id: str
) -> StoredRun | None:
    """The run that `find` finds; one whose process is gone has ended. Raises `StorageError`."""
    stored = await find(run_id)
    if stored is None or stored.stop_reason is not None or book.state.database.readonly:
        return stored
    await book.state.runs.interrupt_orphans()
    return await find(run_id)


async def text(stored: StoredRun, book: OpenBook) -> str:
    """What a run that has ended said; of an interrupted pipeline, what its finished steps said."""
    if stored.stop_reason != "interrupted":
        return stored.text
    if stored.steps:
        return text_of(stored.steps, await book.state.runs.products(stored.id), stored.locale)
    return SEPARATOR.join(step.text for step in await book.state.runs.steps(stored.id) if step.text)


async def result(stored: StoredRun, reason: StopReason, book: OpenBook) -> RunResult:
    """The result of a run that has ended."""
    said, state = await text(stored, book), book.state
    proposal = await state.proposals.get(stored.proposal_id) if stored.proposal_id else None
    cards, candidates = await cards_of(book, stored.id)
    return RunResult(
        stored.id,
        stored.ability,
        status_of(reason, said),
        reason,
        stored.model,
        said,
        proposal,
        stored.usage,
        why(stored),
        stored.notices,
        stored.pipeline or None,
        products.every(stored.steps, await state.runs.products(stored.id)),
        cards,
        candidates,
    )


async def cardless(book: OpenBook, request: RunRequest, ended: RunEnded) -> tuple[Fault, ...]:
    """What is to be said where every step of a pipeline that makes cards is done and none of them made any."""
    making = [step for step in request.steps if "create_note_card" in step.tools]
    done = {index for index, one in enumerate(ended.steps) if one.status == "completed"}
    if not making or not all(step.index in done for step in making):
        return ()
    try:
        if any(await cards_of(book, request.id)):
            return ()
    except StorageError as error:
        return (error.fault,)
    return (Fault("pipeline_no_cards", {"label": step_label(making[0])}),)


async def cards_of(book: OpenBook, run_id: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The paths of the cards and the ids of the candidates (of both kinds) that a run made or found made, in
    order; those of
    the runs that it went on from first. Raises `StorageError`."""
    chain: list[str] = []
    while run_id and run_id not in chain:
        chain.append(run_id)
        stored = await book.state.runs.get(run_id)
        run_id = stored.resumes if stored is not None else ""
    paths: dict[str, None] = {}
    candidates: dict[str, None] = {}
    for one in reversed(chain):
        paths |= dict.fromkeys(await book.state.made_cards.of(one))
        candidates |= dict.fromkeys(await book.state.candidates.of(one))
        candidates |= dict.fromkeys(await book.state.facts.of(one))
    return tuple(paths), tuple(candidates)

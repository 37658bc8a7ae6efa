"""The journal."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from inkwright.domain.conversation import Usage
from inkwright.domain.errors import Fault, InkwrightError, StorageError
from inkwright.domain.ports import Journal
from inkwright.domain.proposal import Proposal
from inkwright.domain.run import RunEnded, RunRequest, StepRecord
from inkwright.domain.text import Snapshot
from inkwright.store.runs import REMEMBERED
from inkwright.store.state import State

ANY = st.text(alphabet=st.characters(codec=None, exclude_categories=()), max_size=40)


def shift(run: str, seconds: float):
    def work(conn: sqlite3.Connection) -> None:
        conn.execute("UPDATE runs SET created_at = created_at - ? WHERE id = ?", (seconds, run))

    return work


async def test_a_run_is_told_back_as_it_was(
    state: State, make_request: Callable[..., RunRequest], make_step: Callable[..., StepRecord]
) -> None:
    """Request, steps with tool calls, and outcome come back field by field."""
    journal: Journal = state.runs
    request = make_request()
    await journal.begin(request, "hash")
    running = await state.runs.get("run-1")
    assert running is not None
    assert (running.state, running.ended_at, running.text) == ("running", None, "")
    steps = tuple(make_step(index=n) for n in range(3))
    for step in steps:
        await journal.step(step)
    fault = Fault("model_timeout", {"seconds": 3}, "timeout", True, 2.0, "upstream")
    usage = Usage(1, 2, 3, None, None, 0.5, True)
    await journal.end("run-1", RunEnded("partial", "silence", "半段", usage, ("半段", None), fault), None)
    run = await state.runs.get("run-1")
    assert run is not None
    assert (run.state, run.stop_reason, run.text) == ("partial", "silence", "半段")
    assert (run.usage, run.fault, run.window_texts) == (usage, fault, ("半段", None))
    assert (run.message, run.locale, run.path, run.version) == ("保持文风", "zh", "第一章.md", 3)
    assert (run.memories, run.history, run.span, run.whole) == (
        ("喜欢短句",),
        (("问", "答"),),
        request.span,
        True,
    )
    assert await state.runs.steps("run-1") == steps
    assert await state.runs.snapshot("run-1") == request.snapshot.text
    assert await state.runs.windows("run-1") == request.windows
    assert await state.runs.context("run-1") == ((request.context[0][0],),)


async def test_no_prompt_of_ours_reaches_the_disk(
    state: State, make_request: Callable[..., RunRequest]
) -> None:
    """Neither the profile's prompts nor the prompt parts of the context are in any file."""
    await state.runs.begin(make_request(), "hash")
    await state.close()
    for file in state.database.path.parent.iterdir():
        assert b"SECRET-PROMPT" not in file.read_bytes()


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=ANY, answer=ANY)
async def test_any_text_survives_the_journal(
    state: State,
    make_request: Callable[..., RunRequest],
    make_step: Callable[..., StepRecord],
    text: str,
    answer: str,
) -> None:
    """Lone surrogates in the manuscript, the message and the answer come back to the letter."""
    ident = f"run-{time.monotonic_ns()}"
    await state.runs.begin(make_request(ident, text, message=text), "hash")
    await state.runs.step(make_step(ident, text=answer))
    await state.runs.end(ident, RunEnded("completed", "finished", answer, Usage(), (answer,)), None)
    run = await state.runs.get(ident)
    assert run is not None
    assert (run.message, run.text, run.window_texts) == (text, answer, (answer,))
    assert await state.runs.snapshot(ident) == text
    assert (await state.runs.steps(ident))[0].text == answer


async def test_an_outcome_is_written_once(
    state: State, make_request: Callable[..., RunRequest], make_proposal: Callable[..., Proposal]
) -> None:
    """A second end changes nothing and brings no second proposal."""
    await state.runs.begin(make_request(), "hash")
    await state.runs.end("run-1", RunEnded("cancelled", "cancelled", "", Usage()), None)
    await state.runs.end("run-1", RunEnded("completed", "finished", "x", Usage()), make_proposal())
    run = await state.runs.get("run-1")
    assert run is not None
    assert (run.state, run.text, run.proposal_id) == ("cancelled", "", "")
    assert await state.proposals.pending() == ()


async def test_a_request_id_names_one_run_for_a_day(
    state: State, make_request: Callable[..., RunRequest], make_step: Callable[..., StepRecord]
) -> None:
    """Within 24 hours it is found and cannot be used again; later it is free and the old run is kept."""
    await state.runs.begin(make_request(), "one")
    await state.runs.step(make_step())
    await state.runs.end("run-1", RunEnded("completed", "finished", "first", Usage()), None)
    found = await state.runs.find_by_request("run-1")
    assert found is not None
    assert (found.body_hash, found.text) == ("one", "first")
    with pytest.raises(InkwrightError) as caught:
        await state.runs.begin(make_request(), "two")
    assert caught.value.fault == Fault("request_conflict", {"request": "run-1"})
    assert not isinstance(caught.value, StorageError)
    with pytest.raises(InkwrightError) as caught:  # the same request, begun by another process meanwhile
        await state.runs.begin(make_request(), "one")
    assert caught.value.fault == Fault("request_elsewhere", {"request": "run-1"})
    await state.database.write(shift("run-1", REMEMBERED + 1))
    assert await state.runs.find_by_request("run-1") is None
    await state.runs.begin(make_request(), "two")
    old, new = sorted(await state.runs.list(), key=lambda run: run.created_at)
    assert (old.text, new.body_hash, new.id) == ("first", "two", "run-1")
    assert [s.text for s in await state.runs.steps(old.id)] == ["林晚秋推开门。"]
    assert await state.runs.steps("run-1") == ()


async def test_pages_show_every_run_once(state: State, make_request: Callable[..., RunRequest]) -> None:
    """Newest first, without gaps or repeats, also where two began at the same moment."""
    for n in range(7):
        await state.runs.begin(make_request(f"run-{n}"), "h")
    await state.database.write(lambda conn: conn.execute("UPDATE runs SET created_at = 5 WHERE id < 'run-4'"))
    seen: list[str] = []
    before = None
    while page := await state.runs.list(limit=2, before=before):
        seen += [run.id for run in page]
        before = (page[-1].created_at, page[-1].id)
    assert seen == ["run-6", "run-5", "run-4", "run-0", "run-1", "run-2", "run-3"]
    await state.runs.end("run-2", RunEnded("failed", "error", "", Usage()), None)
    assert [run.id for run in await state.runs.list(states=("failed",))] == ["run-2"]


async def test_old_runs_go_but_nothing_that_waits(
    state: State, make_request: Callable[..., RunRequest], make_proposal: Callable[..., Proposal]
) -> None:
    """Beyond the limit go ended runs and their texts; a pending proposal and a running run stay."""
    base = make_request()
    for n in range(6):
        text = f"第{n}版"
        request = replace(base, id=f"run-{n}", snapshot=Snapshot("u", "p", 1, text))
        await state.runs.begin(request, "h")
        await state.database.write(shift(f"run-{n}", 1000 - n))
        if n != 0:
            proposal = make_proposal(f"run-{n}", f"p-{n}") if n == 1 else None
            await state.runs.end(f"run-{n}", RunEnded("completed", "finished", "", Usage()), proposal)
    assert await state.runs.prune(keep=2) == 2
    assert [run.id for run in await state.runs.list()] == ["run-5", "run-4", "run-1", "run-0"]
    kept = await state.database.read(lambda conn: conn.execute("SELECT count(*) FROM texts").fetchone()[0])
    assert kept == 4 + 1 + 2  # four snapshots, one context, the proposal's base and text
    assert await state.runs.prune(keep=100, seconds=0) == 2
    assert [run.id for run in await state.runs.list()] == ["run-1", "run-0"]


async def test_an_unknown_run_is_not_an_empty_one(state: State) -> None:
    """There is None for the run, no steps, and a fault where a text was asked for."""
    assert await state.runs.get("nope") is None
    assert await state.runs.steps("nope") == ()
    with pytest.raises(InkwrightError) as caught:
        await state.runs.snapshot("nope")
    assert caught.value.fault.code == "run_unknown"


async def test_a_step_of_the_same_index_replaces_the_first(
    state: State, make_request: Callable[..., RunRequest], make_step: Callable[..., StepRecord]
) -> None:
    """Writing a step again is safe."""
    await state.runs.begin(make_request(), "h")
    await state.runs.step(make_step(text="one"))
    await state.runs.step(make_step(text="two"))
    steps = await state.runs.steps("run-1")
    assert [step.text for step in steps] == ["two"]
    assert len(steps[0].calls) == 1

"""What models used: summed up as it happens, by day, model and ability; kept when the runs are gone."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from inkwright.domain.conversation import Attempt, Usage
from inkwright.domain.run import RunEnded, RunRequest, StepRecord
from inkwright.store.state import State
from inkwright.store.usage import Spent, day_of

PRICED = Usage(100, 20, cache_read=60, cache_write=10, reasoning=5, cost=0.25, currency="CNY")


@pytest.fixture
def request_of(make_request) -> RunRequest:
    return make_request()


@pytest.fixture
def record_of(make_step) -> StepRecord:
    return replace(make_step(), calls=())


async def begun(state: State, request, record, *usages: Usage | None, run: str = "run-1") -> None:
    await state.runs.begin(replace(request, id=run), "hash")
    for index, usage in enumerate(usages):
        await state.runs.step(replace(record, run_id=run, index=index, usage=usage))


async def test_requests_are_summed_by_day_model_and_ability(state, request_of, record_of) -> None:
    """Caches apart; what has no price and what is an estimate is counted as such, never as nothing."""
    request, record = request_of, record_of
    await begun(state, request, record, PRICED, PRICED, Usage(7, 3, estimated=True), Usage(), None)
    spent = await state.usage.since()
    assert {row.currency: row for row in spent} == {
        "CNY": Spent(
            day_of(time.time()),
            request.model,
            request.profile.ability,
            "CNY",
            2,
            200,
            40,
            120,
            20,
            10,
            0.5,
            0,
            0,
        ),
        "": Spent(
            day_of(time.time()), request.model, request.profile.ability, "", 1, 7, 3, 0, 0, 0, 0.0, 1, 1
        ),
    }


async def test_a_step_that_is_written_again_counts_once(state, request_of, record_of) -> None:
    """The same index replaces what stood there, in the sums too."""
    await begun(state, request_of, record_of, PRICED)
    await state.runs.step(replace(record_of, index=0, usage=replace(PRICED, input=1, cost=0.5)))
    (row,) = [row for row in await state.usage.since() if row.requests]
    assert (row.requests, row.input, row.cost) == (1, 1, 0.5)


async def test_sums_outlive_the_runs(state, request_of, record_of) -> None:
    """The journal is pruned, the bill is not."""
    await begun(state, request_of, record_of, PRICED)
    await state.database.write(lambda conn: conn.execute("UPDATE runs SET ended_at = 1, created_at = 1"))
    before = await state.usage.since()
    assert await state.runs.prune(0, 0) == 1
    assert await state.usage.since() == before != ()


async def test_two_processes_add_to_one_sum(root, state, request_of, record_of) -> None:
    """Each writes what its own runs used; nothing is lost between them."""
    other = await State.open(root)

    async def many(one: State, name: str) -> None:
        for number in range(10):
            await begun(one, request_of, record_of, PRICED, run=f"{name}-{number}")
            await one.spending.add("CNY", 0.25, time.time())

    await asyncio.gather(many(state, "a"), many(other, "b"))
    (row,) = await state.usage.since()
    assert (row.requests, row.cost) == (20, pytest.approx(5.0))
    assert await other.spending.of("CNY", time.time()) == pytest.approx(5.0)
    await other.close()


async def test_days_are_the_writers_own_and_currencies_stay_apart(state, monkeypatch) -> None:
    """A clock that jumps writes under the day that it says."""
    noon = time.mktime((2026, 5, 4, 12, 0, 0, 0, 0, -1))
    await state.spending.add("CNY", 1.5, noon)
    await state.spending.add("USD", 2.5, noon)
    await state.spending.add("CNY", 4.0, noon - 86400)
    assert [await state.spending.of(name, noon) for name in ("CNY", "USD", "EUR")] == [1.5, 2.5, 0.0]


async def test_attempts_stand_in_the_journal(state, request_of, record_of) -> None:
    """Each request that came to nothing, with its reason and what it used."""
    attempts = (
        Attempt("model_server", "server", 1.5, 0.7, "req-1", Usage(5, 0)),
        Attempt("model_x", "", 0, 1),
    )
    await state.runs.begin(request_of, "hash")
    await state.runs.step(replace(record_of, attempts=attempts))
    (step,) = await state.runs.steps(request_of.id)
    assert step.attempts == attempts


async def test_a_run_that_waits_says_so_until_it_has_ended(state, request_of) -> None:
    """Queued, waiting, running; an end is an end."""
    await state.runs.begin(request_of, "hash")
    for standing in ("queued", "waiting", "running", "waiting"):
        await state.runs.stands(request_of.id, standing)
        assert (await state.runs.get(request_of.id)).state == standing
        assert [run.id for run in await state.runs.list(states=[standing])] == [request_of.id]
    await state.runs.end(request_of.id, RunEnded("completed", "finished", "", Usage()), None)
    await state.runs.stands(request_of.id, "waiting")
    assert (await state.runs.get(request_of.id)).state == "completed"


USAGES = st.builds(
    Usage,
    input=st.integers(0, 1000),
    output=st.integers(0, 1000),
    cost=st.none() | st.floats(0, 10),
    currency=st.sampled_from(["", "CNY", "USD"]),
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=20)
@given(usages=st.lists(USAGES, max_size=6))
async def test_sums_are_those_of_the_steps(state, request_of, record_of, usages) -> None:
    """Whatever the steps used: no token is lost, no currency mixed."""
    await state.database.write(lambda conn: conn.execute("DELETE FROM usage"))
    await state.database.write(lambda conn: conn.execute("DELETE FROM runs"))
    await begun(state, request_of, record_of, *usages)
    rows = await state.usage.since()
    counted = [usage for usage in usages if not usage.nothing]
    assert sum(row.input for row in rows) == sum(usage.input for usage in counted)
    assert sum(row.unpriced for row in rows) == sum(usage.cost is None for usage in counted)
    for row in rows:
        of = [usage.cost or 0 for usage in counted if usage.currency == row.currency]
        assert row.cost == pytest.approx(sum(of))

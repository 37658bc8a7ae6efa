"""What a run and a day may cost, through the studio: before the call, over all books, in one currency."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from inkwright.abilities import spent
from inkwright.abilities.ceilings import Ceilings
from inkwright.config import Settings
from inkwright.domain.conversation import Usage
from inkwright.domain.errors import InkwrightError
from inkwright.domain.model import OFFLINE, ModelProfile, Price
from inkwright.runtime.scripted import Pause, Turn
from inkwright.workspace import Workspace

PAID = ModelProfile("paid", "http://example.com/v1", "m", price=Price("CNY", 1, 10), max_output=8_000)
UNKNOWN = replace(PAID, id="unknown", price=None)
BETTER = "林夏到的时候，船刚刚走了。\n\n她数了数铜钱，一共十七枚。\n\n“再等等。”周衡说。\n"
USED = Usage(10_000, 1_000)
COST = 0.02


def ignore(_: object) -> None:
    pass


def limited(stage, model: ModelProfile = PAID, **limits: Any) -> None:
    stage.studio.settings = Settings(model=model.id, models=(model, OFFLINE), **limits)


async def run(stage, **more: Any) -> Any:
    return await stage.studio.run(await stage.ask(**more), ignore)


async def test_what_runs_used_is_reported(stage) -> None:
    """By day, model and ability, with sums for each currency; what has no price is said."""
    limited(stage)
    stage.plays(Turn([BETTER], usage=USED), Turn([BETTER], usage=USED))
    first, second = await run(stage), await run(stage, ability="analysis")
    assert first.usage.cost == second.usage.cost == pytest.approx(COST)
    limited(stage, UNKNOWN)
    stage.plays(Turn([BETTER], usage=USED))
    assert (await run(stage)).usage.cost is None
    report = await spent.report([await stage.studio.workspace.book(stage.chapter)])
    json.dumps(report)
    assert {(row["model"], row["ability"], row["cost"]) for row in report["rows"]} == {
        ("paid", "polish", COST),
        ("paid", "analysis", COST),
        ("unknown", "polish", None),
    }
    assert [(one["currency"], one["cost"], one["unpriced"]) for one in report["totals"]] == [
        (None, None, 1),
        ("CNY", 2 * COST, 0),
    ]
    assert [day["requests"] for day in report["days"]] == [1, 2]


@pytest.mark.parametrize("limit", ["max_cost_per_run", "max_cost_per_day"])
async def test_a_request_that_would_go_over_is_not_sent(stage, limit) -> None:
    """The run stops politely, and says what is left of what."""
    limited(stage, **{limit: 0.001})
    model = stage.plays(BETTER)
    result = await run(stage)
    assert (result.status, result.stop_reason) == ("failed", "cost")
    assert result.fault.params["limit"] == "0.0010 CNY"
    assert model.requests == []


async def test_a_day_is_one_over_all_books_and_processes(stage, tmp_path) -> None:
    """What another book's run has cost today counts, also in another process."""
    limited(stage, max_cost_per_day=0.05)
    stage.plays(Turn([BETTER], usage=USED), Turn([BETTER], usage=USED))
    assert (await run(stage)).status == "completed"
    other = Workspace([tmp_path / "other"])
    purse = Ceilings(other).of(PAID, stage.studio.settings)
    assert await purse.room(0, 0.001) == pytest.approx(0.05 - COST)
    await purse.spend(0.025)
    await other.close()
    result = await run(stage, ability="analysis")
    assert (result.stop_reason, result.fault.code) == ("cost", "run_cost_day")


async def test_a_new_day_begins_anew(stage) -> None:
    """By the writer's own clock, however it is set."""
    now = [1_790_000_000.0]
    ceilings = Ceilings(stage.studio.workspace, lambda: now[0])
    purse = ceilings.of(PAID, Settings(max_cost_per_day=1))
    await purse.spend(0.9)
    with pytest.raises(InkwrightError, match="run_cost_day"):
        await purse.room(0, 0.5)
    for moment in (1_790_000_000.0 + 86_400, 0.0, -1e9):
        now[0] = moment
        assert await purse.room(0, 0.5) == pytest.approx(1)
        await purse.spend(0)


async def test_requests_under_way_count_as_spent(stage) -> None:
    """Many runs at once do not each have all of the rest; one that ends gives back what it held."""
    ceilings = Ceilings(stage.studio.workspace)
    one, two = (ceilings.of(PAID, Settings(max_cost_per_day=1)) for _ in range(2))
    assert await one.room(0, 0.6) == 1
    with pytest.raises(InkwrightError, match="run_cost_day"):
        await two.room(0, 0.6)
    await one.spend(0.1)
    assert await two.room(0, 0.6) == pytest.approx(0.9)


async def test_a_run_that_is_cancelled_holds_nothing(stage, until) -> None:
    """What it was going to cost is there for the others again."""
    limited(stage, max_cost_per_day=1)
    model = stage.plays([Pause(None)])
    task = asyncio.ensure_future(run(stage, request_id="one"))
    await until(lambda: model.requests)
    held = stage.studio._ceilings.held
    assert held["CNY"] > 0
    assert stage.studio.cancel("one")
    await task
    assert held["CNY"] == pytest.approx(0)


@pytest.mark.parametrize(
    ("model", "limits", "code"),
    [
        (UNKNOWN, {"max_cost_per_run": 5}, "run_cost_unknown"),
        (UNKNOWN, {"max_cost_per_day": 5}, "run_cost_unknown"),
        (PAID, {"max_cost_per_day": 5, "currency": "USD"}, "run_cost_currency"),
    ],
)
async def test_a_ceiling_that_cannot_be_kept_is_said(stage, model, limits, code) -> None:
    """No price, or one in another currency: nothing is counted as nothing, nothing is converted."""
    limited(stage, model, **limits)
    played = stage.plays(BETTER)
    result = await run(stage)
    assert (result.stop_reason, result.fault.code) == ("cost", code)
    assert played.requests == []


async def test_what_is_free_knows_no_ceiling(stage) -> None:
    """The offline engine works on when the money is spent."""
    limited(stage, max_cost_per_run=0.000001, max_cost_per_day=0.000001, currency="EUR")
    stage.plays(Turn([BETTER], usage=USED))
    assert (await run(stage, model="offline")).status == "completed"


async def test_no_ceiling_no_limit(stage) -> None:
    """What is left is asked for nowhere, and the answer is as long as the model's own."""
    limited(stage)
    model = stage.plays(BETTER)
    assert (await run(stage)).status == "completed"
    assert model.requests[0].max_output is None


def test_the_last_days(tmp_path: Path) -> None:
    """Today is one of them; 0 and absurd numbers mean from the beginning."""
    noon = 1_790_000_000.0
    today = spent.day_of(noon)
    assert spent.since(1, noon) == today
    assert spent.since(0, noon) == spent.since(10**9, noon) == spent.since(-3, noon) == ""
    assert spent.since(7, noon) < today

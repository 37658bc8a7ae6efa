"""Money and waiting in a run: asked for before each request, counted after it, written down."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

import pytest

from inkwright.domain.conversation import Attempt, Reasoning, ToolCall, Underway, Usage, Waiting
from inkwright.domain.errors import Fault, InkwrightError, StorageError
from inkwright.domain.model import Price
from inkwright.domain.run import Budget, RunEnded, RunWaiting
from inkwright.runtime.runner import Runner
from inkwright.runtime.scripted import Pause, ScriptedModel, Turn

PRICE = Price("CNY", 1, 10)
USED = Usage(1000, 100)
COST = 0.002


@dataclass
class Purse:
    """Has `left` at first; what is asked and spent is noted."""

    left: float | None = None
    fault: InkwrightError | None = None
    asked: list[tuple[float, float]] = field(default_factory=list)
    spent: list[float] = field(default_factory=list)

    async def room(self, spent: float, wanted: float) -> float | None:
        self.asked.append((spent, wanted))
        if self.fault is not None:
            raise self.fault
        if self.left is not None and self.left - sum(self.spent) < wanted:
            raise InkwrightError("run_cost_ahead", limit="x", left="y", wanted="z")
        return None if self.left is None else self.left - sum(self.spent)

    async def spend(self, cost: float) -> None:
        self.spent.append(cost)


@pytest.fixture
def play(journal, tools):
    async def run(request, model, purse=None):
        runner = Runner(journal)
        return [event async for event in runner.run(request, model, tools, purse=purse)]

    return run


def calls(used: Usage = USED) -> Turn:
    return Turn(["想", ToolCall("c1", "read_chapter", {})], usage=used)


async def test_every_request_is_paid_for(ask, play, journal):
    """The cost of each step and of the run, by the price of the model."""
    purse = Purse()
    model = ScriptedModel([calls(), Turn(["好。"], usage=USED)])
    events = await play(ask(request={"price": PRICE}), model, purse)
    ended = events[-1]
    assert isinstance(ended, RunEnded)
    assert (ended.usage.cost, ended.usage.currency) == (pytest.approx(2 * COST), "CNY")
    assert [step.usage.cost for step in journal.steps] == [pytest.approx(COST)] * 2
    assert purse.spent == [pytest.approx(COST)] * 2
    assert [spent for spent, _ in purse.asked] == [0, pytest.approx(COST)]


async def test_without_a_price_there_is_no_cost(ask, play):
    """Not nothing: none."""
    events = await play(ask(), ScriptedModel([Turn(["好。"], usage=USED)]), Purse())
    assert events[-1].usage.cost is None


async def test_no_request_goes_out_that_there_is_no_room_for(ask, play, journal):
    """The run stops before the call, with what it has; the text so far is a partial answer."""
    model = ScriptedModel([calls(), "好。"])
    purse = Purse(left=0.0415)
    events = await play(ask(request={"price": PRICE}), model, purse)
    ended = events[-1]
    assert (ended.status, ended.stop_reason, ended.fault.code) == ("partial", "cost", "run_cost_ahead")
    assert ended.text == "想"
    assert len(model.requests) == 1
    assert len(journal.steps) == 1
    nothing = await play(ask(request={"price": PRICE}), ScriptedModel(["好。"]), Purse(left=0.001))
    assert (nothing[-1].status, nothing[-1].stop_reason, nothing[-1].text) == ("failed", "cost", "")


async def test_the_answer_is_no_longer_than_the_money(ask, play):
    """What is left is the limit of the output; an answer that was cut by it says so."""
    model = ScriptedModel([Turn(["半"], usage=USED, finish="length")])
    events = await play(ask(request={"price": PRICE, "max_output": 384_000}), model, Purse(left=1.0))
    assert 90_000 < model.requests[0].max_output < 100_000
    assert (events[-1].status, events[-1].stop_reason) == ("partial", "cost")
    whole = ScriptedModel([Turn(["半"], usage=USED, finish="length")])
    events = await play(ask(request={"price": PRICE, "max_output": 4_000}), whole, Purse(left=1.0))
    assert whole.requests[0].max_output is None
    assert events[-1].stop_reason == "length"


async def test_what_cannot_be_read_is_no_room(ask, play):
    """A ceiling whose sum is not known lets nothing through; money that cannot be written down is said."""
    model = ScriptedModel(["好。"])
    events = await play(ask(request={"price": PRICE}), model, Purse(fault=StorageError("store_full")))
    assert (events[-1].stop_reason, events[-1].fault.code) == ("cost", "store_full")
    assert model.requests == []

    class Broken(Purse):
        async def spend(self, cost: float) -> None:
            raise StorageError("store_full")

    events = await play(ask(request={"price": PRICE}), ScriptedModel(["好。"]), Broken())
    assert (events[-1].status, events[-1].notices) == ("completed", (Fault("store_full"),))


FAILED = Attempt("model_server", "server", 0.5, 2.0, "req-9", Usage(50, 0))


async def test_attempts_are_written_down_and_paid(ask, play, journal):
    """What a failed attempt used is part of the step's usage."""
    lines = [Waiting("retry", 2.0, attempt=FAILED), Underway(), "好。"]
    events = await play(ask(request={"price": PRICE}), ScriptedModel([Turn(lines, usage=USED)]), Purse())
    assert [event.waiting for event in events if isinstance(event, RunWaiting)] == [lines[0], None]
    (step,) = journal.steps
    assert step.attempts == (FAILED,)
    assert (step.usage.input, step.usage.cost) == (1050, pytest.approx(COST + 0.00005))


async def test_the_journal_knows_that_a_run_waits(ask, play, journal):
    """Queued for a turn, waiting for a time, running again; said once for each change."""
    lines = [
        Waiting("queue", ahead=2),
        Waiting("queue", ahead=1),
        Underway(),
        Waiting("retry", 1.0),
        Underway(),
        "好。",
    ]
    await play(ask(), ScriptedModel([lines]))
    assert journal.states == ["queued", "running", "waiting", "running"]
    journal.states.clear()
    await play(ask(), ScriptedModel([[Waiting("rate", 1.0), "好。"]]))
    assert journal.states == ["waiting", "running"]


@pytest.mark.parametrize(
    ("lines", "used"),
    [
        ([Waiting("queue", ahead=1), Pause(1)], False),
        ([Waiting("retry", 1.0), Pause(1)], False),
        ([Waiting("queue", ahead=1), Underway(), Pause(1)], True),
        ([Pause(1)], True),
        ([Reasoning("想"), Pause(1)], True),
    ],
)
async def test_what_was_not_sent_costs_nothing(ask, journal, tools, lines, used):
    """A run that is cancelled while it waits has used nothing; once the request is out, its size is estimated."""
    held = asyncio.Event()

    async def hold(_):
        held.set()
        await asyncio.Event().wait()

    stream = Runner(journal).run(ask(), ScriptedModel([lines], sleep=hold), tools)
    task = asyncio.ensure_future(_drain(stream))
    await held.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    ((ended, _),) = journal.ends
    assert ended.stop_reason == "cancelled"
    assert bool(ended.usage.input) == used
    assert not used or ended.usage.estimated


async def _drain(stream):
    async for _ in stream:
        pass


async def test_a_ceiling_of_the_run_is_also_looked_at_behind_the_call(ask, play):
    """What a request came to may be more than was thought: the next one does not go out."""
    request = ask(request={"price": PRICE}, budget=Budget(10, cost=0.001))
    events = await play(request, ScriptedModel([calls(), "好。"]), Purse())
    assert (events[-1].stop_reason, events[-1].fault.params["limit"]) == ("cost", "0.0010 CNY")

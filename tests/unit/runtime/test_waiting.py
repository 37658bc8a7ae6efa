"""A model that says that nothing is under way."""

from __future__ import annotations

from inkwright.domain.conversation import Waiting
from inkwright.domain.errors import Fault
from inkwright.domain.run import Budget, RunWaiting
from inkwright.runtime.scripted import Pause, ScriptedModel


class Clock:
    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now

    async def sleep(self, seconds):
        self.now += seconds


def scripted(clock, *lines):
    return ScriptedModel([lines], sleep=clock.sleep)


async def test_waiting_is_passed_on_and_is_no_text(ask, play):
    """Why, how long and how many go before reach the caller; the answer is untouched."""
    wait = Waiting("queue", 12.0, ahead=3)
    events = await play(ask(), ScriptedModel([[wait, Waiting("rate"), "好。"]]))
    assert [event.waiting for event in events if isinstance(event, RunWaiting)] == [wait, Waiting("rate")]
    assert events[-1].text == "好。"


async def test_waiting_does_not_use_up_the_runs_seconds(ask, play):
    """Before the first payload, however often it is said, and again where it is said later."""
    clock = Clock()
    model = scripted(
        clock,
        Waiting("queue"),
        Pause(50),
        Waiting("retry"),
        Pause(50),
        "一",
        Pause(5),
        Waiting("rate"),
        Pause(50),
        "二",
    )
    end = (await play(ask(budget=Budget(1, seconds=10)), model, clock=clock))[-1]
    assert (end.status, end.text) == ("completed", "一二")


async def test_seconds_count_again_after_waiting(ask, play):
    """What passes between payloads is the run's, waiting before it or not."""
    clock = Clock()
    model = scripted(clock, Waiting("queue"), Pause(50), "一", Pause(11), "二")
    end = (await play(ask(budget=Budget(1, seconds=10)), model, clock=clock))[-1]
    assert (end.stop_reason, end.status) == ("seconds", "partial")


async def test_a_refusal_after_waiting_costs_nothing(ask, play):
    """Waiting is no beginning of an answer."""
    fault = Fault("model_busy", kind="connection", retryable=True)
    end = (await play(ask(), ScriptedModel([[Waiting("retry"), fault]])))[-1]
    assert (end.stop_reason, end.usage.input, end.usage.output) == ("error", 0, 0)

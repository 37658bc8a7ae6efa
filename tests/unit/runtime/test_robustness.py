"""Models that misbehave, in a run of rounds and inside a step of a pipeline."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, field

import pytest

from inkwright.domain.conversation import Finished, ModelEvent, ModelRequest, Reasoning, Text, ToolCall, Usage
from inkwright.domain.errors import Fault
from inkwright.domain.run import Budget, RunEnded, TextDelta, ToolEnded, ToolStarted
from inkwright.runtime.scripted import Pause, ScriptedModel, Turn
from inkwright.runtime.turn import ANSWER_CHARS


@dataclass
class Babbler:
    """Goes on talking after it has said that it is done."""

    events: tuple[ModelEvent, ...]
    name: str = "babbler"
    requests: list[ModelRequest] = field(default_factory=list)

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        self.requests.append(request)
        for event in self.events:
            yield event


@pytest.fixture(params=["react", "pipeline"])
def make(request, ask, pipe):
    """A run of at most `rounds` rounds with one tool: by itself, or as the only step of a pipeline."""

    def react(rounds=3, **budget):
        return ask(tools=("read_chapter",), budget=Budget(rounds, **budget))

    def pipeline(rounds=3, **budget):
        made = pipe(count=1, budget=Budget(0, **budget))
        assert made.steps[0].rounds == rounds == 3
        return made

    return react if request.param == "react" else pipeline


def calls(number, name="read_chapter", **more):
    return [ToolCall(f"c{n}", name, {"chapter_id": "a"}, **more) for n in range(number)]


def ending(events):
    end = events[-1]
    assert isinstance(end, RunEnded)
    assert end.text == "".join(event.text for event in events if isinstance(event, TextDelta))
    return end


def product(end):
    """What the model said: the answer, or its step's product."""
    return end.steps[0].text if end.steps else end.text


async def test_one_tool_over_and_over(make, play, tools):
    """The last round is sent without tools; who still calls is stopped by the rounds, with what there is."""
    model = ScriptedModel([["看看。", *calls(1)]] * 9)
    end = ending(await play(make(), model))
    assert (end.stop_reason, end.status) == ("rounds", "partial")
    assert [bool(request.tools) for request in model.requests] == [True, True, False]
    assert len(tools.called) == 2
    assert product(end) == "看看。\n\n看看。\n\n看看。"


async def test_two_hundred_calls_in_a_turn(make, play, tools):
    """The cap's number of them run, each gets its own result, the next round is for the answer."""
    model = ScriptedModel([["看。", *calls(200)], "好。"])
    events = await play(make(calls=50), model)
    end = ending(events)
    assert len(tools.called) == 50
    assert sum(isinstance(event, ToolStarted) for event in events) == 50
    results = [m for m in model.requests[1].messages if m.role == "tool"]
    assert len({m.tool_call_id for m in results}) == 200
    assert model.requests[1].tools == ()
    assert (end.status, product(end)) == ("completed", "看。\n\n好。")


async def test_calls_are_a_stop_reason(make, play):
    """Who calls on when no call may run is stopped, and it is said which limit it was."""
    model = ScriptedModel([["看。", *calls(5)], ["再看。", *calls(5)]])
    end = ending(await play(make(calls=5), model))
    assert (end.stop_reason, end.status, end.fault.params) == ("calls", "partial", {"limit": 5})


async def test_unknown_tools(make, play, tools):
    """A name that was not offered is an error result that names what there is; the loop goes on."""
    model = ScriptedModel([calls(2, "delete_book"), "好。"])
    events = await play(make(), model)
    assert ending(events).status == "completed"
    assert tools.called == []
    results = [m.content for m in model.requests[1].messages if m.role == "tool"]
    assert all("delete_book" in text and "read_chapter" in text for text in results)


async def test_broken_json(make, play, tools):
    """Arguments that are no object reach the tool as None with what was sent, never as {}."""
    broken = [
        ToolCall("1", "read_chapter", None, '{"chapter_id": '),
        ToolCall("2", "read_chapter", None, "[]"),
    ]
    model = ScriptedModel([broken, "好。"])
    events = await play(make(), model)
    assert [event.ok for event in events if isinstance(event, ToolEnded)] == [False, False]
    assert [arguments for _, arguments in tools.called] == [None, None]
    assert ending(events).status == "completed"


@pytest.mark.parametrize("turn", [[], [" \n"], Turn([], usage=Usage(5, 0))])
async def test_empty_turns(make, play, turn):
    """An empty turn is asked once more; a second one is an error, never an answer."""
    model = ScriptedModel([turn, "好。"])
    assert ending(await play(make(), model)).status == "completed"
    model = ScriptedModel([turn, turn, "迟了"])
    end = ending(await play(make(), model))
    assert (end.stop_reason, end.status, end.fault.code) == ("error", "failed", "run_empty")
    assert len(model.requests) == 2


async def test_reasoning_only(make, play):
    """Reasoning without an answer is asked once more, then has a stop reason of its own."""
    model = ScriptedModel([[Reasoning("想")], [Reasoning("想")]])
    end = ending(await play(make(), model))
    assert (end.stop_reason, end.status) == ("reasoning_only", "failed")
    assert "想" not in product(end)


async def test_a_second_answer_after_the_end(make, play):
    """Nothing after the first end is heard: no text, no other end."""
    after = (Text("二"), Finished("error", fault=Fault("x")), Text("三"))
    model = Babbler((Text("一"), Finished("stop"), *after))
    end = ending(await play(make(), model))
    assert (end.status, product(end), len(model.requests)) == ("completed", "一", 1)


class Clock:
    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now

    async def sleep(self, seconds):
        self.now += seconds


@pytest.mark.parametrize("size", [ANSWER_CHARS // 3, 3 * ANSWER_CHARS])
async def test_an_answer_without_an_end_is_cut(make, play, size):
    """A model that writes on and on, in pieces or all at once, is stopped at a length; what it wrote is partial."""
    model = Babbler((*[Text("长" * size)] * 9, Finished("stop")))
    end = ending(await play(make(), model))
    assert (end.status, end.stop_reason, len(model.requests)) == ("partial", "length", 1)
    assert product(end) == "长" * ANSWER_CHARS


async def test_reasoning_without_an_end_is_cut(make, play):
    """Neither does a model reason on and on."""
    model = Babbler((*[Reasoning("想" * (ANSWER_CHARS // 2))] * 9, Text("好。"), Finished("stop")))
    end = ending(await play(make(), model))
    assert (end.status, end.stop_reason, product(end)) == ("failed", "length", "")


@pytest.mark.parametrize(
    ("budget", "script", "reason"),
    [
        ({}, [["说", *calls(1)]] * 3, "rounds"),
        ({"calls": 1}, [["说", *calls(1)]] * 2, "calls"),
        ({"seconds": 10}, [["说", Pause(11), "完"]], "seconds"),
        ({}, [["说", Fault("model_silence", kind="timeout")]], "silence"),
        ({"tokens": 600}, [["说" * 3000]], "tokens"),
        ({"tokens": 600}, [Turn(["说", *calls(1)], usage=Usage(600, 1)), "完"], "tokens"),
        ({"cost": 1}, [Turn(["说", *calls(1)], usage=Usage(1, 1, cost=2.0)), "完"], "cost"),
        ({}, [Turn(["说"], finish="length")], "length"),
        ({}, [Turn(["说"], ended=False)], "disconnected"),
    ],
)
async def test_each_limit_has_its_reason_and_keeps_the_text(make, play, budget, script, reason):
    """Rounds, calls, seconds, silence, tokens, cost: a reason of its own, a sentence, a partial result."""
    clock = Clock()
    end = ending(await play(make(**budget), ScriptedModel(script, sleep=clock.sleep), clock=clock))
    assert (end.stop_reason, end.status) == (reason, "partial")
    assert end.fault is not None
    assert product(end).startswith("说")
    assert "完" not in product(end) or reason == "seconds"

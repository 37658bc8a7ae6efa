"""The scripted model keeps the promise of the port."""

from __future__ import annotations

from contextlib import aclosing

from inkwright.domain.conversation import Finished, ModelRequest, Reasoning, Text, ToolCall
from inkwright.domain.errors import Fault
from inkwright.runtime.scripted import ScriptedModel, Turn

REQUEST = ModelRequest(())


async def play(model):
    return [event async for event in model.stream(REQUEST)]


async def test_a_turn_ends_as_its_lines_say():
    """Text stops, calls call, a fault is an error, and each stream has one Finished."""
    call = ToolCall("1", "read_chapter", {})
    model = ScriptedModel(
        ["甲", [Reasoning("想"), call], [Fault("x", kind="content_filter")], Turn([], "length")]
    )
    assert await play(model) == [Text("甲"), Finished("stop")]
    assert await play(model) == [Reasoning("想"), Finished("tool_calls", (call,))]
    assert (await play(model))[-1].finish == "content_filter"
    assert await play(model) == [Finished("length")]


async def test_beyond_its_end_it_says_so():
    """A request that the script does not foresee is a fault, not silence."""
    assert (await play(ScriptedModel([])))[-1].fault == Fault("script_ended")


async def test_it_counts_what_was_cut():
    """A stream closed before its Finished is counted; one closed at it is not."""
    model = ScriptedModel(["甲", "乙"])
    async with aclosing(model.stream(REQUEST)) as events:
        await anext(events)
    assert (model.cut, model.open) == (1, 0)
    async with aclosing(model.stream(REQUEST)) as events:
        async for event in events:
            if isinstance(event, Finished):
                break
    assert (model.cut, model.open) == (1, 0)

"""Whatever a model does: one end, equal text, one result per call, no task left."""

from __future__ import annotations

import asyncio
from contextlib import aclosing

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from inkwright.domain.conversation import Reasoning, ToolCall, Usage
from inkwright.domain.errors import Fault
from inkwright.domain.run import (
    Budget,
    RunEnded,
    RunStarted,
    StepEnded,
    StepStarted,
    TextDelta,
    ToolEnded,
    ToolStarted,
)
from inkwright.runtime.runner import Runner
from inkwright.runtime.scripted import Pause, Raise, ScriptedModel, Turn

texts = st.text(alphabet="一二。\n a=`<>{}\u2028\U00020bb7", min_size=0, max_size=6)
calls = st.builds(
    ToolCall,
    st.sampled_from(["", "1", "2", "call_0"]),
    st.sampled_from(["read_chapter", "get_book_context", "broken", "unknown"]),
    st.sampled_from([None, {}, {"chapter_id": "a"}]),
    st.sampled_from(["", '{"a":', "[]"]),
)
kinds = st.sampled_from(["connection", "timeout", "content_filter", "context_length", "auth", None])
faults = st.builds(lambda kind: Fault("model_x", kind=kind), kinds)
lines = st.one_of(
    texts,
    texts,
    st.builds(Reasoning, texts),
    calls,
    faults,
    st.builds(Raise, st.sampled_from([RuntimeError("x"), TimeoutError()])),
    st.just(Pause(0)),
)
turns = st.builds(
    Turn,
    st.lists(lines, max_size=5),
    st.sampled_from([None, None, None, "stop", "length", "content_filter", "tool_calls", "error"]),
    st.sampled_from([None, Usage(3, 2), Usage(100, 100, cost=1.0)]),
    st.sampled_from([True, True, True, False]),
)
scripts = st.lists(turns, max_size=8)
budgets = st.builds(
    Budget,
    st.integers(0, 4),
    st.integers(0, 3),
    st.sampled_from([0, 1000]),
    st.sampled_from([0, 50, 5000]),
    st.sampled_from([0, 0.5]),
)
quick = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def toolbox(make_tools):
    return make_tools({"read_chapter": "章", "get_book_context": "书", "broken": ValueError("x")})


def shape(ask, budget, output, parallel):
    return ask(
        "一",
        "二",
        budget=budget,
        output=output,
        parallel=parallel,
        tools=("read_chapter", "get_book_context", "broken"),
    )


@quick
@given(scripts, budgets, st.sampled_from(["edit", "report"]), st.booleans())
async def test_any_script_ends_once(ask, make_tools, broken_journal, script, budget, output, parallel):
    """One RunStarted, one RunEnded, both in the journal; text equal; starts and ends pair; nothing leaks."""
    model, tools, journal = ScriptedModel(script), toolbox(make_tools), broken_journal()
    before = asyncio.all_tasks()
    runner = Runner(journal)
    async with aclosing(runner.run(shape(ask, budget, output, parallel), model, tools)) as stream:
        events = [event async for event in stream]
    assert asyncio.all_tasks() <= before
    ends = [e for e in events if isinstance(e, RunEnded)]
    assert len(ends) == 1
    assert events[-1] is ends[0]
    assert sum(isinstance(e, RunStarted) for e in events) == 1
    end = ends[0]
    assert end.text == "".join(e.text for e in events if isinstance(e, TextDelta))
    assert [kept for kept, _ in journal.ends] == [end]
    assert (end.status == "completed") == (end.stop_reason == "finished") == (end.fault is None)
    if end.status == "completed":
        assert all(text and text.strip() for text in end.window_texts)
        assert all(text in end.text for text in end.window_texts)
    assert model.open == 0
    assert tools.running == 0
    for begun, done in ((ToolStarted, ToolEnded), (StepStarted, StepEnded)):
        assert sum(isinstance(e, begun) for e in events) == sum(isinstance(e, done) for e in events)
    assert len(journal.steps) == len(model.requests)
    assert not budget.calls or len(tools.called) <= budget.calls
    for request in model.requests:
        check_pairs(request)


def check_pairs(request):
    """Right after an assistant turn with calls stand its results: the same ids, each once, in order."""
    messages = list(request.messages)
    for at, message in enumerate(messages):
        if message.tool_calls:
            ids = [call.id for call in message.tool_calls]
            assert len(set(ids)) == len(ids)
            assert [m.tool_call_id for m in messages[at + 1 : at + 1 + len(ids)]] == ids
    results = [m for m in messages if m.role == "tool"]
    assert len(results) == sum(len(m.tool_calls) for m in messages)


@quick
@given(scripts, budgets, st.integers(0, 40))
async def test_cancel_at_any_moment(ask, make_tools, broken_journal, script, budget, steps):
    """Cancelled after any number of turns of the loop: one end in the journal, nothing sent after it."""
    model, tools, journal = ScriptedModel(script), toolbox(make_tools), broken_journal()
    before = asyncio.all_tasks()
    seen = []

    async def drive():
        async with aclosing(Runner(journal).run(shape(ask, budget, "edit", True), model, tools)) as stream:
            async for event in stream:
                seen.append(event)
                await asyncio.sleep(0)

    task = asyncio.create_task(drive())
    for _ in range(steps):
        await asyncio.sleep(0)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    assert asyncio.all_tasks() <= before
    assert (model.open, tools.running) == (0, 0)
    assert len(journal.ends) == len(journal.begun)
    ended = [e for e in seen if isinstance(e, RunEnded)]
    assert len(ended) <= 1
    if ended:
        assert seen[-1] is ended[0]
        assert journal.ends[0][0] == ended[0]
    elif journal.ends:
        assert journal.ends[0][0].text.startswith("".join(e.text for e in seen if isinstance(e, TextDelta)))

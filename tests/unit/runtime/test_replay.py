"""A journalled run played again, without a model and without a tool."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from inkwright.domain.conversation import ToolCall, Usage
from inkwright.domain.errors import Fault
from inkwright.domain.run import (
    Budget,
    Product,
    RunEnded,
    RunStarted,
    RunWaiting,
    TextDelta,
    ToolEnded,
    ToolStarted,
)
from inkwright.runtime.replay import Recording, replay
from inkwright.runtime.runner import Runner
from inkwright.runtime.scripted import Pause, Raise, ScriptedModel, Turn

CALL = ToolCall("1", "read_chapter", {"chapter_id": "a"})
SPECS = ("read_chapter", "get_book_context")


async def replayed(request, recording):
    async with aclosing(replay(request, recording)) as stream:
        events = [event async for event in stream]
    end = events[-1]
    assert isinstance(events[0], RunStarted)
    assert isinstance(end, RunEnded)
    assert sum(isinstance(event, RunEnded) for event in events) == 1
    assert not any(isinstance(event, RunWaiting) for event in events)
    assert end.text == "".join(event.text for event in events if isinstance(event, TextDelta))
    return events


def taken(journal, tools, now):
    """The recording of the one run in the journal."""
    end = journal.ends[0][0]
    return Recording(
        tuple(journal.steps),
        now,
        end.stop_reason,
        end.text,
        end.fault,
        tuple(journal.products),
        tools.specs(SPECS),
    )


def differences(end):
    return [fault.code for fault in end.notices if fault.code.startswith("replay_")]


async def test_a_run_with_tools_is_the_same_again(ask, play, journal, tools, now):
    """Rounds, tool calls with their results, text and usage: all as recorded, and nothing is said."""
    script = [
        ["先查。", CALL, replace(CALL, id="2", name="get_book_context")],
        Turn(["好。"], usage=Usage(9, 4)),
    ]
    first = await play(ask(), ScriptedModel(script))
    events = await replayed(ask(), taken(journal, tools, now))
    assert [event for event in events if isinstance(event, ToolStarted | ToolEnded)] != []
    end, was = events[-1], first[-1]
    assert (end.text, end.stop_reason, end.usage, end.notices) == (was.text, "finished", was.usage, ())


async def test_the_tools_of_then_need_not_be_known(ask, play, journal, tools, now):
    """Without their schemas the names of the profile are offered, as they were."""
    await play(ask(), ScriptedModel([["先查。", CALL], "好。"]))
    recording = replace(taken(journal, tools, now), tools=())
    assert differences((await replayed(ask(), recording))[-1]) == []


async def test_windows_and_pipelines_are_the_same_again(ask, pipe, play, journal, tools, now):
    """A long edit and a pipeline in batches, that one broken in its fourth step."""
    await play(ask("一", "二", output="edit"), ScriptedModel(["甲", "乙"]))
    end = (await replayed(ask("一", "二", output="edit"), taken(journal, tools, now)))[-1]
    assert (end.window_texts, end.notices) == (("甲", "乙"), ())
    journal.ends.clear()
    journal.steps.clear()
    request = pipe("甲段", "乙段", count=4)
    script = [["看", CALL], "清单", "要点", [CALL], [], ["半", Fault("model_x", kind="timeout")]]
    was = (await play(request, ScriptedModel(script)))[-1]
    end = (await replayed(request, taken(journal, tools, now)))[-1]
    assert (end.text, end.steps, end.stop_reason) == (was.text, was.steps, "silence")
    assert differences(end) == []


async def test_a_resumed_run_is_played_from_what_it_was_given(pipe, play, journal, tools, now):
    """Kept products are in the text and are not asked for."""
    request = pipe(products=(Product(0, "split", "completed", "清单"),))
    was = (await play(request, ScriptedModel(["要点", "卡片"])))[-1]
    end = (await replayed(request, taken(journal, tools, now)))[-1]
    assert (end.text, differences(end)) == (was.text, [])


@pytest.mark.parametrize(
    ("reason", "between"),
    [("seconds", False), ("tokens", False), ("seconds", True), ("tokens", True), ("cost", True)],
)
async def test_a_limit_stops_it_where_it_did(ask, play, journal, tools, now, reason, between):
    """No clock and no price of today: the run stops after the same request, in the middle of it or not."""
    clock = 0.0

    async def later(seconds):
        nonlocal clock
        clock += seconds

    budget = {"seconds": Budget(9, seconds=5), "tokens": Budget(9, tokens=900), "cost": Budget(9, cost=1)}[
        reason
    ]
    turn = Turn(
        ["说", Pause(9), *(["说" * 3000] if reason == "tokens" else []), "完"], usage=Usage(900, 9, cost=2)
    )
    if between:
        turn = Turn(["说", *([Pause(9)] if reason == "seconds" else []), CALL], usage=Usage(900, 9, cost=2))
    request = ask(budget=budget)
    was = (await play(request, ScriptedModel([turn, "迟"], sleep=later), clock=lambda: clock))[-1]
    assert was.stop_reason == reason
    end = (await replayed(replace(request, budget=Budget(9)), taken(journal, tools, now)))[-1]
    assert (end.text, end.stop_reason, differences(end)) == (was.text, reason, [])


async def test_a_cancelled_run_ends_where_it_was_cancelled(pipe, journal, tools, now):
    """The replay breaks off at the same place, with the same steps."""
    model = ScriptedModel(["清单", ["半", Pause()]])

    async def drive():
        async with aclosing(Runner(journal, now=lambda: now).run(pipe(), model, tools)) as events:
            async for event in events:
                if isinstance(event, TextDelta) and "半" in event.text:
                    task.cancel()

    task = asyncio.create_task(drive())
    await asyncio.gather(task, return_exceptions=True)
    was = journal.ends[0][0]
    end = (await replayed(pipe(), taken(journal, tools, now)))[-1]
    assert (end.status, end.stop_reason, end.text, end.steps) == (
        "cancelled",
        "cancelled",
        was.text,
        was.steps,
    )
    assert differences(end) == []


async def test_an_interrupted_run_ends_with_what_was_finished(pipe, play, journal, tools, now):
    """A run whose process died is played as far as the journal goes."""
    await play(pipe(), ScriptedModel(["清单", "要点", "卡片"]))
    recording = Recording(tuple(journal.steps[:2]), now, "interrupted", tools=tools.specs(SPECS))
    end = (await replayed(pipe(), recording))[-1]
    assert (end.stop_reason, [p.status for p in end.steps]) == (
        "interrupted",
        ["completed", "completed", "cancelled"],
    )
    assert "要点" in end.text


async def test_what_differs_is_said(ask, pipe, play, journal, tools, now):
    """Another prompt, text, product, stop reason, number of requests; an answer that was not recorded."""
    await play(ask(), ScriptedModel([["查", CALL], "好。"]))
    recording = taken(journal, tools, now)
    assert differences((await replayed(ask(domain_prompt="别的"), recording))[-1]) == ["replay_prompt"] * 2
    assert (
        differences((await replayed(ask(request={"message": "别的"}), recording))[-1])
        == ["replay_prompt"] * 2
    )
    one = ask(budget=Budget(1))
    assert differences((await replayed(one, recording))[-1]) == [
        "replay_prompt",
        "replay_requests",
        "replay_text",
        "replay_reason",
    ]
    fewer = replace(recording, steps=recording.steps[:1])
    end = (await replayed(ask(), fewer))[-1]
    assert differences(end) == ["replay_ended", "replay_text", "replay_reason"]
    assert next(f for f in end.notices if f.code == "replay_text").params == {"offset": 1}
    journal.ends.clear()
    journal.steps.clear()
    await play(pipe(), ScriptedModel(["清单", "要点", "卡片"]))
    recording = taken(journal, tools, now)
    other = replace(recording, products=(*recording.products[:2], Product(2, "cards", "completed", "别的")))
    assert differences((await replayed(pipe(), other))[-1]) == ["replay_product"]


texts = st.text(alphabet="一二。\n a", max_size=4)
calls = st.builds(
    ToolCall,
    st.sampled_from(["", "1", "2"]),
    st.sampled_from(["read_chapter", "get_book_context", "unknown"]),
    st.sampled_from([None, {}, {"chapter_id": "a"}]),
    st.sampled_from(["", '{"a":']),
)
lines = st.one_of(
    texts,
    texts,
    calls,
    st.builds(
        lambda kind, code: Fault(code, kind=kind),
        st.sampled_from(["connection", "timeout", "content_filter", "context_length", "auth"]),
        st.sampled_from(["model_x", "model_empty"]),
    ),
    st.just(Fault("needs_model")),
    st.just(Raise(RuntimeError("x"))),
)
turns = st.builds(
    Turn,
    st.lists(lines, max_size=4),
    st.sampled_from([None, None, None, "stop", "length", "content_filter"]),
    st.sampled_from([None, Usage(3, 2), Usage(100, 100, cost=1.0)]),
    st.sampled_from([True, True, True, False]),
)
quick = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@quick
@given(
    st.lists(turns, min_size=9, max_size=9),
    st.sampled_from(["edit", "report", "pipeline"]),
    st.integers(0, 3),
)
async def test_any_run_is_the_same_again(ask, pipe, make_tools, broken_journal, now, script, kind, limit):
    """Whatever happened: the same text, products and stop reason, and no difference is said."""
    tools, journal = make_tools(), broken_journal()
    budget = Budget(0 if kind == "pipeline" else 3, calls=limit, cost=1.5)
    request = (
        pipe("一", "二", budget=budget) if kind == "pipeline" else ask("一", "二", budget=budget, output=kind)
    )
    runner = Runner(journal, now=lambda: now)
    async with aclosing(runner.run(request, ScriptedModel(script), tools)) as stream:
        was = [event async for event in stream][-1]
    end = (await replayed(request, taken(journal, tools, now)))[-1]
    assert (end.text, end.steps, end.stop_reason) == (was.text, was.steps, was.stop_reason)
    assert end.window_texts == was.window_texts
    assert differences(end) == []

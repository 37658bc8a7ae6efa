"""Every way a run can end, and what must hold in all of them."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from dataclasses import replace

import pytest

from inkwright.domain.conversation import Finished, Reasoning, ToolCall, Usage
from inkwright.domain.errors import Fault, InkwrightError, ModelError
from inkwright.domain.run import (
    Budget,
    ReasoningDelta,
    RunEnded,
    RunStarted,
    StepEnded,
    StepStarted,
    TextDelta,
    ToolEnded,
    ToolStarted,
    UsageSoFar,
)
from inkwright.runtime.runner import Runner
from inkwright.runtime.scripted import Pause, Raise, ScriptedModel, Turn


def ending(events):
    ends = [event for event in events if isinstance(event, RunEnded)]
    assert len(ends) == 1
    assert events[-1] is ends[0]
    assert isinstance(events[0], RunStarted)
    text = "".join(event.text for event in events if isinstance(event, TextDelta))
    assert text == ends[0].text
    return ends[0]


def call(id_="c1", name="read_chapter", arguments=None, raw=""):
    return ToolCall(id_, name, {"chapter_id": "a"} if arguments is None and not raw else arguments, raw)


async def test_an_answer_is_completed(ask, play, journal):
    """A plain answer is completed, journalled once, and its deltas are its text."""
    events = await play(ask(), ScriptedModel([["答", "案。"]]))
    end = ending(events)
    assert (end.status, end.stop_reason, end.text, end.fault) == ("completed", "finished", "答案。", None)
    assert end.window_texts == ("答案。",)
    assert [step.text for step in journal.steps] == ["答案。"]
    assert [kept for kept, _ in journal.ends] == [end]


async def test_reasoning_is_streamed_and_kept_nowhere(ask, play, journal):
    """Reasoning reaches neither the answer nor the journal nor a later prompt."""
    model = ScriptedModel([[Reasoning("暗想"), "先查。", call()], [Reasoning("再想"), "好。"]])
    events = await play(ask(), model)
    assert [e.text for e in events if isinstance(e, ReasoningDelta)] == ["暗想", "再想"]
    assert "想" not in ending(events).text
    assert "想" not in repr(journal.steps)
    assert "想" not in repr(model.requests[1].messages)


async def test_carry_rides_on_the_assistant_turn(ask, play):
    """What a provider demands back with its tool turn is on that very message."""
    first = Finished("tool_calls", (call(),), carry={"reasoning_content": "x"})
    model = ScriptedModel([Turn([first]), ["好。"]])
    await play(ask(), model)
    turn = next(m for m in model.requests[1].messages if m.role == "assistant")
    assert turn.carry == {"reasoning_content": "x"}
    assert turn.tool_calls == (call(),)


async def test_texts_of_rounds_are_set_apart(ask, play):
    """The text of two rounds is joined by a separator that is a delta too; the answer is the last."""
    end = ending(await play(ask(), ScriptedModel([["先查。", call()], ["答案。"]])))
    assert end.text == "先查。\n\n答案。"
    assert end.window_texts == ("答案。",)


async def test_windows_are_answered_one_by_one(ask, play, journal):
    """A long edit asks once per window, keeps each answer, and says its steps."""
    model = ScriptedModel(["甲", "乙", "丙"])
    events = await play(ask("一", "二", "三", output="edit"), model)
    end = ending(events)
    assert end.text == "甲\n\n乙\n\n丙"
    assert end.window_texts == ("甲", "乙", "丙")
    assert [(e.index, e.count) for e in events if isinstance(e, StepStarted)] == [(0, 3), (1, 3), (2, 3)]
    assert all(e.ok for e in events if isinstance(e, StepEnded))
    assert [r.task.passage for r in model.requests if r.task] == ["一", "二", "三"]
    assert [r.task.offset for r in model.requests if r.task] == [0, 3, 6]
    assert [(s.index, s.window, s.round) for s in journal.steps] == [(0, 0, 1), (1, 1, 1), (2, 2, 1)]


async def test_a_fault_keeps_the_windows_before(ask, play):
    """When window k fails, those before it stand and none after it is asked."""
    model = ScriptedModel(["甲", ["半", Fault("model_cut_off", kind="connection")], "丙"])
    events = await play(ask("一", "二", "三", output="edit"), model)
    end = ending(events)
    assert (end.status, end.stop_reason) == ("partial", "disconnected")
    assert end.window_texts == ("甲", None, None)
    assert end.text == "甲\n\n半"
    assert len(model.requests) == 2
    assert [e.ok for e in events if isinstance(e, StepEnded)] == [True, False]


@pytest.mark.parametrize(
    ("lines", "reason", "status"),
    [
        (Turn(["半"], finish="length"), "length", "partial"),
        (Turn([Reasoning("想")], finish="length"), "reasoning_only", "failed"),
        (Turn([], finish="length"), "length", "failed"),
        (Turn(["半"], ended=False), "disconnected", "partial"),
        (Turn([], ended=False), "disconnected", "failed"),
        (["半", Fault("x", kind="connection")], "disconnected", "partial"),
        ([Fault("x", kind="connection")], "error", "failed"),
        ([Fault("model_empty", kind="connection")], "disconnected", "failed"),
        (["半", Fault("x", kind="timeout")], "silence", "partial"),
        ([Fault("x", kind="timeout")], "silence", "failed"),
        ([Fault("x", kind="content_filter")], "filtered", "failed"),
        (["半", Fault("x", kind="content_filter")], "filtered", "partial"),
        (Turn(["半"], finish="content_filter"), "filtered", "partial"),
        ([Fault("needs_model")], "needs_model", "failed"),
        ([Fault("x", kind="auth")], "error", "failed"),
        ([Fault("x", kind="rate_limit", retryable=True)], "error", "failed"),
        (["半", Fault("x", kind="malformed")], "error", "partial"),
        (["半", Raise(ModelError("model_x"))], "error", "partial"),
        (["半", Raise(RuntimeError("boom"))], "error", "partial"),
        (["半", Raise(TimeoutError())], "silence", "partial"),
        (Turn([], finish="error"), "error", "failed"),
    ],
)
async def test_each_end_has_its_reason(ask, play, journal, lines, reason, status):
    """A fault, a cut, a silence: each is its own stop reason with a fault to show; text so far is kept."""
    model = ScriptedModel([lines])
    end = ending(await play(ask(), model))
    assert (end.stop_reason, end.status) == (reason, status)
    assert end.fault is not None
    assert end.window_texts == (None,)
    assert journal.ends == [(end, None)]
    assert model.open == 0


async def test_reasoning_alone_is_asked_once_more(ask, play):
    """A turn of reasoning alone is nudged once; the answer that follows completes the run."""
    model = ScriptedModel([[Reasoning("想")], ["好。"]])
    assert ending(await play(ask(), model)).status == "completed"
    assert model.requests[1].messages[-1].role == "user"


async def test_reasoning_alone_twice_stops(ask, play):
    """The nudge is not repeated."""
    model = ScriptedModel([[Reasoning("想")], [Reasoning("想")], ["晚了"]])
    end = ending(await play(ask(), model))
    assert (end.stop_reason, end.status, len(model.requests)) == ("reasoning_only", "failed", 2)


async def test_an_empty_answer_is_an_error(ask, play):
    """Nothing at all, or white space, is never a completed run."""
    for script in ([[], []], [[" \n"], ["\n"]]):
        end = ending(await play(ask(), ScriptedModel(script)))
        assert (end.status, end.stop_reason) == ("failed", "error")
        assert end.fault == Fault("run_empty")


async def test_the_last_round_has_no_tools_and_asks_for_the_answer(ask, play):
    """With 3 rounds, the third is sent without tools; an answer in it is a whole one."""
    model = ScriptedModel([[call("1")], [call("2")], ["答。"]])
    end = ending(await play(ask(rounds=3), model))
    assert [len(r.tools) for r in model.requests] == [2, 2, 0]
    assert model.requests[2].messages[-1].role == "user"
    assert (end.status, end.stop_reason) == ("completed", "finished")


async def test_the_round_cap_is_a_stop_reason(ask, play, journal):
    """A model that still calls in the last round is stopped, and nothing of it runs."""
    model = ScriptedModel([["查。", call("1")], [call("2")]])
    end = ending(await play(ask(rounds=2), model))
    assert (end.status, end.stop_reason) == ("partial", "rounds")
    assert end.fault == Fault("run_rounds", {"limit": 2})
    assert [c.ok for c in journal.steps[1].calls] == [False]


async def test_a_single_shot_is_one_round_without_tools(ask, play):
    """Mode single: no tools are offered, whatever the profile lists."""
    model = ScriptedModel(["答。"])
    await play(ask(mode="single"), model)
    assert model.requests[0].tools == ()
    assert model.requests[0].messages[-1].content.endswith("</material-" + _key(model) + ">")


def _key(model):
    return model.requests[0].messages[-1].content.rpartition("</material-")[2].removesuffix(">")


async def test_call_limit(ask, play, tools):
    """Calls beyond the limit get an error result, the next round has no tools, one more call ends it."""
    model = ScriptedModel([[call("1"), call("2"), call("3")], [call("4")]])
    end = ending(await play(ask(budget=Budget(10, calls=2)), model))
    assert len(tools.called) == 2
    results = [m for m in model.requests[1].messages if m.role == "tool"]
    assert [m.tool_call_id for m in results] == ["1", "2", "3"]
    assert model.requests[1].tools == ()
    assert end.stop_reason == "calls"


async def test_seconds_run_out_while_the_model_talks(ask, play):
    """Time that passes between deltas counts; the text so far is kept."""
    clock = FakeClock()
    model = ScriptedModel([["半", Pause(100), "句", "晚了"]], sleep=clock.sleep)
    end = ending(await play(ask(budget=Budget(3, seconds=50)), model, clock=clock))
    assert (end.stop_reason, end.status, end.text) == ("seconds", "partial", "半句")
    assert model.cut == 1


async def test_a_hanging_model_is_stopped_by_the_seconds(ask, play):
    """A model that stops talking without a word is closed when the run's time is over."""
    model = ScriptedModel([["半", Pause()]])
    end = ending(await play(ask(budget=Budget(3, seconds=0.01)), model))
    assert (end.stop_reason, model.cut, model.open) == ("seconds", 1, 0)


async def test_the_wait_for_the_first_payload_is_not_the_runs(ask, play):
    """A provider's queue does not use up the run's seconds."""
    clock = FakeClock()
    model = ScriptedModel([[Pause(500), "答。"]], sleep=clock.sleep)
    end = ending(await play(ask(budget=Budget(3, seconds=50)), model, clock=clock))
    assert end.stop_reason == "finished"


async def test_seconds_are_per_window_for_an_edit(ask, play):
    """Each window of an edit has the whole time again; a report has one time."""
    clock = FakeClock()
    slow = ["甲", Pause(30), "乙"]
    model = ScriptedModel([slow, slow, slow], sleep=clock.sleep)
    request = ask("一", "二", "三", output="edit", budget=Budget(3, seconds=50))
    assert ending(await play(request, model, clock=clock)).stop_reason == "finished"


async def test_seconds_run_out_while_a_tool_works(ask, play, make_tools):
    """A tool that never returns is cancelled and told as failed; every start has its end."""
    tools = make_tools({"read_chapter": None, "get_book_context": "书"})
    model = ScriptedModel([[call("1"), call("2", "get_book_context")]])
    events = await play(ask(budget=Budget(3, seconds=0.01)), model, toolbox=tools)
    assert ending(events).stop_reason == "seconds"
    assert tools.running == 0
    started = [e.id for e in events if isinstance(e, ToolStarted)]
    assert sorted(started) == sorted(e.id for e in events if isinstance(e, ToolEnded))


async def test_token_ceiling(ask, play):
    """Reported tokens over the ceiling end the run before the next request; an estimate ends it within."""
    model = ScriptedModel([Turn([call()], usage=Usage(5000, 5000)), "晚了"])
    end = ending(await play(ask(budget=Budget(5, tokens=10_000)), model))
    assert (end.stop_reason, len(model.requests)) == ("tokens", 1)
    model = ScriptedModel([["长" * 300] * 100])
    end = ending(await play(ask(budget=Budget(5, tokens=5_000)), model))
    assert end.stop_reason == "tokens"
    assert 0 < len(end.text) < 30_000
    end = ending(await play(ask(budget=Budget(5, tokens=10)), ScriptedModel(["晚了"])))
    assert (end.stop_reason, end.status) == ("tokens", "failed")


async def test_cost_ceiling(ask, play):
    """Cost over the ceiling ends the run before the next request."""
    model = ScriptedModel([Turn([call()], usage=Usage(1, 1, cost=2.0)), "晚了"])
    end = ending(await play(ask(budget=Budget(5, cost=1.5)), model))
    assert (end.stop_reason, len(model.requests)) == ("cost", 1)


async def test_usage_adds_up_over_rounds(ask, play):
    """The usage of a run is the sum of its requests, estimated where a model reports none."""
    model = ScriptedModel([Turn([call()], usage=Usage(10, 5)), Turn(["答。"], usage=Usage(20, 7))])
    events = await play(ask(), model)
    assert ending(events).usage == Usage(30, 12)
    assert [e.usage.input for e in events if isinstance(e, UsageSoFar)] == [10, 30]
    assert ending(await play(ask(), ScriptedModel(["答。"]))).usage.estimated


async def test_a_refused_request_costs_nothing(ask, play):
    """A fault before anything came is no usage; one in the middle is estimated."""
    assert ending(await play(ask(), ScriptedModel([[Fault("x", kind="auth")]]))).usage == Usage()
    end = ending(await play(ask(), ScriptedModel([["半句话", Fault("x", kind="connection")]])))
    assert end.usage.estimated
    assert end.usage.output > 0


async def test_a_prompt_too_long_is_cut_once(ask, play):
    """Over the context: the parts below the passage are halved, once, and it is said; then it is an error."""
    from inkwright.domain.run import Part

    parts = [Part("card", "卡" * 200, "card_always", source=f"{i}.md") for i in range(8)]
    too_long = [Fault("model_context_length", kind="context_length")]
    model = ScriptedModel([too_long, ["好。"]])
    end = ending(await play(ask(context=[parts]), model))
    assert end.status == "completed"
    assert [f.code for f in end.notices] == ["run_context_cut"]
    first, second = (request.messages[-1].content for request in model.requests)
    assert first.count('name="card"') == 8
    assert 0 < second.count('name="card"') <= 4
    assert "第一段。" in second
    model = ScriptedModel([too_long, too_long, ["晚了"]])
    end = ending(await play(ask(context=[parts]), model))
    assert (end.stop_reason, len(model.requests)) == ("error", 2)


async def test_nothing_to_cut_is_an_error_at_once(ask, play):
    """With nothing below the passage, the same request is not sent twice."""
    model = ScriptedModel([[Fault("model_context_length", kind="context_length")], ["晚了"]])
    end = ending(await play(ask(), model))
    assert (end.stop_reason, len(model.requests)) == ("error", 1)


async def test_a_known_context_window_cuts_beforehand(ask, play):
    """What a small model cannot take is left out before it is sent; the passage never."""
    from inkwright.domain.run import Part

    parts = [Part("card", "卡" * 300, "card_always", source=f"{i}.md") for i in range(12)]
    model = ScriptedModel(["好。"])
    end = ending(await play(ask(context=[parts], request={"context_window": 3000}), model))
    text = model.requests[0].messages[-1].content
    assert 0 < text.count('name="card"') < 12
    assert [f.code for f in end.notices] == ["run_context_cut"]


async def test_cancel_while_the_model_talks(ask, tools, journal):
    """Cancel closes the stream at once, journals one cancelled end with the text so far, sends no more."""
    model = ScriptedModel([["半", Pause()]])
    seen = []

    async def drive():
        async with aclosing(Runner(journal).run(ask(), model, tools)) as events:
            async for event in events:
                seen.append(event)
                if isinstance(event, TextDelta):
                    reached.set()

    reached = asyncio.Event()
    task = asyncio.create_task(drive())
    await reached.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert (model.open, model.cut) == (0, 1)
    assert not any(isinstance(event, RunEnded) for event in seen)
    ((end, proposal),) = journal.ends
    assert (end.status, end.stop_reason, end.text, end.fault) == ("cancelled", "cancelled", "半", None)
    assert proposal is None
    assert end.usage.input > 0
    assert [(s.finish, s.text) for s in journal.steps] == [("cancelled", "半")]


async def test_cancel_while_tools_work(ask, journal, make_tools):
    """Cancel inside a tool cancels the tool, and leaves no task."""
    tools = make_tools({"read_chapter": None})
    model = ScriptedModel([Turn([call("1"), call("2")], usage=Usage(7, 3))])
    task = asyncio.create_task(_drain(Runner(journal).run(ask(), model, tools)))
    while tools.running < 2:
        await asyncio.sleep(0)
    before = asyncio.all_tasks()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert tools.running == 0
    assert asyncio.all_tasks() < before
    assert journal.ends[0][0].stop_reason == "cancelled"
    assert [c.id for c in journal.steps[0].calls] == ["1", "2"]
    assert journal.ends[0][0].usage == Usage(7, 3)


async def _drain(events):
    async with aclosing(events):
        async for _ in events:
            pass


async def test_closing_the_iterator_cancels(ask, journal, tools):
    """A consumer that stops listening ends the run as cancelled, in the journal too."""
    model = ScriptedModel([["一", "二"]])
    async with aclosing(Runner(journal).run(ask(), model, tools)) as events:
        async for event in events:
            if isinstance(event, TextDelta):
                break
    assert (model.open, model.cut) == (0, 1)
    assert [end.stop_reason for end, _ in journal.ends] == ["cancelled"]


async def test_closing_after_the_end_changes_nothing(ask, journal, tools):
    """Leaving at RunEnded is no cancellation."""
    async with aclosing(Runner(journal).run(ask(), ScriptedModel(["好。"]), tools)) as events:
        async for event in events:
            if isinstance(event, RunEnded):
                break
    assert [end.stop_reason for end, _ in journal.ends] == ["finished"]


async def test_cancel_during_the_last_write_leaves_one_end(ask, journal, tools):
    """A cancel that comes while the end is written leaves that end alone, and goes on afterwards."""
    writing, release = asyncio.Event(), asyncio.Event()
    real = journal.end

    async def slow(run_id, ended, proposal):
        writing.set()
        await release.wait()
        await real(run_id, ended, proposal)

    journal.end = slow
    task = asyncio.create_task(_drain(Runner(journal).run(ask(), ScriptedModel(["好。"]), tools)))
    await writing.wait()
    task.cancel()
    await asyncio.sleep(0)
    task.cancel()
    await asyncio.sleep(0)
    assert not task.done()
    release.set()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert [end.stop_reason for end, _ in journal.ends] == ["finished"]


async def test_cancel_while_a_step_is_written_keeps_it(ask, journal, tools):
    """A step whose writing has begun is in the journal once, and not again as cancelled."""
    writing, release = asyncio.Event(), asyncio.Event()
    real = journal.step

    async def slow(record):
        writing.set()
        await release.wait()
        await real(record)

    journal.step = slow
    task = asyncio.create_task(_drain(Runner(journal).run(ask(), ScriptedModel(["好。"]), tools)))
    await writing.wait()
    task.cancel()
    release.set()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert [(s.index, s.finish) for s in journal.steps] == [(0, "stop")]
    assert [end.stop_reason for end, _ in journal.ends] == ["cancelled"]


async def test_cancel_while_it_begins_is_written_down(ask, tools, journal):
    """A run cancelled while its beginning is written has an end in the journal."""
    writing, release = asyncio.Event(), asyncio.Event()
    real = journal.begin

    async def slow(request, body_hash):
        writing.set()
        await release.wait()
        await real(request, body_hash)

    journal.begin = slow
    model = ScriptedModel(["好。"])
    task = asyncio.create_task(_drain(Runner(journal).run(ask(), model, tools)))
    await writing.wait()
    task.cancel()
    release.set()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert model.requests == []
    assert [end.stop_reason for end, _ in journal.ends] == ["cancelled"]


async def test_a_run_that_cannot_be_written_down_is_not_begun(ask, play, broken_journal):
    """A journal that fails at the beginning fails the run before the model is asked."""
    model = ScriptedModel(["好。"])
    end = ending(await play(ask(), model, book=broken_journal("begin")))
    assert (end.status, end.stop_reason, end.fault) == ("failed", "error", Fault("store_full"))
    assert model.requests == []


@pytest.mark.parametrize("method", ["step", "end"])
async def test_a_journal_that_fails_later_is_said(ask, play, broken_journal, method):
    """What was paid for is not thrown away: the outcome stands, the failure is a notice."""
    end = ending(await play(ask(), ScriptedModel(["好。"]), book=broken_journal(method)))
    assert (end.status, end.text) == ("completed", "好。")
    assert Fault("store_full") in end.notices


@pytest.mark.parametrize("method", ["step", "end"])
async def test_a_fault_of_ours_in_the_journal_costs_no_outcome(ask, play, broken_journal, method):
    """Not only what storage foresees: any exception of the journal leaves the run its one end."""
    book = broken_journal(method, error=KeyError("runs"))
    end = ending(await play(ask(), ScriptedModel(["好。"]), book=book))
    assert (end.status, end.text) == ("completed", "好。")
    assert Fault("run_journal_failed") in end.notices


@pytest.mark.parametrize(
    ("error", "code"),
    [(InkwrightError("request_conflict"), "request_conflict"), (KeyError("runs"), "run_journal_failed")],
)
async def test_a_beginning_that_fails_in_any_way_is_an_end(ask, play, broken_journal, error, code):
    """An id that another process took meanwhile, a fault of ours: failed, and the model is not asked."""
    model, book = ScriptedModel(["好。"]), broken_journal("begin", error=error)
    end = ending(await play(ask(), model, book=book))
    assert (end.status, end.stop_reason, end.fault.code) == ("failed", "error", code)
    assert (model.requests, book.ends) == ([], [])


async def test_cancel_while_a_beginning_fails_ends_nobody_elses_run(ask, tools, broken_journal):
    """The id stands for another process's run: a cancel of ours writes no end under it."""
    writing, release = asyncio.Event(), asyncio.Event()
    book = broken_journal("begin", error=InkwrightError("request_conflict"))
    real = book.begin

    async def slow(request, body_hash):
        writing.set()
        await release.wait()
        await real(request, body_hash)

    book.begin = slow
    task = asyncio.create_task(_drain(Runner(book).run(ask(), ScriptedModel(["好。"]), tools)))
    await writing.wait()
    task.cancel()
    release.set()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert book.ends == []


@pytest.mark.parametrize("method", ["begin", "step", "end"])
async def test_a_journal_that_never_answers_holds_up_no_end(ask, play, journal, monkeypatch, method):
    """Each write has a time; after it the run ends and says so."""
    monkeypatch.setattr("inkwright.runtime.keeping.SECONDS", 0.5)

    async def never(*_):
        await asyncio.Event().wait()

    setattr(journal, method, never)
    end = ending(await play(ask(), ScriptedModel(["好。"])))
    assert Fault("run_journal_slow") in (end.fault, *end.notices)
    assert end.status == ("failed" if method == "begin" else "completed")


async def test_a_turn_that_breaks_is_written_down(ask, play, journal):
    """A model that cannot even be asked leaves its step in the journal, and the run one end."""

    class Broken:
        name = "broken"

        def stream(self, request):
            raise RuntimeError("boom")

    end = ending(await play(ask(), Broken()))
    assert (end.status, end.stop_reason) == ("failed", "error")
    assert [step.finish for step in journal.steps] == ["error"]


async def test_a_model_that_only_makes_refused_calls_comes_to_an_end(ask, play, tools):
    """Without a cap on rounds the calls end it, though not one of them could run."""
    model = ScriptedModel([[call(str(n), "nope")] for n in range(60)])
    end = ending(await play(ask(rounds=0, calls=5), model))
    assert (end.stop_reason, len(model.requests), tools.called) == ("calls", 6, [])


async def test_settle_decides_before_the_end_is_written(ask, play, journal):
    """The end that is sent is the settled one, and the journal has it with the proposal."""
    marker = object()

    async def settle(ended):
        return replace(ended, status="failed", stop_reason="no_rewrite", fault=Fault("no_rewrite")), marker

    end = ending(await play(ask(), ScriptedModel(["对不起"]), settle=settle))
    assert end.stop_reason == "no_rewrite"
    assert journal.ends == [(end, marker)]


async def test_a_settle_that_breaks_keeps_the_text(ask, play):
    """A fault of ours while settling is an error with the text kept."""

    async def settle(ended):
        raise ValueError("boom")

    end = ending(await play(ask(), ScriptedModel(["好。"]), settle=settle))
    assert (end.status, end.stop_reason, end.text) == ("partial", "error", "好。")


async def test_the_step_record_holds_no_system_prompt(ask, play, journal):
    """The journal knows the prompt by hash and size alone, and the tool calls in full."""
    model = ScriptedModel([[call()], ["好。"]])
    await play(ask(), model)
    assert "ABILITY" not in repr(journal.steps)
    first, second = journal.steps
    assert first.prompt_hash != second.prompt_hash
    assert first.prompt_chars == sum(len(m.content) for m in model.requests[0].messages)
    assert [(c.name, c.arguments, c.result, c.ok) for c in first.calls] == [
        ("read_chapter", {"chapter_id": "a"}, "章", True)
    ]


async def test_the_same_request_has_the_same_prompt_hash(ask, play, journal):
    """A run can be replayed: nothing random is in a prompt."""
    await play(ask(), ScriptedModel(["好。"]))
    await play(ask(), ScriptedModel(["好。"]))
    assert journal.steps[0].prompt_hash == journal.steps[1].prompt_hash


class FakeClock:
    def __init__(self):
        self.time = 0.0

    def __call__(self):
        return self.time

    async def sleep(self, seconds):
        self.time += seconds

"""Whatever a model does to a pipeline: equal text, one status for each step, and a run to go on from."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from dataclasses import replace

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from inkwright.domain.conversation import Reasoning, ToolCall, Usage
from inkwright.domain.errors import Fault
from inkwright.domain.run import Budget, RunEnded, StepEnded, StepStarted, TextDelta, ToolEnded, ToolStarted
from inkwright.runtime.runner import Runner
from inkwright.runtime.scripted import Pause, Raise, ScriptedModel, Turn
from inkwright.runtime.steptext import text_of

texts = st.text(alphabet="一二。\n #a=`<>{}\u2028\U00020bb7", min_size=0, max_size=6)
calls = st.builds(
    ToolCall,
    st.sampled_from(["", "1", "2"]),
    st.sampled_from(["read_chapter", "unknown"]),
    st.sampled_from([None, {}, {"chapter_id": "a"}]),
    st.sampled_from(["", '{"a":']),
)
kinds = st.sampled_from(["connection", "timeout", "content_filter", "context_length", None])
lines = st.one_of(
    texts,
    texts,
    st.builds(Reasoning, texts),
    calls,
    st.builds(lambda kind: Fault("model_x", kind=kind), kinds),
    st.just(Raise(RuntimeError("x"))),
    st.just(Pause(0)),
)
turns = st.one_of(
    st.builds(
        Turn,
        st.lists(lines, max_size=4),
        st.sampled_from([None, None, None, "stop", "length", "tool_calls"]),
        st.sampled_from([None, Usage(3, 2), Usage(100, 100, cost=1.0)]),
        st.sampled_from([True, True, True, False]),
    ),
    st.builds(lambda text: Turn([f"答{text}"]), texts),  # so that some pipelines come to their end
)
scripts = st.lists(turns, max_size=12)
shapes = st.tuples(st.integers(1, 2), st.sampled_from([3, 4]))
budgets = st.builds(
    Budget,
    st.just(0),
    st.integers(0, 3),
    st.sampled_from([0, 1000]),
    st.sampled_from([0, 0, 300, 5000]),
    st.sampled_from([0, 0, 0.5]),
)
quick = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


async def played(runner, request, model, tools):
    async with aclosing(runner.run(request, model, tools)) as stream:
        return [event async for event in stream]


@quick
@given(scripts, budgets, shapes, st.sampled_from(["zh", "en"]))
async def test_any_script_ends_a_pipeline_once(
    pipe, make_tools, broken_journal, script, budget, shape, locale
):
    """Chunks are the text to the letter; statuses are completed*, at most one that failed, pending*; the
    journal has what the outcome has; starts and ends pair; what a step said stands below its header."""
    batches, count = shape
    request = pipe(*(f"段{n}" for n in range(batches)), count=count, budget=budget, locale=locale)
    model, tools, journal = ScriptedModel(script), make_tools(), broken_journal()
    before = asyncio.all_tasks()
    events = await played(Runner(journal), request, model, tools)
    assert asyncio.all_tasks() <= before
    end = events[-1]
    assert isinstance(end, RunEnded)
    assert sum(isinstance(event, RunEnded) for event in events) == 1
    assert end.text == "".join(event.text for event in events if isinstance(event, TextDelta))
    assert journal.ends == [(end, None)]
    assert [(p.index, p.name, p.window) for p in end.steps] == [
        (s.index, s.name, s.window) for s in request.steps
    ]
    statuses = [product.status for product in end.steps]
    done = statuses.count("completed")
    assert statuses[:done] == ["completed"] * done
    assert set(statuses[done + 1 :]) <= {"pending"}
    assert journal.products == [product for product in end.steps if product.status != "pending"]
    said = text_of(request.steps, end.steps, locale)
    assert end.text.startswith(said)
    assert (end.status == "completed") == (end.stop_reason == "finished") == (end.text == said)
    if end.status != "completed":
        assert f"{done}/{len(request.steps)}" in end.text.removeprefix(said)
    for begun, ended in ((ToolStarted, ToolEnded), (StepStarted, StepEnded)):
        assert sum(isinstance(e, begun) for e in events) == sum(isinstance(e, ended) for e in events)
    assert (model.open, tools.running) == (0, 0)
    assert len(journal.steps) == len(model.requests)


@quick
@given(scripts, shapes)
async def test_any_pipeline_can_be_gone_on_with(pipe, make_tools, broken_journal, script, shape):
    """Resumed with a model that answers, the steps that were finished are kept to the letter and not asked
    for again, and the text is that of all steps."""
    batches, count = shape
    request = pipe(*(f"段{n}" for n in range(batches)), count=count)
    first = (await played(Runner(broken_journal()), request, ScriptedModel(script), make_tools()))[-1]
    done = [product for product in first.steps if product.status == "completed"]
    again = replace(request, id="run-2", resumes=request.id, products=first.steps)
    model = ScriptedModel(["续"] * len(request.steps))
    events = await played(Runner(broken_journal()), again, model, make_tools())
    end = events[-1]
    assert end.status == "completed"
    assert len(model.requests) == len(request.steps) - len(done)
    assert list(end.steps[: len(done)]) == done
    assert end.text == text_of(request.steps, end.steps, "zh")
    assert end.text == "".join(event.text for event in events if isinstance(event, TextDelta))


@quick
@given(scripts, st.integers(0, 60))
async def test_cancel_a_pipeline_at_any_moment(pipe, make_tools, broken_journal, script, moments):
    """Whatever has been sent is the text's beginning; what was finished is in the journal and stays so."""
    model, tools, journal = ScriptedModel(script), make_tools(), broken_journal()
    before = asyncio.all_tasks()
    seen = []

    async def drive():
        async with aclosing(Runner(journal).run(pipe("一", "二", count=4), model, tools)) as stream:
            async for event in stream:
                seen.append(event)
                await asyncio.sleep(0)

    task = asyncio.create_task(drive())
    for _ in range(moments):
        await asyncio.sleep(0)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    assert asyncio.all_tasks() <= before
    assert (model.open, tools.running) == (0, 0)
    assert len(journal.ends) == len(journal.begun)
    if not journal.ends:
        return
    end = journal.ends[0][0]
    sent = "".join(event.text for event in seen if isinstance(event, TextDelta))
    assert end.text.startswith(sent)
    assert journal.products == [product for product in end.steps if product.status != "pending"]
    finished = {event.index for event in seen if isinstance(event, StepEnded) and event.ok}
    assert finished <= {product.index for product in end.steps if product.status == "completed"}

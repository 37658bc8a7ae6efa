"""The tool calls of a turn: order, company, refusals, cuts."""

from __future__ import annotations

import asyncio

from inkwright.domain.conversation import ToolCall
from inkwright.domain.errors import Fault
from inkwright.domain.ports import ToolResult
from inkwright.domain.run import ToolEnded, ToolStarted
from inkwright.runtime.calls import distinct
from inkwright.runtime.scripted import ScriptedModel, Turn


def call(id_, name="read_chapter", arguments=None, raw=""):
    return ToolCall(id_, name, arguments if arguments is not None or raw else {}, raw)


def results(model, turn=1):
    return [m for m in model.requests[turn].messages if m.role == "tool"]


async def test_read_tools_run_side_by_side(ask, play, make_tools):
    """Two reads wait for each other and both get through; results stand in the order of the calls."""
    tools = make_tools(gate=asyncio.Barrier(2))
    model = ScriptedModel([[call("1"), call("2", "get_book_context")], ["好。"]])
    await play(ask(), model, toolbox=tools)
    assert [(m.tool_call_id, m.content) for m in results(model)] == [("1", "章"), ("2", "书")]


async def test_a_profile_may_forbid_company(ask, play):
    """Without `parallel` a call ends before the next starts."""
    model = ScriptedModel([[call("1"), call("2")], ["好。"]])
    events = await play(ask(parallel=False), model)
    shown = [(type(e), e.id) for e in events if isinstance(e, ToolStarted | ToolEnded)]
    assert shown == [(ToolStarted, "1"), (ToolEnded, "1"), (ToolStarted, "2"), (ToolEnded, "2")]


async def test_a_writing_tool_runs_alone_and_in_order(ask, play, make_tools):
    """Reads before and after a write are not mixed with it."""
    tools = make_tools({"read_chapter": "章", "write": "写"}, writing=frozenset({"write"}))
    model = ScriptedModel([[call("1"), call("2", "write"), call("3"), call("4")], ["好。"]])
    events = await play(ask(tools=("read_chapter", "write")), model, toolbox=tools)
    shown = [(isinstance(e, ToolEnded), e.id) for e in events if isinstance(e, ToolStarted | ToolEnded)]
    assert shown[:4] == [(False, "1"), (True, "1"), (False, "2"), (True, "2")]
    assert set(shown[4:6]) == {(False, "3"), (False, "4")}


async def test_malformed_arguments_are_an_error_result(ask, play, tools, journal):
    """Arguments that were no JSON object reach the tool as None with their raw text, never as {}."""
    model = ScriptedModel([[call("1", raw='{"chapter_id": "a')], ["好。"]])
    events = await play(ask(), model)
    assert tools.called == [("read_chapter", None)]
    assert [e.ok for e in events if isinstance(e, ToolEnded)] == [False]
    assert '{"chapter_id": "a' in results(model)[0].content
    assert journal.steps[0].calls[0].raw == '{"chapter_id": "a'


async def test_a_tool_outside_the_profile_is_refused(ask, play, tools):
    """A name that was not offered never reaches the toolbox, though the toolbox has it."""
    model = ScriptedModel([[call("1", "get_book_context"), call("2", "nope")], ["好。"]])
    await play(ask(tools=("read_chapter",)), model)
    assert tools.called == []
    assert all("read_chapter" in m.content for m in results(model))


async def test_a_tool_that_breaks_is_an_error_result(ask, play, make_tools):
    """An exception of a tool is told to the model, without its text, and the loop goes on."""
    tools = make_tools({"read_chapter": ValueError("/home/x/secret")})
    model = ScriptedModel([[call("1")], ["好。"]])
    events = await play(ask(), model, toolbox=tools)
    assert "secret" not in results(model)[0].content
    assert events[-1].status == "completed"


async def test_what_no_call_would_mend_is_told_to_the_writer(ask, play, make_tools, monkeypatch):
    """A model may say that all is done: the run carries what was not, once however often it was tried."""
    tools, full = make_tools(), Fault("card_unwritable", {"path": "cards", "error": "full"})

    async def refuse(name, arguments, raw=""):
        return ToolResult("No.", ok=False, fault=full)

    monkeypatch.setattr(tools, "call", refuse)
    model = ScriptedModel([[call("1"), call("2")], ["做完了。"]])
    end = (await play(ask(), model, toolbox=tools))[-1]
    assert (end.status, end.notices) == ("completed", (full,))


async def test_a_turn_cut_by_its_length_runs_nothing(ask, play, tools):
    """After a length stop no argument is trusted: every call fails and the model is asked again."""
    model = ScriptedModel([Turn([call("1"), call("2")], finish="length"), ["好。"]])
    end = (await play(ask(), model))[-1]
    assert tools.called == []
    assert [m.tool_call_id for m in results(model)] == ["1", "2"]
    assert end.status == "completed"


async def test_long_results_are_cut_with_a_marker(ask, play, make_tools, journal):
    """200,000 characters are kept, 30,000 sent, and both say how much is missing."""
    tools = make_tools({"read_chapter": "木" * 250_000})
    model = ScriptedModel([[call("1")], ["好。"]])
    await play(ask(), model, toolbox=tools)
    sent, kept = results(model)[0].content, journal.steps[0].calls[0].result
    assert len(sent) <= 30_000
    assert len(kept) <= 200_000
    for text in (sent, kept):
        assert f"省略 {250_000 - text.count('木')} 个字符" in text
    assert sent.count("木") > 29_900


async def test_ids_are_made_distinct():
    """Missing and repeated ids get one of our own that no other call has."""
    made = distinct([call("a"), call("a"), call(""), call("call_1"), call("call_1")])
    assert len({c.id for c in made}) == 5
    assert made[0].id == "a"
    assert [c.name for c in made] == ["read_chapter"] * 5

"""runAbility with a model on a socket: streaming, the three ways to cancel, joining, typing meanwhile."""

from __future__ import annotations

import asyncio

import pytest

pytestmark = pytest.mark.asyncio(loop_scope="module")

PASSAGE = "# 第三章\n\n林夏走在路上，看见了河。\n\n周衡说：“等等。”\n"
REVISED = ["# 第三章\n\n林夏走在", "路上，望见", "了河。\n\n周衡说：“等等。”\n"]


def stream(editor, token):
    return [p["value"] for p in editor.client.got("$/progress") if p["token"] == token]


def run_id(editor):
    return f"run {editor.root.name}"


async def running(editor, model, *, hold_at=2, answer=REVISED, **more):
    """A polish that is held in the middle of its answer: (uri, request id, future of the response)."""
    uri = editor.open("第三章.md", PASSAGE)
    model.answer, model.hold_at = answer, hold_at
    argument = {"ability": "polish", "uri": uri, "streamToken": "s", "requestId": run_id(editor)}
    params = {"command": "inkwright.runAbility", "arguments": [argument], **more}
    msg_id, future = editor.client.start("workspace/executeCommand", params)
    await asyncio.wait_for(model.held.wait(), 60)
    await editor.client.until(
        lambda: len([v for v in stream(editor, "s") if v["event"] == "chunk"]) >= min(hold_at, 1)
    )
    return uri, msg_id, future


async def joined(editor):
    """The same request a second time, with a stream of its own, once that has begun."""
    uri = editor.uri("第三章.md")
    argument = {"ability": "polish", "uri": uri, "streamToken": "s2", "requestId": run_id(editor)}
    _, future = editor.client.start(
        "workspace/executeCommand", {"command": "inkwright.runAbility", "arguments": [argument]}
    )
    await editor.client.until(lambda: stream(editor, "s2"))
    return future


def ended(editor):
    return [v["event"] for v in stream(editor, "s") if v["event"] in ("done", "error", "cancelled")]


async def test_text_goes_out_as_it_comes(writer, model):
    """What the model has said is with the client before the model goes on."""
    _, _, future = await running(writer, model)
    await writer.client.until(
        lambda: (
            "".join(v["data"] for v in stream(writer, "s") if v["event"] == "chunk") == "".join(REVISED[:2])
        )
    )
    assert not future.done()
    model.go_on.set()
    result = (await asyncio.wait_for(future, 60))["result"]
    assert result["text"] == "".join(REVISED)
    assert result["model"] == "test-model"
    assert ended(writer) == ["done"]
    assert [h["after"] for h in result["proposal"]["hunks"]]


@pytest.mark.parametrize("hold_at", [0, 1, 2])
@pytest.mark.parametrize("way", ["cancelRun", "progress", "request"])
async def test_cancel(writer, model, way, hold_at):
    """However it is cancelled: the model's connection closes, `cancelled` is the last event, nothing is edited."""
    uri, msg_id, future = await running(writer, model, hold_at=hold_at, workDoneToken="w")
    if way == "cancelRun":
        answer = await writer.client.command("inkwright.cancelRun", {"requestId": run_id(writer)})
        assert answer == {"cancelled": True}
    elif way == "progress":
        writer.client.notify("window/workDoneProgress/cancel", {"token": "w"})
    else:
        writer.client.cancel(msg_id)
    response = await asyncio.wait_for(future, 60)
    if way == "request":
        assert response["error"]["code"] == -32800
    else:
        assert response["result"]["status"] == "cancelled"
        assert response["result"]["stopReason"] == "cancelled"
        assert response["result"]["proposal"] is None
    await asyncio.wait_for(model.closed.wait(), 60)
    await writer.client.until(lambda: stream(writer, "w")[-1]["kind"] == "end")
    assert stream(writer, "s")[-1] == {"event": "cancelled", "data": {}, "requestId": run_id(writer)}
    assert ended(writer) == ["cancelled"]
    assert writer.texts[uri] == PASSAGE
    assert not writer.edits
    assert await writer.client.command("inkwright.listProposals", {"uri": uri}) == []
    again = await writer.client.command("inkwright.cancelRun", {"requestId": run_id(writer)})
    assert again == {"cancelled": False}
    stored = await writer.client.command("inkwright.getRun", {"requestId": run_id(writer)})
    assert stored["status"] == "cancelled"


@pytest.mark.parametrize("way", ["cancelRun", "progress", "request"])
async def test_cancel_in_the_same_breath(writer, model, way):
    """A cancel that arrives with the request, before anything has begun, ends it all the same, once."""
    uri = writer.open("第三章.md", PASSAGE)
    model.answer = REVISED
    name = run_id(writer)
    argument = {"ability": "polish", "uri": uri, "streamToken": "s", "requestId": name}
    params = {"command": "inkwright.runAbility", "arguments": [argument], "workDoneToken": "w"}
    command = {"command": "inkwright.cancelRun", "arguments": [{"requestId": name}]}
    cancel = {
        "cancelRun": {"id": "stop " + name, "method": "workspace/executeCommand", "params": command},
        "progress": {"method": "window/workDoneProgress/cancel", "params": {"token": "w"}},
        "request": {"method": "$/cancelRequest", "params": {"id": "go " + name}},
    }[way]
    _, future = writer.client.start("workspace/executeCommand", params, "go " + name, then=cancel)
    response = await asyncio.wait_for(future, 60)
    if way == "request":
        assert response["error"]["code"] == -32800
    else:
        assert response["result"]["status"] == "cancelled"
    if way == "cancelRun":
        answers = [m["result"] for m in writer.client.errors if m["id"] == "stop " + name]
        assert answers == [{"cancelled": True}]
    assert [value["event"] for value in stream(writer, "s")] == ["cancelled"]
    assert [value["kind"] for value in stream(writer, "w")] == ["begin", "end"]
    assert model.requests == []


async def test_what_the_writer_should_know_is_shown(writer, model):
    """A run that went well but left context out says so, once, in the writer's language."""
    uri = writer.open("第三章.md", PASSAGE)
    model.answer = REVISED
    model.too_long = 1
    result = await writer.client.command("inkwright.runAbility", {"ability": "polish", "uri": uri})
    assert result["status"] == "completed"
    assert len(model.requests) == 2
    await writer.client.until(lambda: writer.client.got("window/showMessage"))
    (shown,) = writer.client.got("window/showMessage")
    assert "上下文" in shown["message"]


async def test_cancelling_what_is_not_there(writer):
    """An unknown run is not cancelled, and that is said."""
    assert await writer.client.command("inkwright.cancelRun", {"requestId": "no"}) == {"cancelled": False}


async def test_joining_a_run(writer, model):
    """The same request again joins: both get the whole stream and the one outcome, from one model request."""
    _, _, first = await running(writer, model)
    second = await joined(writer)
    model.go_on.set()
    a, b = await asyncio.wait_for(asyncio.gather(first, second), 60)
    assert a["result"] == b["result"]
    for token in ("s", "s2"):
        chunks = "".join(v["data"] for v in stream(writer, token) if v["event"] == "chunk")
        assert chunks == a["result"]["text"]
        assert stream(writer, token)[-1]["event"] == "done"
    assert len(model.requests) == 1


async def test_one_of_two_leaves(writer, model):
    """A caller that cancels its own request does not take the run from the other one."""
    _, msg_id, first = await running(writer, model)
    second = await joined(writer)
    writer.client.cancel(msg_id)
    assert (await asyncio.wait_for(first, 60))["error"]["code"] == -32800
    model.go_on.set()
    assert (await asyncio.wait_for(second, 60))["result"]["status"] == "completed"
    assert ended(writer) == ["cancelled"]


async def test_busy(writer, model):
    """A second edit of the same passage is refused with `busy`; a report on it is not."""
    uri, _, future = await running(writer, model)
    other = await writer.client.command("inkwright.runAbility", {"ability": "polish", "uri": uri})
    assert (other["status"], other["stopReason"]) == ("failed", "busy")
    assert other["error"]["message"]
    model.go_on.set()
    assert (await asyncio.wait_for(future, 60))["result"]["status"] == "completed"


async def test_typing_while_the_model_works(writer, model):
    """The run works on the text as it was; accepted hunks land where that text stands now."""
    uri, _, future = await running(writer, model)
    writer.type(uri, 0, "前面加的。\n\n")
    writer.type(uri, writer.find(uri, "周衡"), "后来", delete=0)
    model.go_on.set()
    result = (await asyncio.wait_for(future, 60))["result"]
    assert result["proposal"]["version"] == 1
    verdict = await writer.client.command(
        "inkwright.acceptProposal", {"proposalId": result["proposal"]["id"]}
    )
    assert verdict["applied"]
    assert writer.texts[uri] == (
        "前面加的。\n\n# 第三章\n\n林夏走在路上，望见了河。\n\n后来周衡说：“等等。”\n"
    )


async def test_the_server_is_alive_meanwhile(writer, model):
    """While a model answers, hovers and edits are served."""
    uri, _, future = await running(writer, model)
    place = {"textDocument": {"uri": uri}, "position": writer.position(uri, writer.find(uri, "林夏"))}
    assert await writer.client.call("textDocument/hover", place)
    model.go_on.set()
    await asyncio.wait_for(future, 60)


@pytest.mark.parametrize(
    "answer", [["抱歉，我不能改写这段文字。"], [""], ["完全另外的一章，讲别的人和别的事。" * 9]]
)
async def test_an_answer_that_is_no_rewrite(writer, model, answer):
    """A refusal, silence or another text never becomes hunks."""
    uri = writer.open("第三章.md", PASSAGE)
    model.answer = answer
    result = await writer.client.command(
        "inkwright.runAbility", {"ability": "polish", "uri": uri, "streamToken": "s"}
    )
    assert result["proposal"] is None
    assert result["status"] in ("failed", "partial")
    assert result["stopReason"] != "finished"
    assert ended(writer) == ["error"]
    assert "".join(v["data"] for v in stream(writer, "s") if v["event"] == "chunk") == result["text"]

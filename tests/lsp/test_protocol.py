"""The faults of pygls, each answered: requests, cancelling, malformed input, futures, tokens."""

from __future__ import annotations

import asyncio
import json

import pytest


async def test_a_request_is_answered(probe):
    """The answer of a command is the value that it returned."""
    assert await probe.command("probe.echo", {"字": "𠮷"}) == {"字": "𠮷"}


async def test_cancel_request_stops_a_command(probe):
    """`$/cancelRequest` reaches the coroutine of a command and the answer is -32800, once."""
    msg_id, future = probe.start("workspace/executeCommand", {"command": "probe.slow", "arguments": [{}]})
    await probe.until(lambda: probe.got("probe/started"))
    probe.cancel(msg_id)
    response = await asyncio.wait_for(future, 60)
    assert response["error"]["code"] == -32800
    await probe.until(lambda: probe.got("probe/cancelled"))
    assert (await probe.command("probe.state"))["requests"] == 0
    assert not probe.errors


async def test_cancelled_in_the_same_chunk_never_runs(probe):
    """Thirty hovers cancelled at once give thirty -32800 and no computed result."""
    waiting = []
    for _ in range(30):
        msg_id, future = probe.start(
            "textDocument/hover",
            {"textDocument": {"uri": "file:///a.md"}, "position": {"line": 0, "character": 0}},
        )
        probe.cancel(msg_id)
        waiting.append(future)
    answers = await asyncio.wait_for(asyncio.gather(*waiting), 60)
    assert {answer["error"]["code"] for answer in answers} == {-32800}


async def test_shutdown_with_a_command_pending(probe):
    """`shutdown` cancels what runs, answers null, and `exit` then gives 0."""
    _, pending = probe.start("workspace/executeCommand", {"command": "probe.slow", "arguments": [{}]})
    await probe.until(lambda: probe.got("probe/started"))
    _, second = probe.start("workspace/executeCommand", {"command": "probe.slow", "arguments": [{}]})
    assert await probe.quit() == 0
    assert pending.result()["error"]["code"] == -32800
    assert second.result()["error"]["code"] == -32800
    assert b"studio closed" in probe.log


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("textDocument/hover", {"textDocument": {"uri": "file:///a.md"}}),
        ("textDocument/hover", None),
        ("textDocument/hover", {"textDocument": 3, "position": "here"}),
        ("textDocument/hover", [1, 2]),
        ("workspace/executeCommand", {"arguments": []}),
        ("workspace/executeCommand", {"command": "no.such"}),
        ("workspace/executeCommand", {"command": "probe.echo", "arguments": [1]}),
        ("workspace/executeCommand", {"command": "probe.echo", "arguments": [{}, {}]}),
    ],
)
async def test_malformed_params(probe, method, params):
    """A request whose params do not fit is answered with -32602 and no popup."""
    response = await probe.request(method, params)
    assert response["error"]["code"] == -32602
    assert not probe.got("window/showMessage")


async def test_malformed_notification_is_ignored(probe):
    """A notification that makes no sense changes nothing and shows nothing."""
    probe.notify("textDocument/didOpen", {"textDocument": 1})
    probe.notify("textDocument/didChange", None)
    probe.notify("workspace/didChangeWatchedFiles", "x")
    probe.notify("$/unknown", {"a": 1})
    probe.notify("$/cancelRequest", {"id": 999})
    assert await probe.command("probe.echo", {"still": "here"}) == {"still": "here"}
    assert not probe.got("window/showMessage")
    assert (await probe.command("probe.state"))["documents"] == 0


async def test_unknown_method(probe):
    """An unknown request is answered with -32601."""
    assert (await probe.request("no/such", {}))["error"]["code"] == -32601
    assert (await probe.request("$/no", {}))["error"]["code"] == -32601


async def test_bad_json(probe):
    """Neither broken JSON nor a message of the wrong shape ends the session; each gets an error response."""
    for body in (
        b"{",
        b"\xff\xfe",
        b"[]",
        b"3",
        b'{"jsonrpc":"2.0"}',
        b'{"id":7,"method":"x"}',
        b"[" * 100000,
    ):
        probe.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
    assert await probe.command("probe.echo", {"a": 1}) == {"a": 1}
    assert {error["error"]["code"] for error in probe.errors} == {-32700, -32600}
    assert [error["id"] for error in probe.errors].count(7) == 1


async def test_lower_case_header(probe):
    """Header names are matched without case, and a Content-Type beside the length is read over."""
    body = json.dumps(
        {
            "jsonrpc": "2.0",
            "id": "low",
            "method": "workspace/executeCommand",
            "params": {"command": "probe.echo", "arguments": [{"x": 1}]},
        }
    ).encode()
    probe.write(
        b"content-type: application/vscode-jsonrpc; charset=utf-8\r\ncontent-length: %d\r\n\r\n" % len(body)
    )
    probe.write(body)
    await probe.until(lambda: probe.errors)
    assert probe.errors[0]["result"] == {"x": 1}


async def test_nested_jsonrpc_key(spawn):
    """An object inside a message may hold a "jsonrpc" key, `initialize` included."""
    client = await spawn("probe.py")
    result = await client.initialize(
        initializationOptions={"peer": {"jsonrpc": "2.0", "method": "x", "id": 1}}
    )
    assert result["serverInfo"]["name"] == "inkwright"
    assert await client.command("probe.echo", {"jsonrpc": "1.0"}) == {"jsonrpc": "1.0"}


async def test_unknown_params_stay_what_they_are(probe):
    """Params of a custom method come as JSON, not as namedtuples, and go back as they came."""
    sent = {"a": {"b-c": [1, {"class": None}]}, "type_name": "x"}
    assert await probe.call("probe/custom", sent) == sent


async def test_a_failing_command_tells_no_secrets(probe):
    """An unexpected exception is -32603 with a sentence: no traceback, no path, no exception text."""
    response = await probe.request("workspace/executeCommand", {"command": "probe.fail"})
    assert response["error"]["code"] == -32603
    assert "data" not in response["error"]
    told = json.dumps(response, ensure_ascii=False) + probe.log.decode()
    assert "KeyError" in told
    assert "secret" not in told
    assert "手稿" not in told
    assert str(__file__) not in told


async def test_a_failing_notification(probe):
    """Nobody waits for its answer: an expected failure is shown, once; any other is logged without its text."""
    for expected in (True, True, False):
        probe.notify("probe/failing", {"expected": expected})
    await probe.until(lambda: probe.got("window/showMessage"))
    assert await probe.command("probe.echo", {"a": 1}) == {"a": 1}
    (shown,) = probe.got("window/showMessage")
    assert "x.md" in shown["message"]
    assert await probe.quit() == 0
    assert b"KeyError" in probe.log
    assert b"secret" not in probe.log


async def test_an_answer_that_is_no_json(probe):
    """A result that cannot be written is an error response, not silence."""
    response = await probe.request("workspace/executeCommand", {"command": "probe.unspeakable"})
    assert response["error"]["code"] == -32603


async def test_lone_surrogates(probe):
    """A lone surrogate goes in and out unharmed."""
    assert await probe.command("probe.echo", {"x": "a\ud800b"}) == {"x": "a\ud800b"}


async def test_before_initialize_and_after_shutdown(spawn):
    """Requests before `initialize` get -32002, a second `initialize` and those after `shutdown` -32600."""
    client = await spawn("probe.py")
    assert (await client.request("textDocument/hover", {}))["error"]["code"] == -32002
    client.notify("textDocument/didOpen", {})
    await client.initialize()
    assert (await client.request("initialize", {"capabilities": {}}))["error"]["code"] == -32600
    await client.call("shutdown")
    assert (await client.request("probe/custom", {}))["error"]["code"] == -32600
    client.notify("exit")
    assert await client.ended() == 0


async def test_a_bad_initialize_can_be_repeated(spawn):
    """`initialize` with params of the wrong type is refused and the next one accepted."""
    client = await spawn("probe.py")
    assert (await client.request("initialize", {"capabilities": 5}))["error"]["code"] == -32602
    assert (await client.initialize())["capabilities"]


async def test_an_id_in_use(probe):
    """A second request under the id of a running one is refused; the first goes on."""
    msg_id, first = probe.start("workspace/executeCommand", {"command": "probe.slow", "arguments": [{}]})
    await probe.until(lambda: probe.got("probe/started"))
    _, second = probe.start("probe/custom", {}, msg_id)
    assert (await asyncio.wait_for(second, 60))["error"]["code"] == -32600
    assert not first.done()


async def test_futures_are_freed(probe):
    """After 300 edits and 300 requests nothing is kept for any of them."""
    probe.open("file:///a.md", "")
    for version in range(2, 302):
        where = {"line": 0, "character": 0}
        probe.change("file:///a.md", version, {"range": {"start": where, "end": where}, "text": "字"})
        probe.start("probe/custom", {"n": version})
    state = await probe.command("probe.state")
    assert state["requests"] == 0
    assert (await probe.command("probe.text", {"uri": "file:///a.md"}))["text"] == "字" * 300


async def test_a_client_that_never_answers(probe):
    """A question to the client has a time limit, and nothing is kept of it."""
    probe.answers["probe/question"] = lambda _: asyncio.sleep(60)
    assert await probe.command("probe.ask", {"seconds": 0.05}) is None
    assert (await probe.command("probe.state"))["requests"] == 0


async def test_an_answer_after_cancelling(probe):
    """A request that awaits the client may be cancelled; the client's late answer does no harm."""
    released = asyncio.Event()

    async def later() -> str:
        await released.wait()
        return "late"

    probe.answers["probe/question"] = lambda _: later()
    msg_id, future = probe.start("workspace/executeCommand", {"command": "probe.ask", "arguments": [{}]})
    await probe.until(lambda: probe.requests)
    probe.cancel(msg_id)
    assert (await asyncio.wait_for(future, 60))["error"]["code"] == -32800
    released.set()
    assert await probe.command("probe.echo", {"a": 1}) == {"a": 1}
    assert (await probe.command("probe.state"))["requests"] == 0
    assert b"rror" not in probe.log


@pytest.mark.parametrize("answer", [None, 5, [], {"x": 1}, "text"])
async def test_any_answer_of_the_client(probe, answer):
    """The client may answer anything; an error answer counts as none."""
    probe.answers["probe/question"] = lambda _: answer
    assert await probe.command("probe.ask") == answer
    del probe.answers["probe/question"]
    assert await probe.command("probe.ask") is None


async def test_an_answer_to_nothing(probe):
    """Responses to questions that were never asked are dropped."""
    for msg_id in ("x", 1, None, {"a": 1}, [1]):
        probe.send({"id": msg_id, "result": 1})
        probe.send({"id": msg_id, "error": "no"})
    assert await probe.command("probe.echo", {"a": 1}) == {"a": 1}

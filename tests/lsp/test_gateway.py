"""Waiting, money and pictures over LSP: what is waited for is shown, cancelled at once, and the bill is there."""

from __future__ import annotations

import asyncio
import base64
import json
import struct
from collections.abc import AsyncIterator
from typing import Any

import pytest

PNG = b"\x89PNG\r\n\x1a\n" + struct.pack(">I4sII", 13, b"IHDR", 640, 480) + b"\0" * 500
PRICE = {"currency": "CNY", "input": 2, "output": 8}
SEEN = {"alt": "渡口的地图", "description": "图上是一条河。", "uncertain": ["右下角的字看不清"]}


class Upstream:
    """A model that refuses as many times as `busy` says, holds while `hold` is set, else says `answer`."""

    def __init__(self) -> None:
        self.answer = "好。"
        self.busy: list[str] = []
        self.hold = False
        self.bodies: list[Any] = []
        self.open = self.most = 0
        self.gone = asyncio.Event()
        self.port = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.open += 1
        self.most = max(self.most, self.open)
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
            size = next(int(h[15:]) for h in head.lower().split("\r\n") if h.startswith("content-length:"))
            self.bodies.append(json.loads(await reader.readexactly(size)))
            if self.hold:
                await reader.read()
                self.gone.set()
            elif self.busy:
                self._send(writer, f"503 Busy\r\nRetry-After: {self.busy.pop()}", "{}")
            else:
                usage = {"prompt_tokens": 1000, "completion_tokens": 100}
                choice = {"delta": {"content": self.answer}, "finish_reason": "stop"}
                said = json.dumps({"choices": [choice], "usage": usage}, ensure_ascii=False)
                self._send(writer, "200 OK", f"data: {said}\n\ndata: [DONE]\n\n")
            await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            self.gone.set()
        finally:
            self.open -= 1
            writer.close()

    @staticmethod
    def _send(writer: asyncio.StreamWriter, status: str, body: str) -> None:
        head = f"HTTP/1.1 {status}\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"
        writer.write((head + body).encode())


@pytest.fixture
async def upstream() -> AsyncIterator[Upstream]:
    found = Upstream()
    listening = await asyncio.start_server(found.serve, "127.0.0.1", 0)
    found.port = listening.sockets[0].getsockname()[1]
    yield found
    listening.close()


@pytest.fixture
async def editor(start, upstream) -> Any:
    model = {"endpoint": f"http://127.0.0.1:{upstream.port}/v1", "model": "m", "price": PRICE}
    settings = {"model": "one", "models": {"one": {**model, "concurrency": 1, "kind": "vision"}}}
    return await start(settings=settings)


def begun(editor, request_id: str, **more: Any) -> asyncio.Future[Any]:
    argument = {"ability": "analysis", "uri": editor.uri("第一章.md"), "requestId": request_id, **more}
    params = {"command": "inkwright.runAbility", "arguments": [argument]}
    return editor.client.start("workspace/executeCommand", params)[1]


async def state_of(editor, request_id: str) -> str | None:
    page = await editor.client.command("inkwright.listRuns", {"uri": editor.uri("第一章.md")})
    return {run["requestId"]: run["status"] for run in page["runs"]}.get(request_id)


def reported(editor) -> list[str]:
    values = [p["value"] for p in editor.client.got("$/progress")]
    return [value["message"] for value in values if value.get("kind") == "report"]


async def cancelled(editor, future: asyncio.Future[Any], request_id: str) -> None:
    told = await editor.client.command("inkwright.cancelRun", {"requestId": request_id})
    assert told == {"cancelled": True}
    result = (await asyncio.wait_for(future, 60))["result"]
    assert (result["status"], result["usage"]["input"]) == ("cancelled", 0)


async def test_a_retry_is_shown_and_cancelled(editor, upstream, until):
    """While the server's time is waited for, the run is `waiting`; cancelled there it sends nothing more."""
    editor.open("第一章.md")
    upstream.busy = ["60"]
    future = begun(editor, "r")
    await until(lambda: state_of(editor, "r"), lambda found: found == "waiting")
    await until(lambda: any("秒后再试" in message for message in reported(editor)))
    await cancelled(editor, future, "r")
    run = await editor.client.command("inkwright.getRun", {"requestId": "r"})
    assert [(a["kind"], a["wait"] >= 60) for a in run["steps"][0]["attempts"]] == [("overloaded", True)]
    assert len(upstream.bodies) == 1
    result = (await asyncio.wait_for(begun(editor, "next"), 60))["result"]
    assert result["status"] == "completed"


async def test_a_queue_is_shown_and_cancelled(editor, upstream, until):
    """The second run waits its turn; cancelled there it has cost nothing and was never sent."""
    editor.open("第一章.md")
    upstream.hold = True
    first = begun(editor, "first")
    await until(lambda: upstream.bodies)
    second = begun(editor, "second")
    await until(lambda: state_of(editor, "second"), lambda found: found == "queued")
    await until(lambda: any("排队" in message for message in reported(editor)))
    await cancelled(editor, second, "second")
    await editor.client.command("inkwright.cancelRun", {"requestId": "first"})
    assert (await asyncio.wait_for(first, 60))["result"]["status"] == "cancelled"
    await asyncio.wait_for(upstream.gone.wait(), 60)
    assert len(upstream.bodies) == 1


async def test_many_runs_at_once_and_the_bill(editor, upstream):
    """All of them finish, one connection at a time, and what they cost is there by day, model and ability."""
    editor.open("第一章.md")
    upstream.busy = ["0", "0"]
    results = await asyncio.wait_for(asyncio.gather(*(begun(editor, f"r{n}") for n in range(12))), 120)
    assert {answer["result"]["status"] for answer in results} == {"completed"}
    assert upstream.most == 1
    assert results[0]["result"]["usage"] == {
        "input": 1000,
        "output": 100,
        "cost": pytest.approx(0.0028),
        "currency": "CNY",
    }
    bill = await editor.client.command("inkwright.usage", {})
    (row,) = bill["rows"]
    assert (row["model"], row["ability"], row["requests"]) == ("one", "analysis", 12)
    assert bill["totals"][0]["cost"] == pytest.approx(12 * 0.0028)
    mine = await editor.client.command("inkwright.usage", {"uri": editor.uri("第一章.md"), "days": 1})
    assert mine["totals"] == bill["totals"]


async def test_a_ceiling_stops_before_the_call(editor, upstream, until):
    """Set while the server runs; the stop is a result with its reason."""
    editor.open("第一章.md")
    editor.settings = {**editor.settings, "maxCostPerDay": 0.001, "currency": "CNY", "locale": "en"}
    editor.client.notify("workspace/didChangeConfiguration", {"settings": None})

    async def labels() -> list[str]:
        return [one["label"] for one in await editor.client.command("inkwright.listProfiles")]

    await until(labels, lambda found: "Polish" in found)  # the new settings hold
    result = await editor.run("analysis", "第一章.md")
    assert (result["status"], result["stopReason"]) == ("failed", "cost")
    assert "0.0010 CNY" in result["error"]["message"]
    assert upstream.bodies == []


async def test_a_picture_is_described_where_it_is_asked_for(editor, upstream):
    """The action is offered on the picture alone; what comes is a proposal with what is uncertain marked."""
    (editor.root / "map.png").write_bytes(PNG)
    text = "林夏到了渡口。\n\n![](map.png)\n\n她看着图。\n"
    uri = editor.open("第三章.md", text)
    upstream.answer = json.dumps(SEEN, ensure_ascii=False)

    async def offered(line: int) -> list[Any]:
        where = {"start": {"line": line, "character": 1}, "end": {"line": line, "character": 1}}
        params = {"textDocument": {"uri": uri}, "range": where, "context": {"diagnostics": []}}
        found = await editor.client.call("textDocument/codeAction", params)
        return [one["command"] for one in found if one["command"]["command"] == "inkwright.describeImage"]

    assert await offered(0) == []
    (command,) = await offered(2)
    assert upstream.bodies == []
    result = await editor.client.command(command["command"], command["arguments"][0])
    assert (result["status"], result["error"]) == ("completed", None)
    alt, below = result["proposal"]["hunks"]
    assert (alt["after"], below["after"].strip()) == (SEEN["alt"], SEEN["description"])
    assert all("右下角" in hunk["findings"][0]["message"] for hunk in (alt, below))
    sent = upstream.bodies[0]["messages"][-1]["content"]
    url = next(part["image_url"]["url"] for part in sent if part["type"] == "image_url")
    assert url == f"data:image/png;base64,{base64.b64encode(PNG).decode()}"
    taken = {"proposalId": result["proposal"]["id"], "hunks": [0]}
    assert (await editor.client.command("inkwright.acceptProposal", taken))["applied"] == [0]
    assert editor.texts[uri] == text.replace("![]", f"![{SEEN['alt']}]")


async def test_a_picture_out_of_the_book_is_refused(editor, upstream):
    """By place or by name: nothing is read, nothing is sent."""
    (editor.root.parent / "secret.png").write_bytes(PNG)
    uri = editor.open("第三章.md", "![](../secret.png) ![](http://127.0.0.1:9/a.png)\n")
    for place in (
        {"position": {"line": 0, "character": 3}},
        {"path": "../secret.png"},
        {"path": "/etc/passwd.png"},
    ):
        result = await editor.client.command("inkwright.describeImage", {"uri": uri, **place})
        assert result["status"] == "failed"
        assert result["error"]["code"] in ("picture_elsewhere", "file_missing")
    assert upstream.bodies == []

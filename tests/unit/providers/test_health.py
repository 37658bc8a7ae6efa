"""Whether a model works, said from two short questions; and which servers run on this machine."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field, replace

import pytest

from inkwright.domain.model import KeyRef, ModelProfile, Provider
from inkwright.i18n import render
from inkwright.providers.discovery import discover
from inkwright.providers.health import examine
from inkwright.secrets import Secrets

Answer = Callable[[str, str, dict], bytes | None]


def response(body: str, status: str = "200 OK", kind: str = "text/event-stream") -> bytes:
    return f"HTTP/1.1 {status}\r\ncontent-type: {kind}\r\nconnection: close\r\n\r\n{body}".encode()


def chunk(delta: dict, finish: str | None = None) -> str:
    return f"data: {json.dumps({'choices': [{'index': 0, 'delta': delta, 'finish_reason': finish}]})}\n\n"


def works(_method: str, _path: str, body: dict) -> bytes:
    """A model that does what it is asked."""
    if not body.get("tools"):
        return response(chunk({"content": "ink"}, "stop") + "data: [DONE]\n\n")
    call = {"index": 0, "id": "c", "function": {"name": "ping", "arguments": '{"word": "ink"}'}}
    return response(chunk({"tool_calls": [call]}, "tool_calls") + "data: [DONE]\n\n")


def without_tools(method: str, path: str, body: dict) -> bytes:
    if body.get("tools"):
        error = {"error": {"message": "this model does not support tools", "type": "invalid_request_error"}}
        return response(json.dumps(error), "400 Bad Request", "application/json")
    return works(method, path, body)


def only_talks(method: str, path: str, _body: dict) -> bytes:
    return works(method, path, {})


@dataclass
class Server:
    answer: Answer = works
    port: int = 0
    asked: list[tuple[str, str, dict[str, str], dict]] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        method, path, _ = head[0].split(" ")
        headers = {k.lower(): v for k, v in (line.split(": ", 1) for line in head[1:] if ": " in line)}
        body = json.loads(await reader.readexactly(int(headers.get("content-length", 0))) or b"{}")
        self.asked.append((method, path, headers, body))
        said = self.answer(method, path, body)
        if said is None:
            await reader.read()
        else:
            writer.write(said)
            await writer.drain()
        writer.close()


@pytest.fixture
async def server() -> AsyncIterator[Server]:
    found = Server()
    listening = await asyncio.start_server(found.serve, "127.0.0.1", 0)
    found.port = listening.sockets[0].getsockname()[1]
    yield found
    listening.close()


def profile(server: Server, **more: object) -> ModelProfile:
    return replace(ModelProfile("m", server.url, "test-model"), **more)


class TestExamine:
    """The answer in words that a writer can use."""

    async def test_one_that_works(self, server):
        """Final address, time to the first piece, and a tool call that came back."""
        health = await examine(profile(server), Secrets({}))
        assert health.works
        assert (health.url, health.tools, health.fault) == (f"{server.url}/chat/completions", "works", None)
        assert health.latency is not None
        assert [path for _, path, _, _ in server.asked] == ["/v1/chat/completions"] * 2

    @pytest.mark.parametrize(("answer", "tools"), [(without_tools, "refused"), (only_talks, "not_called")])
    async def test_tools_that_do_not_work(self, server, answer, tools):
        """It works all the same; what came of the tool is said."""
        server.answer = answer
        health = await examine(profile(server), Secrets({}))
        assert (health.works, health.tools) == (True, tools)

    async def test_tools_that_it_has_not_are_not_asked_for(self, server):
        """One question then."""
        health = await examine(profile(server, tools=False), Secrets({}))
        assert (health.works, health.tools, len(server.asked)) == (True, "untested", 1)

    @pytest.mark.parametrize(
        ("status", "kind", "reachable"),
        [
            ("401 Unauthorized", "auth", True),
            ("404 Not Found", "bad_request", True),
            ("503 X", "overloaded", True),
        ],
    )
    async def test_a_refusal_is_a_fault_in_words(self, server, status, kind, reachable):
        """Something is there, and says no; asked once, no tool after it."""
        server.answer = lambda *_: response('{"error": {"message": "no"}}', status, "application/json")
        health = await examine(profile(server), Secrets({}))
        assert (health.works, health.reachable, health.fault.kind) == (False, reachable, kind)
        assert len(server.asked) == 1
        for locale in ("zh", "en"):
            assert "{" not in render(health.fault, locale)

    async def test_nothing_listens(self, server):
        """Not reachable."""
        nowhere = ModelProfile("m", "http://127.0.0.1:9/v1", "x")
        health = await examine(nowhere, Secrets({}))
        assert (health.reachable, health.fault.code) == (False, "model_connection_refused")

    async def test_a_web_page_is_no_model(self, server):
        """A wrong base URL, a captive portal."""
        server.answer = lambda *_: response("<html>hello</html>", kind="text/html")
        health = await examine(profile(server), Secrets({}))
        assert (health.works, health.fault.kind) == (False, "malformed")

    async def test_it_ends_in_time(self, server):
        """A server that says nothing costs the seconds given."""
        server.answer = lambda *_: None
        async with asyncio.timeout(60):
            health = await examine(profile(server), Secrets({}), 0.3)
        assert health.fault.kind == "timeout"

    async def test_the_key_is_told_of_and_goes_to_its_own_place_only(self, server):
        """Missing: known without a request. Another's: no request. Its own: in the header, nowhere else."""
        missing = await examine(profile(server, key=KeyRef("env:K", ("127.0.0.1",))), Secrets({}))
        assert (missing.key_configured, missing.fault.code) == (False, "key_missing")
        other = await examine(
            profile(server, key=KeyRef("env:K", ("api.deepseek.com",))), Secrets({"K": "canary-123456"})
        )
        assert other.fault.code == "key_other_host"
        port = await examine(
            profile(server, key=KeyRef("env:K", ("http://127.0.0.1:9",))), Secrets({"K": "canary-123456"})
        )
        assert port.fault.code == "key_other_host"
        assert server.asked == []
        own = await examine(
            profile(server, key=KeyRef("env:K", (f"http://127.0.0.1:{server.port}",))),
            Secrets({"K": "canary-123456"}),
        )
        assert own.works
        assert server.asked[0][2]["authorization"] == "Bearer canary-123456"
        assert "canary" not in repr(own)

    async def test_a_redirect_takes_no_key_along(self, server):
        """It is not followed, wherever it leads."""
        place = f"http://127.0.0.1:{server.port}/elsewhere"
        server.answer = lambda *_: (
            f"HTTP/1.1 307 T\r\nlocation: {place}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n".encode()
        )
        health = await examine(
            profile(server, key=KeyRef("env:K", ("127.0.0.1",))), Secrets({"K": "canary-123456"})
        )
        assert health.fault.code == "model_redirect"
        assert [path for _, path, _, _ in server.asked] == ["/v1/chat/completions"]

    async def test_user_and_password_in_an_address_are_shown_to_nobody(self, server):
        """And the key does not go there."""
        endpoint = f"http://user:canary@127.0.0.1:{server.port}/v1?token=canary0123"
        health = await examine(
            ModelProfile("m", endpoint, "x", key=KeyRef("env:K", ("127.0.0.1",))), Secrets({"K": "k" * 9})
        )
        assert "canary" not in health.url
        assert health.fault.code == "key_other_host"

    async def test_offline(self):
        """Works without a question."""
        assert (await examine(ModelProfile("offline"), Secrets({}))).works

    async def test_embeddings_are_not_for_words(self, server):
        """Nothing is asked."""
        health = await examine(profile(server, kind="embedding"), Secrets({}))
        assert (health.fault.code, server.asked) == ("model_not_for_text", [])


class TestDiscover:
    """Servers on this machine are asked when somebody wants to know."""

    @staticmethod
    def row(server: Server, **more: object) -> Provider:
        return replace(Provider("ollama", "Ollama", server.url, port=server.port), **more)

    async def test_one_that_runs_is_offered_with_its_lines(self, server, tmp_path):
        """Models that write come first; the lines make a profile as they stand."""
        import tomllib

        names = ["nomic-embed-text", 'odd "name"', "qwen3:8b", 7, "bad\nname"]
        listed = json.dumps({"object": "list", "data": [{"id": name} for name in names]})
        server.answer = lambda *_: response(listed, kind="application/json")
        (found,) = await discover([self.row(server)])
        assert found.models == ('odd "name"', "qwen3:8b", "nomic-embed-text")
        assert tomllib.loads(found.lines()) == {
            "models": {"ollama": {"provider": "ollama", "model": 'odd "name"'}}
        }
        ((method, path, headers, _),) = server.asked
        assert (method, path) == ("GET", "/v1/models")
        assert "authorization" not in headers

    @pytest.mark.parametrize(
        "said",
        [
            response("<html>my own site</html>", kind="text/html"),
            response("{}", kind="application/json"),
            response('{"data": [1, 2]}', kind="application/json"),
            response("[", kind="application/json"),
            response("[" * 100_000, kind="application/json"),
            response("", "404 Not Found"),
            response("", "302 Found\r\nlocation: http://127.0.0.1:9/"),
            response('{"data": "' + "x" * 1_100_000 + '"}', kind="application/json"),
            b"SSH-2.0-OpenSSH\r\n",
            None,
        ],
        ids=range(10),
    )
    async def test_anything_else_on_the_port_is_no_server_of_models(self, server, said):
        """A developer's own site on 8080, a silent port, nonsense."""
        server.answer = lambda *_: said
        async with asyncio.timeout(60):
            assert await discover([self.row(server)], 0.5) == ()

    async def test_nothing_beyond_this_machine_is_asked(self, server):
        """A row elsewhere, or one without a port of its own."""
        rows = [self.row(server, endpoint="http://example.com/v1"), self.row(server, port=0)]
        assert await discover(rows) == ()
        assert server.asked == []

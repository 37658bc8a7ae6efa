"""A model over a real connection: clocks, cancel, proxies, keys, and every way a server fails."""

from __future__ import annotations

import asyncio
import gzip
import json
import re
import socket
import tomllib
from contextlib import aclosing
from importlib.resources import files
from typing import get_args

import pytest

from inkwright.domain.conversation import Finished, Message, ModelRequest, Text
from inkwright.domain.errors import ErrorKind
from inkwright.domain.model import KeyRef, Provider
from inkwright.domain.run import Clocks
from inkwright.providers.anthropic_messages.decode import FINISHES

DECODERS = ("openai_chat/decode", "anthropic_messages/decode", "gemini_generate/decode")
PARTS = ("errors", "model", "reading", "transport", "watch", *DECODERS)
CODES = {
    code
    for part in PARTS
    for code in re.findall(r'"(model_\w+)"', (files("inkwright.providers") / f"{part}.py").read_text("utf-8"))
} | {f"model_{kind}" for kind in get_args(ErrorKind) if kind not in ("timeout", "connection")}
CODES -= set(FINISHES)
ASK = ModelRequest((Message("user", "hello"),))


def clocks(**changed: float) -> Clocks:
    return Clocks(**{"connect": 5, "bytes": 5, "first_payload": 5, "payload": 5, **changed})


@pytest.fixture
def hello(streams):
    return streams.sse(streams.delta(content="Hello"), streams.delta("stop"))


@pytest.fixture
def begun(streams):
    return streams.sse(streams.delta(content="Hello"), done=False)


async def test_every_case_over_http(case, server, model, reply, ask, as_expected):
    """Status, headers, pieces and ending as recorded give the recorded outcome."""
    server.reply = reply(case.chunks, case.http["status"], case.http["headers"], case.http["then"])
    outcome = await ask(model(server.url, clocks=clocks(payload=0.3), wire=case.wire))
    as_expected(outcome, case.expect)


async def test_text_arrives_before_the_end(server, model, reply, begun):
    """An event is handed on while the server still holds the connection."""
    server.reply = reply([begun], then="hang")
    async with aclosing(model(server.url).stream(ASK)) as events:
        assert await anext(events) == Text("Hello")
        assert not server.gone.is_set()


class TestCancel:
    """Cancel closes the connection, wherever the request is."""

    @pytest.mark.parametrize("then", ["hang", "keepalive"])
    async def test_in_the_stream(self, server, model, reply, begun, then):
        """While waiting for more, silent or ticking."""
        server.reply = reply([begun], then=then)
        seen = asyncio.Event()

        async def consume() -> None:
            async for _ in model(server.url).stream(ASK):
                seen.set()

        task = asyncio.create_task(consume())
        await seen.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await asyncio.wait_for(server.gone.wait(), 5)
        ticks = server.ticks
        for _ in range(20):
            await asyncio.sleep(0)
        assert server.ticks == ticks

    async def test_before_the_headers(self, server, model, reply):
        """While the server has not answered at all."""
        server.reply = reply(raw=b"", then="hang")

        async def consume() -> None:
            async for _ in model(server.url).stream(ASK):
                pass

        task = asyncio.create_task(consume())
        await server.asked.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await asyncio.wait_for(server.gone.wait(), 5)

    async def test_by_closing_the_iterator(self, server, model, reply, begun):
        """`aclose` is enough."""
        server.reply = reply([begun], then="hang")
        events = model(server.url).stream(ASK)
        await anext(events)
        await events.aclose()
        await asyncio.wait_for(server.gone.wait(), 5)

    async def test_one_of_two(self, server, model, reply, begun):
        """Closing one stream leaves the other of the same model alone."""
        server.reply = reply([begun], then="hang")
        both = model(server.url)
        first, second = both.stream(ASK), both.stream(ASK)
        await anext(first)
        await anext(second)
        await first.aclose()
        await asyncio.wait_for(server.gone.wait(), 5)
        waiting = asyncio.ensure_future(anext(second))
        await asyncio.sleep(0)
        assert not waiting.done()
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)


class TestClocks:
    """Each silence has its own limit; running out closes the connection and keeps the text."""

    async def timed_out(self, server, outcome, code, text=""):
        assert outcome.end.fault.code == code
        assert (outcome.end.fault.kind, outcome.end.fault.retryable) == ("timeout", True)
        assert outcome.text == text
        await asyncio.wait_for(server.gone.wait(), 5)

    async def test_bytes(self, server, model, reply, ask, begun):
        """No byte at all."""
        server.reply = reply([begun], then="hang")
        outcome = await ask(model(server.url, clocks=clocks(bytes=0.2)))
        await self.timed_out(server, outcome, "model_timeout_bytes", "Hello")

    async def test_no_headers(self, server, model, reply, ask):
        """A server that takes the request and never answers."""
        server.reply = reply(raw=b"", then="hang")
        outcome = await ask(model(server.url, clocks=clocks(bytes=0.2)))
        await self.timed_out(server, outcome, "model_timeout_bytes")

    async def test_first_payload(self, server, model, reply, ask):
        """Comments keep the connection alive and are no answer."""
        server.reply = reply(then="keepalive")
        outcome = await ask(model(server.url, clocks=clocks(bytes=2, first_payload=0.3)))
        await self.timed_out(server, outcome, "model_timeout_first_payload")

    async def test_between_payloads(self, server, model, reply, ask, begun):
        """Comments after the first words are no answer either."""
        server.reply = reply([begun], then="keepalive")
        outcome = await ask(model(server.url, clocks=clocks(bytes=2, payload=0.3)))
        await self.timed_out(server, outcome, "model_timeout_payload", "Hello")

    async def test_one_byte_now_and_then(self, server, model, reply, ask, begun):
        """A body that drips, never completing a line, is stopped by the payload clock."""
        server.reply = reply([begun], then="drip")
        outcome = await ask(model(server.url, clocks=clocks(bytes=2, payload=0.3)))
        await self.timed_out(server, outcome, "model_timeout_payload", "Hello")

    async def test_total(self, server, model, reply, ask, streams):
        """A stream that never tires is ended by the total."""
        server.reply = reply([streams.sse(streams.delta(content="a"), done=False)] * 10_000, pause=0.01)
        outcome = await ask(model(server.url, clocks=clocks(total=0.4)))
        assert outcome.end.fault.code == "model_timeout_total"
        assert set(outcome.text) == {"a"}

    async def test_a_busy_reader_is_no_silence(self, server, model, reply, streams):
        """Time that the consumer takes does not count as the server's."""
        server.reply = reply(
            [streams.sse(streams.delta(content="a"), streams.delta(content="b"), done=False)] * 2
            + [streams.sse(streams.delta("stop"))]
        )
        events = []
        async for event in model(server.url, clocks=clocks(bytes=0.2, payload=0.2)).stream(ASK):
            events.append(event)
            await asyncio.sleep(0.15)
        assert streams.outcome(events).end.finish == "stop"

    async def test_a_finished_answer_needs_no_done(self, server, model, reply, ask, streams, monkeypatch):
        """A server that says why it stopped and then hangs has answered."""
        monkeypatch.setattr("inkwright.providers.watch.GRACE", 0.1)
        server.reply = reply([streams.sse(streams.delta("stop", content="Hi"), done=False)], then="hang")
        outcome = await ask(model(server.url))
        assert (outcome.text, outcome.end.finish, outcome.end.fault) == ("Hi", "stop", None)

    async def test_an_error_page_that_never_ends(self, server, model, reply, ask, monkeypatch):
        """A refusal is told from what came, without waiting for the rest."""
        monkeypatch.setattr("inkwright.providers.transport.ERROR_BODY_SECONDS", 0.1)
        server.reply = reply([b'{"error":{"message":"Insufficient Balance"}}'], 402, {}, "hang")
        assert (await ask(model(server.url))).end.fault.kind == "balance"


class TestReach:
    """Where a request goes, and where it does not."""

    async def test_ipv6(self, server6, model, reply, ask, hello):
        """An IPv6 address in brackets."""
        server6.reply = reply([hello])
        assert (await ask(model(server6.url))).text == "Hello"

    async def test_proxies_are_for_others(self, server, model, reply, ask, hello, monkeypatch):
        """This machine is reached directly, whatever the environment says of proxies."""
        for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"):
            monkeypatch.setenv(name, "socks5://127.0.0.1:1")
        monkeypatch.delenv("NO_PROXY", raising=False)
        server.reply = reply([hello])
        assert (await ask(model(server.url))).text == "Hello"

    async def test_a_proxy_is_used_elsewhere(self, server, model, reply, ask, hello, monkeypatch):
        """Another host is reached through the proxy, which gets the whole address."""
        monkeypatch.delenv("NO_PROXY", raising=False)
        monkeypatch.setenv("HTTP_PROXY", f"http://127.0.0.1:{server.port}")
        monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{server.port}")
        server.reply = reply([hello])
        assert (await ask(model("http://model.invalid/v1"))).text == "Hello"
        assert server.requests[0].line == "POST http://model.invalid/v1/chat/completions HTTP/1.1"

    @pytest.mark.parametrize("proxy", ["socks5://127.0.0.1:1", "nonsense://x", "http://[", "http://a b"])
    async def test_an_unusable_proxy_is_named(self, model, ask, monkeypatch, proxy):
        """A proxy that can't be spoken to is a fault, not an exception."""
        for name in ("ALL_PROXY", "all_proxy", "HTTP_PROXY", "http_proxy"):
            monkeypatch.setenv(name, proxy)
        outcome = await ask(model("http://model.invalid/v1"))
        assert outcome.end.fault.code in (
            "model_proxy_unusable",
            "model_name_unknown",
            "model_endpoint_invalid",
        )

    @pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
    async def test_redirects_are_refused(self, server, model, reply, ask, status):
        """No redirect is followed; the message names where it led."""
        headers = {"location": f"http://127.0.0.1:{server.port}/elsewhere"}
        server.reply = reply((), status, headers)
        fault = (await ask(model(server.url))).end.fault
        assert (fault.code, fault.kind, fault.params["target"]) == (
            "model_redirect",
            "bad_request",
            "127.0.0.1",
        )
        assert len(server.requests) == 1

    async def test_refused(self, model, ask):
        """Nobody listens."""
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        fault = (await ask(model(f"http://127.0.0.1:{port}"))).end.fault
        assert (fault.code, fault.kind, fault.retryable) == ("model_connection_refused", "connection", True)

    async def test_plain_server_behind_https(self, model, ask):
        """TLS to a server that speaks none is named as such."""

        async def refuse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.read(1)
            writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
            writer.close()

        async with await asyncio.start_server(refuse, "127.0.0.1", 0) as plain:
            port = plain.sockets[0].getsockname()[1]
            fault = (await ask(model(f"https://127.0.0.1:{port}/v1"))).end.fault
        assert (fault.code, fault.kind) == ("model_tls", "connection")

    @pytest.mark.parametrize(
        "endpoint", ["", "foo", "ftp://x/y", "http://", "http://[::1", "http://h:99999/v1"]
    )
    async def test_no_address(self, model, ask, endpoint):
        """What is no address is a fault that says so."""
        fault = (await ask(model(endpoint))).end.fault
        assert (fault.code, fault.kind) == ("model_endpoint_invalid", "bad_request")


class TestAnswers:
    """What servers send instead of an answer."""

    @pytest.mark.parametrize(
        ("status", "body", "kind", "code"),
        [
            (200, b"<html>login</html>", "malformed", "model_page"),
            (200, b"\xef\xbb\xbf  <!doctype html>", "malformed", "model_page"),
            (200, b"upstream timed out\n", "malformed", "model_not_json"),
            (200, b'{"detail":"Not Found"}', "malformed", "model_not_chat"),
            (200, b"", "connection", "model_empty"),
            (200, b"data: {broken\n\n", "malformed", "model_bad_json"),
            (502, b"<html>Bad Gateway</html>", "server", "model_server"),
            (403, b"<html>Attention Required! rate limit</html>", "auth", "model_auth"),
            (404, b"404 page not found", "bad_request", "model_not_found"),
            (500, b"", "server", "model_server"),
            (401, b'{"detail":"Invalid API key"}', "auth", "model_auth"),
            (
                400,
                b'[{"error":{"code":400,"message":"API key not valid.","status":"INVALID_ARGUMENT"}}]',
                "auth",
                "model_auth",
            ),
        ],
    )
    async def test_told_apart(self, server, model, reply, ask, status, body, kind, code):
        """Each has its kind and its sentence; the endpoint is in it."""
        server.reply = reply([body], status, {})
        fault = (await ask(model(server.url))).end.fault
        assert (fault.kind, fault.code) == (kind, code)
        assert fault.params["endpoint"] == server.url

    @pytest.mark.parametrize(
        "raw", [b"", b"\x16\x03\x01\x02\x00", b"HTTP/1.1 200 OK\r\ncontent-length: 50\r\n\r\nda"]
    )
    async def test_no_http(self, server, model, reply, ask, raw):
        """A connection that closes without, or in the middle of, a response."""
        server.reply = reply(raw=raw)
        fault = (await ask(model(server.url))).end.fault
        assert (fault.kind, fault.retryable) == ("connection", True)

    async def test_reset_in_the_middle(self, server, model, reply, ask, begun):
        """The text so far is kept."""
        server.reply = reply([begun], then="reset", pause=0.05)
        outcome = await ask(model(server.url))
        assert (outcome.text, outcome.end.fault.kind) == ("Hello", "connection")

    async def test_reset_after_the_end(self, server, model, reply, ask, streams):
        """An answer that has its reason to end is whole."""
        server.reply = reply(
            [streams.sse(streams.delta("stop", content="Hi"), done=False)], then="reset", pause=0.05
        )
        assert (await ask(model(server.url))).end.finish == "stop"

    async def test_gzip(self, server, model, reply, ask, hello):
        """A gateway that compresses unasked."""
        server.reply = reply([gzip.compress(hello)], headers={"content-encoding": "gzip"})
        assert (await ask(model(server.url))).text == "Hello"

    async def test_damaged_gzip(self, server, model, reply, ask, hello):
        """Compression that is none."""
        server.reply = reply([hello], headers={"content-encoding": "gzip"})
        assert (await ask(model(server.url))).end.fault.code == "model_encoding"

    async def test_a_line_of_30_mb(self, server, model, reply, ask, streams):
        """A very long line is read; its length costs no more than its bytes."""
        size = 30 * 1024 * 1024
        whole = streams.sse(streams.delta("stop", content="字" * (size // 3)))
        server.reply = reply([whole[n : n + 1_000_000] for n in range(0, len(whole), 1_000_000)])
        outcome = await ask(model(server.url))
        assert (len(outcome.text), outcome.end.finish) == (size // 3, "stop")

    async def test_a_line_without_end(self, server, model, reply, ask, monkeypatch):
        """A line past the limit ends the request."""
        monkeypatch.setattr("inkwright.providers.sse.MAX_LINE", 100_000)
        server.reply = reply([b"data: " + b"x" * 50_000] + [b"x" * 50_000] * 100, then="hang")
        assert (await ask(model(server.url))).end.fault.code == "model_line_too_long"
        await asyncio.wait_for(server.gone.wait(), 5)

    async def test_the_connection_is_kept(self, server, model, reply, ask, hello):
        """A second request goes over the first one's connection."""
        server.reply = reply([hello])
        same = model(server.url)
        await ask(same)
        await ask(same)
        assert (len(server.requests), server.connections) == (2, 1)

    async def test_a_kept_connection_that_died(self, model, ask, hello):
        """A server that drops the kept connection at the next request gets that request on a new one."""
        served: list[int] = []

        async def once(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.readuntil(b"\r\n\r\n")
            served.append(len(served))
            writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: %d\r\n\r\n%b" % (len(hello), hello))
            await writer.drain()
            await reader.readuntil(b"\r\n\r\n")
            writer.transport.abort()

        async with await asyncio.start_server(once, "127.0.0.1", 0) as mortal:
            same = model(f"http://127.0.0.1:{mortal.sockets[0].getsockname()[1]}/v1")
            assert [(await ask(same)).text for _ in range(3)] == ["Hello"] * 3
            await same.close()
        assert len(served) == 3


class TestKeys:
    """A key goes to the host it was configured for and into nothing else."""

    KEY = "sk-canary-0123456789abcdef"

    def ref(self, host: str) -> KeyRef:
        return KeyRef("env:KEY", (host,))

    async def test_sent(self, server, model, reply, ask, hello):
        """To its own host, as a bearer token."""
        server.reply = reply([hello])
        await ask(model(server.url, {"KEY": self.KEY}, key=self.ref("127.0.0.1")))
        assert server.requests[0].headers["authorization"] == f"Bearer {self.KEY}"

    async def test_in_the_vendors_header(self, server, model, reply, ask, hello):
        """A vendor may want it elsewhere."""
        server.reply = reply([hello])
        vendor = Provider("x", "X", auth="api-key")
        await ask(model(server.url, {"KEY": self.KEY}, key=self.ref("127.0.0.1"), provider=vendor))
        assert server.requests[0].headers["api-key"] == self.KEY
        assert "authorization" not in server.requests[0].headers

    async def test_not_to_another_host(self, server, model, reply, ask, hello):
        """Nothing is sent at all."""
        server.reply = reply([hello])
        fault = (await ask(model(server.url, {"KEY": self.KEY}, key=self.ref("api.example.com")))).end.fault
        assert (fault.code, fault.kind) == ("key_other_host", "auth")
        assert server.requests == []

    @pytest.mark.parametrize(
        ("value", "code"),
        [("", "key_missing"), ("a b", "key_malformed"), ("密钥", "key_malformed"), ("a\nb", "key_malformed")],
    )
    async def test_unusable(self, server, model, ask, value, code):
        """A key that is missing or has characters that no header takes is named before anything is sent."""
        fault = (await ask(model(server.url, {"KEY": value}, key=self.ref("127.0.0.1")))).end.fault
        assert (fault.code, fault.kind) == (code, "auth")
        assert server.requests == []

    async def test_an_echo_is_masked(self, server, model, reply, ask):
        """A server that repeats the key in its refusal does not bring it into our message."""
        body = json.dumps({"error": {"message": f"Incorrect API key provided: {self.KEY}"}}).encode()
        server.reply = reply([body], 401, {})
        fault = (await ask(model(server.url, {"KEY": self.KEY}, key=self.ref("127.0.0.1")))).end.fault
        assert "canary" not in repr(fault)
        assert fault.detail.startswith("Incorrect API key provided")

    async def test_the_manuscript_is_not_echoed(self, server, model, reply, ask):
        """A refusal that quotes the passage is shown without its detail."""
        passage = "林黛玉抛父进京都，荣国府收养外孙女，且说雨村忙回头看时不是别人。"
        body = json.dumps({"error": {"message": f"bad input: {passage}"}}, ensure_ascii=False).encode()
        server.reply = reply([body], 400, {})
        assert (await ask(model(server.url), passage)).end.fault.detail == ""

    def test_unseen(self, model):
        """Neither the model nor its request shows a key."""
        made = model("http://127.0.0.1:1", {"KEY": self.KEY}, key=self.ref("127.0.0.1"))
        out = made._prepared(__import__("inkwright.providers.wires", fromlist=["wire"]).wire("openai"), ASK)
        assert self.KEY in out.headers["authorization"]
        assert self.KEY not in f"{made!r} {made.__dict__!r} {out!r}"


async def test_every_fault_has_a_sentence(server, model, ask, reply):
    """The parameters that a model's faults carry fill every sentence, in both languages."""
    server.reply = reply([b"{}"], 429, {"retry-after": "3"})
    fault = (await ask(model(server.url))).end.fault
    given = {**dict.fromkeys(("seconds", "status", "target", "name"), 1), **fault.params}
    for locale in ("zh", "en"):
        sentences = tomllib.loads(
            (files("inkwright") / "locales" / locale / "models.toml").read_text("utf-8")
        )
        for code in sorted(CODES):
            assert "{" not in sentences[code].format(**given), code


async def test_request_ids_and_usage(server, model, reply, ask, hello):
    """The server's id for the request is kept for the journal."""
    server.reply = reply([hello], headers={"x-request-id": "req-7"})
    end = (await ask(model(server.url))).end
    assert isinstance(end, Finished)
    assert end.provider_request_id == "req-7"

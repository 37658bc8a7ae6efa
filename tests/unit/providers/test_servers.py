"""What servers do to a request instead of answering it, on every wire."""

from __future__ import annotations

import asyncio
import gzip
import json
import socket
import time
from functools import partial

import pytest

from inkwright.domain.conversation import Message, ModelRequest
from inkwright.domain.model import KeyRef
from inkwright.domain.run import Clocks
from inkwright.i18n import render
from inkwright.secrets.secret import MASK

KEY_HEADERS = {"openai": "authorization", "anthropic": "x-api-key", "gemini": "x-goog-api-key"}
ASK = ModelRequest((Message("user", "hello"),))


def clocks(**changed: float) -> Clocks:
    return Clocks(**{"connect": 10**6, "bytes": 10**6, "first_payload": 10**6, "payload": 10**6, **changed})


@pytest.fixture
def model(model, speaker):
    """Models that speak each wire in turn."""
    return partial(model, wire=speaker.wire)


@pytest.fixture
def hello(speaker):
    return speaker.body(speaker.text("Hello"))


@pytest.fixture
def begun(speaker):
    return speaker.body(speaker.text("Hello"), end=None)


class TestCancel:
    """Cancel closes the connection, wherever the request is."""

    @pytest.mark.parametrize("then", ["hang", "keepalive"])
    async def test_in_the_stream(self, until, server, model, reply, begun, then):
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
        await until(server.gone.is_set)
        ticks = server.ticks
        for _ in range(20):
            await asyncio.sleep(0)
        assert server.ticks == ticks

    async def test_before_the_headers(self, until, server, model, reply):
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
        await until(server.gone.is_set)

    async def test_by_closing_the_iterator(self, until, server, model, reply, begun):
        """`aclose` is enough."""
        server.reply = reply([begun], then="hang")
        events = model(server.url).stream(ASK)
        await anext(events)
        await events.aclose()
        await until(server.gone.is_set)

    async def test_one_of_two(self, until, server, model, reply, begun):
        """Closing one stream leaves the other of the same model alone."""
        server.reply = reply([begun], then="hang")
        both = model(server.url)
        first, second = both.stream(ASK), both.stream(ASK)
        await anext(first)
        await anext(second)
        await first.aclose()
        await until(server.gone.is_set)
        waiting = asyncio.ensure_future(anext(second))
        await asyncio.sleep(0)
        assert not waiting.done()
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)


class TestClocks:
    """Each silence has its own limit; running out closes the connection and keeps the text."""

    async def timed_out(self, until, server, outcome, code, text=""):
        assert outcome.end.fault.code == code
        assert (outcome.end.fault.kind, outcome.end.fault.retryable) == ("timeout", True)
        assert outcome.text == text
        await until(server.gone.is_set)

    async def test_bytes(self, server, model, reply, ask, outlast, until, begun):
        """No byte at all."""
        server.reply = reply([begun], then="hang")
        outcome = await outlast(ask(model(server.url, clocks=clocks(bytes=3000))))
        await self.timed_out(until, server, outcome, "model_timeout_bytes", "Hello")

    async def test_no_headers(self, server, model, reply, ask, outlast, until):
        """A server that takes the request and never answers."""
        server.reply = reply(raw=b"", then="hang")
        outcome = await outlast(ask(model(server.url, clocks=clocks(bytes=3000))))
        await self.timed_out(until, server, outcome, "model_timeout_bytes")

    async def test_first_payload(self, server, model, reply, ask, outlast, until):
        """Comments keep the connection alive and are no answer."""
        server.reply = reply(then="keepalive")
        outcome = await outlast(ask(model(server.url, clocks=clocks(first_payload=3000))))
        await self.timed_out(until, server, outcome, "model_timeout_first_payload")

    async def test_between_payloads(self, server, model, reply, ask, outlast, until, begun):
        """Comments after the first words are no answer either."""
        server.reply = reply([begun], then="keepalive")
        outcome = await outlast(ask(model(server.url, clocks=clocks(payload=3000))))
        await self.timed_out(until, server, outcome, "model_timeout_payload", "Hello")

    async def test_one_byte_now_and_then(self, server, model, reply, ask, outlast, until, begun):
        """A body that drips, never completing a line, is stopped by the payload clock."""
        server.reply = reply([begun], then="drip")
        outcome = await outlast(ask(model(server.url, clocks=clocks(payload=3000))))
        await self.timed_out(until, server, outcome, "model_timeout_payload", "Hello")

    async def test_total(self, server, model, reply, ask, speaker, time_flies):
        """A stream that never tires is ended by the total."""
        server.reply = reply([speaker.text("a")] * 10_000, pause=0.01)
        asked = asyncio.ensure_future(ask(model(server.url, clocks=clocks(total=3000))))
        await server.asked.wait()
        await time_flies(asked.done)
        outcome = await asked
        assert outcome.end.fault.code == "model_timeout_total"
        assert set(outcome.text) == {"a"}

    async def test_a_busy_reader_is_no_silence(self, server, model, reply, streams, speaker, time_flies):
        """Time that the consumer takes does not count as the server's."""
        server.reply = reply(
            [speaker.begin(), *[speaker.text("a") + speaker.text("b")] * 2, speaker.end("stop")]
        )
        events = []
        async for event in model(server.url, clocks=clocks(bytes=300, payload=300)).stream(ASK):
            events.append(event)
            turns = iter(range(25))
            await time_flies(lambda turns=turns: next(turns, None) is None)
        assert streams.outcome(events).end.finish == "stop"

    async def test_a_finished_answer_needs_no_done(
        self, server, model, reply, ask, outlast, speaker, monkeypatch
    ):
        """A server that says why it stopped and then hangs has answered."""
        monkeypatch.setattr("inkwright.providers.watch.GRACE", 3000)
        server.reply = reply([speaker.body(speaker.text("Hi"), end="stop")], then="hang")
        outcome = await outlast(ask(model(server.url, clocks=clocks(bytes=6000))))
        assert (outcome.text, outcome.end.finish, outcome.end.fault) == ("Hi", "stop", None)

    async def test_an_error_page_that_never_ends(self, server, model, reply, ask, outlast, monkeypatch):
        """A refusal is told from what came, without waiting for the rest."""
        monkeypatch.setattr("inkwright.providers.transport.ERROR_BODY_SECONDS", 3000)
        server.reply = reply([b'{"error":{"message":"Insufficient Balance"}}'], 402, {}, "hang")
        outcome = await outlast(ask(model(server.url, clocks=clocks())))
        assert outcome.end.fault.kind == "balance"


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

    async def test_a_proxy_is_used_elsewhere(self, server, model, reply, ask, hello, speaker, monkeypatch):
        """Another host is reached through the proxy, which gets the whole address."""
        monkeypatch.delenv("NO_PROXY", raising=False)
        monkeypatch.setenv("HTTP_PROXY", f"http://127.0.0.1:{server.port}")
        monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{server.port}")
        server.reply = reply([hello])
        assert (await ask(model("http://model.invalid/v1"))).text == "Hello"
        path = {
            "openai": "/v1/chat/completions",
            "anthropic": "/v1/messages",
            "gemini": "/v1/models/demo:streamGenerateContent?alt=sse",
        }[speaker.wire]
        assert server.requests[0].line == f"POST http://model.invalid{path} HTTP/1.1"

    async def test_no_proxy_reads_a_key(self, server, model, reply, ask, hello, monkeypatch):
        """A key that goes over plain http, to a host of one's own, passes no proxy: it would be readable there."""
        monkeypatch.delenv("NO_PROXY", raising=False)
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
            monkeypatch.setenv(name, f"http://127.0.0.1:{server.port}")
        server.reply = reply([hello])
        key = KeyRef("env:KEY", ("http://studio.internal:8000",))
        outcome = await ask(model("http://studio.internal:8000/v1", {"KEY": "canary-0123456789"}, key=key))
        assert outcome.end.fault.kind in ("connection", "timeout")
        assert server.requests == []

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
            f"http://127.0.0.1:{server.port}/elsewhere",
        )
        assert len(server.requests) == 1

    @pytest.mark.parametrize(
        ("location", "code", "target"),
        [
            ("/v2/chat?token=canary0123#x", "model_redirect", "http://127.0.0.1:{port}/v2/chat"),
            ("//elsewhere.invalid/v1", "model_redirect", "http://elsewhere.invalid/v1"),
            ("https://u:canary@elsewhere.invalid/v1?q", "model_redirect", "https://elsewhere.invalid/v1"),
            (
                "/v1/sk-canary0123456789abcdef0123456789",
                "model_redirect",
                "http://127.0.0.1:{port}/v1/" + MASK,
            ),
            ("http://[::1", "model_redirect_nowhere", ""),
            (" ", "model_redirect_nowhere", ""),
            (None, "model_redirect_nowhere", ""),
        ],
    )
    async def test_where_a_redirect_leads_is_named(self, server, model, reply, ask, location, code, target):
        """Relative to the endpoint too, without a query, a user or a key; one that leads nowhere is called that."""
        server.reply = reply((), 307, {} if location is None else {"location": location})
        fault = (await ask(model(server.url))).end.fault
        assert fault.code == code
        assert fault.params["target"] == target.format(port=server.port)
        for locale in ("zh", "en"):
            assert "?" not in render(fault, locale)
            assert "canary" not in render(fault, locale)

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

    async def test_reset_after_the_end(self, server, model, reply, ask, speaker):
        """An answer that has its reason to end is whole."""
        server.reply = reply([speaker.body(speaker.text("Hi"), end="stop")], then="reset", pause=0.05)
        assert (await ask(model(server.url))).end.finish == "stop"

    async def test_gzip(self, server, model, reply, ask, hello):
        """A gateway that compresses unasked."""
        server.reply = reply([gzip.compress(hello)], headers={"content-encoding": "gzip"})
        assert (await ask(model(server.url))).text == "Hello"

    async def test_damaged_gzip(self, server, model, reply, ask, hello):
        """Compression that is none."""
        server.reply = reply([hello], headers={"content-encoding": "gzip"})
        assert (await ask(model(server.url))).end.fault.code == "model_encoding"

    async def test_a_line_of_30_mb(self, server, model, reply, ask, speaker):
        """A very long line is read; its length costs no more than its bytes."""
        size = 30 * 1024 * 1024
        whole = speaker.body(speaker.text("字" * (size // 3)))
        server.reply = reply([whole[n : n + 1_000_000] for n in range(0, len(whole), 1_000_000)])
        outcome = await ask(model(server.url))
        assert (len(outcome.text), outcome.end.finish) == (size // 3, "stop")

    async def test_a_line_without_end(self, server, model, reply, ask, monkeypatch):
        """A line past the limit ends the request."""
        monkeypatch.setattr("inkwright.providers.sse.MAX_LINE", 100_000)
        server.reply = reply([b"data: " + b"x" * 50_000] + [b"x" * 50_000] * 100, then="hang")
        assert (await ask(model(server.url))).end.fault.code == "model_line_too_long"

    async def test_an_answer_without_end(self, until, server, model, reply, ask, speaker, monkeypatch):
        """Calls that grow for ever are left behind; the text so far is kept, nothing of the call is."""
        monkeypatch.setattr("inkwright.providers.reading.MAX_BODY", 20_000)
        call = json.dumps({"x": "y" * 10_000})
        endless = [speaker.text("Hello"), *(speaker.call(n, f"a{n}", "f", call) for n in (1, 2, 3))]
        server.reply = reply([speaker.body(*endless, end=None)], then="keepalive")
        outcome = await ask(model(server.url))
        assert (outcome.text, outcome.end.finish, outcome.end.tool_calls) == ("Hello", "error", ())
        assert (outcome.end.fault.code, outcome.end.fault.kind) == ("model_too_long", "malformed")
        await server.gone.wait()
        await until(server.gone.is_set)

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

    async def test_ten_thousand_tiny_pieces(self, server, model, reply, ask, speaker):
        """An answer of one character an event, each in a piece of its own."""
        events = [speaker.begin(), *[speaker.text("字")] * 10_000, speaker.end("stop")]
        server.reply = reply(events)
        outcome = await ask(model(server.url))
        assert (outcome.text, outcome.end.finish) == ("字" * 10_000, "stop")

    @pytest.mark.parametrize("hours", [-48, 48])
    async def test_the_wall_clock_jumps(self, server, model, reply, ask, hello, monkeypatch, hours):
        """Limits run on a clock that nobody sets."""
        jumped = time.time() + hours * 3600
        monkeypatch.setattr(time, "time", lambda: jumped)
        server.reply = reply([hello[n : n + 20] for n in range(0, len(hello), 20)])
        assert (await ask(model(server.url))).text == "Hello"

    async def test_a_date_by_the_servers_clock(self, server, model, reply, ask, speaker):
        """A server whose clock is years off still says how long to wait."""
        dates = {"date": "Tue, 01 Jan 2030 10:00:00 GMT", "retry-after": "Tue, 01 Jan 2030 10:00:09 GMT"}
        server.reply = reply([], 429, dates)
        assert (await ask(model(server.url))).end.fault.retry_after == 9

    @pytest.mark.parametrize(
        "body",
        [
            b'{"error":{"code":"model_not_found","message":"The model `demo` does not exist"}}',
            b'{"type":"error","error":{"type":"not_found_error","message":"model: demo"},"request_id":"r"}',
            b'{"error":{"code":404,"message":"models/demo is not found","status":"NOT_FOUND"}}',
        ],
    )
    async def test_a_model_that_does_not_exist(self, server, model, reply, ask, body):
        """In each vendor's words: the fault names the model, and a second try is no use."""
        server.reply = reply([body], 404, {})
        fault = (await ask(model(server.url))).end.fault
        assert (fault.code, fault.kind, fault.retryable) == ("model_not_found", "bad_request", False)
        assert fault.params["model"] == "demo"


class TestKeys:
    """A key travels in the wire's own header, to its own host, and nowhere else."""

    async def test_header(self, server, model, reply, ask, hello, speaker):
        """And in no other header, nor in the address or the body."""
        server.reply = reply([hello])
        key = "canary-0123456789"
        await ask(model(server.url, {"KEY": key}, key=KeyRef("env:KEY", ("127.0.0.1",))))
        sent = server.requests[0]
        found = {name for name, value in sent.headers.items() if key in value}
        assert found == {KEY_HEADERS[speaker.wire]}
        assert key not in sent.line
        assert key.encode() not in sent.body

    @pytest.mark.parametrize("value", ["a\nb", "a b", "密钥"])
    async def test_a_key_that_no_header_takes(self, server, model, ask, value):
        """Nothing is sent."""
        end = (await ask(model(server.url, {"KEY": value}, key=KeyRef("env:KEY", ("127.0.0.1",))))).end
        assert (end.fault.code, end.fault.kind) == ("key_malformed", "auth")
        assert server.requests == []

    async def test_another_host(self, server, model, ask):
        """Nothing is sent."""
        end = (await ask(model(server.url, {"KEY": "k1234567"}, key=KeyRef("env:KEY", ("example.com",))))).end
        assert end.fault.code == "key_other_host"
        assert server.requests == []

    async def test_request_ids(self, server, model, reply, ask, hello):
        """Whatever the header is called."""
        server.reply = reply([hello], headers={"request-id": "req_7"})
        assert (await ask(model(server.url))).end.provider_request_id == "req_7"

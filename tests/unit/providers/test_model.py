"""A model over a real connection: clocks, cancel, proxies, keys, and every way a server fails."""

from __future__ import annotations

import json
import re
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


SLOW = Clocks(connect=10**6, bytes=10**6, first_payload=10**6, payload=3000)


@pytest.fixture
def hello(streams):
    return streams.sse(streams.delta(content="Hello"), streams.delta("stop"))


@pytest.fixture
def begun(streams):
    return streams.sse(streams.delta(content="Hello"), done=False)


async def test_every_case_over_http(case, server, model, reply, ask, outlast, as_expected):
    """Status, headers, pieces and ending as recorded give the recorded outcome."""
    server.reply = reply(case.chunks, case.http["status"], case.http["headers"], case.http["then"])
    asked = ask(model(server.url, clocks=SLOW, wire=case.wire))
    outcome = await (asked if case.http["then"] in ("close", "reset") else outlast(asked))
    as_expected(outcome, case.expect)


async def test_text_arrives_before_the_end(server, model, reply, begun):
    """An event is handed on while the server still holds the connection."""
    server.reply = reply([begun], then="hang")
    async with aclosing(model(server.url).stream(ASK)) as events:
        assert await anext(events) == Text("Hello")
        assert not server.gone.is_set()


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

    @pytest.mark.parametrize("written", [str, repr, json.dumps, lambda text: " ".join(text.split())])
    async def test_lines_of_the_manuscript_are_not_echoed(self, server, model, reply, ask, written):
        """Nor one of short lines, however the server writes them down."""
        passage = "“走吧。”她说。\n雨停了。\n\n“去哪儿？”他问。\n渡口。"
        body = json.dumps({"error": {"message": f"bad input: {written(passage)}"}}).encode()
        server.reply = reply([body], 400, {})
        assert (await ask(model(server.url), passage)).end.fault.detail == ""

    async def test_a_sentence_of_the_servers_own_is_shown(self, server, model, reply, ask):
        """Few words in common are no echo."""
        server.reply = reply([b'{"error": {"message": "max_tokens must be at least 1"}}'], 400, {})
        fault = (await ask(model(server.url), "at least 1 lamp burnt")).end.fault
        assert fault.detail == "max_tokens must be at least 1"

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

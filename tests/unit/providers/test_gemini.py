"""The Gemini wire, beyond what the recordings hold."""

from __future__ import annotations

import json

import pytest

from inkwright.domain.conversation import Message, ModelRequest, ToolSpec, Usage
from inkwright.domain.model import ModelProfile
from inkwright.providers.catalog import providers
from inkwright.providers.gemini_generate import encode

GEMINI = next(row for row in providers() if row.id == "gemini")
HELLO = ModelRequest((Message("user", "hi"),))


def profile(**fields) -> ModelProfile:
    return ModelProfile(**{"id": "m", "endpoint": "http://h", "model": "demo", "wire": "gemini", **fields})


def body(request: ModelRequest = HELLO, **fields) -> dict:
    return json.loads(encode.body(profile(**fields), request))


def chunk(*parts, reason=None, **more):
    candidate = {"content": {"role": "model", "parts": list(parts)}}
    return {"candidates": [{**candidate, "finishReason": reason} if reason else candidate], **more}


@pytest.fixture
def read(streams):
    """Chunks into an outcome."""

    def run(*chunks, **more):
        return streams.read(streams.sse(*chunks, done=False), wire="gemini", **more)

    return run


class TestRequests:
    """What is sent."""

    @pytest.mark.parametrize(
        ("endpoint", "model", "url"),
        [
            ("https://h/v1beta", "g", "https://h/v1beta/models/g:streamGenerateContent?alt=sse"),
            ("https://h/v1beta/", "g", "https://h/v1beta/models/g:streamGenerateContent?alt=sse"),
            ("https://h/v1beta/models", "g", "https://h/v1beta/models/g:streamGenerateContent?alt=sse"),
            ("https://h/v1beta/models/g", "g", "https://h/v1beta/models/g:streamGenerateContent?alt=sse"),
            (
                "https://h/v1beta/models/other:streamGenerateContent?alt=sse",
                "g",
                "https://h/v1beta/models/other:streamGenerateContent?alt=sse",
            ),
            (
                "https://h/models/g:streamGenerateContent",
                "g",
                "https://h/models/g:streamGenerateContent?alt=sse",
            ),
            ("https://h?x=1", "g", "https://h/models/g:streamGenerateContent?x=1&alt=sse"),
            ("https://h", "models/g", "https://h/models/g:streamGenerateContent?alt=sse"),
            ("https://h", "a b?c#d", "https://h/models/a%20b%3Fc%23d:streamGenerateContent?alt=sse"),
        ],
    )
    def test_url(self, endpoint, model, url):
        """As typed, with the model and the operation."""
        assert encode.url(profile(endpoint=endpoint, model=model)) == url

    def test_plain(self):
        """Neither model nor stream stand in the body."""
        assert body() == {"contents": [{"role": "user", "parts": [{"text": "hi"}]}]}

    def test_system_limit_and_tools(self):
        """Each in its place; a tool without parameters has no schema."""
        tools = (ToolSpec("f", "d", {"type": "object", "properties": {"x": {}}}), ToolSpec("g", "e", {}))
        request = ModelRequest((Message("system", "s"), *HELLO.messages), tools, max_output=900)
        out = body(request, max_output=500)
        assert out["systemInstruction"] == {"parts": [{"text": "s"}]}
        assert out["generationConfig"] == {"maxOutputTokens": 500}
        assert out["tools"] == [
            {
                "functionDeclarations": [
                    {
                        "name": "f",
                        "description": "d",
                        "parametersJsonSchema": {"type": "object", "properties": {"x": {}}},
                    },
                    {"name": "g", "description": "e"},
                ]
            }
        ]

    @pytest.mark.parametrize(
        ("model", "effort", "config"),
        [
            ("gemini-3.8-flash", "off", {"thinkingLevel": "low", "includeThoughts": True}),
            ("gemini-3.8-flash", "max", {"thinkingLevel": "high", "includeThoughts": True}),
            ("gemini-2.5-flash", "off", {"thinkingBudget": 0}),
            ("gemini-2.5-flash-lite", "high", {"thinkingBudget": 24_576, "includeThoughts": True}),
            ("gemini-2.5-pro", "off", {"thinkingBudget": 1_024, "includeThoughts": True}),
            ("gemini-1.5-pro", "high", None),
        ],
    )
    def test_effort(self, model, effort, config):
        """A level or a budget, by generation."""
        row = GEMINI.known(model)
        offered = GEMINI.efforts if model.startswith(GEMINI.efforts_for) else ()
        efforts = offered if row.efforts is None else row.efforts
        request = ModelRequest(HELLO.messages, effort=effort)
        out = body(request, provider=GEMINI, model=model, efforts=efforts)
        assert out.get("generationConfig", {}).get("thinkingConfig") == config


class TestSignatures:
    """Each signature goes back on the very part that had it; a made-up id never does."""

    def sent_back(self, outcome, **changed):
        turn = {"content": outcome.text, "tool_calls": outcome.end.tool_calls, **changed}
        said = Message("assistant", carry=json.loads(json.dumps(outcome.end.carry)), **turn)
        results = [Message("tool", "r", tool_call_id=call.id) for call in outcome.end.tool_calls]
        return body(ModelRequest((*HELLO.messages, said, *results)))["contents"][1:]

    def test_on_its_own_part(self, read):
        """Text, signed text, two calls of which the first is signed and the second has an id."""
        outcome = read(
            chunk({"text": "想", "thought": True}),
            chunk({"text": "一"}),
            chunk({"text": "二", "thoughtSignature": "AAA="}),
            chunk({"text": "三"}),
            chunk({"functionCall": {"name": "f", "args": {}}, "thoughtSignature": "BBB="}),
            chunk({"functionCall": {"name": "f", "args": {"a": 1}, "id": "given"}}),
            chunk({"text": "", "thoughtSignature": "CCC="}, reason="STOP"),
        )
        assert (outcome.text, outcome.reasoning, outcome.end.finish) == ("一二三", "想", "tool_calls")
        model, results = self.sent_back(outcome)
        assert model["parts"] == [
            {"text": "一二", "thoughtSignature": "AAA="},
            {"text": "三"},
            {"functionCall": {"name": "f", "args": {}}, "thoughtSignature": "BBB="},
            {"functionCall": {"id": "given", "name": "f", "args": {"a": 1}}},
            {"text": "", "thoughtSignature": "CCC="},
        ]
        assert results == {
            "role": "user",
            "parts": [
                {"functionResponse": {"name": "f", "response": {"result": "r"}}},
                {"functionResponse": {"id": "given", "name": "f", "response": {"result": "r"}}},
            ],
        }

    def test_a_turn_that_was_shortened(self, read):
        """Keeps the signatures of its calls."""
        outcome = read(
            chunk({"text": "一二"}),
            chunk({"functionCall": {"name": "f"}, "thoughtSignature": "BBB="}, reason="STOP"),
        )
        assert self.sent_back(outcome, content="一")[0]["parts"] == [
            {"text": "一"},
            {"functionCall": {"name": "f", "args": {}}, "thoughtSignature": "BBB="},
        ]

    def test_a_signed_thought(self, read):
        """Goes back as the thought it is."""
        outcome = read(chunk({"text": "t", "thought": True, "thoughtSignature": "D="}, reason="STOP"))
        assert self.sent_back(outcome)[0]["parts"] == [
            {"text": "t", "thought": True, "thoughtSignature": "D="}
        ]

    def test_nothing_opaque(self, read):
        """Nothing to carry."""
        assert read(chunk({"text": "a"}, reason="STOP")).end.carry is None


class TestEnds:
    """How an answer ends."""

    @pytest.mark.parametrize(
        ("reason", "finish", "kind", "retryable"),
        [
            ("STOP", "stop", None, None),
            ("SOMETHING_NEW", "stop", None, None),
            ("MAX_TOKENS", "length", None, None),
            ("SAFETY", "content_filter", "content_filter", False),
            ("RECITATION", "content_filter", "content_filter", False),
            ("BLOCKLIST", "content_filter", "content_filter", False),
            ("PROHIBITED_CONTENT", "content_filter", "content_filter", False),
            ("SPII", "content_filter", "content_filter", False),
            ("MALFORMED_FUNCTION_CALL", "error", "malformed", True),
            ("UNEXPECTED_TOOL_CALL", "error", "malformed", True),
            ("OTHER", "error", "server", True),
        ],
    )
    def test_reasons(self, read, reason, finish, kind, retryable):
        """Each of them; the text so far is kept."""
        outcome = read(chunk({"text": "a"}), chunk(reason=reason))
        assert (outcome.text, outcome.end.finish) == ("a", finish)
        fault = outcome.end.fault
        assert (fault and fault.kind, fault and fault.retryable) == (kind, retryable)

    def test_an_early_stop(self, read):
        """Ends nothing: what follows is part of the answer, and a later reason counts."""
        outcome = read(chunk({"text": "a"}, reason="STOP"), chunk({"text": "b"}, reason="MAX_TOKENS"))
        assert (outcome.text, outcome.end.finish) == ("ab", "length")

    def test_no_reason(self, read):
        """Is a broken connection."""
        outcome = read(chunk({"text": "a"}), chunk({"functionCall": {"name": "f"}}))
        assert (outcome.end.finish, outcome.end.fault.code) == ("error", "model_cut_off")
        assert outcome.end.tool_calls == ()

    def test_errors(self, read):
        """In the stream, by code and status."""
        error = {"error": {"code": 503, "status": "UNAVAILABLE", "message": "The model is overloaded."}}
        outcome = read(chunk({"text": "a"}), error, chunk({"text": "b"}, reason="STOP"))
        assert (outcome.text, outcome.end.fault.kind) == ("a", "overloaded")

    def test_an_array_that_was_cut(self, streams):
        """Keeps the text of the elements that were whole, and streams them."""
        whole = json.dumps([chunk({"text": "a"}), chunk({"text": "b"}, reason="STOP")]).encode()
        outcome = streams.read(whole[:-30], wire="gemini")
        assert (outcome.text, outcome.end.fault.kind) == ("a", "connection")
        assert streams.read(whole, wire="gemini").end.finish == "stop"

    def test_a_whole_response(self, streams):
        """JSON although a stream was asked for."""
        outcome = streams.read(json.dumps(chunk({"text": "a"}, reason="STOP")).encode(), wire="gemini")
        assert (outcome.text, outcome.end.finish) == ("a", "stop")

    def test_another_wire(self, streams):
        """A server that speaks chat completions is told apart."""
        outcome = streams.read(streams.sse(streams.delta("stop", content="a"), done=False), wire="gemini")
        assert outcome.end.fault.code == "model_not_chat"


def test_usage(read):
    """Cumulative: the last of each counts; thoughts are output, the cache is part of the input."""
    end = read(
        chunk({"text": "a"}, usageMetadata={"promptTokenCount": 9, "candidatesTokenCount": 1}),
        chunk(
            reason="STOP",
            usageMetadata={
                "promptTokenCount": 9,
                "candidatesTokenCount": 4,
                "thoughtsTokenCount": 3,
                "cachedContentTokenCount": 2,
            },
        ),
    ).end
    assert end.usage == Usage(9, 7, cache_read=2, reasoning=3)

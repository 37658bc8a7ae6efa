"""The Messages wire, beyond what the recordings hold."""

from __future__ import annotations

import json
from functools import partial

import pytest

from inkwright.domain.conversation import Message, ModelRequest, ToolCall, ToolSpec, Usage
from inkwright.domain.model import ModelProfile
from inkwright.providers.anthropic_messages import encode
from inkwright.providers.catalog import providers

ANTHROPIC = next(row for row in providers() if row.id == "anthropic")
HELLO = ModelRequest((Message("user", "hi"),))


def profile(**fields) -> ModelProfile:
    return ModelProfile(**{"id": "m", "endpoint": "http://h", "model": "demo", "wire": "anthropic", **fields})


def body(request: ModelRequest = HELLO, **fields) -> dict:
    return json.loads(encode.body(profile(**fields), request))


def known(model: str, **fields) -> dict:
    row = ANTHROPIC.known(model)
    efforts = ANTHROPIC.efforts if row.efforts is None else row.efforts
    return {
        "provider": ANTHROPIC,
        "model": model,
        "efforts": efforts,
        "max_output": row.max_output,
        **fields,
    }


@pytest.fixture
def read(streams):
    """Events into an outcome."""

    def run(*events, **more):
        lines = [f"event: {e['type']}\ndata: {json.dumps(e)}\n\n" for e in events]
        return streams.read("".join(lines).encode(), wire="anthropic", **more)

    return run


def start(index, **block):
    return {"type": "content_block_start", "index": index, "content_block": block}


def delta(index, **delta):
    return {"type": "content_block_delta", "index": index, "delta": delta}


def stop(index):
    return {"type": "content_block_stop", "index": index}


def message(reason=None, **usage):
    return {"type": "message_delta", "delta": {"stop_reason": reason}, "usage": usage}


BEGIN = {"type": "message_start", "message": {"usage": {"input_tokens": 3, "output_tokens": 1}}}
END = {"type": "message_stop"}
text = partial(delta, 0, type="text_delta")


class TestRequests:
    """What is sent."""

    @pytest.mark.parametrize(
        ("endpoint", "url"),
        [
            ("https://api.anthropic.com", "https://api.anthropic.com/v1/messages"),
            ("https://api.anthropic.com/", "https://api.anthropic.com/v1/messages"),
            ("https://api.anthropic.com/v1", "https://api.anthropic.com/v1/messages"),
            ("https://api.anthropic.com/v1/messages", "https://api.anthropic.com/v1/messages"),
            ("https://h/anthropic", "https://h/anthropic/v1/messages"),
            ("https://h/v1/messages?beta=true", "https://h/v1/messages?beta=true"),
            ("http://[::1]:8080", "http://[::1]:8080/v1/messages"),
        ],
    )
    def test_url(self, endpoint, url):
        """As typed, with the operation."""
        assert encode.url(profile(endpoint=endpoint)) == url

    def test_plain(self):
        """A limit is always named; the version stands in a header."""
        assert body() == {
            "model": "demo",
            "max_tokens": 8192,
            "messages": [{"role": "user", "content": "hi"}],
            "stream": True,
        }
        assert encode.headers(profile(), None) == {"anthropic-version": "2023-06-01"}

    @pytest.mark.parametrize(
        ("asked", "most", "limit"), [(None, 0, 8192), (None, 500, 500), (900, 500, 500), (100, 500, 100)]
    )
    def test_limit(self, asked, most, limit):
        """The request's, within the model's own."""
        assert body(ModelRequest(HELLO.messages, max_output=asked), max_output=most)["max_tokens"] == limit

    def test_the_prefix_is_cached_where_it_comes_again(self):
        """With tools the system prompt and all so far are marked; a single shot pays for no cache."""
        messages = (Message("system", "s"), Message("user", "hi"))
        mark = {"cache_control": {"type": "ephemeral"}}
        tooled = body(ModelRequest(messages, (ToolSpec("f", "d", {}),)))
        assert tooled["system"] == [{"type": "text", "text": "s", **mark}]
        assert tooled["messages"][-1]["content"][-1] == {"type": "text", "text": "hi", **mark}
        assert tooled["tools"] == [{"name": "f", "description": "d", "input_schema": {"type": "object"}}]
        assert "cache_control" not in json.dumps(body(ModelRequest(messages)))

    def test_ids_that_the_wire_does_not_take(self):
        """Ids of another wire get stand-ins, the same for a call and its result, never one for two."""
        calls = (ToolCall("functions.f:0", "f", {}), ToolCall("functions_f_0", "f", {}))
        results = [Message("tool", "r", tool_call_id=call.id) for call in calls]
        turns = body(ModelRequest((*HELLO.messages, Message("assistant", "", calls), *results)))["messages"]
        ids = [block["id"] for block in turns[1]["content"]]
        assert ids == [block["tool_use_id"] for block in turns[2]["content"]]
        assert len(set(ids)) == 2
        assert all(id_.replace("_", "").isalnum() for id_ in ids)

    @pytest.mark.parametrize(
        ("model", "effort", "fields"),
        [
            ("claude-opus-5-5", "off", {"thinking": "adaptive", "effort": "low"}),
            ("claude-opus-5-5", "max", {"thinking": "adaptive", "effort": "max"}),
            ("claude-sonnet-5-5", "off", {"thinking": "between_tools"}),
            ("claude-sonnet-5-5", "high", {"thinking": "adaptive", "effort": "high"}),
            ("claude-opus-5", "off", {"thinking": "disabled"}),
            ("claude-sonnet-4-6", "off", {}),
            ("claude-sonnet-4-6", "medium", {"thinking": "adaptive", "effort": "medium"}),
            ("claude-sonnet-4-5-20250929", "high", {"thinking": "enabled", "budget": 16_384}),
            ("claude-sonnet-4-5", "off", {}),
            ("claude-3-5-haiku-latest", "high", {}),
        ],
    )
    def test_effort(self, model, effort, fields):
        """In the words of the model's generation."""
        out = body(ModelRequest(HELLO.messages, effort=effort), **known(model))
        thinking = out.get("thinking", {})
        found = {
            "thinking": thinking.get("type"),
            "effort": out.get("output_config", {}).get("effort"),
            "budget": thinking.get("budget_tokens"),
        }
        assert {key: value for key, value in found.items() if value is not None} == fields
        assert thinking.get("budget_tokens", 0) < out["max_tokens"]

    def test_a_budget_stays_below_the_limit(self):
        """And is left out where the least one does not fit."""
        few = ModelRequest(HELLO.messages, effort="high", max_output=2000)
        assert body(few, **known("claude-sonnet-4-5"))["thinking"]["budget_tokens"] == 1999
        fewer = ModelRequest(HELLO.messages, effort="high", max_output=1000)
        assert "thinking" not in body(fewer, **known("claude-sonnet-4-5"))

    def test_deepseek(self):
        """Which speaks this wire too."""
        row = next(p for p in providers() if p.id == "deepseek")
        out = body(ModelRequest(HELLO.messages, effort="max"), provider=row, efforts=row.efforts)
        assert (out["thinking"], out["output_config"]) == ({"type": "enabled"}, {"effort": "max"})


class TestThinking:
    """Thinking goes back unchanged, in its own place."""

    EVENTS = (
        BEGIN,
        start(0, type="thinking", thinking="", signature=""),
        delta(0, type="thinking_delta", thinking="想"),
        delta(0, type="signature_delta", signature="c2"),
        delta(0, type="signature_delta", signature="ln"),
        stop(0),
        start(1, type="redacted_thinking", data="b3Bh"),
        stop(1),
        start(2, type="text", text=""),
        delta(2, type="text_delta", text="我查。"),
        stop(2),
        start(3, type="tool_use", id="t1", name="f", input={}),
        stop(3),
        start(4, type="thinking", thinking="", signature="c2ln"),
        stop(4),
        start(5, type="tool_use", id="t2", name="g", input={}),
        delta(5, type="input_json_delta", partial_json='{"a":1}'),
        stop(5),
        message("tool_use", output_tokens=9),
        END,
    )
    LAYOUT = (
        {"type": "thinking", "thinking": "想", "signature": "c2ln"},
        {"type": "redacted_thinking", "data": "b3Bh"},
        {"type": "text", "text": "我查。"},
        {"type": "tool_use", "id": "t1", "name": "f", "input": {}},
        {"type": "thinking", "thinking": "", "signature": "c2ln"},
        {"type": "tool_use", "id": "t2", "name": "g", "input": {"a": 1}},
    )

    def sent_back(self, outcome, **changed):
        turn = {"content": outcome.text, "tool_calls": outcome.end.tool_calls, **changed}
        said = Message("assistant", carry=json.loads(json.dumps(outcome.end.carry)), **turn)
        return body(ModelRequest((*HELLO.messages, said)))["messages"][1]["content"]

    def test_the_order_is_kept(self, read):
        """Block by block, also when it went through a database."""
        outcome = read(*self.EVENTS)
        assert outcome.reasoning == "想"
        assert self.sent_back(outcome) == list(self.LAYOUT)

    def test_a_turn_that_was_shortened(self, read):
        """Keeps its thinking before what is left of it."""
        kinds = [block["type"] for block in self.sent_back(read(*self.EVENTS), content="我")]
        assert kinds == ["thinking", "redacted_thinking", "thinking", "text", "tool_use", "tool_use"]

    def test_no_thinking_no_carry(self, read):
        """Nothing opaque, nothing to carry."""
        assert read(BEGIN, text(text="a"), message("end_turn"), END).end.carry is None

    def test_cut_before_its_signature(self, read):
        """Thinking without its signature would be refused: it stays out."""
        cut = read(*self.EVENTS[:6], start(1, type="thinking", thinking="x"), message("max_tokens"), END)
        assert [block.get("signature") for block in cut.end.carry["anthropic"]] == ["c2ln"]

    def test_a_server_without_signatures(self, read):
        """Those that speak this wire and sign nothing want their thinking back all the same."""
        outcome = read(BEGIN, start(0, type="thinking", thinking="t"), message("end_turn"), END)
        assert outcome.end.carry == {"anthropic": [{"type": "thinking", "thinking": "t"}]}


class TestEnds:
    """How an answer ends."""

    @pytest.mark.parametrize(
        ("reason", "finish", "code"),
        [
            ("end_turn", "stop", None),
            ("stop_sequence", "stop", None),
            ("something_new", "stop", None),
            ("max_tokens", "length", None),
            ("model_context_window_exceeded", "length", None),
            ("pause_turn", "length", None),
            ("refusal", "content_filter", "model_refused"),
        ],
    )
    def test_reasons(self, read, reason, finish, code):
        """Each of them; a paused turn is no whole answer."""
        outcome = read(BEGIN, text(text="a"), message(reason), END)
        assert (outcome.text, outcome.end.finish) == ("a", finish)
        assert (outcome.end.fault and outcome.end.fault.code) == code

    def test_message_stop_alone(self, read):
        """Is a normal end, and nothing after it counts."""
        outcome = read(BEGIN, text(text="a"), END, text(text="b"))
        assert (outcome.text, outcome.end.finish) == ("a", "stop")

    def test_without_an_end(self, read):
        """Is a broken connection; a call is not reported."""
        outcome = read(BEGIN, text(text="a"), start(1, type="tool_use", id="t", name="f", input={}), stop(1))
        assert (outcome.end.finish, outcome.end.fault.code) == ("error", "model_cut_off")
        assert outcome.end.tool_calls == ()

    @pytest.mark.parametrize(
        ("kind", "expected"),
        [
            ("overloaded_error", "overloaded"),
            ("rate_limit_error", "rate_limit"),
            ("api_error", "server"),
            ("authentication_error", "auth"),
            ("permission_error", "auth"),
            ("billing_error", "balance"),
            ("invalid_request_error", "bad_request"),
            ("not_found_error", "bad_request"),
            ("request_too_large", "bad_request"),
            ("timeout_error", "server"),
            ("something_new", "server"),
        ],
    )
    def test_errors(self, read, kind, expected):
        """By type, under a 200."""
        outcome = read(
            BEGIN, text(text="a"), {"type": "error", "error": {"type": kind, "message": "x"}}, text(text="b")
        )
        assert (outcome.text, outcome.end.fault.kind) == ("a", expected)

    def test_a_whole_message(self, streams):
        """JSON although a stream was asked for."""
        whole = {
            "type": "message",
            "content": [{"type": "text", "text": "a"}, {"type": "tool_use", "id": "t", "name": "f"}],
            "stop_reason": "tool_use",
            "usage": {"input_tokens": 1, "output_tokens": 2},
        }
        outcome = streams.read(json.dumps(whole).encode(), wire="anthropic")
        assert (outcome.text, outcome.end.finish, outcome.end.usage) == ("a", "tool_calls", Usage(1, 2))
        assert outcome.end.tool_calls == (ToolCall("t", "f", {}),)

    def test_another_wire(self, streams):
        """A server that speaks chat completions is told apart, not taken for a broken connection."""
        outcome = streams.read(streams.sse(streams.delta("stop", content="a")), wire="anthropic")
        assert outcome.end.fault.code == "model_not_chat"


class TestCalls:
    """Calls in blocks."""

    def test_cut(self, read):
        """A call that the limit cut is not reported, wherever it was cut."""
        for pieces in ([], ["{"], ['{"a": "x']):
            cuts = [delta(0, type="input_json_delta", partial_json=piece) for piece in pieces]
            end = read(
                BEGIN, start(0, type="tool_use", id="t", name="f", input={}), *cuts, message("max_tokens")
            ).end
            assert (end.finish, end.tool_calls) == ("length", ())

    def test_input_in_the_start(self, read):
        """Some servers send it whole at once."""
        end = read(
            BEGIN, start(0, type="tool_use", id="t", name="f", input={"a": 1}), message("tool_use"), END
        ).end
        assert end.tool_calls[0].arguments == {"a": 1}

    def test_broken_arguments(self, read):
        """Are kept as text and not run."""
        end = read(
            BEGIN,
            start(0, type="tool_use", id="t", name="f", input={}),
            delta(0, type="input_json_delta", partial_json='{"a": nope}'),
            stop(0),
            message("tool_use"),
        ).end
        assert (end.tool_calls[0].arguments, end.tool_calls[0].raw) == (None, '{"a": nope}')


class TestUsage:
    """Counts."""

    def test_caches_are_part_of_the_input(self, read):
        """And are told apart."""
        begin = {
            "type": "message_start",
            "message": {
                "usage": {
                    "input_tokens": 10,
                    "cache_read_input_tokens": 100,
                    "cache_creation_input_tokens": 1000,
                    "output_tokens": 1,
                }
            },
        }
        end = read(begin, text(text="a"), message("end_turn", output_tokens=7), END).end
        assert end.usage == Usage(1110, 7, cache_read=100, cache_write=1000)

    def test_the_last_word_on_the_input(self, read):
        """Some servers know the input only at the end; a nought there takes nothing back."""
        begin = {"type": "message_start", "message": {"usage": {"input_tokens": 0, "output_tokens": 0}}}
        end = read(
            begin, message(input_tokens=12, output_tokens=3), message("end_turn", input_tokens=0), END
        ).end
        assert end.usage == Usage(12, 3)

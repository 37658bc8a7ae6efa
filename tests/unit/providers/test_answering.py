"""Answers that fit a schema, on each wire and from each kind of model, against a real server."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inkwright.domain.conversation import Finished, Message, ModelRequest, Text, ToolSpec
from inkwright.domain.model import COMPATIBLE, ModelProfile
from inkwright.domain.run import Clocks
from inkwright.providers import build
from inkwright.providers.answering import Answering
from inkwright.providers.fitting import found, wrong
from inkwright.secrets import Secrets

SCHEMA = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "minLength": 1},
        "age": {"type": "integer", "minimum": 0},
        "tags": {"type": "array", "items": {"enum": ["a", "b"]}},
    },
    "required": ["name", "age"],
    "additionalProperties": False,
}
GOOD = {"name": "林夏", "age": 17}
CLOCKS = Clocks(connect=60, bytes=60, first_payload=60, payload=60)


@pytest.fixture
async def ask(server) -> AsyncIterator[Callable[..., Any]]:
    made: list[Answering] = []

    async def run(tools: tuple[ToolSpec, ...] = (), **fields: Any) -> tuple[str, Finished]:
        profile = ModelProfile(
            **{"id": "m", "endpoint": server.url, "model": "demo", "clocks": CLOCKS, **fields}
        )
        made.append(Answering(profile, build(profile, Secrets({}))))
        request = ModelRequest((Message("user", "谁？"),), tools, schema=SCHEMA)
        events = [event async for event in made[-1].stream(request)]
        assert isinstance(events[-1], Finished)
        texts = [event.text for event in events if isinstance(event, Text)]
        assert len(texts) <= 1
        return "".join(texts), events[-1]

    yield run
    for each in made:
        await each.close()


def sent(server) -> list[str]:
    return [request.body.decode() for request in server.requests]


@pytest.mark.parametrize("way", ["none", "object", "schema", "tool"])
async def test_whatever_a_model_has_for_it(server, reply, speaker, ask, way):
    """Three wires, four ways: the text is the value, and the reason to end is stop."""
    called = way == "tool" or way == "none"
    piece = json.dumps(GOOD, ensure_ascii=False)
    body = (
        speaker.body(speaker.call(0, "c1", "answer", piece), end="tool_calls")
        if called
        else speaker.body(speaker.text(piece))
    )
    server.reply = reply([body])
    text, end = await ask(wire=speaker.wire, schema=way)
    assert json.loads(text) == GOOD
    assert (end.finish, end.tool_calls) == ("stop", ())
    assert len(server.requests) == 1
    assert "name" in sent(server)[0]


async def test_an_answer_in_prose_is_mended(server, reply, speaker, ask):
    """The model is told what is wrong, at most twice, and all of its tokens are counted."""
    bodies = [
        speaker.body(speaker.text("十七岁的林夏。")),
        speaker.body(speaker.text('```json\n{"name": "林夏", "age": "17"}\n```')),
        speaker.body(speaker.text('好的：{"name": "林夏", "age": 17} 就这样。')),
    ]
    server.script = [reply([body]) for body in bodies]
    text, end = await ask(wire=speaker.wire, schema="object")
    assert json.loads(text) == GOOD
    assert (end.usage.input, end.usage.output) == (30, 15)
    assert "no JSON value" in sent(server)[1]
    assert "$.age: must be integer" in sent(server)[2]


async def test_a_wrong_call_gets_its_result_before_it_is_mended(server, reply, speaker, ask):
    """No call stays without an answer: the next request would be refused for it."""
    bad = speaker.call(0, "c1", "answer", '{"name": "林夏"}')
    good = speaker.call(0, "c2", "answer", json.dumps(GOOD, ensure_ascii=False))
    server.script = [reply([speaker.body(call, end="tool_calls")]) for call in (bad, good)]
    text, _ = await ask(wire=speaker.wire, schema="tool")
    assert json.loads(text) == GOOD
    assert "age is missing" in sent(server)[1]


async def test_after_two_mendings_it_is_an_error(server, reply, speaker, ask):
    """Nothing that does not fit is ever handed on."""
    server.reply = reply([speaker.body(speaker.text('{"name": ""}'))])
    text, end = await ask(wire=speaker.wire, schema="schema")
    assert text == ""
    assert (end.finish, end.fault.code, end.fault.kind) == ("error", "model_answer_unfit", "malformed")
    assert len(server.requests) == 3


async def test_a_cut_answer_is_no_answer(server, reply, speaker, ask):
    """Half a value is not mended: the limit would cut the next one too."""
    server.reply = reply([speaker.body(speaker.text('{"name": "林'), end="length")])
    text, end = await ask(wire=speaker.wire, schema="schema")
    assert (text, end.finish) == ("", "length")
    assert len(server.requests) == 1


async def test_a_server_that_refuses_schemas_is_asked_in_words(server, reply, streams, ask):
    """A 400 for what it does not know costs one request, not the answer."""
    refused = reply([b'{"error": {"message": "unknown field response_format"}}'], 400, {})
    server.script = [refused]
    server.reply = reply([streams.sse(streams.delta(content=json.dumps(GOOD)), streams.delta("stop"))])
    text, _ = await ask(schema="schema", provider=COMPATIBLE)
    assert json.loads(text) == GOOD
    assert "response_format" in sent(server)[0]
    assert "response_format" not in sent(server)[1]


async def test_a_call_of_another_tool_passes(server, reply, speaker, ask):
    """The loop runs it and asks again."""
    tool = ToolSpec("read", "reads", {"type": "object", "properties": {}})
    server.reply = reply([speaker.body(speaker.call(0, "c1", "read", "{}"), end="tool_calls")])
    _, end = await ask((tool,), wire=speaker.wire, schema="tool")
    assert [call.name for call in end.tool_calls] == ["read"]


@pytest.mark.parametrize(
    ("value", "fault"),
    [
        ([], "must be object"),
        ({"age": 1}, "name is missing"),
        ({"name": "x", "age": True}, "must be integer"),
        ({"name": "x", "age": 1.5}, "must be integer"),
        ({"name": "x", "age": -1}, "at least 0"),
        ({"name": "", "age": 1}, "at least 1 characters"),
        ({"name": "x", "age": 1, "more": 2}, "more is not known"),
        ({"name": "x", "age": 1, "tags": ["a", "c"]}, "$.tags[1]"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(value, fault):
    """A model can only mend what it is told."""
    assert fault in "\n".join(wrong(value, SCHEMA))


def test_choices():
    """One of several schemas is enough; a constant is itself, and true is not 1."""
    either = {"anyOf": [{"type": "null"}, {"const": 1}]}
    assert [bool(wrong(value, either)) for value in (None, 1, True, 2)] == [False, False, True, True]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=20,
)


@given(JSON)
def test_a_value_is_found_as_it_was_written(value):
    """By itself and, where it has brackets, between words; checking never fails."""
    written = json.dumps(value, ensure_ascii=False)
    assert found(written) == value
    if isinstance(value, list | dict):
        assert found(f"当然：\n```json\n{written}\n```\n以上。") == value
    assert isinstance(wrong(value, SCHEMA), tuple)

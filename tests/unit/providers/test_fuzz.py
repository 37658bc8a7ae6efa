"""Whatever bytes come, the decoder raises nothing and ends each answer once."""

from __future__ import annotations

import json

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from inkwright.domain.conversation import Message, ModelRequest
from inkwright.domain.model import ModelProfile
from inkwright.providers import wires

PROFILE = ModelProfile("m", "http://h", "demo")
RELAXED = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])

json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(st.characters(), max_size=8)
    | st.sampled_from(
        ["", "stop", "length", "error", "<think>", "</think>", "{}", '{"a":', "[DONE]", "\ud83d"]
    ),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


def keyed(*names: str, values=json_values):
    return st.fixed_dictionaries({}, optional=dict.fromkeys(names, values))


calls = st.lists(
    keyed("index", "id", "name", "arguments")
    | keyed("index", "id", "function", values=keyed("name", "arguments") | json_values)
    | json_values,
    max_size=3,
)
deltas = keyed(
    "content", "reasoning", "reasoning_content", "reasoning_details", "refusal", "role", "function_call"
) | st.fixed_dictionaries({"tool_calls": calls | json_values})
choices = st.lists(
    st.fixed_dictionaries(
        {},
        optional={
            "delta": deltas | json_values,
            "message": deltas | json_values,
            "finish_reason": json_values,
            "usage": json_values,
        },
    )
    | json_values,
    max_size=2,
)
chunks = st.fixed_dictionaries(
    {},
    optional={
        "choices": choices | json_values,
        "usage": json_values,
        "error": json_values,
        "id": json_values,
        "object": json_values,
        "message": json_values,
        "code": json_values,
    },
)
blocks = keyed(
    "type", "text", "thinking", "signature", "data", "id", "name", "input"
) | st.fixed_dictionaries(
    {"type": st.sampled_from(["text", "thinking", "redacted_thinking", "tool_use", "new"])},
    optional={"text": json_values, "id": json_values, "name": json_values, "input": json_values},
)
block_deltas = st.fixed_dictionaries(
    {"type": st.sampled_from(["text_delta", "thinking_delta", "input_json_delta", "signature_delta", "new"])},
    optional=dict.fromkeys(("text", "thinking", "partial_json", "signature"), json_values),
)
indices = st.integers(-1, 2) | json_values
message_events = st.one_of(
    st.fixed_dictionaries(
        {"type": st.just("message_start"), "message": keyed("usage", "content", "id") | json_values}
    ),
    st.fixed_dictionaries(
        {
            "type": st.just("content_block_start"),
            "index": indices,
            "content_block": blocks | json_values,
        }
    ),
    st.fixed_dictionaries(
        {
            "type": st.just("content_block_delta"),
            "index": indices,
            "delta": block_deltas | json_values,
        }
    ),
    st.fixed_dictionaries({"type": st.just("content_block_stop"), "index": indices}),
    st.fixed_dictionaries(
        {
            "type": st.just("message_delta"),
            "delta": st.fixed_dictionaries({"stop_reason": st.sampled_from(["end_turn", "max_tokens", 3])})
            | json_values,
            "usage": keyed("input_tokens", "output_tokens", "cache_read_input_tokens") | json_values,
        }
    ),
    st.just({"type": "message_stop"}),
    st.fixed_dictionaries({"type": st.just("message"), "content": st.lists(blocks, max_size=2)}),
)
parts = st.fixed_dictionaries(
    {},
    optional={
        "text": json_values,
        "thought": st.booleans() | json_values,
        "thoughtSignature": json_values,
        "functionCall": keyed("name", "args", "id") | json_values,
    },
)
candidates = st.fixed_dictionaries(
    {},
    optional={
        "content": st.fixed_dictionaries({"parts": st.lists(parts | json_values, max_size=3) | json_values})
        | json_values,
        "finishReason": st.sampled_from(["STOP", "MAX_TOKENS", "SAFETY", "OTHER"]) | json_values,
    },
)
responses = st.fixed_dictionaries(
    {},
    optional={
        "candidates": st.lists(candidates | json_values, max_size=2) | json_values,
        "usageMetadata": keyed("promptTokenCount", "candidatesTokenCount") | json_values,
        "promptFeedback": keyed("blockReason") | json_values,
        "error": json_values,
    },
)
WIRES = st.sampled_from(["openai", "anthropic", "gemini"])
ENDS = ["\n", "\r", "\r\n", "\n\n", "\r\r", "\r\n\r\n", ""]


@st.composite
def bodies(draw) -> bytes:
    """Something like a stream, in any of the forms that servers use, sometimes damaged."""
    out = []
    for _ in range(draw(st.integers(0, 5))):
        field = draw(
            st.sampled_from(["data: ", "data:", "error: ", ": ", "event: error\ndata: ", "", "id: "])
        )
        value = draw(chunks | message_events | responses | json_values)
        out.append(field + json.dumps(value, ensure_ascii=draw(st.booleans())) + draw(st.sampled_from(ENDS)))
    text = (
        draw(st.sampled_from(["", "\ufeff", "\n"]))
        + "".join(out)
        + draw(st.sampled_from(["", "data: [DONE]\n\n", "x"]))
    )
    data = text.encode("utf-8", "surrogatepass")
    return data[: draw(st.integers(0, len(data)))] if draw(st.booleans()) else data


def cut(data: bytes, places: list[int]) -> list[bytes]:
    at = sorted(place % (len(data) + 1) for place in places)
    return [data[a:b] for a, b in zip([0, *at], [*at, len(data)], strict=True)]


@RELAXED
@given(wire=WIRES, data=st.binary(max_size=300), places=st.lists(st.integers(0), max_size=5))
@example(wire="openai", data=b"data: " + b"[" * 100_000, places=[])
@example(wire="openai", data=b'{"a":' * 50_000, places=[])
@example(wire="openai", data=b"data: " + b"9" * 10_000 + b"\n\n", places=[])
def test_any_bytes(streams, wire, data, places):
    """No bytes raise, and there is one end."""
    streams.read(*cut(data, places), wire=wire)


@RELAXED
@given(wire=WIRES, data=bodies(), places=st.lists(st.integers(0), max_size=8))
def test_any_stream(streams, wire, data, places):
    """Streams of any chunks: one end, text that can be written down, calls that can be answered."""
    outcome = streams.read(*cut(data, places), wire=wire)
    end = outcome.end
    (outcome.text + outcome.reasoning).encode()
    assert (end.fault is not None) == (end.finish in ("error", "content_filter"))
    assert len({call.id for call in end.tool_calls}) == len(end.tool_calls)
    for call in end.tool_calls:
        assert call.id
        assert call.name
        (call.id + call.name + call.raw + json.dumps(call.arguments, ensure_ascii=False)).encode()
    assert not end.tool_calls or end.finish in ("tool_calls", "length")
    said = Message("assistant", outcome.text, end.tool_calls, carry=json.loads(json.dumps(end.carry)))
    json.loads(wires.wire(wire).body(PROFILE, ModelRequest((Message("user", "x"), said))))


@RELAXED
@given(wire=WIRES, data=bodies(), places=st.lists(st.integers(0), max_size=8))
def test_cuts_change_nothing(streams, wire, data, places):
    """The network's cuts never change what a body says."""
    assert streams.read(*cut(data, places), wire=wire) == streams.read(data, wire=wire)

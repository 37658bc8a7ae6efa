"""A neutral request as a chat-completions call."""

from __future__ import annotations

import json

import pytest

from inkwright.domain.conversation import Message, ModelRequest, ToolCall, ToolSpec
from inkwright.domain.model import ModelProfile, Provider
from inkwright.providers.catalog import providers
from inkwright.providers.openai_chat import encode


def profile(**fields) -> ModelProfile:
    return ModelProfile(**{"id": "m", "endpoint": "http://h/v1", "model": "demo", **fields})


def body(request: ModelRequest, **fields) -> dict:
    return json.loads(encode.body(profile(**fields), request))


@pytest.mark.parametrize(
    ("endpoint", "url"),
    [
        ("https://api.deepseek.com", "https://api.deepseek.com/chat/completions"),
        ("https://h/v1/", "https://h/v1/chat/completions"),
        ("https://h/v1/chat/completions", "https://h/v1/chat/completions"),
        ("https://h/v1/chat/completions/", "https://h/v1/chat/completions"),
        (
            "https://n.openai.azure.com/openai/deployments/d?api-version=1",
            "https://n.openai.azure.com/openai/deployments/d/chat/completions?api-version=1",
        ),
        ("http://[::1]:8080/v1", "http://[::1]:8080/v1/chat/completions"),
        (" http://h ", "http://h/chat/completions"),
    ],
)
def test_url(endpoint, url):
    """The endpoint is used as typed; only the operation is appended, unless it is there."""
    assert encode.url(profile(endpoint=endpoint)) == url


def test_plain():
    """A prompt, streamed, with usage asked for."""
    assert body(ModelRequest((Message("user", "hi"),))) == {
        "model": "demo",
        "messages": [{"role": "user", "content": "hi"}],
        "stream": True,
        "stream_options": {"include_usage": True},
    }


def test_tool_turn():
    """Calls with their arguments as text, never empty; results by id; reasoning under its own field."""
    calls = (ToolCall("a", "f", {"x": "字"}), ToolCall("b", "g", {}), ToolCall("c", "h", None, "{broken"))
    messages = (
        Message("assistant", "", calls, carry={"openai": {"reasoning_content": "想"}}),
        Message("tool", "1", tool_call_id="a"),
        Message("tool", "2", tool_call_id="b"),
        Message("tool", "3", tool_call_id="c"),
    )
    sent = body(ModelRequest(messages))["messages"]
    assert sent[0]["content"] is None
    assert sent[0]["reasoning_content"] == "想"
    assert [c["function"]["arguments"] for c in sent[0]["tool_calls"]] == ['{"x": "字"}', "{}", "{}"]
    assert [m["tool_call_id"] for m in sent[1:]] == ["a", "b", "c"]


def test_opaque_state_goes_back():
    """A router's details as they are, what rode on a call on that call; nothing of another wire."""
    details = [{"type": "reasoning.encrypted", "data": "b3Bh"}]
    extra = {"google": {"thought_signature": "c2ln"}}
    kept = {"reasoning_details": details, "extra_content": [None, extra]}
    calls = (ToolCall("a", "f", {}), ToolCall("b", "g", {}))
    said = Message("assistant", "", calls, carry={"openai": kept, "gemini": [{"signature": "Zm9yZWlnbg=="}]})
    sent = body(ModelRequest((said,)))["messages"][0]
    assert sent["reasoning_details"] == details
    assert [call.get("extra_content") for call in sent["tool_calls"]] == [None, extra]
    assert "Zm9yZWlnbg==" not in json.dumps(sent)


def test_neighbours_are_merged():
    """Two messages of one role in a row are one; calls and results stay apart."""
    messages = (
        Message("system", "s"),
        Message("user", "a"),
        Message("user", "b"),
        Message("assistant", "c"),
        Message("assistant", "d"),
    )
    assert [m["content"] for m in body(ModelRequest(messages))["messages"]] == ["s", "a\n\nb", "c\n\nd"]


def test_tools_and_limit():
    """Tools in the wire's shape; the limit under the vendor's name, within the model's own."""
    tool = ToolSpec("f", "does", {"type": "object"})
    out = body(
        ModelRequest((Message("user", "hi"),), (tool,), max_output=900),
        provider=Provider("x", "X", limit_field="max_completion_tokens", usage_option=False),
        max_output=500,
    )
    assert out["tools"] == [
        {
            "type": "function",
            "function": {"name": "f", "description": "does", "parameters": {"type": "object"}},
        }
    ]
    assert out["max_completion_tokens"] == 500
    assert "stream_options" not in out


@pytest.mark.parametrize(
    ("vendor", "effort", "fields"),
    [
        ("deepseek", "off", {"thinking": {"type": "disabled"}}),
        ("deepseek", "high", {"thinking": {"type": "enabled"}, "reasoning_effort": "high"}),
        ("deepseek", "max", {"thinking": {"type": "enabled"}, "reasoning_effort": "max"}),
        ("openai", "off", {}),
        ("openai", "low", {"reasoning_effort": "low"}),
        ("openai", "max", {"reasoning_effort": "high"}),
        ("qwen", "high", {"enable_thinking": True}),
        ("glm", "off", {"thinking": {"type": "disabled"}}),
        ("kimi", "high", {}),
    ],
)
def test_effort(vendor, effort, fields):
    """In each vendor's own words."""
    row = next(p for p in providers() if p.id == vendor)
    out = body(ModelRequest((Message("user", "hi"),), effort=effort), provider=row, efforts=row.efforts)
    assert {
        k: v for k, v in out.items() if k in ("thinking", "reasoning_effort", "enable_thinking")
    } == fields


def test_no_effort_on_offer():
    """A model that offers none is sent none."""
    row = next(p for p in providers() if p.id == "openai")
    assert "reasoning_effort" not in body(ModelRequest((Message("user", "hi"),), effort="high"), provider=row)


def test_lone_surrogates_go_out_as_text():
    """A damaged manuscript does not stop the request."""
    assert body(ModelRequest((Message("user", "a\ud800b"),)))["messages"][0]["content"] == "a\ufffdb"

"""A neutral request as a chat-completions call. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from inkwright.domain.conversation import Effort, Message, ModelRequest, ToolSpec
from inkwright.domain.model import ModelProfile
from inkwright.providers.characters import sound_value
from inkwright.providers.openai_chat.decode import REASONING_FIELDS
from inkwright.secrets import Secret

OPERATION = "/chat/completions"


def url(profile: ModelProfile) -> str:
    """The endpoint as typed, with the operation appended to its path unless it is there already."""
    parts = urlsplit(profile.endpoint.strip())
    path = parts.path.rstrip("/")
    if not path.endswith(OPERATION):
        path += OPERATION
    return urlunsplit(parts._replace(path=path, fragment=""))


def headers(profile: ModelProfile, key: Secret | None) -> dict[str, str]:
    """The headers that carry the key, in the vendor's way."""
    if key is None or profile.provider.auth == "none":
        return {}
    if profile.provider.auth == "api-key":
        return {"api-key": key.reveal()}
    return {"authorization": f"Bearer {key.reveal()}"}


def body(profile: ModelProfile, request: ModelRequest) -> bytes:
    """The request's JSON. A streamed answer is asked for, and usage with it where the vendor can."""
    out: dict[str, Any] = {
        "model": profile.model,
        "messages": _merged(_message(m) for m in request.messages),
        "stream": True,
    }
    if profile.provider.usage_option:
        out["stream_options"] = {"include_usage": True}
    if request.tools:
        out["tools"] = [_tool(spec) for spec in request.tools]
    limit = request.max_output
    if limit is not None:
        out[profile.provider.limit_field] = min(limit, profile.max_output or limit)
    out |= _thinking(profile, request.effort)
    return json.dumps(sound_value(out), ensure_ascii=False, separators=(",", ":")).encode()


def _message(message: Message) -> dict[str, Any]:
    out: dict[str, Any] = {"role": message.role, "content": message.content}
    if message.role == "tool":
        out["tool_call_id"] = message.tool_call_id
    if message.tool_calls:
        out["content"] = message.content or None
        out["tool_calls"] = [
            {
                "id": call.id,
                "type": "function",
                "function": {"name": call.name, "arguments": _arguments(call.arguments)},
            }
            for call in message.tool_calls
        ]
    for field in REASONING_FIELDS:
        if message.carry and isinstance(thought := message.carry.get(field), str):
            out[field] = thought
    return out


def _arguments(arguments: Mapping[str, Any] | None) -> str:
    """An object as text, `{}` for none: servers refuse an empty string and text that is no JSON."""
    return json.dumps(dict(arguments or {}), ensure_ascii=False)


def _merged(messages: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Neighbours of one role as one message, since some servers refuse two; calls and results stay apart."""
    out: list[dict[str, Any]] = []
    for message in messages:
        last = out[-1] if out else None
        plain = set(message) == {"role", "content"} and message["role"] != "tool"
        if last and plain and last["role"] == message["role"] and set(last) == {"role", "content"}:
            last["content"] = f"{last['content']}\n\n{message['content']}"
        else:
            out.append(message)
    return out


def _tool(spec: ToolSpec) -> dict[str, Any]:
    return {
        "type": "function",
        "function": {
            "name": spec.name,
            "description": spec.description,
            "parameters": dict(spec.parameters),
        },
    }


def _thinking(profile: ModelProfile, effort: Effort) -> dict[str, Any]:
    """How hard to think, in the vendor's own fields; nothing for a model that offers no effort."""
    if not profile.efforts:
        return {}
    on = effort != "off"
    kind = {"thinking": {"type": "enabled" if on else "disabled"}}
    match profile.provider.thinking:
        case "deepseek":
            return {**kind, "reasoning_effort": "max" if effort == "max" else "high"} if on else kind
        case "toggle":
            return kind
        case "enable":
            return {"enable_thinking": on}
        case "effort":
            return {"reasoning_effort": "high" if effort == "max" else effort} if on else {}
        case "none":
            return {}

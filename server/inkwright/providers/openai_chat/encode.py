"""A neutral request as a chat-completions call. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from inkwright.domain.conversation import ANSWER_TOOL, Effort, Image, Message, ModelRequest, ToolSpec
from inkwright.domain.model import ModelProfile
from inkwright.providers.characters import sound_value
from inkwright.providers.openai_chat import NAME
from inkwright.providers.openai_chat.decode import REASONING_FIELDS
from inkwright.providers.pictures import base64_of
from inkwright.providers.sending import address, key_header
from inkwright.providers.structured import answer_tool, closed, is_strict
from inkwright.secrets import Secret

OPERATION = "/chat/completions"


def url(profile: ModelProfile) -> str:
    """The endpoint as typed, with the operation appended to its path unless it is there already."""
    return address(profile.endpoint, OPERATION)


def headers(profile: ModelProfile, key: Secret | None) -> dict[str, str]:
    """The header that carries the key, in the vendor's way."""
    return key_header(profile, key, "authorization")


def body(profile: ModelProfile, request: ModelRequest) -> bytes:
    """The request's JSON. A streamed answer is asked for, and usage with it where the vendor can."""
    out: dict[str, Any] = {
        "model": profile.model,
        "messages": _merged(_message(m) for m in request.messages),
        "stream": True,
    }
    if profile.provider.usage_option:
        out["stream_options"] = {"include_usage": True}
    tools = [_tool(spec) for spec in request.tools]
    if request.schema is not None:
        out |= _structured(profile, request.schema, tools)
    if tools:
        out["tools"] = tools
    limit = request.max_output
    if limit is not None:
        out[profile.provider.limit_field] = min(limit, profile.max_output or limit)
    out |= _thinking(profile, request.effort, tools=bool(tools))
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
    elif message.images:
        pictures = [_image(image) for image in message.images]
        words = [{"type": "text", "text": message.content}] if message.content else []
        out["content"] = [*pictures, *words]
    kept = (message.carry or {}).get(NAME)
    if not isinstance(kept, dict):
        return out
    for field in (*REASONING_FIELDS, "reasoning_details"):
        if field in kept:
            out[field] = kept[field]
    extras = kept.get("extra_content", ())
    if len(extras) == len(message.tool_calls):
        for call, extra in zip(out.get("tool_calls", ()), extras, strict=True):
            call |= {"extra_content": extra} if extra else {}
    return out


def _image(image: Image) -> dict[str, Any]:
    return {"type": "image_url", "image_url": {"url": f"data:{image.mime};base64,{base64_of(image)}"}}


def _structured(
    profile: ModelProfile, schema: Mapping[str, Any], tools: list[dict[str, Any]]
) -> dict[str, Any]:
    """How an answer that fits a schema is asked for; with a tool, `tools` gets it."""
    match profile.schema:
        case "schema":
            shape = closed(schema)
            form = {"name": ANSWER_TOOL, "schema": shape, "strict": is_strict(shape)}
            return {"response_format": {"type": "json_schema", "json_schema": form}}
        case "object":
            return {"response_format": {"type": "json_object"}}
        case "tool":
            forced = not tools
            tools.append(_tool(answer_tool(schema)))
            choice = {"type": "function", "function": {"name": ANSWER_TOOL}}
            return {"tool_choice": choice} if forced else {}
        case "none":
            return {}


def _arguments(arguments: Mapping[str, Any] | None) -> str:
    """An object as text, `{}` for none: servers refuse an empty string and text that is no JSON."""
    return json.dumps(dict(arguments or {}), ensure_ascii=False)


def _merged(messages: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Neighbours of one role as one message, since some servers refuse two; calls and results stay apart."""
    out: list[dict[str, Any]] = []
    for message in messages:
        last = out[-1] if out else None
        if last and last["role"] == message["role"] and _is_plain(last) and _is_plain(message):
            last["content"] = f"{last['content']}\n\n{message['content']}"
        else:
            out.append(message)
    return out


def _is_plain(message: dict[str, Any]) -> bool:
    return set(message) == {"role", "content"} and isinstance(message["content"], str)


def _tool(spec: ToolSpec) -> dict[str, Any]:
    return {
        "type": "function",
        "function": {
            "name": spec.name,
            "description": spec.description,
            "parameters": dict(spec.parameters),
        },
    }


def _thinking(profile: ModelProfile, effort: Effort, *, tools: bool) -> dict[str, Any]:
    """How hard to think, in the vendor's own fields; nothing for a model that offers no effort."""
    on = effort != "off"
    kind = {"thinking": {"type": "enabled" if on else "disabled"}}
    match profile.thinking:
        case "deepseek":
            return {**kind, "reasoning_effort": "max" if effort == "max" else "high"} if on else kind
        case "toggle":
            return kind
        case "enable":
            return {"enable_thinking": on}
        case "effort" if tools and profile.known.tools_effort:
            return {"reasoning_effort": profile.known.tools_effort}
        case "effort" if on:
            return {"reasoning_effort": "high" if effort == "max" else effort}
        case "effort" if profile.known.off:
            return {"reasoning_effort": profile.known.off}
        case _:
            return {}

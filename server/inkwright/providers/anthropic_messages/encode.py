"""A neutral request as a Messages call. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any

from inkwright.domain.conversation import ANSWER_TOOL, Effort, Image, Message, ModelRequest, ToolSpec
from inkwright.domain.model import ModelProfile
from inkwright.providers.anthropic_messages import NAME
from inkwright.providers.characters import sound_value
from inkwright.providers.pictures import base64_of
from inkwright.providers.sending import address, key_header
from inkwright.providers.structured import answer_tool, closed
from inkwright.secrets import Secret

OPERATION = "/v1/messages"
VERSION = "2023-06-01"

DEFAULT_OUTPUT = 8_192
"""The limit that must be named, for a model of which nothing is known."""

BUDGETS: dict[Effort, int] = {"low": 2_048, "medium": 8_192, "high": 16_384, "max": 32_000}
"""Tokens of thinking for the models that take a budget; the least that they accept is 1,024."""

LEAST_BUDGET = 1_024
_CACHED = {"cache_control": {"type": "ephemeral"}}

Block = dict[str, Any]


def url(profile: ModelProfile) -> str:
    """The endpoint as typed, with the operation appended to its path unless it is there already."""
    return address(profile.endpoint, OPERATION, "/v1")


def headers(profile: ModelProfile, key: Secret | None) -> dict[str, str]:
    """The version of the wire, and the header that carries the key."""
    return {"anthropic-version": VERSION, **key_header(profile, key, "x-api-key")}


def body(profile: ModelProfile, request: ModelRequest) -> bytes:
    """The request's JSON. A streamed answer is asked for; where there are tools, so is caching, since
    each of their rounds sends all that came before again."""
    system, messages = _conversation(request.messages)
    tools = [_tool(spec) for spec in request.tools]
    forced = False
    if request.schema is not None and profile.schema == "tool":
        forced = not tools
        tools.append(_tool(answer_tool(request.schema)))
    if request.tools and messages:
        messages[-1]["content"][-1] = {**messages[-1]["content"][-1], **_CACHED}
    limit = min(request.max_output or profile.max_output or DEFAULT_OUTPUT, profile.max_output or 10**9)
    out: dict[str, Any] = {"model": profile.model, "max_tokens": limit}
    if system:
        out["system"] = [{"type": "text", "text": system, **_CACHED}] if request.tools else system
    out["messages"] = [{**m, "content": _plain(m["content"])} for m in messages]
    out["stream"] = True
    if tools:
        out["tools"] = tools
    if forced:
        out["tool_choice"] = {"type": "tool", "name": ANSWER_TOOL}
    else:
        out |= _thinking(profile, request.effort, limit)
    if request.schema is not None and profile.schema == "schema":
        form = {"format": {"type": "json_schema", "schema": closed(request.schema)}}
        out["output_config"] = {**out.get("output_config", {}), **form}
    return json.dumps(sound_value(out), ensure_ascii=False, separators=(",", ":")).encode()


def _conversation(messages: Iterable[Message]) -> tuple[str, list[dict[str, Any]]]:
    """(the system prompt, the turns): users and assistant take turns, and a user begins."""
    system: list[str] = []
    out: list[dict[str, Any]] = []
    ids = _Ids()
    for message in messages:
        if message.role == "system" and not out:
            system.append(message.content)
            continue
        role = "assistant" if message.role == "assistant" else "user"
        blocks = _assistant(message, ids) if role == "assistant" else _user(message, ids)
        if out and out[-1]["role"] == role:
            out[-1]["content"] += blocks
        elif blocks:
            if not out and role == "assistant":
                out.append({"role": "user", "content": [_text("…")]})
            out.append({"role": role, "content": blocks})
    text = "\n\n".join(part for part in system if part.strip())
    if not out and text:
        return "", [{"role": "user", "content": [_text(text)]}]
    return text, out


def _user(message: Message, ids: _Ids) -> list[Block]:
    if message.role == "tool":
        return [
            {
                "type": "tool_result",
                "tool_use_id": ids.of(message.tool_call_id),
                "content": message.content,
            }
        ]
    return [*map(_image, message.images), *([_text(message.content)] if message.content.strip() else ())]


def _assistant(message: Message, ids: _Ids) -> list[Block]:
    """The turn's blocks in the order they came in; thinking goes back unchanged."""
    calls: list[Block] = [
        {"type": "tool_use", "id": ids.of(c.id), "name": c.name, "input": dict(c.arguments or {})}
        for c in message.tool_calls
    ]
    kept = (message.carry or {}).get(NAME)
    layout = [item for item in kept if isinstance(item, dict)] if isinstance(kept, list) else []
    kinds = [item.get("type") for item in layout]
    said = sum(item["length"] for item in layout if item.get("type") == "text")
    if said != len(message.content) or kinds.count("tool_use") != len(calls):
        opaque = [item for item in layout if item.get("type") not in ("text", "tool_use")]
        text = {"type": "text", "length": len(message.content)}
        layout = [*opaque, text, *({"type": "tool_use"} for _ in calls)]
    out: list[Block] = []
    at, waiting = 0, iter(calls)
    for item in layout:
        if item.get("type") == "text":
            piece = message.content[at : at + item["length"]]
            at += item["length"]
            if piece.strip():
                out.append(_text(piece))
        elif item.get("type") == "tool_use":
            out.append(next(waiting))
        else:
            out.append(item)
    return out


class _Ids:
    """Ids of calls in the only characters that this wire takes; a foreign one gets a stand-in."""

    def __init__(self) -> None:
        self._given: dict[str, str] = {}

    def of(self, id_: str) -> str:
        if id_ not in self._given:
            mine = re.sub(r"[^A-Za-z0-9_-]", "_", id_) or "call"
            while mine in self._given.values():
                mine += "_"
            self._given[id_] = mine
        return self._given[id_]


def _text(text: str) -> Block:
    return {"type": "text", "text": text}


def _image(image: Image) -> Block:
    return {
        "type": "image",
        "source": {"type": "base64", "media_type": image.mime, "data": base64_of(image)},
    }


def _plain(content: list[Block]) -> str | list[Block]:
    """One text alone is sent as such."""
    only = content[0] if len(content) == 1 else {}
    return only["text"] if set(only) == {"type", "text"} else content


def _tool(spec: ToolSpec) -> dict[str, Any]:
    schema = {"type": "object", **spec.parameters}
    return {"name": spec.name, "description": spec.description, "input_schema": schema}


def _thinking(profile: ModelProfile, effort: Effort, limit: int) -> dict[str, Any]:
    """How hard to think, in the words of the model's generation; nothing where no effort is on offer."""
    on = effort != "off"
    match profile.thinking:
        case "adaptive" if on or profile.known.always:
            return {
                "thinking": {"type": "adaptive", "display": "summarized"},
                "output_config": {"effort": effort if on else "low"},
            }
        case "adaptive":
            return {"thinking": {"type": profile.known.off}} if profile.known.off else {}
        case "budget" if on and limit > LEAST_BUDGET:
            return {"thinking": {"type": "enabled", "budget_tokens": min(BUDGETS[effort], limit - 1)}}
        case "deepseek":
            kind = {"thinking": {"type": "enabled" if on else "disabled"}}
            return {**kind, "output_config": {"effort": "max" if effort == "max" else "high"}} if on else kind
        case _:
            return {}

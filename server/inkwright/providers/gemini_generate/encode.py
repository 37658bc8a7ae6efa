"""A neutral request as a streamGenerateContent call. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any
from urllib.parse import quote

from inkwright.domain.conversation import ANSWER_TOOL, Effort, Image, Message, ModelRequest, ToolSpec
from inkwright.domain.model import ModelProfile
from inkwright.providers.characters import sound_value
from inkwright.providers.gemini_generate import NAME
from inkwright.providers.pictures import base64_of
from inkwright.providers.sending import address, key_header
from inkwright.providers.structured import answer_tool
from inkwright.secrets import Secret

STREAM, WHOLE = ":streamGenerateContent", ":generateContent"

BUDGETS: dict[Effort, int] = {"off": 0, "low": 1_024, "medium": 8_192, "high": 24_576, "max": 24_576}
"""Tokens of thinking for the models that take a budget."""

LEVELS: dict[Effort, str] = {"off": "low", "low": "low", "medium": "medium", "high": "high", "max": "high"}
"""For those that take a level; they cannot be told not to think."""

Part = dict[str, Any]


def url(profile: ModelProfile) -> str:
    """The endpoint as typed, with the model and the operation appended unless they are there already."""
    model = f"/models/{quote(profile.model.strip().removeprefix('models/'), safe='/@:-._~')}"
    return address(profile.endpoint, model + STREAM, model, "/models", ends=(STREAM, WHOLE), query="alt=sse")


def headers(profile: ModelProfile, key: Secret | None) -> dict[str, str]:
    """The header that carries the key."""
    return key_header(profile, key, "x-goog-api-key")


def body(profile: ModelProfile, request: ModelRequest) -> bytes:
    """The request's JSON. The model and that the answer is streamed stand in the address."""
    system, contents = _conversation(request.messages)
    tools = [_tool(spec) for spec in request.tools]
    out: dict[str, Any] = {"contents": contents}
    if system:
        out["systemInstruction"] = {"parts": [{"text": system}]}
    if request.schema is not None and profile.schema == "tool":
        if not tools:
            forced = {"mode": "ANY", "allowedFunctionNames": [ANSWER_TOOL]}
            out["toolConfig"] = {"functionCallingConfig": forced}
        tools.append(_tool(answer_tool(request.schema)))
    if tools:
        out["tools"] = [{"functionDeclarations": tools}]
    if settings := _settings(profile, request):
        out["generationConfig"] = settings
    return json.dumps(sound_value(out), ensure_ascii=False, separators=(",", ":")).encode()


def _settings(profile: ModelProfile, request: ModelRequest) -> dict[str, Any]:
    out: dict[str, Any] = {}
    if request.max_output is not None:
        out["maxOutputTokens"] = min(request.max_output, profile.max_output or request.max_output)
    if request.schema is not None and profile.schema in ("schema", "object"):
        out["responseMimeType"] = "application/json"
        if profile.schema == "schema":
            out["responseJsonSchema"] = request.schema
    match profile.thinking:
        case "level":
            out["thinkingConfig"] = {"thinkingLevel": LEVELS[request.effort], "includeThoughts": True}
        case "budget":
            effort = (
                request.effort if request.effort in profile.efforts else _nearest(profile, request.effort)
            )
            config = {"thinkingBudget": BUDGETS[effort]}
            out["thinkingConfig"] = {**config, "includeThoughts": True} if effort != "off" else config
        case _:
            pass
    return out


def _nearest(profile: ModelProfile, effort: Effort) -> Effort:
    """The lowest effort on offer for `off`, the highest for the others."""
    return profile.efforts[0] if effort == "off" else profile.efforts[-1]


def _conversation(messages: Iterable[Message]) -> tuple[str, list[dict[str, Any]]]:
    """(the system prompt, the contents): user and model take turns, and a user begins."""
    system: list[str] = []
    out: list[dict[str, Any]] = []
    calls: dict[str, tuple[str, str]] = {}
    for message in messages:
        if message.role == "system" and not out:
            system.append(message.content)
            continue
        role = "model" if message.role == "assistant" else "user"
        parts = _model(message, calls) if role == "model" else _user(message, calls)
        if out and out[-1]["role"] == role:
            out[-1]["parts"] += parts
        elif parts:
            if not out and role == "model":
                out.append({"role": "user", "parts": [{"text": "…"}]})
            out.append({"role": role, "parts": parts})
    text = "\n\n".join(part for part in system if part.strip())
    if not out and text:
        return "", [{"role": "user", "parts": [{"text": text}]}]
    return text, out


def _user(message: Message, calls: dict[str, tuple[str, str]]) -> list[Part]:
    if message.role == "tool":
        name, given = calls.get(message.tool_call_id, ("", ""))
        response = {"name": name or "unknown", "response": {"result": message.content}}
        return [{"functionResponse": {"id": given, **response} if given else response}]
    pictures = [_image(image) for image in message.images]
    return [*pictures, {"text": message.content}] if message.content else pictures


def _model(message: Message, calls: dict[str, tuple[str, str]]) -> list[Part]:
    """The turn's parts in the order they came in, each with the signature it had. Notes the calls.

    Only an id that this wire gave goes back; one that was made here is never sent.
    """
    kept = (message.carry or {}).get(NAME)
    layout = [item for item in kept if isinstance(item, dict)] if isinstance(kept, list) else []
    wanted = [item for item in layout if item.get("type") == "call"]
    said = sum(item["length"] for item in layout if item.get("type") == "text")
    if len(wanted) != len(message.tool_calls):
        wanted = [{"type": "call"} for _ in message.tool_calls]
        said = -1
    if said != len(message.content):
        layout = [{"type": "text", "length": len(message.content)}, *wanted]
    out: list[Part] = []
    at, waiting = 0, iter(message.tool_calls)
    for item in layout:
        part: Part = {}
        if item.get("type") == "text":
            part = {"text": message.content[at : at + item["length"]]}
            at += item["length"]
        elif item.get("type") == "call":
            call, given = next(waiting), item.get("id", "")
            calls[call.id] = (call.name, given)
            function = {"name": call.name, "args": dict(call.arguments or {})}
            part = {"functionCall": {"id": given, **function} if given else function}
        elif item.get("type") == "thought":
            part = {"text": item.get("text", ""), "thought": True}
        if signature := item.get("signature"):
            part["thoughtSignature"] = signature
        if part and part != {"text": ""}:
            out.append(part)
    return out


def _image(image: Image) -> Part:
    return {"inlineData": {"mimeType": image.mime, "data": base64_of(image)}}


def _tool(spec: ToolSpec) -> dict[str, Any]:
    out: dict[str, Any] = {"name": spec.name, "description": spec.description}
    if spec.parameters.get("properties"):
        out["parametersJsonSchema"] = dict(spec.parameters)
    return out

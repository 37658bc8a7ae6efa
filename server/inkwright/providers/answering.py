"""Answers that fit a JSON Schema, from whatever a model has for it: the schema, a tool call, or words."""

from __future__ import annotations

import json
import tomllib
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files
from typing import Any, Protocol

from inkwright.domain.conversation import (
    ANSWER_TOOL,
    Finished,
    Message,
    ModelEvent,
    ModelRequest,
    Text,
    ToolCall,
    Usage,
)
from inkwright.domain.errors import Fault
from inkwright.domain.model import ModelProfile
from inkwright.domain.ports import ChatModel
from inkwright.providers.fitting import found, wrong
from inkwright.providers.structured import answer_tool

MENDINGS = 2
"""Times that a model is told what is wrong with its answer."""

SHOWN = 4_000
"""Characters of a wrong answer that it is shown again."""


class Closing(ChatModel, Protocol):
    async def close(self) -> None: ...


class Answering:
    """`model` with one more promise: where a request has a schema, the text is a JSON value that fits it.

    Such an answer comes as one piece when it is known to fit. Requests without a schema, and those that
    offer tools of their own and are answered by a call of one, pass as they are.
    """

    def __init__(self, profile: ModelProfile, model: Closing) -> None:
        self._profile = profile
        self._model = model

    @property
    def name(self) -> str:
        return self._model.name

    async def close(self) -> None:
        await self._model.close()

    async def stream(self, request: ModelRequest) -> AsyncGenerator[ModelEvent, None]:
        schema = request.schema
        if schema is None:
            async with aclosing(_events(self._model, request)) as events:
                async for event in events:
                    yield event
            return
        asked, plain = self._asked(request, schema), False
        used: Usage | None = None
        faults: tuple[str, ...] = ()
        mended = 0
        while True:
            answer = _Answer()
            async with aclosing(_events(self._model, asked)) as events:
                async for event in events:
                    if not answer.takes(event):
                        yield event
            used = answer.end.usage if used is None else used + (answer.end.usage or Usage())
            end = replace(answer.end, usage=used)
            if end.fault is not None and end.fault.kind == "bad_request" and not (plain or mended):
                # A server that knows neither schemas nor tools refuses them: it still may understand words.
                asked, plain = _in_words(request, schema), True
                continue
            calls = tuple(call for call in end.tool_calls if call.name != ANSWER_TOOL)
            if end.fault is not None or calls or end.finish not in ("stop", "tool_calls"):
                if calls and answer.text:
                    yield Text(answer.text)
                yield replace(end, tool_calls=calls)
                return
            value, faults = answer.value(schema)
            if not faults:
                yield Text(json.dumps(value, ensure_ascii=False))
                yield replace(end, finish="stop", tool_calls=())
                return
            if mended == MENDINGS:
                break
            mended += 1
            asked = _mending(asked, schema, answer, faults)
        params = {"model": self._profile.model, "host": self._profile.host, "fault": faults[0]}
        fault = Fault("model_answer_unfit", {**params}, kind="malformed")
        yield replace(end, finish="error", tool_calls=(), fault=fault)

    def _asked(self, request: ModelRequest, schema: Mapping[str, Any]) -> ModelRequest:
        """The request as this model understands it: a wire takes care of the schemas and tools of its own."""
        match self._profile.schema:
            case "schema" | "tool":
                return request
            case "none" if self._profile.tools:
                words = _texts()["call"]
                return replace(
                    request,
                    messages=_with(request.messages, words),
                    tools=(*request.tools, answer_tool(schema)),
                )
            case "none":
                return _in_words(request, schema)
            case "object":
                return replace(_in_words(request, schema), schema=schema)


def _in_words(request: ModelRequest, schema: Mapping[str, Any]) -> ModelRequest:
    words = _texts()["ask"].replace("{schema}", json.dumps(schema, ensure_ascii=False))
    return replace(request, messages=_with(request.messages, words), schema=None)


def _mending(
    asked: ModelRequest, schema: Mapping[str, Any], answer: _Answer, faults: tuple[str, ...]
) -> ModelRequest:
    """The request again, with the answer and what is wrong with it; every call gets its result."""
    words = _texts()["mend"].replace("{faults}", "\n".join(f"- {fault}" for fault in faults))
    words = words.replace("{schema}", json.dumps(schema, ensure_ascii=False))
    calls, carry = answer.end.tool_calls, answer.end.carry
    said = Message("assistant", answer.text[:SHOWN] or ("" if calls else "…"), calls, carry=carry)
    results = [Message("tool", words, tool_call_id=call.id) for call in calls]
    return replace(asked, messages=(*asked.messages, said, *(results or [Message("user", words)])))


@dataclass(slots=True)
class _Answer:
    """What one request was answered."""

    end: Finished = field(default_factory=lambda: Finished("error", fault=Fault("model_empty")))
    pieces: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "".join(self.pieces)

    def takes(self, event: ModelEvent) -> bool:
        """Keeps text and end; False for what is to be handed on at once."""
        match event:
            case Text(piece):
                self.pieces.append(piece)
            case Finished():
                self.end = event
            case _:
                return False
        return True

    def value(self, schema: Mapping[str, Any]) -> tuple[Any, tuple[str, ...]]:
        """The value and what is wrong with it."""
        call: ToolCall | None = next((c for c in self.end.tool_calls if c.name == ANSWER_TOOL), None)
        if call is not None and call.arguments is None:
            return None, ("$: the arguments of the call are no JSON object",)
        try:
            value = dict(call.arguments or {}) if call is not None else found(self.text)
        except ValueError:
            return None, ("$: there is no JSON value in the answer",)
        return value, wrong(value, schema)


def _events(model: ChatModel, request: ModelRequest) -> AsyncGenerator[ModelEvent, None]:
    stream = model.stream(request)
    assert isinstance(stream, AsyncGenerator)
    return stream


def _with(messages: tuple[Message, ...], words: str) -> tuple[Message, ...]:
    """The messages with words of ours behind the last one of the user's."""
    if messages and messages[-1].role == "user":
        last = messages[-1]
        return (*messages[:-1], replace(last, content=f"{last.content}\n\n{words}".strip()))
    return (*messages, Message("user", words))


@cache
def _texts() -> dict[str, str]:
    return tomllib.loads((files("inkwright.providers") / "answering.toml").read_text("utf-8"))

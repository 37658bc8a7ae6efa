"""What goes to a model and what comes back, in the neutral form that no wire owns."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from inkwright.domain.errors import Fault
from inkwright.domain.tokens import tokens, weigh

Role = Literal["system", "user", "assistant", "tool"]
Finish = Literal["stop", "tool_calls", "length", "content_filter", "error"]
Effort = Literal["off", "low", "medium", "high", "max"]
Locale = Literal["zh", "en"]

ANSWER_TOOL = "answer"
"""The tool that a structured answer is asked for with where a wire has no schema of its own."""

IMAGE_TOKENS = 1_600
"""About what a picture of a usual size is to the models that see."""


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One call that a model asked for. `arguments` is None when `raw` was not a JSON object."""

    id: str
    name: str
    arguments: Mapping[str, Any] | None
    raw: str = ""


@dataclass(frozen=True, slots=True)
class Image:
    """A picture given to a model: `data` are the file's bytes, `mime` their type."""

    mime: str
    data: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Message:
    """One message. A `tool` message answers `tool_call_id`; `images` stand before a user's text.

    `carry` is what a wire must have back with this message (signatures, reasoning): a JSON value
    under the wire's name. It is opaque to all others and ignored by every other wire.
    """

    role: Role
    content: str
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str = ""
    carry: Mapping[str, Any] | None = None
    images: tuple[Image, ...] = ()


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool as a model sees it; `parameters` is a JSON Schema object."""

    name: str
    description: str
    parameters: Mapping[str, Any]

    @property
    def text(self) -> str:
        """All of it that a model reads, for an estimate of what it costs."""
        return f"{self.name} {self.description} {json.dumps(dict(self.parameters), ensure_ascii=False)}"


@dataclass(frozen=True, slots=True)
class Task:
    """What a request is for, in types: rule engines work from it and parse no prompt; wires ignore it.

    `passage` is the text of the current window, `path` the chapter's path in the book and `offset`
    where the passage begins in it (code points). `step` names a pipeline's step, '' elsewhere, and
    `products` is what the steps before it came to: (name, text).
    """

    ability: str
    domain: str
    locale: Locale
    message: str = ""
    passage: str = ""
    path: str = ""
    offset: int = 0
    step: str = ""
    products: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """One request. An empty `tools` offers none. `max_output` in tokens, None for the model's own.

    `schema` is the JSON Schema that the answer must fit: a wire asks for it as the profile's `schema`
    says. Where that is `tool`, the answer comes as a call of `ANSWER_TOOL`. `run` is whose request it is:
    runs take turns where requests wait.
    """

    messages: tuple[Message, ...]
    tools: tuple[ToolSpec, ...] = ()
    task: Task | None = None
    effort: Effort = "off"
    max_output: int | None = None
    schema: Mapping[str, Any] | None = None
    run: str = ""

    @property
    def size(self) -> int:
        """About the tokens that it sends, its pictures included."""
        texts = [message.content for message in self.messages]
        texts += [call.raw for message in self.messages for call in message.tool_calls]
        texts += [spec.text for spec in self.tools]
        pictures = sum(len(message.images) for message in self.messages)
        return tokens(sum(map(weigh, texts))) + IMAGE_TOKENS * pictures


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one request or of a run. `cost` in `currency` (ISO 4217), None when it is not known.

    `input` is all that the model read, on every wire: what came from a cache (`cache_read`) and what
    went into one (`cache_write`) are parts of it. `output` is all that it wrote; `reasoning` is a part of that.
    """

    input: int = 0
    output: int = 0
    cache_read: int | None = None
    cache_write: int | None = None
    reasoning: int | None = None
    cost: float | None = None
    estimated: bool = False
    currency: str = ""

    @property
    def nothing(self) -> bool:
        """Whether not a token was used."""
        return not (self.input or self.output or self.cost)

    def __add__(self, other: Usage) -> Usage:
        def both(a: float | None, b: float | None) -> Any:
            return None if a is None and b is None else (a or 0) + (b or 0)

        cost, currency = self._cost_with(other)
        return Usage(
            self.input + other.input,
            self.output + other.output,
            both(self.cache_read, other.cache_read),
            both(self.cache_write, other.cache_write),
            both(self.reasoning, other.reasoning),
            cost,
            self.estimated or other.estimated,
            currency,
        )

    def _cost_with(self, other: Usage) -> tuple[float | None, str]:
        """What is not known, or stands in two currencies, has no sum."""
        if self.nothing or other.nothing:
            known = other if self.nothing else self
            return known.cost, known.currency
        if self.cost is None or other.cost is None:
            return None, ""
        if self.cost and other.cost and self.currency != other.currency:
            return None, ""
        return self.cost + other.cost, self.currency if self.cost else other.currency


# What a model's stream yields, in order. Exactly one `Finished` ends it, also after a fault.


@dataclass(frozen=True, slots=True)
class Text:
    """A piece of the answer, never empty."""

    text: str


@dataclass(frozen=True, slots=True)
class Reasoning:
    """A piece of the model's reasoning, never empty; no part of the answer."""

    text: str


@dataclass(frozen=True, slots=True)
class Finished:
    """The end. `fault` is set when `finish` is error or content_filter.

    `tool_calls` are whole; `carry` must ride on the assistant message that they are put into.
    """

    finish: Finish
    tool_calls: tuple[ToolCall, ...] = ()
    usage: Usage | None = None
    fault: Fault | None = None
    carry: Mapping[str, Any] | None = None
    provider_request_id: str = ""
    meta: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Attempt:
    """A request that came to nothing and is made again: why, how long it took, how long is waited (seconds)."""

    code: str
    kind: str
    seconds: float
    wait: float
    provider_request_id: str = ""
    usage: Usage | None = None


@dataclass(frozen=True, slots=True)
class Waiting:
    """Nothing is under way: the request waits its turn, for a rate limit, or before another attempt.

    `seconds` is about how long, None when nobody knows; `ahead` how many requests go before it;
    `attempt` the one that failed.
    """

    why: Literal["queue", "rate", "retry"]
    seconds: float | None = None
    ahead: int = 0
    attempt: Attempt | None = None


@dataclass(frozen=True, slots=True)
class Underway:
    """The wait is over: the request goes out."""


ModelEvent = Text | Reasoning | Waiting | Underway | Finished

"""Events of a Messages stream (or a whole message) into the neutral events. Pure; never raises."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from inkwright.domain.conversation import Finish, ModelEvent, Text, ToolCall, Usage
from inkwright.domain.errors import Fault
from inkwright.providers import arguments
from inkwright.providers.anthropic_messages import NAME
from inkwright.providers.characters import sound, sound_value
from inkwright.providers.counts import count
from inkwright.providers.documents import Document
from inkwright.providers.ending import finished
from inkwright.providers.errors import classify, fault
from inkwright.providers.words import Words, length

FINISHES: dict[str, Finish] = {
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "pause_turn": "length",
    "refusal": "content_filter",
}
"""What ends an answer otherwise than by its own will; every other reason is `stop`.

A paused turn waits to be taken up again: what came is a part of an answer.
"""

READ = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
TEXTS = {"text_delta": "text", "thinking_delta": "thinking"}


@dataclass(slots=True, eq=False)
class _Block:
    """One block in the making; `length` counts the text of it that went out."""

    kind: str
    start: dict[str, Any]
    length: int = 0
    thinking: list[str] = field(default_factory=list)
    signature: list[str] = field(default_factory=list)
    json: list[str] = field(default_factory=list)
    closed: bool = False

    def call(self, *, cut: bool) -> ToolCall:
        """The call of a tool_use block. Without any fragment its input is that of its start; one that
        the limit cut before its first fragment is unfinished."""
        id_, name, given = (self.start.get(key) for key in ("id", "name", "input"))
        raw = "".join(self.json)
        if raw.strip():
            found, text = arguments.of_text(raw)
        elif cut and not self.closed and not given:
            found, text = None, "{"
        else:
            found, text = arguments.of_value(given)
        return ToolCall(_string(id_), _string(name), found, text)

    def kept(self) -> dict[str, Any]:
        """What must stand in this place when the turn goes back: a thinking block is itself."""
        if self.kind == "text":
            return {"type": "text", "length": self.length}
        if self.kind == "tool_use":
            return {"type": "tool_use"}
        if self.kind == "thinking":
            block = {"type": "thinking", "thinking": sound("".join(self.thinking))}
            signature = sound("".join(self.signature))
            return {**block, "signature": signature} if signature else block
        return {"type": self.kind, "data": sound(_string(self.start.get("data")))}


class Answer:
    """One answer in the making. Feed `read` with documents; `close` once."""

    def __init__(self) -> None:
        self._finish: Finish | None = None
        self._fault: Fault | None = None
        self._stopped = False
        self._usage: dict[str, int] = {}
        self._blocks: list[_Block] = []
        self._by_index: dict[int, _Block] = {}
        self._words = Words()
        self._chat = self._other = False
        self._served: dict[str, str] = {}

    @property
    def over(self) -> bool:
        """True after an error, or when the server said that the message is whole."""
        return self._fault is not None or self._stopped

    @property
    def settled(self) -> bool:
        """True once the server said why it stopped: only usage may follow."""
        return self._finish is not None

    def read(self, document: Document) -> list[ModelEvent]:
        event = document.value
        if not isinstance(event, dict):
            return []
        kind = event.get("type")
        if (error := _error(event, document.event)) is not None:
            self._fault = classify(error)
            return []
        self._other = True
        match kind:
            case "message_start":
                return self._message(event.get("message"))
            case "message":
                return [*self._message(event), *self._end_of(event, whole=True)]
            case "content_block_start":
                return self._start(event.get("index"), event.get("content_block"))
            case "content_block_delta":
                return self._delta(event.get("index"), event.get("delta"))
            case "content_block_stop":
                if (block := self._at(event.get("index"))) is not None:
                    block.closed = True
            case "message_delta":
                self._count(event.get("usage"))
                delta = event.get("delta")
                return self._end_of(delta if isinstance(delta, dict) else {}, whole=False)
            case "message_stop":
                self._chat = self._stopped = True
        return []

    def close(self, ended: Fault | None, *, done: bool = False) -> list[ModelEvent]:  # noqa: ARG002
        """What was held back, then the one `Finished`. `ended` is why the body ended early.

        `[DONE]` is not this wire's: only a reason or `message_stop` is a normal end.
        """
        rest = self._words.end()
        texts = [block for block in self._blocks if block.kind == "text"]
        if texts:
            texts[-1].length += length(rest)
        finish, why = self._outcome(ended, said=self._words.said or any(isinstance(e, Text) for e in rest))
        cut = finish == "length"
        calls = [block.call(cut=cut) for block in self._blocks if block.kind == "tool_use"]
        return [*rest, finished(finish, why, calls, self._total(), self._carry(), self._served)]

    def _outcome(self, ended: Fault | None, *, said: bool) -> tuple[Finish, Fault | None]:
        if self._fault is not None:
            return ("content_filter" if self._fault.kind == "content_filter" else "error"), self._fault
        if self._finish == "content_filter":
            return "content_filter", fault("content_filter", "model_refused")
        if self._finish is not None or self._stopped:
            return self._finish or "stop", None
        if ended is not None:
            return "error", ended
        if self._other and not self._chat:
            return "error", fault("malformed", "model_not_chat")
        return "error", fault("connection", "model_cut_off" if said or self._blocks else "model_empty")

    def _message(self, message: Any) -> list[ModelEvent]:
        self._chat = True
        if not isinstance(message, dict):
            return []
        self._count(message.get("usage"))
        for key in ("id", "model"):
            if isinstance(value := message.get(key), str) and value:
                self._served[key] = value[:200]
        content = message.get("content")
        out: list[ModelEvent] = []
        for n, block in enumerate(content if isinstance(content, list) else ()):
            out += self._start(n, block)
        return out

    def _end_of(self, delta: dict[str, Any], *, whole: bool) -> list[ModelEvent]:
        """Takes the reason to stop; a whole message has one even unsaid."""
        reason = delta.get("stop_reason")
        if isinstance(reason, str) and reason:
            self._chat = True
            self._finish = FINISHES.get(reason, "stop")
        elif whole:
            self._finish = self._finish or "stop"
        return []

    def _start(self, index: Any, start: Any) -> list[ModelEvent]:
        if not isinstance(start, dict) or not isinstance(kind := start.get("type"), str):
            return []
        self._chat = True
        block = _Block(kind, start)
        if kind in ("text", "thinking", "redacted_thinking", "tool_use"):
            self._blocks.append(block)
        self._by_index[index if _is_index(index) else len(self._by_index)] = block
        if isinstance(signature := start.get("signature"), str):
            block.signature.append(signature)
        return self._say(block, start, kind)

    def _delta(self, index: Any, delta: Any) -> list[ModelEvent]:
        if not isinstance(delta, dict):
            return []
        self._chat = True
        kind = delta.get("type")
        block = self._at(index)
        name = TEXTS.get(kind) if isinstance(kind, str) else None
        if block is None:
            if name is None:
                return []
            block = _Block(name, {})
            self._blocks.append(block)
            self._by_index[index if _is_index(index) else len(self._by_index)] = block
        if name is not None:
            return self._say(block, delta, name)
        if kind == "input_json_delta" and isinstance(piece := delta.get("partial_json"), str):
            block.json.append(piece)
        elif kind == "signature_delta" and isinstance(piece := delta.get("signature"), str):
            block.signature.append(piece)
        return []

    def _say(self, block: _Block, source: dict[str, Any], name: str) -> list[ModelEvent]:
        piece = source.get(name)
        if not isinstance(piece, str) or not piece:
            return []
        if name == "thinking":
            block.thinking.append(piece)
            return [*self._words.feed(thought=piece)]
        if name != "text":
            return []
        said = self._words.feed(piece)
        block.length += length(said)
        return [*said]

    def _at(self, index: Any) -> _Block | None:
        """The block of an index; without one, the last that began."""
        if _is_index(index):
            return self._by_index.get(index)
        return self._blocks[-1] if self._blocks else None

    def _count(self, usage: Any) -> None:
        """Each count replaces the one before: they are cumulative. A nought that follows is no news."""
        if not isinstance(usage, dict):
            return
        for name in (*READ, "output_tokens"):
            if (found := count(usage, name)) is not None and (found or name not in self._usage):
                self._usage[name] = found

    def _total(self) -> Usage | None:
        if not {"input_tokens", "output_tokens"} & set(self._usage):
            return None
        return Usage(
            input=sum(self._usage.get(name, 0) for name in READ),
            output=self._usage.get("output_tokens", 0),
            cache_read=self._usage.get("cache_read_input_tokens"),
            cache_write=self._usage.get("cache_creation_input_tokens"),
        )

    def _carry(self) -> dict[str, Any] | None:
        layout = list(self._layout())
        opaque = any(item["type"] in ("thinking", "redacted_thinking") for item in layout)
        return {NAME: sound_value(layout)} if opaque else None

    def _layout(self) -> Iterator[dict[str, Any]]:
        """The turn's blocks in order. Thinking that was cut before its signature is left out."""
        signed = any(block.signature for block in self._blocks)
        for block in self._blocks:
            if block.kind == "thinking" and (not block.thinking and not block.signature):
                continue
            if block.kind == "thinking" and signed and not block.signature:
                continue
            yield block.kept()


def _error(event: dict[str, Any], name: str) -> Any:
    """The error that an event is or carries, None when there is none."""
    error = event.get("error")
    if isinstance(error, dict) or (isinstance(error, str) and error):
        return error
    return event if name == "error" or event.get("type") == "error" else None


def _is_index(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _string(value: Any) -> str:
    return value if isinstance(value, str) else ""

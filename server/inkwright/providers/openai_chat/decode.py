"""Chat-completions chunks (or a whole completion) into the neutral events. Pure; never raises."""

from __future__ import annotations

from typing import Any

from inkwright.domain.conversation import Finish, ModelEvent, Text, Usage
from inkwright.domain.errors import ErrorKind, Fault
from inkwright.providers.characters import sound_value
from inkwright.providers.documents import Document
from inkwright.providers.ending import finished
from inkwright.providers.errors import classify, fault
from inkwright.providers.openai_chat import NAME
from inkwright.providers.openai_chat.calls import Calls
from inkwright.providers.openai_chat.details import Details
from inkwright.providers.openai_chat.usage import read_usage
from inkwright.providers.words import Words

FINISHES: dict[str, Finish] = {
    "length": "length",
    "max_tokens": "length",
    "content_filter": "content_filter",
    "sensitive": "content_filter",
}
"""What ends an answer otherwise than by its own will; every other reason is `stop`."""

FAILURES: dict[str, ErrorKind] = {
    "error": "server",
    "network_error": "server",
    "insufficient_system_resource": "overloaded",
}
"""Reasons that are failures of the server."""

_FINE = (None, "", 0, 200, "0", "200")
"""Codes of chunks that carry a message and are no error."""

REASONING_FIELDS = ("reasoning_content", "reasoning")


class Answer:
    """One answer in the making. Feed `read` with documents; `close` once."""

    def __init__(self) -> None:
        self._finish: Finish | None = None
        self._fault: Fault | None = None
        self._refused = False
        self._usage: Usage | None = None
        self._calls = Calls()
        self._legacy = Calls()
        self._words = Words()
        self._thoughts: dict[str, list[str]] = {}
        self._details = Details()
        self._chat = self._other = False
        self._served: dict[str, str] = {}

    @property
    def over(self) -> bool:
        """True after an error in the stream: what follows is none of the answer."""
        return self._fault is not None

    @property
    def settled(self) -> bool:
        """True once the server said why it stopped: only usage may follow."""
        return self._finish is not None

    def read(self, document: Document) -> list[ModelEvent]:
        chunk = document.value
        if not isinstance(chunk, dict):
            return []
        self._chat = self._chat or "choices" in chunk
        self._other = self._other or "choices" not in chunk
        self._note(chunk)
        choice = _choice(chunk)
        out: list[ModelEvent] = []
        if choice is not None:
            self._usage = read_usage(choice.get("usage")) or self._usage
            message = choice.get("message") if isinstance(choice.get("message"), dict) else None
            delta = choice.get("delta")
            if isinstance(delta, dict):
                out += self._delta(delta)
            if message is not None and not self._words.said and not self._calls:
                out += self._delta(message)
            self._reason(choice.get("finish_reason"), whole=message is not None and "delta" not in choice)
        if (error := _error(chunk, document.event)) is not None:
            self._fault = classify(error)
        return out

    def close(self, ended: Fault | None, *, done: bool = False) -> list[ModelEvent]:
        """What was held back, then the one `Finished`.

        `ended` is why the body ended early, None when it came to its end; `done` when the server
        said that the answer is over.
        """
        rest = self._words.end()
        said = self._words.said or any(isinstance(event, Text) for event in rest)
        finish, why = self._outcome(ended, done=done, said=said)
        calls = self._calls or self._legacy
        return [*rest, finished(finish, why, calls.all(), self._usage, self._carry(calls), self._served)]

    def _outcome(self, ended: Fault | None, *, done: bool, said: bool) -> tuple[Finish, Fault | None]:
        if self._fault is not None:
            return ("content_filter" if self._fault.kind == "content_filter" else "error"), self._fault
        if self._refused or self._finish == "content_filter":
            return "content_filter", fault("content_filter", "model_refused" if self._refused else "")
        if self._finish is not None:
            return self._finish, None
        if done:
            return "stop", None
        if ended is not None:
            return "error", ended
        if self._other and not self._chat:
            return "error", fault("malformed", "model_not_chat")
        silent = not said and not self._calls and not self._thoughts
        return "error", fault("connection", "model_empty" if silent else "model_cut_off")

    def _carry(self, calls: Calls) -> dict[str, Any] | None:
        """What must go back with the turn: the details where there are any, else the reasoning as text."""
        kept: dict[str, Any] = {name: "".join(parts) for name, parts in self._thoughts.items()}
        if self._details.opaque:
            kept = {"reasoning_details": self._details.all}
        if extras := calls.extras():
            kept["extra_content"] = extras
        return {NAME: sound_value(kept)} if kept else None

    def _note(self, chunk: dict[str, Any]) -> None:
        self._usage = read_usage(chunk.get("usage")) or self._usage
        for key in ("id", "model"):
            if isinstance(value := chunk.get(key), str) and value:
                self._served[key] = value[:200]

    def _delta(self, delta: dict[str, Any]) -> list[ModelEvent]:
        field, thought = _reasoning(delta)
        text, more = _content(delta.get("content"))
        if thought:
            self._thoughts.setdefault(field, []).append(thought)
        self._details.add(delta.get("reasoning_details"))
        if isinstance(refusal := delta.get("refusal"), str) and refusal:
            self._refused = True
            text += refusal
        calls = delta.get("tool_calls")
        for call in calls if isinstance(calls, list) else (calls,):
            self._calls.add(call)
        self._legacy.add(delta.get("function_call"))
        return [*self._words.feed(text, thought + more)]

    def _reason(self, reason: Any, *, whole: bool) -> None:
        """The first reason that is not a plain stop stays; a whole completion has one even unsaid."""
        if isinstance(reason, str) and reason:
            if kind := FAILURES.get(reason):
                self._fault = fault(kind)
            elif self._finish in (None, "stop"):
                self._finish = FINISHES.get(reason, "stop")
        elif whole and self._finish is None:
            self._finish = "stop"


def _choice(chunk: dict[str, Any]) -> dict[str, Any] | None:
    choices = chunk.get("choices")
    first = choices[0] if isinstance(choices, list) and choices else None
    return first if isinstance(first, dict) else None


def _error(chunk: dict[str, Any], event: str) -> Any:
    """The error that a chunk is or carries, None when there is none."""
    error = chunk.get("error")
    if isinstance(error, dict) or (isinstance(error, str) and error):
        return error
    if "choices" in chunk:
        return None
    bare = isinstance(chunk.get("message"), str) and chunk.get("code") not in _FINE
    if event == "error" or chunk.get("object") == "error" or chunk.get("type") == "error" or bare:
        return chunk
    return None


def _reasoning(delta: dict[str, Any]) -> tuple[str, str]:
    """The field and text of a chunk's reasoning; the same text in several fields counts once."""
    for field in REASONING_FIELDS:
        if isinstance(value := delta.get(field), str) and value:
            return field, value
    details = delta.get("reasoning_details")
    parts = [d.get("text") for d in details if isinstance(d, dict)] if isinstance(details, list) else []
    return "reasoning", "".join(part for part in parts if isinstance(part, str))


def _content(content: Any) -> tuple[str, str]:
    """(text, reasoning) of a content that is a text or a list of typed parts."""
    if isinstance(content, str):
        return content, ""
    text, thought = [], []
    for part in content if isinstance(content, list) else ():
        if not isinstance(part, dict):
            continue
        if isinstance(words := part.get("text"), str):
            text.append(words)
        elif isinstance(words := part.get("thinking"), str):
            thought.append(words)
        elif isinstance(words, list):
            thought += [p["text"] for p in words if isinstance(p, dict) and isinstance(p.get("text"), str)]
    return "".join(text), "".join(thought)

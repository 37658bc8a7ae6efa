"""Responses of streamGenerateContent (or of generateContent) into the neutral events. Pure; never raises."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from inkwright.domain.conversation import Finish, ModelEvent, Text, ToolCall, Usage
from inkwright.domain.errors import Fault
from inkwright.providers import arguments
from inkwright.providers.characters import sound_value
from inkwright.providers.counts import count, table
from inkwright.providers.documents import Document
from inkwright.providers.ending import finished
from inkwright.providers.errors import classify, fault
from inkwright.providers.gemini_generate import NAME
from inkwright.providers.words import Words, length

FILTERED = frozenset(
    ("SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "LANGUAGE", "IMAGE_SAFETY")
)
BROKEN = frozenset(
    (
        "MALFORMED_FUNCTION_CALL",
        "UNEXPECTED_TOOL_CALL",
        "TOO_MANY_TOOL_CALLS",
        "MISSING_THOUGHT_SIGNATURE",
        "MALFORMED_RESPONSE",
    )
)
"""What the model wrote makes no sense to its own server; asked again it may do better."""

FAILED = frozenset(("OTHER", "FINISH_REASON_UNSPECIFIED"))

OURS = frozenset(("candidates", "usageMetadata", "promptFeedback", "modelVersion", "responseId"))


class Answer:
    """One answer in the making. Feed `read` with documents; `close` once."""

    def __init__(self) -> None:
        self._finish: Finish | None = None
        self._fault: Fault | None = None
        self._usage: dict[str, int] = {}
        self._calls: list[ToolCall] = []
        self._layout: list[dict[str, Any]] = []
        self._words = Words()
        self._chat = self._other = False
        self._served: dict[str, str] = {}

    @property
    def over(self) -> bool:
        """True after an error in the stream: what follows is none of the answer."""
        return self._fault is not None

    @property
    def settled(self) -> bool:
        """True once the server said that it was kept from going on. STOP alone ends nothing: it may
        come early."""
        return self._finish not in (None, "stop")

    def read(self, document: Document) -> list[ModelEvent]:
        chunk = document.value
        if not isinstance(chunk, dict):
            return []
        self._chat = self._chat or not OURS.isdisjoint(chunk)
        self._other = True
        self._note(chunk)
        out: list[ModelEvent] = []
        candidates = chunk.get("candidates")
        first = candidates[0] if isinstance(candidates, list) and candidates else None
        if isinstance(first, dict):
            content = first.get("content")
            parts = content.get("parts") if isinstance(content, dict) else None
            for part in parts if isinstance(parts, list) else ():
                if isinstance(part, dict):
                    out += self._part(part)
            self._reason(first.get("finishReason"))
        feedback = chunk.get("promptFeedback")
        if isinstance(feedback, dict) and isinstance(feedback.get("blockReason"), str):
            self._finish = "content_filter"
        error = chunk.get("error")
        if isinstance(error, dict) or (isinstance(error, str) and error):
            self._fault = classify(error)
        elif document.event == "error":
            self._fault = classify(chunk)
        return out

    def close(self, ended: Fault | None, *, done: bool = False) -> list[ModelEvent]:  # noqa: ARG002
        """What was held back, then the one `Finished`. `ended` is why the body ended early.

        This wire has no terminator: only a reason to finish is a normal end.
        """
        rest = self._words.end()
        self._said(length(rest))
        finish, why = self._outcome(ended, said=self._words.said or any(isinstance(e, Text) for e in rest))
        return [*rest, finished(finish, why, self._calls, self._total(), self._carry(), self._served)]

    def _outcome(self, ended: Fault | None, *, said: bool) -> tuple[Finish, Fault | None]:
        if self._fault is not None:
            return ("content_filter" if self._fault.kind == "content_filter" else "error"), self._fault
        if self._finish == "content_filter":
            return "content_filter", fault("content_filter")
        if self._finish is not None:
            return self._finish, None
        if ended is not None:
            return "error", ended
        if self._other and not self._chat:
            return "error", fault("malformed", "model_not_chat")
        return "error", fault("connection", "model_cut_off" if said or self._layout else "model_empty")

    def _note(self, chunk: dict[str, Any]) -> None:
        """Usage is cumulative: of each count the last one stands."""
        for key, name in (("responseId", "id"), ("modelVersion", "model")):
            if isinstance(value := chunk.get(key), str) and value:
                self._served[name] = value[:200]
        usage = table(chunk, "usageMetadata")
        for name in usage:
            if (found := count(usage, name)) is not None:
                self._usage[name] = found

    def _part(self, part: dict[str, Any]) -> list[ModelEvent]:
        text, signature = part.get("text"), part.get("thoughtSignature")
        signed = {"signature": signature} if isinstance(signature, str) and signature else {}
        words = text if isinstance(text, str) else ""
        call = part.get("functionCall")
        if isinstance(call, dict):
            self._call(call, signed)
            return []
        if part.get("thought") is True:
            if signed:
                self._layout.append({"type": "thought", "text": words, **signed})
            return [*self._words.feed(thought=words)]
        said = self._words.feed(words)
        self._said(length(said))
        if signed:
            if not self._layout or self._layout[-1]["type"] != "text" or "signature" in self._layout[-1]:
                self._layout.append({"type": "text", "length": 0})
            self._layout[-1] |= signed
        return [*said]

    def _said(self, size: int) -> None:
        """Text goes on with the last part unless a signature closed that."""
        if not size:
            return
        if not self._layout or self._layout[-1]["type"] != "text" or "signature" in self._layout[-1]:
            self._layout.append({"type": "text", "length": 0})
        self._layout[-1]["length"] += size

    def _call(self, call: dict[str, Any], signed: dict[str, str]) -> None:
        id_, name = call.get("id"), call.get("name")
        if not isinstance(name, str) or not name:
            return
        given = id_ if isinstance(id_, str) else ""
        self._layout.append({"type": "call", **({"id": given} if given else {}), **signed})
        self._calls.append(ToolCall(given, name, *arguments.of_value(call.get("args"))))

    def _reason(self, reason: Any) -> None:
        """The first reason that is not a plain stop stays."""
        if not isinstance(reason, str) or not reason:
            return
        if reason in BROKEN:
            self._fault = replace(fault("malformed", "model_bad_call"), retryable=True)
        elif reason in FAILED:
            self._fault = fault("server")
        elif self._finish in (None, "stop"):
            self._finish = (
                "length" if reason == "MAX_TOKENS" else "content_filter" if reason in FILTERED else "stop"
            )

    def _total(self) -> Usage | None:
        sent = self._usage.get("promptTokenCount")
        made, thought = self._usage.get("candidatesTokenCount"), self._usage.get("thoughtsTokenCount")
        if sent is None and made is None:
            return None
        return Usage(
            input=sent or 0,
            output=(made or 0) + (thought or 0),
            cache_read=self._usage.get("cachedContentTokenCount"),
            reasoning=thought,
        )

    def _carry(self) -> dict[str, Any] | None:
        opaque = any("signature" in item or "id" in item for item in self._layout)
        return {NAME: sound_value(self._layout)} if opaque else None

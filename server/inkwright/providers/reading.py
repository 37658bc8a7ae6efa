"""From the bytes of a body to the events of one answer, ended exactly once."""

from __future__ import annotations

from typing import Protocol

from inkwright.domain.conversation import ModelEvent
from inkwright.domain.errors import Fault
from inkwright.providers.documents import Document, Documents, Done, Item
from inkwright.providers.errors import fault

MAX_BODY = 512 * 1024 * 1024
"""Bytes of a whole answer: several times the longest that any model gives, with all that goes round it."""

BROKEN = {
    "page": "model_page",
    "text": "model_not_json",
    "json": "model_bad_json",
    "long": "model_line_too_long",
}


class Answer(Protocol):
    """What every wire's `decode.Answer` is."""

    @property
    def over(self) -> bool: ...

    @property
    def settled(self) -> bool: ...

    def read(self, document: Document) -> list[ModelEvent]: ...

    def close(self, ended: Fault | None, *, done: bool = False) -> list[ModelEvent]: ...


class Reading:
    """Feeds one answer. After `over` nothing comes out any more; `end` makes it so."""

    def __init__(self, answer: Answer) -> None:
        self._answer = answer
        self._documents = Documents()
        self.over = False
        self.payloads = 0
        self._size = 0

    @property
    def settled(self) -> bool:
        return self._answer.settled

    def feed(self, data: bytes) -> list[ModelEvent]:
        out: list[ModelEvent] = []
        self._size += len(data)
        for item in () if self.over else self._documents.feed(data):
            out += self._item(item)
            if self.over:
                break
        if self._size > MAX_BODY and not self.over:
            out += self._close(fault("malformed", "model_too_long"))
        return out

    def end(self, ended: Fault | None = None) -> list[ModelEvent]:
        """The body is over: to its end, or (with a fault) because of what happened to it."""
        out: list[ModelEvent] = []
        for item in () if self.over else self._documents.end():
            out += self._item(item, ended)
            if self.over:
                break
        if not self.over:
            out += self._close(ended)
        return out

    def _item(self, item: Item, ended: Fault | None = None) -> list[ModelEvent]:
        if isinstance(item, Document):
            self.payloads += 1
            out = self._answer.read(item)
            return [*out, *self._close(None)] if self._answer.over else out
        if isinstance(item, Done):
            return self._close(None, done=True)
        if ended is not None or item.reason == "cut":
            return self._close(ended)
        return self._close(fault("malformed", BROKEN[item.reason]))

    def _close(self, ended: Fault | None, *, done: bool = False) -> list[ModelEvent]:
        self.over = True
        return self._answer.close(ended, done=done)

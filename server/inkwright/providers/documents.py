"""The JSON documents of a response body, whatever form the server gave it.

The content type is a hint that gateways get wrong, so the first bytes decide: `{` or `[` is a JSON
body, `<` a web page, anything else an event stream. The elements of an array are documents of their own.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from inkwright.providers.arrays import Elements
from inkwright.providers.sse import BLANK, MAX_LINE, Field, FieldReader, LineTooLongError


@dataclass(frozen=True, slots=True)
class Document:
    """One JSON value; `event` is the event's name when the stream gave one before the data."""

    value: Any
    event: str = ""


@dataclass(frozen=True, slots=True)
class Done:
    """`[DONE]`: the answer is over, and whatever follows is none of it."""


@dataclass(frozen=True, slots=True)
class Broken:
    """The body is not what it should be. `cut` means that it stopped in the middle of a document."""

    reason: Literal["page", "text", "json", "long", "cut"]


Item = Document | Done | Broken

_SPACE = re.compile(r"[ \t\r\n]*")
_OPEN = re.compile(r"\s*(?:|t|tr|tru|f|fa|fal|fals|n|nu|nul|-|\.|[eE][+-]?)\s*")
_DECODER = json.JSONDecoder(strict=False)
_BOM = b"\xef\xbb\xbf"
_BLANK_HEAD = re.compile(rb"(?:[ \t\r\n]|\xef\xbb\xbf)*")
_FIELDS = frozenset(("data", "event", "id", "retry", "error", ""))


def unfinished(text: str) -> bool:
    """True when `text` is the beginning of a JSON value that more characters could complete."""
    try:
        _DECODER.decode(text)
    except json.JSONDecodeError as error:
        if error.msg.startswith(("Unterminated string", "Invalid \\")):
            return error.msg.startswith("Unterminated") or len(text) - error.pos < 6
        return _OPEN.fullmatch(text, error.pos) is not None
    except (ValueError, RecursionError):
        return False
    return False


class Documents:
    """Bytes in, cut anywhere; documents out as soon as they are whole. Never raises.

    An event is read at its first data line when that line is whole JSON by itself, so that servers
    that send no blank lines still stream.
    """

    def __init__(self) -> None:
        self._form = "unknown"
        self._held: list[bytes] = []
        self._size = 0
        self._fields = FieldReader()
        self._elements = Elements()
        self._event = ""
        self._data: list[str] = []
        self._known = False
        self._strange = False

    def feed(self, data: bytes) -> Iterator[Item]:
        if self._form == "unknown":
            data = self._sniff(data)
        if self._form == "events":
            yield from self._guard(self._fields.feed(data))
        elif self._form == "array":
            yield from self._array(data)
        elif self._form == "json":
            self._size += len(data)
            self._held.append(data)
            if self._size > MAX_LINE:
                self._form = "over"
                yield Broken("long")
        elif self._form == "page":
            self._form = "over"
            yield Broken("page")

    def end(self) -> Iterator[Item]:
        """What is still held when the body ends: an event without its blank line, a JSON body."""
        if self._form == "events":
            yield from self._guard(self._fields.end())
            yield from self._dispatch(at_end=True)
            if self._strange and not self._known:
                yield Broken("text")
        elif self._form == "array":
            last = self._elements.end()
            yield from self._element(last) if _is_whole(last) else ()
            if self._form != "over":
                yield Broken("cut")
        elif self._form == "json":
            yield from self._json(b"".join(self._held), "cut")
        self._form = "over"

    def _array(self, data: bytes) -> Iterator[Item]:
        for element in self._elements.feed(data):
            yield from self._element(element)
            if self._form == "over":
                return
        if self._elements.rest is not None:
            self._form = "json"
            yield from self.feed(self._elements.rest)
        elif self._elements.size > MAX_LINE:
            self._form = "over"
            yield Broken("long")

    def _element(self, element: bytes) -> Iterator[Item]:
        if element == b"DONE":
            self._form = "over"
            yield Done()
        else:
            yield from self._json(element, "json")

    def _json(self, data: bytes, cut: Literal["cut", "json"]) -> Iterator[Item]:
        """Documents of JSON that is there as a whole; what breaks it ends all."""
        text = data.decode("utf-8", "replace")
        items, failed = _documents(text, "")
        for item in items:
            if isinstance(item, Document) and isinstance(item.value, list):
                yield from (Document(value) for value in item.value)
            else:
                yield item
        if failed is not None:
            self._form = "over"
            yield Broken(cut if unfinished(text[failed:]) else "json")

    def _sniff(self, data: bytes) -> bytes:
        """Decides the form at the first byte that counts; holds a mark (BOM) that may still be cut."""
        head = _BLANK_HEAD.sub(b"", b"".join((*self._held, data)), count=1)
        self._held = []
        if _BOM.startswith(head):
            self._held = [head]
            return b""
        forms = {ord("{"): "json", ord("["): "array", ord("<"): "page"}
        self._form = forms.get(head[0], "events")
        return head

    def _guard(self, fields: Iterator[Field]) -> Iterator[Item]:
        try:
            for field in fields:
                for item in self._field(field):
                    yield item
                    if self._form == "over":
                        return
        except LineTooLongError:
            self._form = "over"
            yield Broken("long")

    def _field(self, field: Field) -> Iterator[Item]:
        if field is BLANK:
            yield from self._dispatch(at_end=False)
            return
        if field.name in _FIELDS:
            self._known = True
        else:
            self._strange = True
        if field.name == "data":
            whole = None if self._data else _whole(field.value, self._event)
            if whole is not None:
                yield from self._emit(whole)
                return
            self._data.append(field.value)
            self._size += len(field.value)
            if self._size > MAX_LINE:
                raise LineTooLongError
        elif field.name == "event":
            self._event = field.value
        elif field.name == "error" and (whole := _whole(field.value, "")):
            yield from (Document({"error": d.value}) for d in whole if isinstance(d, Document))

    def _dispatch(self, *, at_end: bool) -> Iterator[Item]:
        if self._data:
            items, failed = _documents("\n".join(self._data), self._event)
            self._data = []
            self._size = 0
            yield from self._emit(items)
            if failed is not None and self._form != "over":
                yield Broken("cut" if at_end else "json")
        self._event = ""

    def _emit(self, items: list[Document | Done]) -> Iterator[Item]:
        for item in items:
            if isinstance(item, Done):
                self._form = "over"
            yield item


def _whole(text: str, event: str) -> list[Document | Done] | None:
    """The documents of a line, None when the line by itself is not whole."""
    items, failed = _documents(text, event)
    return items if failed is None else None


def _is_whole(data: bytes) -> bool:
    """Whether an object is all there; of a number nobody knows."""
    return data.endswith(b"}") and _documents(data.decode("utf-8", "replace"), "")[1] is None


def _documents(text: str, event: str) -> tuple[list[Document | Done], int | None]:
    """Several values in a row are several documents; null and nothing are heartbeats.

    The second value is where reading failed, None when it did not.
    """
    items: list[Document | Done] = []
    at = _after_space(text, 0)
    while at < len(text):
        if text.startswith("[DONE]", at):
            return [*items, Done()], None
        try:
            value, end = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError):
            return items, at
        if value is not None:
            items.append(Document(value, event))
        at = _after_space(text, end)
    return items, None


def _after_space(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at

"""Server-sent events, byte for byte: lines end in CR, LF or CRLF and nothing else does."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

MAX_LINE = 64 * 1024 * 1024

_EOL = re.compile(rb"\r\n|\n|\r")


class LineTooLongError(ValueError):
    """A line above MAX_LINE: no answer looks like that."""


@dataclass(frozen=True, slots=True)
class Field:
    """One line that is not blank. A comment has the name ''."""

    name: str
    value: str


BLANK = Field("\n", "")
"""The line that ends an event."""


class FieldReader:
    """Bytes in (after any BOM), cut anywhere; fields and blank lines out. Work is linear in the bytes.

    A CR ends its line at once, so an event that ends in CR is not held back for an LF that may
    never come; that LF, when it comes, is dropped.
    """

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._size = 0
        self._after_cr = False

    def feed(self, data: bytes) -> Iterator[Field]:
        """The fields that `data` completes. Raises `LineTooLongError`."""
        if self._after_cr and data:
            data = data.removeprefix(b"\n")
            self._after_cr = False
        if not data:
            return
        self._after_cr = data.endswith(b"\r")
        head, *rest = _EOL.split(data)
        self._hold(head)
        for piece in rest:
            yield self._take()
            self._hold(piece)

    def end(self) -> Iterator[Field]:
        """The last line, when the stream ended inside one."""
        if self._size:
            yield self._take()

    def _hold(self, piece: bytes) -> None:
        self._size += len(piece)
        if self._size > MAX_LINE:
            raise LineTooLongError
        if piece:
            self._parts.append(piece)

    def _take(self) -> Field:
        line = b"".join(self._parts)
        self._parts.clear()
        self._size = 0
        if not line:
            return BLANK
        name, _, value = line.decode("utf-8", "replace").partition(":")
        return Field(name, value.removeprefix(" "))

"""The elements of a JSON array, each as soon as it is whole."""

from __future__ import annotations

import re
from collections.abc import Iterator

_MARK = re.compile(rb'[\[\]{},"]')
_STRING = re.compile(rb'["\\]')


class Elements:
    """Bytes of an array in (from its bracket on), cut anywhere; whole elements out. Work is linear.

    `rest` is what follows the closing bracket; it is None while the array is open.
    """

    def __init__(self) -> None:
        self._depth = 0
        self._inside = False
        self._escaped = False
        self._parts: list[bytes] = []
        self.size = 0
        self.rest: bytes | None = None

    def feed(self, data: bytes) -> Iterator[bytes]:
        start = at = 0
        if self._escaped and data:
            at, self._escaped = 1, False
        while found := (_STRING if self._inside else _MARK).search(data, at):
            mark, at = found[0], found.end()
            if self._inside:
                if mark == b'"':
                    self._inside = False
                elif at == len(data):
                    self._escaped = True
                else:
                    at += 1
                continue
            if mark == b'"':
                self._inside = True
            elif mark in b"[{":
                self._depth += 1
                if self._depth == 1:
                    start = at
            elif mark in b"]}":
                self._depth -= 1
            if (mark == b"," and self._depth == 1) or self._depth == 0:
                yield self._take(data[start : at - 1])
                start = at
            if self._depth == 0:
                self.rest = data[at:]
                return
        self._parts.append(data[start:])
        self.size += len(data) - start

    def end(self) -> bytes:
        """The element that the end of the body cut off, empty when there is none."""
        return self._take(b"")

    def _take(self, last: bytes) -> bytes:
        whole = b"".join((*self._parts, last)).strip()
        self._parts.clear()
        self.size = 0
        return whole

"""The base protocol: header block, blank line, body."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

MAX_BODY = 256 * 1024 * 1024
MAX_HEADER = 64 * 1024


class FramingError(Exception):
    """The stream cannot be read on: where the next message begins is no longer known."""


class Framer:
    """Cuts a stream of bytes into message bodies.

    Header names are matched without case. A header block without Content-Length is dropped.
    """

    def __init__(self) -> None:
        self._data = bytearray()
        self._need = -1

    def feed(self, chunk: bytes) -> Iterator[bytes]:
        """The bodies that `chunk` completes, in order. Raises `FramingError`."""
        data = self._data
        data += chunk
        while True:
            if self._need < 0:
                end = data.find(b"\r\n\r\n")
                if end < 0:
                    if len(data) > MAX_HEADER:
                        raise FramingError("no end of header")
                    return
                self._need = _content_length(bytes(data[:end]))
                del data[: end + 4]
                continue
            if len(data) < self._need:
                return
            body = bytes(data[: self._need])
            del data[: self._need]
            self._need = -1
            yield body


def _content_length(block: bytes) -> int:
    for line in block.split(b"\r\n"):
        name, colon, value = line.partition(b":")
        if colon and name.strip().lower() == b"content-length":
            digits = value.strip()
            if not digits.isdigit() or len(digits) > 12 or int(digits) > MAX_BODY:
                raise FramingError("bad Content-Length")
            return int(digits)
    return -1


def frame(pieces: Sequence[bytes]) -> Iterator[bytes]:
    """What is to be written for a body that is given in pieces; a small one goes out in one write."""
    first, *rest = pieces
    yield b"Content-Length: %d\r\n\r\n%b" % (sum(map(len, pieces)), first)
    yield from rest

"""JSON as it is sent: small messages in one go, large answers in pieces."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

_LARGE = 200  # elements from which on a list is encoded in slices
_SLICE = 16
_PIECE = 65_536
_DEPTH = 3  # message, result, the members of the result

Plain = Callable[[Any], Any]
"""What makes a JSON value of any other; raises `TypeError` for one that is none."""


class Json(str):
    """A result, or parameters, that are JSON text already."""

    __slots__ = ()


def dumps(value: Any, plain: Plain | None = None) -> str:
    """JSON without blanks; characters stand as they are."""
    return json.dumps(value, default=plain, ensure_ascii=False, separators=(",", ":"))


def body(message: Mapping[str, Any], plain: Plain) -> list[bytes]:
    """A message in UTF-8, a large one in several pieces; a lone surrogate becomes an escape. Raises what
    `json.dumps` raises."""
    result = message.get("result")
    for name in ("result", "params"):
        if isinstance(message.get(name), Json):
            head = dumps({key: value for key, value in message.items() if key != name}, plain)
            return [_bytes(f'{head[:-1]},"{name}":{message[name]}}}')]
    if isinstance(result, dict) and any(isinstance(v, list) and len(v) > _LARGE for v in result.values()):
        # In one go the answer about a large book would stand in memory several times over.
        return list(_joined(_bytes(piece) for piece in _pieces(message, plain, _DEPTH)))
    return [_bytes(dumps(message, plain))]


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "backslashreplace")


def _joined(pieces: Iterable[bytes]) -> Iterator[bytes]:
    waiting = bytearray()
    for piece in pieces:
        waiting += piece
        if len(waiting) > _PIECE:
            yield bytes(waiting)
            waiting.clear()
    yield bytes(waiting)


def _pieces(value: Any, plain: Plain, depth: int) -> Iterator[str]:
    if depth and isinstance(value, Mapping):
        yield "{"
        for at, (key, member) in enumerate(value.items()):
            yield f"{',' if at else ''}{dumps(key)}:"
            yield from _pieces(member, plain, depth - 1)
        yield "}"
    elif depth and isinstance(value, list):
        yield "["
        step = _SLICE if len(value) > _LARGE else 1
        for at in range(0, len(value), step):
            yield f"{',' if at else ''}{dumps(value[at : at + step], plain)[1:-1]}"
        yield "]"
    else:
        yield dumps(value, plain)

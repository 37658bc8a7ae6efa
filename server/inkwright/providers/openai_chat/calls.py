"""Tool calls put together from the fragments that servers send, each in its own habit."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from inkwright.domain.conversation import ToolCall
from inkwright.providers.arguments import is_json, of_text, of_value


@dataclass(slots=True, eq=False)
class _Call:
    """One call in the making. `resent` is what the fragments mean when each may repeat all so far."""

    id: str = ""
    name: str = ""
    appended: list[str] = field(default_factory=list)
    resent: list[str] = field(default_factory=list)
    resent_size: int = 0
    value: Any = None
    extra: Any = None

    @property
    def empty(self) -> bool:
        return not self.appended and self.value is None

    @property
    def whole(self) -> bool:
        return self.value is not None or _is_closed(self.appended)

    @property
    def whole_either_way(self) -> bool:
        return self.whole or _is_closed(self.resent)

    def add(self, arguments: Any) -> None:
        if isinstance(arguments, dict | list):
            self.value = arguments
            return
        if arguments is None or isinstance(arguments, bool):
            return
        piece = arguments if isinstance(arguments, str) else json.dumps(arguments)
        if not piece:
            return
        self.appended.append(piece)
        if self.resent and len(piece) >= self.resent_size and piece.startswith("".join(self.resent)):
            self.resent, self.resent_size = [], 0
        self.resent.append(piece)
        self.resent_size += len(piece)

    def take_name(self, piece: str) -> None:
        """The name is set once; a further piece belongs to it only before any argument."""
        if not self.name:
            self.name = piece
        elif piece != self.name and self.empty:
            self.name += piece

    def call(self) -> ToolCall:
        if self.value is not None:
            return ToolCall(self.id, self.name, *of_value(self.value))
        return ToolCall(self.id, self.name, *of_text("".join(self.appended), "".join(self.resent)))


class Calls:
    """The calls of one answer, in the order of their first appearance."""

    def __init__(self) -> None:
        self._all: list[_Call] = []
        self._by_index: dict[int, _Call] = {}
        self._last: _Call | None = None

    def __bool__(self) -> bool:
        return bool(self._all)

    def add(self, delta: Any) -> None:
        """One entry of a delta's `tool_calls`, or a legacy `function_call`; nonsense is skipped."""
        if not isinstance(delta, dict):
            return
        function = delta.get("function")
        if not isinstance(function, dict):
            function = delta
        id_, name = _text(delta.get("id")), _text(function.get("name"))
        arguments = function.get("arguments")
        if not (id_ or name or arguments):
            return
        call = self._which(delta.get("index"), id_, name)
        if id_ and not call.id:
            call.id = id_
        if name:
            call.take_name(name)
        call.add(arguments)
        if isinstance(extra := delta.get("extra_content"), dict):
            call.extra = extra
        self._last = call

    def all(self) -> list[ToolCall]:
        """The calls as they came."""
        return [call.call() for call in self._all]

    def extras(self) -> list[Any]:
        """What a server wants back with each call (Gemini's signatures, behind its chat completions)."""
        found = [call.extra for call in self._all]
        return found if any(found) else []

    def _which(self, index: Any, id_: str, name: str) -> _Call:
        if isinstance(index, int) and not isinstance(index, bool):
            call = self._by_index.get(index)
            if call is None or _is_another(call, id_, name):
                call = self._by_index[index] = self._new()
            return call
        if id_:
            same = next((c for c in self._all if c.id == id_), None)
            if same is not None:
                return same
            # A new id without a name is one of the hosts that make an id per fragment.
            return self._new() if name or self._last is None else self._last
        if self._last is None or (name and self._last.whole):
            return self._new()
        return self._last

    def _new(self) -> _Call:
        call = _Call()
        self._all.append(call)
        return call


def _is_another(call: _Call, id_: str, name: str) -> bool:
    """Whether a delta at the index of `call` begins a new call. An id alone does not."""
    if not name:
        return False
    if id_ and call.id:
        return id_ != call.id and (call.empty or call.whole_either_way)
    return call.whole


def _is_closed(parts: list[str]) -> bool:
    """Whether the parts make one whole value; the last character is looked at before all are read."""
    return bool(parts) and parts[-1].rstrip()[-1:] in ("}", "]", "l") and is_json("".join(parts))


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    return (
        str(value) if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 10**18 else ""
    )

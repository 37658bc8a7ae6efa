"""Tool calls put together from the fragments that servers send, each in its own habit."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from inkwright.domain.conversation import ToolCall
from inkwright.providers.characters import sound, sound_value
from inkwright.providers.documents import unfinished


@dataclass(slots=True, eq=False)
class _Call:
    """One call in the making. `resent` is what the fragments mean when each may repeat all so far."""

    id: str = ""
    name: str = ""
    appended: list[str] = field(default_factory=list)
    resent: list[str] = field(default_factory=list)
    resent_size: int = 0
    value: Any = None

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

    def arguments(self) -> tuple[Mapping[str, Any] | None, str]:
        """(the object, the text): the object is None when the text is none."""
        if self.value is not None:
            raw = json.dumps(self.value, ensure_ascii=False)
            return (sound_value(self.value) if isinstance(self.value, dict) else None), sound(raw)
        appended = "".join(self.appended)
        for raw in (appended, "".join(self.resent)):
            try:
                value = json.loads(raw, strict=False) if raw.strip() else {}
            except (ValueError, RecursionError):
                continue
            if value is None:
                return {}, sound(raw)
            return (sound_value(value) if isinstance(value, dict) else None), sound(raw)
        return None, sound(appended)


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
        self._last = call

    def finish(self, *, cut: bool) -> tuple[tuple[ToolCall, ...], bool]:
        """The calls, and whether one was left out because its arguments stop in the middle.

        `cut`: the answer hit its limit, so that any call that is not whole is cut off.
        """
        out: list[ToolCall] = []
        dropped = False
        for call in self._all:
            if not call.name:
                continue
            arguments, raw = call.arguments()
            if arguments is None and not is_json(raw) and (cut or unfinished(raw)):
                dropped = True
                continue
            out.append(ToolCall(sound(call.id), sound(call.name), arguments, raw))
        return _with_ids(out), dropped

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


def _with_ids(calls: list[ToolCall]) -> tuple[ToolCall, ...]:
    """Every call with an id of its own; one is made where the server gave none or gave it twice."""
    taken = {call.id for call in calls}
    used: set[str] = set()
    out: list[ToolCall] = []
    for n, call in enumerate(calls):
        id_ = call.id
        while not id_ or id_ in used:
            id_ = f"{call.id or 'call'}_{n}"
            while id_ in taken:
                id_ += "x"
        used.add(id_)
        out.append(ToolCall(id_, call.name, call.arguments, call.raw))
    return tuple(out)


def _is_closed(parts: list[str]) -> bool:
    """Whether the parts make one whole value; the last character is looked at before all are read."""
    return bool(parts) and parts[-1].rstrip()[-1:] in ("}", "]", "l") and is_json("".join(parts))


def is_json(text: str) -> bool:
    """Whether `text` is one whole JSON value."""
    if not text or text.isspace():
        return False
    try:
        json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return False
    return True


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    return (
        str(value) if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 10**18 else ""
    )

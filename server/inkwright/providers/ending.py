"""How an answer ends, on every wire: which of its calls are reported, and under which reason."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from inkwright.domain.conversation import Finish, Finished, ToolCall, Usage
from inkwright.domain.errors import Fault
from inkwright.providers.arguments import is_json
from inkwright.providers.characters import sound
from inkwright.providers.documents import unfinished


def finished(
    finish: Finish,
    fault: Fault | None,
    calls: Iterable[ToolCall],
    usage: Usage | None,
    carry: Mapping[str, Any] | None,
    meta: Mapping[str, str],
) -> Finished:
    """The one end. `calls` are as they came: an id may be missing, arguments may stop in the middle.

    A failed answer reports no call; arguments that stop in the middle were cut off, whatever the
    server calls it; a stop with calls is `tool_calls`.
    """
    reported, dropped = _settled(calls, cut=finish == "length")
    if finish in ("error", "content_filter"):
        reported = ()
    elif finish == "stop" and dropped:
        finish = "length"
    elif finish == "stop" and reported:
        finish = "tool_calls"
    return Finished(finish, reported, usage, fault, carry or None, meta=meta)


def _settled(calls: Iterable[ToolCall], *, cut: bool) -> tuple[tuple[ToolCall, ...], bool]:
    """The calls that can be answered, and whether one was left out because it was cut off."""
    out: list[ToolCall] = []
    dropped = False
    for call in calls:
        if not call.name:
            continue
        if call.arguments is None and not is_json(call.raw) and (cut or unfinished(call.raw)):
            dropped = True
            continue
        out.append(ToolCall(sound(call.id), sound(call.name), call.arguments, call.raw))
    return _with_ids(out), dropped


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

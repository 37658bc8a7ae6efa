"""A model that plays a script: what tests, replays and demonstrations talk to."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass, field

from inkwright.domain.conversation import (
    Finish,
    Finished,
    ModelEvent,
    ModelRequest,
    Reasoning,
    Text,
    ToolCall,
    Underway,
    Usage,
    Waiting,
)
from inkwright.domain.errors import Fault


@dataclass(frozen=True, slots=True)
class Pause:
    """Nothing comes for so many seconds; None: nothing ever comes again."""

    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Raise:
    """The model breaks its promise and raises."""

    error: Exception


# What a turn is made of. A string is text, a fault ends the turn with an error, and a turn that says
# no end of its own ends with `tool_calls` or `stop`.
Line = str | Text | Reasoning | Waiting | Underway | ToolCall | Pause | Raise | Fault | Finished


@dataclass(frozen=True, slots=True)
class Turn:
    """One answer. `ended` False: the stream stops without a `Finished`."""

    lines: Sequence[Line]
    finish: Finish | None = None
    usage: Usage | None = None
    ended: bool = True


@dataclass(slots=True)
class ScriptedModel:
    """Plays `script` turn by turn, whatever it is asked, and keeps the requests.

    A request beyond the script's end is answered by `Fault("script_ended")`. `open` is how many
    streams are running, `cut` how many were closed before their end.
    """

    script: Sequence[Turn | Sequence[Line] | str]
    name: str = "scripted"
    sleep: Callable[[float], Awaitable[object]] = asyncio.sleep
    requests: list[ModelRequest] = field(default_factory=list)
    open: int = 0
    cut: int = 0

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        place = len(self.requests)
        self.requests.append(request)
        turn = _turn(self.script[place]) if place < len(self.script) else Turn([Fault("script_ended")])
        self.open += 1
        whole = False
        try:
            async for event in self._play(turn):
                if isinstance(event, Finished):
                    whole = True
                yield event
            whole = True
        finally:
            self.open -= 1
            self.cut += not whole

    async def _play(self, turn: Turn) -> AsyncIterator[ModelEvent]:
        calls: list[ToolCall] = []
        for entry in turn.lines:
            match entry:
                case str():
                    yield Text(entry)
                case Text() | Reasoning() | Waiting() | Underway():
                    yield entry
                case ToolCall():
                    calls.append(entry)
                case Pause(None):
                    await asyncio.Event().wait()
                case Pause(seconds):
                    await self.sleep(seconds or 0)
                case Raise(error):
                    raise error
                case Fault():
                    finish: Finish = "content_filter" if entry.kind == "content_filter" else "error"
                    yield Finished(finish, tuple(calls), turn.usage, entry)
                    return
                case Finished():
                    yield entry
                    return
        if turn.ended:
            yield Finished(turn.finish or ("tool_calls" if calls else "stop"), tuple(calls), turn.usage)


def _turn(entry: Turn | Sequence[Line] | str) -> Turn:
    if isinstance(entry, Turn):
        return entry
    return Turn([entry] if isinstance(entry, str) else entry)

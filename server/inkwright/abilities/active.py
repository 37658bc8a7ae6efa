"""Runs in progress: who listens, who may cancel, and whether it is too late to."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import dataclass, field

from inkwright.abilities.asks import Ask, RunResult
from inkwright.domain.conversation import Usage
from inkwright.domain.errors import Fault
from inkwright.domain.run import RunEnded, RunEvent, RunRequest, StopReason, TextDelta
from inkwright.runtime.stops import status_of

Sink = Callable[[RunEvent], None]

_log = logging.getLogger(__name__)


@dataclass(slots=True)
class ActiveRun:
    """One run and everybody who follows it. `settling` is set once its outcome is being written; `end` is how
    a run that was cancelled on its way ended: nothing else tells it."""

    ask: Ask
    body: str
    task: asyncio.Task[RunResult] | None = None
    request: RunRequest | None = None
    settling: bool = False
    cancelled: bool = False
    end: RunEnded | None = None
    _begun: bool = False
    _events: list[RunEvent] = field(default_factory=list)
    _sinks: list[Sink] = field(default_factory=list)

    def begin(self) -> None:
        """The task's first step. Raises `CancelledError` when the run was cancelled before it."""
        self._begun = True
        if self.cancelled:
            raise asyncio.CancelledError

    def emit(self, event: RunEvent) -> None:
        self._events.append(event)
        for sink in tuple(self._sinks):
            self._hand(sink, event)

    def take(self, ended: RunEnded) -> None:
        self.end = ended

    async def follow(self, sink: Sink) -> RunResult:
        """All events from the first one on, then the outcome.

        A follower that is cancelled stops listening; the last one to leave takes the run with it.
        """
        if self.task is None:
            raise RuntimeError("a run is followed before it was started")
        for event in tuple(self._events):
            self._hand(sink, event)
        self._sinks.append(sink)
        try:
            return await asyncio.shield(self.task)
        except asyncio.CancelledError:
            self._sinks.remove(sink)
            if not self._sinks and self.cancel():
                await asyncio.wait([self.task])
            raise

    def cancel(self) -> bool:
        """Stops the run. False when it has ended or its outcome is already being written."""
        if self.task is None or self.task.done() or self.settling:
            return False
        if not self.cancelled:
            self.cancelled = True
            if self._begun:  # a task that is cancelled before its first step never takes any
                self.task.cancel()
        return True

    def _hand(self, sink: Sink, event: RunEvent) -> None:
        """A follower that fails costs neither the run nor the other followers anything."""
        try:
            sink(event)
        except Exception as error:  # noqa: BLE001 - whatever a presenter's doing is
            _log.error("run %s: a follower failed: %s", self.ask.request_id, type(error).__name__)

    def text(self) -> str:
        """What the followers have been shown of the answer."""
        return "".join(event.text for event in self._events if isinstance(event, TextDelta))

    def edits(self) -> bool:
        return self.request is not None and self.request.profile.output in ("edit", "insert")


async def last(active: ActiveRun, events: AsyncGenerator[RunEvent, None]) -> RunEnded:
    """Hands the events on and returns the one that ends the run; that of a cancelled run too, if it had begun."""
    try:
        async with aclosing(events):
            async for event in events:
                if isinstance(event, RunEnded):
                    return event
                active.emit(event)
    except asyncio.CancelledError:
        if active.end is None:
            raise
        return active.end
    raise RuntimeError("a run ended without its end")


def refused(active: ActiveRun, reason: StopReason, fault: Fault | None) -> RunResult:
    """The result of a run that did not come to an end of its own: what its followers have seen, and why."""
    ask, request, text = active.ask, active.request, active.text()
    return RunResult(
        ask.request_id,
        ask.ability if request is None else request.profile.ability,
        status_of(reason, text),
        reason,
        ask.model if request is None else request.model,
        text,
        None,
        Usage(),
        fault,
        pipeline=ask.pipeline if request is None else request.pipeline or None,
    )

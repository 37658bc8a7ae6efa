"""A run from its beginning to its one end: window by window, journalled, within its budget."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from dataclasses import replace
from datetime import datetime

from inkwright.domain.errors import Fault, InkwrightError
from inkwright.domain.ports import ChatModel, Journal, Toolbox
from inkwright.domain.proposal import Proposal
from inkwright.domain.run import (
    RunEnded,
    RunEvent,
    RunRequest,
    RunStarted,
    StepEnded,
    StepStarted,
    StopReason,
    Window,
)
from inkwright.runtime.budget import Clock, Meter
from inkwright.runtime.finishing import to_the_end
from inkwright.runtime.keeping import kept
from inkwright.runtime.react import Loop, Outcome
from inkwright.runtime.state import Run
from inkwright.runtime.stops import fault_of, status_of

_logger = logging.getLogger(__name__)

# Turns the end of an edit into a proposal, and may change the end: a rewrite that is none.
Settle = Callable[[RunEnded], Awaitable[tuple[RunEnded, Proposal | None]]]


def _local_now() -> datetime:
    return datetime.now().astimezone()


class Runner:
    """Plays runs against any model and any tools. It keeps nothing between runs, so that one serves all."""

    def __init__(
        self, journal: Journal, clock: Clock = time.monotonic, now: Callable[[], datetime] = _local_now
    ) -> None:
        self._journal = journal
        self._clock = clock
        self._now = now

    async def run(
        self,
        request: RunRequest,
        model: ChatModel,
        toolbox: Toolbox,
        *,
        body_hash: str = "",
        settle: Settle | None = None,
        on_cancel: Callable[[RunEnded], None] = lambda _: None,
    ) -> AsyncGenerator[RunEvent, None]:
        """The events of one run: RunStarted first, exactly one RunEnded last.

        `settle` makes the proposal before the end is journalled and sent. When the task that drives
        this is cancelled, or the iterator is closed, the model's stream is closed, the journal gets
        a RunEnded that says `cancelled`, nothing more is sent and the cancellation goes on; `on_cancel`
        is told that end. Drive it inside `contextlib.aclosing`.
        """
        run = Run(request, model, toolbox, self._journal, Meter(request.budget, self._clock))
        drive = _Drive(run, self._now(), settle)
        try:
            async with aclosing(drive.events(body_hash)) as events:
                async for event in events:
                    yield event
        except (asyncio.CancelledError, GeneratorExit):
            await to_the_end(drive.cancelled(on_cancel))
            raise


class _Drive:
    """One run under way. `begun`: it stands in the journal. Once `ended` is set, nothing else may end it."""

    def __init__(self, run: Run, now: datetime, settle: Settle | None) -> None:
        self.run = run
        self.now = now
        self.settle = settle
        self.begun = False
        self.ended = False
        self.loop: Loop | None = None
        self.texts: list[str | None] = [None] * max(1, len(run.request.windows))

    async def events(self, body_hash: str) -> AsyncGenerator[RunEvent, None]:
        request = self.run.request
        if (unwritten := await kept(request.id, self._begin(body_hash))) is not None:
            # What cannot be written down is not run: nothing is spent, nothing lost.
            yield RunStarted(request.id, self.run.model.name)
            yield self._end(Outcome("error", unwritten))
            return
        yield RunStarted(request.id, self.run.model.name)
        outcome = Outcome("error", Fault("run_error"))
        try:
            async with aclosing(self._windows()) as events:
                async for event in events:
                    yield event
            if self.loop is not None and self.loop.outcome is not None:
                outcome = self.loop.outcome
        except InkwrightError as exc:
            outcome = Outcome("error", exc.fault)
        except Exception as exc:
            _logger.error("run %s failed: %s", request.id, type(exc).__name__, exc_info=True)
        if self.loop is not None:
            await self.loop.write("error")
        ended, proposal = await self._settled(self._end(outcome))
        self.ended = True
        yield await self._write_end(ended, proposal)

    async def cancelled(self, told: Callable[[RunEnded], None]) -> None:
        """Journal the cancellation, unless the run had ended or never began."""
        if self.ended or not self.begun:
            return
        self.ended = True
        if self.loop is not None:
            await self.loop.write("cancelled")
        end = self._end(Outcome("cancelled"))
        told(end)
        await self._write_end(end, None)

    async def _begin(self, body_hash: str) -> None:
        await self.run.journal.begin(self.run.request, body_hash)
        self.begun = True

    async def _windows(self) -> AsyncGenerator[RunEvent, None]:
        request = self.run.request
        windows = request.windows or (Window(0, 1, request.span, request.span.of(request.snapshot.text)),)
        for place, window in enumerate(windows):
            if place == 0 or request.profile.output == "edit":
                self.run.meter.start()
            if len(windows) > 1:
                yield StepStarted(place, len(windows), "window")
            loop = self.loop = Loop(self.run, window, self.now)
            async with aclosing(loop.events()) as events:
                async for event in events:
                    yield event
            outcome = loop.outcome or Outcome("error", Fault("run_error"))
            self.texts[place] = outcome.text
            if len(windows) > 1:
                yield StepEnded(place, len(windows), "window", outcome.reason == "finished")
            if outcome.reason != "finished":
                return

    def _end(self, outcome: Outcome) -> RunEnded:
        run = self.run
        text = run.answer.text
        reason: StopReason = outcome.reason
        return RunEnded(
            status=status_of(reason, text),
            stop_reason=reason,
            text=text,
            usage=run.meter.usage,
            window_texts=tuple(self.texts),
            fault=outcome.fault or fault_of(reason),
            notices=tuple(run.notices),
        )

    async def _settled(self, ended: RunEnded) -> tuple[RunEnded, Proposal | None]:
        if self.settle is None:
            return ended, None
        try:
            return await self.settle(ended)
        except InkwrightError as exc:
            fault = exc.fault
        except Exception as exc:
            _logger.error("run %s: settling: %s", self.run.request.id, type(exc).__name__, exc_info=True)
            fault = Fault("run_error")
        status = status_of("error", ended.text)
        return replace(ended, status=status, stop_reason="error", fault=fault), None

    async def _write_end(self, ended: RunEnded, proposal: Proposal | None) -> RunEnded:
        """Journal the end; if that fails the outcome still stands, and the failure is said."""
        run_id = self.run.request.id
        unwritten = await kept(run_id, self.run.journal.end(run_id, ended, proposal))
        return ended if unwritten is None else replace(ended, notices=(*ended.notices, unwritten))

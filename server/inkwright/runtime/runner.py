"""A run from its beginning to its one end: by windows or steps, journalled, within its budget."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from dataclasses import replace
from datetime import datetime

from inkwright.domain.errors import Fault, InkwrightError
from inkwright.domain.ports import ChatModel, Journal, Purse, Toolbox
from inkwright.domain.proposal import Proposal
from inkwright.domain.run import (
    Budget,
    RunEnded,
    RunEvent,
    RunRequest,
    RunStarted,
)
from inkwright.runtime.budget import Clock, Meter
from inkwright.runtime.finishing import to_the_end
from inkwright.runtime.keeping import kept
from inkwright.runtime.pipeline import Pipeline
from inkwright.runtime.react import Outcome
from inkwright.runtime.state import Run
from inkwright.runtime.stops import fault_of, status_of
from inkwright.runtime.windows import Windows

_logger = logging.getLogger(__name__)

# Turns the end of an edit into a proposal, and may change the end: a rewrite that is none.
Settle = Callable[[RunEnded], Awaitable[tuple[RunEnded, Proposal | None]]]


def _local_now() -> datetime:
    return datetime.now().astimezone()


class Runner:
    """Plays runs against any model and any tools. It keeps nothing between runs, so that one serves all."""

    def __init__(
        self,
        journal: Journal,
        clock: Clock = time.monotonic,
        now: Callable[[], datetime] = _local_now,
        meter: Callable[[Budget, Clock], Meter] = Meter,
    ) -> None:
        self._journal = journal
        self._clock = clock
        self._now = now
        self._meter = meter

    async def run(
        self,
        request: RunRequest,
        model: ChatModel,
        toolbox: Toolbox,
        *,
        body_hash: str = "",
        settle: Settle | None = None,
        on_cancel: Callable[[RunEnded], None] = lambda _: None,
        purse: Purse | None = None,
    ) -> AsyncGenerator[RunEvent, None]:
        """The events of one run: RunStarted first, exactly one RunEnded last.

        `settle` makes the proposal before the end is journalled and sent. When the task that drives
        this is cancelled, or the iterator is closed, the model's stream is closed, the journal gets
        a RunEnded that says `cancelled`, nothing more is sent and the cancellation goes on; `on_cancel`
        is told that end. No request goes out that `purse` has no room for. Drive it inside
        `contextlib.aclosing`.
        """
        meter = self._meter(request.budget, self._clock)
        run = Run(request, model, toolbox, self._journal, meter, purse=purse)
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
        self.settle = settle
        self.begun = False
        self.ended = False
        self.play: Windows | Pipeline = Pipeline(run, now) if run.request.steps else Windows(run, now)

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
            async with aclosing(self.play.events()) as events:
                async for event in events:
                    yield event
            outcome = self.play.outcome or outcome
        except InkwrightError as exc:
            outcome = Outcome("error", exc.fault)
        except Exception as exc:
            _logger.error("run %s failed: %s", request.id, type(exc).__name__, exc_info=True)
        if self.play.loop is not None:
            await self.play.loop.write("error")
        async with aclosing(self.play.ending(outcome)) as events:
            async for event in events:
                yield event
        ended, proposal = await self._settled(self._end(outcome))
        self.ended = True
        yield await self._write_end(ended, proposal)

    async def cancelled(self, told: Callable[[RunEnded], None]) -> None:
        """Journal the cancellation, unless the run had ended or never began."""
        if self.ended or not self.begun:
            return
        self.ended = True
        if self.play.loop is not None:
            await self.play.loop.write("cancelled")
        await self.play.cancelled()
        end = self._end(Outcome("cancelled"))
        told(end)
        await self._write_end(end, None)

    async def _begin(self, body_hash: str) -> None:
        await self.run.journal.begin(self.run.request, body_hash)
        self.begun = True

    def _end(self, outcome: Outcome) -> RunEnded:
        run, reason = self.run, outcome.reason
        return RunEnded(
            status=self.play.status(reason),
            stop_reason=reason,
            text=run.answer.text,
            usage=run.meter.usage,
            window_texts=tuple(self.play.texts),
            fault=outcome.fault or fault_of(reason),
            notices=tuple(run.notices),
            steps=self.play.products(),
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

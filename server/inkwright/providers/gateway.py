"""A model as runs see it: requests take turns, fleeting faults are tried again, one that fails and fails rests."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import dataclass, field, replace

from inkwright.domain.conversation import (
    Attempt,
    Finished,
    ModelEvent,
    ModelRequest,
    Underway,
    Usage,
    Waiting,
)
from inkwright.domain.errors import Fault
from inkwright.domain.model import ModelProfile
from inkwright.providers.again import Again, dated
from inkwright.providers.line import Line
from inkwright.providers.model import ANSWERED, HttpModel
from inkwright.providers.rates import Rates
from inkwright.providers.rest import Rest

Clock = Callable[[], float]


class Gateway:
    """One profile's requests, of all runs of this process. Closes `model` when it is closed."""

    def __init__(
        self,
        profile: ModelProfile,
        model: HttpModel,
        again: Again | None = None,
        clock: Clock = time.monotonic,
    ) -> None:
        self._profile = profile
        self._model = model
        self._again = again or Again()
        self._clock = clock
        self._rest = Rest(clock)
        self._line = Line(
            profile.concurrency, Rates(profile.requests_per_minute, profile.tokens_per_minute, clock)
        )

    @property
    def name(self) -> str:
        return self._model.name

    async def stream(self, request: ModelRequest) -> AsyncGenerator[ModelEvent, None]:
        """The events of the attempt that counts; `Waiting` before it for all that is waited for.

        Nothing is tried again once a piece of the answer is out.
        """
        tried = 0
        began = self._clock()
        while True:
            attempt = _Try()
            async with aclosing(self._attempt(request, attempt, again=tried > 0)) as events:
                async for event in events:
                    yield event
            tried += 1
            end = attempt.end
            wait = None if attempt.out else self._wait(end, tried, began)
            if wait is None:
                yield _dated(end, self._again.longest)
                return
            yield Waiting("retry", wait, attempt=attempt.failed(wait))
            await asyncio.sleep(wait)

    async def close(self) -> None:
        self._line.close()
        await self._model.close()

    async def _attempt(
        self, request: ModelRequest, attempt: _Try, *, again: bool
    ) -> AsyncGenerator[ModelEvent, None]:
        """One request when its turn has come: all events but the last, which `attempt` gets."""
        if self._refused(attempt):
            return
        ticket = self._line.enter(request.run, request.size)
        used: int | None = None
        try:
            told: Waiting | None = None
            while not ticket.granted:
                if ticket.waiting is not None and ticket.waiting != told:
                    told = ticket.waiting
                    yield told
                if not ticket.granted:
                    await ticket.moved()
            if again or told is not None:
                yield Underway()
            # Those before it in the line may have found out that there is no use. Nothing is awaited
            # between this and the beginning: after a rest one request alone tries the model.
            if self._refused(attempt):
                return
            trial, since = self._rest.begin(), self._clock()
            known = False
            try:
                async with aclosing(self._model.stream(request)) as events:
                    async for event in events:
                        if isinstance(event, Finished):
                            attempt.end, known = event, True
                        else:
                            attempt.out = True
                            yield event
            finally:
                attempt.seconds = self._clock() - since
                if known:
                    self._rest.end(attempt.end.fault, trial=trial)
                    self._pause(attempt.end.fault)
                    used = _total(attempt.end.usage)
                else:
                    self._rest.drop(trial=trial)
        finally:
            ticket.leave(used)

    def _refused(self, attempt: _Try) -> bool:
        fault = self._rest.refusal()
        if fault is None:
            return False
        place = {"model": self._profile.model, "host": self._profile.host}
        attempt.end = Finished("error", fault=replace(fault, params={**place, **fault.params}))
        attempt.out = True
        return True

    def _wait(self, end: Finished, tried: int, began: float) -> float | None:
        wait = self._again.wait(end.fault, tried, answered=ANSWERED in end.meta)
        if wait is None or self._rest.refusal() is not None:
            return None
        total = self._profile.clocks.total
        if total and self._clock() - began + wait >= total:
            return None
        return wait

    def _pause(self, fault: Fault | None) -> None:
        """What a server asks of one request holds for all that come after it, those in the line first of all."""
        if fault is not None and fault.kind == "rate_limit" and fault.retry_after:
            self._line.pause(min(fault.retry_after, self._again.longest))


@dataclass(slots=True)
class _Try:
    """What one attempt came to. `out`: a piece of the answer was handed on, or nothing is to be tried."""

    end: Finished = field(default_factory=lambda: Finished("error", fault=Fault("model_empty")))
    seconds: float = 0.0
    out: bool = False

    def failed(self, wait: float) -> Attempt:
        end, fault = self.end, self.end.fault
        return Attempt(
            code=fault.code if fault is not None else "",
            kind=(fault.kind or "") if fault is not None else "",
            seconds=self.seconds,
            wait=wait,
            provider_request_id=end.provider_request_id,
            usage=end.usage,
        )


def _dated(end: Finished, longest: float) -> Finished:
    return end if end.fault is None else replace(end, fault=dated(end.fault, longest))


def _total(usage: Usage | None) -> int | None:
    return None if usage is None else usage.input + usage.output

"""A run that is no pipeline: window after window, each by itself."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass, field
from datetime import datetime

from inkwright.domain.errors import Fault
from inkwright.domain.run import Product, RunEvent, Status, StepEnded, StepStarted, StopReason
from inkwright.runtime import stage
from inkwright.runtime.react import Loop, Outcome
from inkwright.runtime.state import Run
from inkwright.runtime.stops import status_of


@dataclass(slots=True)
class Windows:
    """`loop` is the one that plays, `outcome` the last one's. `texts[i]` is window i's whole answer."""

    run: Run
    now: datetime
    loop: Loop | None = None
    outcome: Outcome | None = None
    texts: list[str | None] = field(default_factory=list)
    _open: int | None = None

    def __post_init__(self) -> None:
        self.texts = [None] * max(1, len(self.run.request.windows))

    async def events(self) -> AsyncGenerator[RunEvent, None]:
        """Ends at the first window that has no whole answer, which is left to `ending`."""
        request = self.run.request
        windows = stage.windows(request)
        for place, window in enumerate(windows):
            if place == 0 or request.profile.output == "edit":
                self.run.meter.start()
            if len(windows) > 1:
                self._open = place
                yield StepStarted(place, len(windows), "window")
            loop = self.loop = Loop(self.run, stage.of_window(request, window), self.now)
            async with aclosing(loop.events()) as events:
                async for event in events:
                    yield event
            outcome = self.outcome = loop.outcome or Outcome("error", Fault("run_error"))
            self.texts[place] = outcome.text
            if outcome.reason != "finished":
                return
            if len(windows) > 1:
                self._open = None
                yield StepEnded(place, len(windows), "window", ok=True)

    async def ending(self, _: Outcome) -> AsyncGenerator[RunEvent, None]:
        """What is still to be said once it is known how the run ends."""
        if self._open is not None:
            place, self._open = self._open, None
            yield StepEnded(place, len(self.texts), "window", ok=False)

    async def cancelled(self) -> None:
        """Write down what only this knows, when the run is cancelled."""

    def status(self, reason: StopReason) -> Status:
        return status_of(reason, self.run.answer.text)

    def products(self) -> tuple[Product, ...]:
        return ()

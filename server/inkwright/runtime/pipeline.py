"""A pipeline: its steps one after another, nothing shared between them but what they came to.

Each product is on disk before the next step begins. The first step that fails ends the run; what the
steps before it came to is kept, for a run that goes on from there.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from datetime import datetime

from inkwright.domain.errors import Fault
from inkwright.domain.run import (
    Product,
    RunEvent,
    Status,
    Step,
    StepEnded,
    StepStarted,
    StepStatus,
    StopReason,
    TextDelta,
)
from inkwright.runtime import stage, steptext
from inkwright.runtime.keeping import kept
from inkwright.runtime.react import Loop, Outcome
from inkwright.runtime.state import SEPARATOR, Run
from inkwright.runtime.stops import fault_of, status_of


def resumable(steps: Sequence[Step], products: Sequence[Product]) -> tuple[Product, ...]:
    """Those of an earlier run's products that these steps can go on from: completed, of the same steps, up to
    the first that has none."""
    known = {product.index: product for product in products if product.status == "completed"}
    out: list[Product] = []
    for step in steps:
        product = known.get(step.index)
        if product is None or (product.name, product.window) != (step.name, step.window):
            break
        out.append(product)
    return tuple(out)


@dataclass(slots=True)
class Pipeline:
    """`done` are the products so far, in order; the step that is open has none yet."""

    run: Run
    now: datetime
    loop: Loop | None = None
    outcome: Outcome | None = None
    texts: list[str | None] = field(default_factory=list)
    done: list[Product] = field(default_factory=list)
    _open: Step | None = None
    _last: Step | None = None
    _mark: int = 0

    def __post_init__(self) -> None:
        self.texts = [None] * max(1, len(self.run.request.windows))

    async def events(self) -> AsyncGenerator[RunEvent, None]:
        """Ends at the first step that fails, which is left to `ending`."""
        steps, locale = self.run.request.steps, self.run.request.locale
        self.run.meter.start()
        # Under this run's own name first: it may be the next that is gone on from.
        for product in resumable(steps, self.run.request.products):
            await self._keep(product)
        for step, product in zip(steps, tuple(self.done), strict=False):
            yield self._started(step)
            for piece in steptext.pieces(step, product, locale):
                yield self._say(piece)
            yield StepEnded(step.index, step.count, step.name, ok=True)
        for step in steps[len(self.done) :]:
            if self.outcome is not None:
                return
            async with aclosing(self._step(step)) as events:
                async for event in events:
                    yield event
        if self.outcome is None:
            self.outcome = Outcome("finished")

    async def ending(self, outcome: Outcome) -> AsyncGenerator[RunEvent, None]:
        """The end of the step that failed, and how far the pipeline came."""
        if outcome.reason == "finished":
            return
        locale = self.run.request.locale
        if (step := self._open) is not None:
            product = await self._close(status_of(outcome.reason, self._text()))
            if not product.text.strip():
                yield self._say(steptext.placeholder(locale))
            yield StepEnded(step.index, step.count, step.name, ok=False)
        steps = self.run.request.steps
        last = self._last or steps[min(len(self.done), len(steps) - 1)]
        fault = outcome.fault or fault_of(outcome.reason) or Fault("run_error")
        yield self._say(steptext.stopped(len(self._completed()), last, fault, locale))

    async def cancelled(self) -> None:
        """Write down what only this knows, when the run is cancelled."""
        if self._open is not None:
            await self._close("cancelled")

    def status(self, reason: StopReason) -> Status:
        """A run with a finished step is worth something, whatever stopped it."""
        if reason not in ("finished", "cancelled") and self._completed():
            return "partial"
        return status_of(reason, "".join(product.text for product in self.done))

    def products(self) -> tuple[Product, ...]:
        """One for every step; those that were not reached are pending."""
        rest = self.run.request.steps[len(self.done) :]
        return (*self.done, *(Product(s.index, s.name, "pending", window=s.window) for s in rest))

    async def _step(self, step: Step) -> AsyncGenerator[RunEvent, None]:
        run, last = self.run, self._last
        if last is None or (last.window, last.batches) != (step.window, step.batches):
            run.meter.next_batch()
        self._open = self._last = step
        self._mark = len(run.answer.pieces)
        yield self._started(step)
        delta = self._say(steptext.header(step, run.request.locale))
        self._mark = len(run.answer.pieces)
        yield delta
        loop = self.loop = Loop(run, stage.of_step(run.request, step, self.done), self.now)
        async with aclosing(loop.events()) as events:
            async for event in events:
                yield event
        outcome = loop.outcome or Outcome("error", Fault("run_error"))
        if outcome.reason != "finished":
            self.outcome = outcome
            return
        product = await self._close("completed")
        if not product.text.strip():
            yield self._say(steptext.placeholder(run.request.locale))
        yield StepEnded(step.index, step.count, step.name, ok=True)

    def _started(self, step: Step) -> StepStarted:
        plan = () if step.index else self.run.request.steps
        return StepStarted(step.index, step.count, step.name, step.label, plan)

    def _completed(self) -> list[Product]:
        return [product for product in self.done if product.status == "completed"]

    def _say(self, text: str) -> TextDelta:
        self.run.answer.part()
        return self.run.answer.add(text)

    def _text(self) -> str:
        """What the open step has said below its header."""
        return "".join(self.run.answer.pieces[self._mark :]).removeprefix(SEPARATOR)

    async def _close(self, status: StepStatus) -> Product:
        step, self._open = self._open, None
        assert step is not None
        product = Product(step.index, step.name, status, self._text(), step.window)
        await self._keep(product)
        return product

    async def _keep(self, product: Product) -> None:
        """What cannot be written down is not built upon: with steps to come, `outcome` is set."""
        self.done.append(product)
        run = self.run
        unwritten = await kept(run.request.id, run.journal.product(run.request.id, product))
        if unwritten is not None:
            run.notice(unwritten)
            if product.status == "completed" and len(self.done) < len(run.request.steps):
                self.outcome = Outcome("error", unwritten)

"""A run of the journal played again: its recorded answers and tool results in the place of a network."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, get_args

from inkwright.domain.conversation import (
    Finish,
    Finished,
    ModelEvent,
    ModelRequest,
    Reasoning,
    Text,
    ToolCall,
    ToolSpec,
    Waiting,
)
from inkwright.domain.errors import ErrorKind, Fault
from inkwright.domain.ports import ToolResult
from inkwright.domain.proposal import Proposal
from inkwright.domain.run import (
    Budget,
    Product,
    RunEnded,
    RunEvent,
    RunRequest,
    RunWaiting,
    State,
    StepRecord,
    StopReason,
    ToolRecord,
)
from inkwright.runtime.budget import Clock, Meter
from inkwright.runtime.runner import Runner
from inkwright.runtime.turn import prompt_hash

_LIMITS: frozenset[StopReason] = frozenset({"seconds", "tokens", "cost"})
_CUT_SHORT: frozenset[StopReason] = frozenset({"cancelled", "interrupted"})


@dataclass(frozen=True, slots=True)
class Recording:
    """A run as the journal has it. `stop_reason` None: it never ended; `text` None: nobody knows.

    `fault` is what it ended with, `products` what its pipeline came to, kept ones included. `tools` are
    what it could be offered (none: whatever its profile names), `now` is when it began.
    """

    steps: tuple[StepRecord, ...]
    now: datetime
    stop_reason: StopReason | None = None
    text: str | None = None
    fault: Fault | None = None
    products: tuple[Product, ...] = ()
    tools: tuple[ToolSpec, ...] = ()


async def replay(request: RunRequest, recording: Recording) -> AsyncGenerator[RunEvent, None]:
    """The events of the run, from the same engine; nothing is journalled and nothing is asked of anybody.

    Where it comes to something else than what was recorded, the `notices` of its end say so: another
    prompt, number of requests, text, product or stop reason. A run that was cancelled or interrupted
    ends where the recording does. What was settled after the answer (`no_rewrite`) is not played.
    """
    reel = Reel(recording)
    runner = Runner(NullJournal(), now=lambda: recording.now, meter=reel.meter)
    cancelled: list[RunEnded] = []
    stream = runner.run(request, reel, reel, on_cancel=cancelled.append)
    async with aclosing(stream) as events:
        async for event in events:
            match event:
                case RunEnded():
                    yield reel.compared(event)
                    return
                case RunWaiting():
                    # The recording breaks off here, and so does the run.
                    break
                case _:
                    yield event
    for ended in cancelled:
        reason = recording.stop_reason or "interrupted"
        yield reel.compared(replace(ended, stop_reason=reason))


class NullJournal:
    """Keeps nothing."""

    async def begin(self, request: RunRequest, body_hash: str) -> None: ...
    async def stands(self, run_id: str, state: State) -> None: ...
    async def step(self, record: StepRecord) -> None: ...
    async def product(self, run_id: str, product: Product) -> None: ...
    async def end(self, run_id: str, ended: RunEnded, proposal: Proposal | None) -> None: ...


@dataclass(slots=True)
class Reel:
    """A recording as the model and as the toolbox of one run. `over`: all of it has been played."""

    recording: Recording
    at: int = 0
    over: bool = False
    differs: list[Fault] = field(default_factory=list)
    _results: list[ToolRecord] = field(default_factory=list)

    @property
    def name(self) -> str:
        return "replay"

    def meter(self, budget: Budget, clock: Clock) -> Meter:
        return _Meter(budget, clock, reel=self)

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        """The answer to the next request of the recording, whatever is asked."""
        steps, reason = self.recording.steps, self.recording.stop_reason
        if self.at >= len(steps):
            if reason is None or reason in _CUT_SHORT:
                yield Waiting("queue")
            self._say("replay_ended", request=self.at + 1)
            yield Finished("error", fault=Fault("replay_ended", {"request": self.at + 1}))
            return
        record = steps[self.at]
        self.at += 1
        last = self.at == len(steps)
        if prompt_hash(request) != record.prompt_hash:
            self._say("replay_prompt", request=self.at)
        self._results = list(record.calls)
        if record.text:
            yield Text(record.text)
        elif last and reason == "reasoning_only":
            yield Reasoning(" ")  # reasoning is in no journal; that there was some decides
        if record.finish in _CUT_SHORT:
            yield Waiting("queue")
        self.over = last
        if record.finish in _LIMITS:
            yield Text("")
        yield self._finished(record, last=last)

    def _finished(self, record: StepRecord, *, last: bool) -> Finished:
        calls = tuple(ToolCall(call.id, call.name, call.arguments, call.raw) for call in record.calls)
        finish: Finish = next((known for known in get_args(Finish) if known == record.finish), "error")
        fault = None
        if finish in ("error", "content_filter") or record.error_kind:
            kind: ErrorKind | None = next(
                (known for known in get_args(ErrorKind) if known == record.error_kind), None
            )
            fault = self.recording.fault if last else None
            fault = fault or Fault(record.error_kind if kind is None and record.error_kind else "run_error")
            fault = replace(fault, kind=kind)
        return Finished(finish, calls, record.usage, fault, provider_request_id=record.provider_request_id)

    def specs(self, names: Sequence[str]) -> tuple[ToolSpec, ...]:
        known = {spec.name: spec for spec in self.recording.tools}
        if not known:
            return tuple(ToolSpec(name, "", {}) for name in names)
        return tuple(known[name] for name in names if name in known)

    def parallel(self, _: str) -> bool:
        return False

    async def call(self, name: str, arguments: Mapping[str, Any] | None, raw: str = "") -> ToolResult:
        """What this very call gave in the turn that is being played: every call comes from its record."""
        asked = (name, arguments, raw)
        record = next(
            record for record in self._results if (record.name, record.arguments, record.raw) == asked
        )
        self._results.remove(record)
        return ToolResult(record.result, record.ok)

    def compared(self, ended: RunEnded) -> RunEnded:
        """`ended` with a notice for each way in which it is not what was recorded."""
        recorded = self.recording
        if self.at < len(recorded.steps):
            self._say("replay_requests", recorded=len(recorded.steps), played=self.at)
        if recorded.text is not None and recorded.text != ended.text:
            self._say("replay_text", offset=_parting(recorded.text, ended.text))
        played = {product.index: product for product in ended.steps}
        for product in recorded.products:
            if played.get(product.index) != product:
                self._say("replay_product", step=product.index + 1, name=product.name)
        reason = "finished" if recorded.stop_reason == "no_rewrite" else recorded.stop_reason
        if reason is not None and reason != ended.stop_reason:
            self._say("replay_reason", recorded=reason, played=ended.stop_reason)
        return replace(ended, notices=(*ended.notices, *self.differs))

    def _say(self, code: str, **params: str | int) -> None:
        self.differs.append(Fault(code, dict(params)))


@dataclass(slots=True)
class _Meter(Meter):
    """Time, tokens and cost are over where they were: no clock and no price of today decides."""

    reel: Reel | None = None

    def start(self) -> None:
        return

    def over(self, _: int = 0) -> StopReason | None:
        reel = self.reel
        reason = reel.recording.stop_reason if reel is not None and reel.over else None
        return reason if reason in _LIMITS else None


def _parting(one: str, other: str) -> int:
    """The first place where two texts differ."""
    for place, (a, b) in enumerate(zip(one, other, strict=False)):
        if a != b:
            return place
    return min(len(one), len(other))

"""The tool calls of one turn: each gets exactly one result, in the order of the calls."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace

from inkwright.domain.conversation import Message, ToolCall
from inkwright.domain.ports import ToolResult
from inkwright.domain.run import ToolEnded, ToolRecord, ToolStarted
from inkwright.runtime.cuts import MODEL_CHARS, RESULT_CHARS, cut
from inkwright.runtime.state import Run
from inkwright.runtime.texts import line

_logger = logging.getLogger(__name__)
TOOL_SECONDS = 60
"""The time of one tool call."""


def distinct(calls: Iterable[ToolCall]) -> tuple[ToolCall, ...]:
    """The calls with an id each: a missing or repeated one gets one of our own."""
    seen: set[str] = set()
    out: list[ToolCall] = []
    for call in calls:
        id_ = call.id
        number = len(out)
        while not id_ or id_ in seen:
            id_ = f"call_{number}"
            number += 1
        seen.add(id_)
        out.append(call if id_ == call.id else replace(call, id=id_))
    return tuple(out)


@dataclass(frozen=True, slots=True)
class Result:
    """`kept` is what the journal gets, `sent` what the model is sent: each with its own cut."""

    kept: str
    sent: str
    ok: bool
    seconds: float = 0.0


@dataclass(slots=True)
class Calls:
    """`offered` are the names that this run may call. `truncated`: the turn was cut by its length, so
    that no argument can be trusted."""

    run: Run
    calls: Sequence[ToolCall]
    offered: Collection[str]
    truncated: bool = False
    results: dict[str, Result] = field(default_factory=dict)
    timed_out: bool = False

    async def events(self) -> AsyncGenerator[ToolStarted | ToolEnded, None]:
        """Run what may run. When the run's seconds are over, `timed_out` is set and the rest stopped."""
        for batch in self._batches():
            for call in batch:
                yield ToolStarted(call.id, call.name)
            tasks = {asyncio.create_task(self._one(call)): call for call in batch}
            pending = set(tasks)
            try:
                while pending:
                    done, pending = await asyncio.wait(
                        pending, timeout=self.run.meter.left(), return_when=asyncio.FIRST_COMPLETED
                    )
                    if not done:
                        self.timed_out = True
                        break
                    for task in sorted(done, key=lambda t: batch.index(tasks[t])):
                        yield self._ended(tasks[task])
            finally:
                for task in pending:
                    task.cancel()
                await asyncio.gather(*pending, return_exceptions=True)
            for task in sorted(pending, key=lambda t: batch.index(tasks[t])):
                yield self._ended(tasks[task])
            if self.timed_out:
                return

    def messages(self) -> list[Message]:
        return [Message("tool", self._result(call).sent, tool_call_id=call.id) for call in self.calls]

    def records(self) -> tuple[ToolRecord, ...]:
        pairs = [(call, self._result(call)) for call in self.calls]
        return tuple(
            ToolRecord(call.id, call.name, call.arguments, call.raw, done.kept, done.ok, done.seconds)
            for call, done in pairs
        )

    def _result(self, call: ToolCall) -> Result:
        if call.id in self.results:
            return self.results[call.id]
        text = line("tool_failed", self.run.request.locale, name=call.name[:100])
        return Result(text, text, ok=False)

    def _ended(self, call: ToolCall) -> ToolEnded:
        return ToolEnded(call.id, call.name, self._result(call).ok)

    def _batches(self) -> list[list[ToolCall]]:
        """What may run, in order; neighbours that only read run side by side if the profile allows."""
        batches: list[list[ToolCall]] = []
        together = False
        for call in self.calls:
            refusal = self._refusal(call)
            self.run.meter.calls += 1
            if refusal is not None:
                self.results[call.id] = Result(refusal, refusal, ok=False)
                continue
            parallel = self.run.request.profile.parallel and self.run.toolbox.parallel(call.name)
            if parallel and together:
                batches[-1].append(call)
            else:
                batches.append([call])
            together = parallel
        return batches

    def _refusal(self, call: ToolCall) -> str | None:
        locale = self.run.request.locale
        if self.truncated:
            return line("arguments_cut", locale)
        if call.name not in self.offered:
            names = ", ".join(self.offered) or "-"
            return line("tool_unknown", locale, name=call.name[:100], names=names)
        if self.run.meter.room() == 0:
            return line("calls_spent", locale, limit=self.run.meter.budget.calls)
        return None

    async def _one(self, call: ToolCall) -> None:
        locale, clock = self.run.request.locale, self.run.meter.clock
        started = clock()
        try:
            async with asyncio.timeout(TOOL_SECONDS):
                result = await self.run.toolbox.call(call.name, call.arguments, call.raw)
        except TimeoutError:
            result = ToolResult(line("tool_slow", locale, name=call.name, seconds=TOOL_SECONDS), ok=False)
        except Exception as exc:
            _logger.error(
                "run %s: tool %s: %s", self.run.request.id, call.name, type(exc).__name__, exc_info=True
            )
            result = ToolResult(line("tool_failed", locale, name=call.name), ok=False)
        if result.fault is not None:
            self.run.notice(result.fault)
        self.results[call.id] = Result(
            cut(result.text, RESULT_CHARS, locale),
            cut(result.text, MODEL_CHARS, locale),
            result.ok,
            clock() - started,
        )

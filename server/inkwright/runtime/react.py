"""The loop of one window or step: ask, run the tools that are called, ask again, until there is an answer."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass, field
from datetime import datetime

from inkwright.domain.conversation import Message, ModelRequest, ToolSpec
from inkwright.domain.errors import Fault
from inkwright.domain.run import RunEvent, StopReason, UsageSoFar
from inkwright.domain.tokens import estimate
from inkwright.runtime import allowance, history, prompts
from inkwright.runtime.calls import Calls, distinct
from inkwright.runtime.keeping import kept
from inkwright.runtime.opening import Opening, halved, opening
from inkwright.runtime.stage import Stage
from inkwright.runtime.state import Run
from inkwright.runtime.stops import fault_of, reason_of
from inkwright.runtime.texts import line
from inkwright.runtime.turn import Turn


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a window or step ended. `text` is its whole answer, None when there is none."""

    reason: StopReason
    fault: Fault | None = None
    text: str | None = None


@dataclass(slots=True)
class Loop:
    """`outcome` is set when `events` has ended by itself. `turn` is the one not yet written down."""

    run: Run
    stage: Stage
    now: datetime
    outcome: Outcome | None = None
    turn: Turn | None = None
    _opening: Opening | None = None
    _messages: list[Message] = field(default_factory=list)
    _halved: bool = False
    _nudged: bool = False
    _worked: bool = False

    async def events(self) -> AsyncGenerator[RunEvent, None]:
        """One round after another. Raises nothing for what a model or a tool does."""
        run, meter = self.run, self.run.meter
        budget, limit = run.request.budget, self.stage.rounds
        specs = run.toolbox.specs(self.stage.tools) if self.stage.tools else ()
        self._open(specs)
        number = 0
        while self.outcome is None:
            number += 1
            capped = bool(limit) and number >= limit
            last = capped or meter.room() == 0
            turn = self.turn = self._ask(number, () if last else specs, asked=last and number > 1)
            if reason := meter.over(turn.input if budget.tokens else 0):
                self.turn = None
                self._stop(reason)
                return
            if (refusal := await allowance.allow(run, self.stage, turn)) is not None:
                self.turn, self.outcome = None, Outcome("cost", refusal)
                return
            run.answer.part()
            async with aclosing(turn.events()) as events:
                async for event in events:
                    yield event
                    await run.stands(event)  # after it: what is in the text has been sent
            turn.count()
            if turn.end is not None and self._too_long(turn):
                await self.write()
                number -= 1
                continue
            calls = Calls(run, distinct(turn.end.tool_calls if turn.end else ()), [s.name for s in specs])
            if self._goes_on(turn, calls, last, "rounds" if capped else "calls"):
                calls.truncated = turn.end is not None and turn.end.finish == "length"
                async with aclosing(calls.events()) as ran:
                    async for step in ran:
                        turn.records = calls.records()
                        yield step
                turn.records = calls.records()
                self._append(turn, calls)
                if calls.timed_out:
                    self._stop("seconds")
            await self.write()
            yield UsageSoFar(meter.usage)

    async def write(self, finish: str = "") -> None:
        """Write the open turn down; a journal that fails is said, and the run goes on."""
        turn, self.turn = self.turn, None
        if turn is None:
            return
        turn.count()
        record = turn.record(finish)
        self.run.steps += 1
        if (unwritten := await kept(record.run_id, self.run.journal.step(record))) is not None:
            self.run.notice(unwritten)
        await allowance.settle(self.run, turn.usage)

    def _open(self, specs: tuple[ToolSpec, ...]) -> None:
        made = self._opening = opening(self.run.request, self.stage, self.now, specs)
        if made.cut:
            self.run.notice(Fault("run_context_cut"))
        self._messages = list(made.messages)

    def _ask(self, number: int, tools: tuple[ToolSpec, ...], *, asked: bool) -> Turn:
        request = self.run.request
        now = Message("user", line("answer_now", request.locale))
        if asked and self._messages[-1] != now:
            self._messages.append(now)
        if request.context_window:
            room = request.context_window - prompts.reserve(request, self.stage.window)
            self._messages = history.shrink(self._messages, room, request.locale)
        messages, task = tuple(self._messages), self.stage.task(request)
        asks = ModelRequest(messages, tools, task, request.effort, run=request.id)
        return Turn(self.run, asks, self.stage.window.index, number)

    def _goes_on(self, turn: Turn, calls: Calls, last: bool, limit: StopReason) -> bool:
        """True when the turn's calls are to be run. Else it is settled here: `outcome` is set, unless
        the model is asked once more."""
        end = turn.end
        if turn.stop is not None or end is None:
            self._stop(turn.stop or "disconnected")
        elif end.fault is not None or end.finish in ("error", "content_filter"):
            fault = end.fault or Fault("run_filtered" if end.finish == "content_filter" else "run_error")
            filtered = end.finish == "content_filter"
            self.outcome = Outcome("filtered" if filtered else reason_of(fault, began=turn.began), fault)
        elif calls.calls and not last:
            return True
        elif calls.calls:
            turn.records = calls.records()
            self._stop(limit)
        elif turn.text.strip():
            if end.finish == "length":
                self._stop(_cut(turn))
            else:
                self.outcome = Outcome("finished", text=turn.text)
        elif self._worked and end.finish != "length":
            self.outcome = Outcome("finished", text="")
        elif end.finish == "length" and (turn.capped or not turn.reasoned):
            self._stop(_cut(turn))
        elif end.finish == "length" or self._nudged or last:
            self._empty(turn)
        else:
            self._nudged = True
            self._messages.append(Message("user", line("nudge", self.run.request.locale)))
        return False

    def _empty(self, turn: Turn) -> None:
        if turn.reasoned:
            self._stop("reasoning_only")
        else:
            self.outcome = Outcome("error", Fault("run_empty"))

    def _stop(self, reason: StopReason) -> None:
        budget = self.run.request.budget
        params: dict[StopReason, dict[str, str | int | float]] = {
            "rounds": {"limit": self.stage.rounds},
            "calls": {"limit": budget.calls},
            "seconds": {"limit": round(budget.seconds)},
            "tokens": {"limit": budget.tokens},
            "cost": {"limit": allowance.limit(self.run)},
        }
        self.outcome = Outcome(reason, fault_of(reason, **params.get(reason, {})))

    def _append(self, turn: Turn, calls: Calls) -> None:
        carry = turn.end.carry if turn.end else None
        self._messages.append(Message("assistant", turn.text, tuple(calls.calls), carry=carry))
        self._messages += calls.messages()
        # A step that is there to make cards may have nothing to say once they are made.
        self._worked = self._worked or (self.stage.step is not None and any(r.ok for r in turn.records))

    def _too_long(self, turn: Turn) -> bool:
        """True when the prompt was over the model's context and has been cut, once, to be sent again."""
        fault = turn.end.fault if turn.end else None
        if fault is None or fault.kind != "context_length" or self._halved or turn.pieces:
            return False
        self._halved = True
        request, made = self.run.request, self._opening
        if made is None:
            return False
        size = sum(estimate(message.content) for message in self._messages)
        shorter = history.shrink(self._messages, size // 2, request.locale)
        self._opening = halved(request, self.stage, self.now, made)
        shorter[: len(made.messages)] = self._opening.messages
        if shorter == self._messages:
            return False
        self._messages = shorter
        self.run.notice(Fault("run_context_cut"))
        return True


def _cut(turn: Turn) -> StopReason:
    """What an answer that reached its length was cut by."""
    return "cost" if turn.capped else "length"

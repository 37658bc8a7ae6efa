"""One request to the model: its events as they come, and what is left when they have ended."""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import AsyncGenerator, AsyncIterator
from dataclasses import dataclass, field

from inkwright.domain.conversation import (
    Attempt,
    Finished,
    ModelEvent,
    ModelRequest,
    Reasoning,
    Text,
    Underway,
    Usage,
    Waiting,
)
from inkwright.domain.errors import Fault, InkwrightError
from inkwright.domain.money import priced
from inkwright.domain.run import ReasoningDelta, RunWaiting, StepRecord, StopReason, TextDelta, ToolRecord
from inkwright.domain.tokens import tokens, weigh
from inkwright.runtime.state import Run

_logger = logging.getLogger(__name__)
_CLOSE_SECONDS = 5.0
ANSWER_CHARS = 1_000_000
"""Of one answer, its reasoning included: no model has so long an output, and what is compared with it takes time."""


@dataclass(slots=True)
class Turn:
    """`end` is set when the stream said how it ended or broke a rule; `stop` when a limit cut it.

    `began`: something of the answer has come, were it reasoning. `waits`: the model has said that
    nothing is under way. `capped`: the request's output limit is what the money allows.
    """

    run: Run
    request: ModelRequest
    window: int
    round: int
    pieces: list[str] = field(default_factory=list)
    end: Finished | None = None
    stop: StopReason | None = None
    began: bool = False
    waits: bool = False
    reasoned: bool = False
    seconds: float = 0.0
    records: tuple[ToolRecord, ...] = ()
    counted: bool = False
    capped: bool = False
    attempts: list[Attempt] = field(default_factory=list)
    _since: float = 0.0
    _chars: int = 0
    _output: int = 0
    _input: int = -1

    @property
    def text(self) -> str:
        return "".join(self.pieces)

    @property
    def usage(self) -> Usage:
        """What the model reported, else an estimate of what went and came; a refusal costs nothing, nor
        does what has not gone out. Failed attempts are in it with what was reported of them."""
        used = priced(self._used(), self.run.request.price)
        for attempt in self.attempts:
            if attempt.usage is not None:
                used += priced(attempt.usage, self.run.request.price)
        return used

    def _used(self) -> Usage:
        if self.end is not None and self.end.usage is not None:
            return self.end.usage
        refused = self.end is not None and self.end.fault is not None
        if not self.began and (refused or self.waits):
            return Usage()
        return Usage(self.input, tokens(self._output), estimated=True)

    @property
    def input(self) -> int:
        """The request's estimated tokens."""
        if self._input < 0:
            self._input = self.request.size
        return self._input

    def count(self) -> None:
        """Add the turn's usage to the run's, once."""
        if not self.counted:
            self.counted = True
            self.run.meter.usage += self.usage

    async def events(self) -> AsyncGenerator[TextDelta | ReasoningDelta | RunWaiting, None]:
        """Streams the answer. The model's stream is closed when this ends, in whatever way."""
        started = self._since = self.run.meter.clock()
        stream = self.run.model.stream(self.request)
        try:
            while (event := await self._next(stream)) is not None:
                match event:
                    case Text(text) if text:
                        piece = self._taken(text)
                        self.pieces.append(piece)
                        yield self.run.answer.add(piece)
                    case Reasoning(text) if text:
                        self.reasoned = True
                        yield ReasoningDelta(self._taken(text))
                    case Waiting():
                        self.attempts += [event.attempt] if event.attempt is not None else []
                        yield RunWaiting(event)
                    case Underway():
                        yield RunWaiting(None)
                    case Finished():
                        self.end = event
                        break
                if limit := self._over():
                    self.stop = limit
                    break
        finally:
            self.seconds = self.run.meter.clock() - started
            await _close(stream)

    async def _next(self, stream: AsyncIterator[ModelEvent]) -> ModelEvent | None:
        """The next event; None when `stop` or `end` was set instead."""
        meter = self.run.meter
        counted = self.began and not self.waits
        try:
            # The wait for the first payload is the provider's queue: the transport's clock bounds it.
            async with asyncio.timeout(meter.left() if counted else None) as limit:
                event = await anext(stream)
        except StopAsyncIteration:
            self.end = Finished("error", fault=Fault("run_disconnected", kind="connection", retryable=True))
            return None
        except InkwrightError as exc:
            self.end = Finished("error", fault=exc.fault)
            return None
        except TimeoutError:
            if limit.expired():
                self.stop = "seconds"
            else:
                self.end = Finished("error", fault=Fault("run_silence", kind="timeout", retryable=True))
            return None
        except Exception as exc:
            _logger.error(
                "run %s: the model failed: %s", self.run.request.id, type(exc).__name__, exc_info=True
            )
            self.end = Finished("error", fault=Fault("run_error"))
            return None
        now = meter.clock()
        if not counted:
            meter.uncounted(now - self._since)
        self._since = now
        self.waits = isinstance(event, Waiting)
        self.began = self.began or (isinstance(event, Text | Reasoning) and bool(event.text))
        return event

    def _taken(self, text: str) -> str:
        """As much of a piece as the answer has room for, counted."""
        piece = text[: ANSWER_CHARS - self._chars]
        self._chars += len(piece)
        self._output += weigh(piece)
        return piece

    def _over(self) -> StopReason | None:
        meter = self.run.meter
        if self._chars >= ANSWER_CHARS:
            return "length"
        return meter.over(self.input + tokens(self._output) if meter.budget.tokens else 0)

    def record(self, finish: str = "") -> StepRecord:
        """The turn as the journal keeps it."""
        end, request = self.end, self.request
        fault = end.fault if end else None
        return StepRecord(
            run_id=self.run.request.id,
            index=self.run.steps,
            window=self.window,
            round=self.round,
            prompt_hash=prompt_hash(request),
            prompt_chars=sum(len(message.content) for message in request.messages),
            text=self.text,
            finish=finish or self.stop or (end.finish if end else ""),
            usage=self.usage,
            seconds=self.seconds,
            provider_request_id=end.provider_request_id if end else "",
            error_kind=(fault.kind or fault.code) if fault else "",
            calls=self.records,
            attempts=tuple(self.attempts),
        )


def prompt_hash(request: ModelRequest) -> str:
    """What tells one prompt from another: its messages, and the names of the tools on offer."""
    digest = hashlib.sha256()
    for message in request.messages:
        digest.update(f"{message.role}\x00{message.content}\x00".encode("utf-8", "surrogatepass"))
    for spec in request.tools:
        digest.update(f"{spec.name}\x00".encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


async def _close(stream: AsyncIterator[ModelEvent]) -> None:
    """Close a model's stream, within a time of its own and whatever it does."""
    close = getattr(stream, "aclose", None)
    if close is None:
        return
    try:
        async with asyncio.timeout(_CLOSE_SECONDS):
            await close()
    except Exception as exc:
        _logger.warning("closing a model's stream: %s", type(exc).__name__, exc_info=True)

"""Everything a run needs, small: a journal that remembers, tools that answer, a request factory."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

import pytest

from inkwright.domain.conversation import ToolSpec
from inkwright.domain.errors import StorageError
from inkwright.domain.ports import ToolResult
from inkwright.domain.profile import EffectiveProfile
from inkwright.domain.proposal import Proposal
from inkwright.domain.run import (
    Budget,
    Part,
    Product,
    RunEnded,
    RunEvent,
    RunRequest,
    State,
    Step,
    StepRecord,
    Window,
)
from inkwright.domain.text import Snapshot, Span
from inkwright.runtime.runner import Runner

NOW = datetime(2026, 3, 4, 5, 6, 7, tzinfo=UTC)


@dataclass
class RecordingJournal:
    """`broken` names the methods that fail, as a full disk would unless another `error` is given."""

    broken: frozenset[str] = frozenset()
    error: Exception = field(default_factory=lambda: StorageError("store_full"))
    begun: list[RunRequest] = field(default_factory=list)
    states: list[State] = field(default_factory=list)
    steps: list[StepRecord] = field(default_factory=list)
    products: list[Product] = field(default_factory=list)
    ends: list[tuple[RunEnded, Proposal | None]] = field(default_factory=list)

    async def begin(self, request: RunRequest, body_hash: str) -> None:
        self._check("begin")
        self.begun.append(request)

    async def stands(self, run_id: str, state: State) -> None:
        await asyncio.sleep(0)
        self._check("stands")
        self.states.append(state)

    async def step(self, record: StepRecord) -> None:
        await asyncio.sleep(0)
        self._check("step")
        self.steps.append(record)

    async def product(self, run_id: str, product: Product) -> None:
        await asyncio.sleep(0)
        self._check("product")
        self.products.append(product)

    async def end(self, run_id: str, ended: RunEnded, proposal: Proposal | None) -> None:
        await asyncio.sleep(0)
        self._check("end")
        self.ends.append((ended, proposal))

    def _check(self, name: str) -> None:
        if name in self.broken:
            raise self.error


@dataclass
class ScriptedTools:
    """Tools by name: a string answers, an exception is raised, None never answers."""

    answers: Mapping[str, str | Exception | None] = field(
        default_factory=lambda: {"read_chapter": "章", "get_book_context": "书"}
    )
    writing: frozenset[str] = frozenset()
    gate: asyncio.Barrier | None = None
    called: list[tuple[str, Any]] = field(default_factory=list)
    running: int = 0

    def specs(self, names: Sequence[str]) -> tuple[ToolSpec, ...]:
        return tuple(ToolSpec(name, name, {"type": "object"}) for name in names if name in self.answers)

    def parallel(self, name: str) -> bool:
        return name not in self.writing

    async def call(self, name: str, arguments: Mapping[str, Any] | None, raw: str = "") -> ToolResult:
        self.called.append((name, arguments))
        self.running += 1
        try:
            if self.gate is not None:
                await self.gate.wait()
            answer = self.answers[name]
            if answer is None:
                await asyncio.Event().wait()
            if isinstance(answer, Exception):
                raise answer
            if arguments is None:
                return ToolResult(f"bad arguments: {raw}", ok=False)
            return ToolResult(str(answer))
        finally:
            self.running -= 1


PROFILE = EffectiveProfile(
    ability="analysis",
    domain="novel",
    locale="zh",
    label="内容分析",
    domain_prompt="DOMAIN",
    ability_prompt="ABILITY",
    hints=("HINT OF DOMAIN", "HINT OF ABILITY"),
    tools=("read_chapter", "get_book_context"),
    rounds=10,
    seconds=480,
    calls=50,
    parallel=True,
    mode="react",
    output="report",
    scope="chapter",
)


@pytest.fixture
def now() -> datetime:
    return NOW


@pytest.fixture
def journal() -> RecordingJournal:
    return RecordingJournal()


@pytest.fixture
def broken_journal() -> Callable[..., RecordingJournal]:
    return lambda *names, **more: RecordingJournal(frozenset(names), **more)


@pytest.fixture
def tools() -> ScriptedTools:
    return ScriptedTools()


@pytest.fixture
def make_tools() -> type[ScriptedTools]:
    return ScriptedTools


@pytest.fixture
def ask() -> Callable[..., RunRequest]:
    """A request over `texts`, a window each; further arguments are fields of the request or profile."""

    def make(
        *texts: str,
        context: Sequence[Sequence[Part]] = (),
        budget: Budget | None = None,
        request: Mapping[str, Any] | None = None,
        **profile: Any,
    ) -> RunRequest:
        texts = texts or ("第一段。",)
        whole = "\n\n".join(texts)
        windows, at = [], 0
        for index, text in enumerate(texts):
            windows.append(Window(index, len(texts), Span(at, at + len(text)), text))
            at += len(text) + 2
        used = replace(PROFILE, **profile)
        made = RunRequest(
            id="run-1",
            profile=used,
            book_root="/book",
            snapshot=Snapshot("file:///book/a.md", "a.md", 1, whole),
            span=Span(0, len(whole)),
            whole=True,
            windows=tuple(windows),
            context=tuple(map(tuple, context)) or ((),) * len(texts),
            message="看看节奏",
            locale="zh",
            model="scripted",
            effort="high",
            budget=budget or Budget(used.rounds, used.calls, used.seconds),
        )
        return replace(made, **(request or {}))

    return make


STEPS = (("split", "拆分", 3), ("distil", "提炼", 1), ("cards", "制卡", 3), ("quiz", "出题", 1))


@pytest.fixture(scope="session")
def pipe() -> Callable[..., RunRequest]:
    """A pipeline of the first `count` steps over `texts`, a batch each; the fourth is taken once at the end.

    Steps of more than one round may call `read_chapter`. Further arguments are fields of the request.
    """

    def make(*texts: str, count: int = 3, budget: Budget | None = None, **request: Any) -> RunRequest:
        texts = texts or ("第一段。",)
        whole = "\n\n".join(texts)
        windows, at = [], 0
        for index, text in enumerate(texts):
            windows.append(Window(index, len(texts), Span(at, at + len(text)), text))
            at += len(text) + 2
        each = min(3, count)
        order = [(place, batch) for batch in range(len(texts)) for place in range(each)]
        order += [(3, len(texts) - 1)] if count > 3 else []
        steps = []
        for index, (place, batch) in enumerate(order):
            name, label, rounds = STEPS[place]
            steps.append(
                Step(
                    index,
                    len(order),
                    name,
                    label,
                    f"ORDER OF {name}",
                    ("read_chapter",) if rounds > 1 else (),
                    rounds,
                    passage=place < 3,
                    window=batch,
                    batches=len(texts) if place < 3 else 1,
                )
            )
        made = RunRequest(
            id="run-1",
            profile=replace(PROFILE, mode="pipeline", output="cards", rounds=0),
            book_root="/book",
            snapshot=Snapshot("file:///book/a.md", "a.md", 1, whole),
            span=Span(0, len(whole)),
            whole=True,
            windows=tuple(windows),
            context=((),) * len(texts),
            message="只看人物",
            locale="zh",
            model="scripted",
            effort="high",
            budget=budget or Budget(0, 50, 3600),
            pipeline="breakdown",
            steps=tuple(steps),
        )
        return replace(made, **request)

    return make


@pytest.fixture
def play(journal: RecordingJournal, tools: ScriptedTools) -> Callable[..., Any]:
    """Run to the end and return the events."""

    async def run(
        request: RunRequest,
        model: Any,
        *,
        toolbox: Any = None,
        book: Any = None,
        clock: Callable[[], float] | None = None,
        settle: Any = None,
    ) -> list[RunEvent]:
        clocks = {"clock": clock} if clock else {}
        runner = Runner(book or journal, now=lambda: NOW, **clocks)
        async with aclosing(runner.run(request, model, toolbox or tools, settle=settle)) as events:
            return [event async for event in events]

    return run


@pytest.fixture(scope="session")
def ask_free() -> Callable[[str, str, str], RunRequest]:
    """A request with a passage, one card and a message, for property tests."""

    def make(text: str, card: str, message: str) -> RunRequest:
        span = Span(0, len(text))
        return RunRequest(
            id="run-1",
            profile=replace(PROFILE, output="edit"),
            book_root="/book",
            snapshot=Snapshot("file:///book/a.md", "a.md", 1, text),
            span=span,
            whole=True,
            windows=(Window(0, 1, span, text),),
            context=((Part("card", card),) if card else (),),
            message=message,
            locale="zh",
            model="scripted",
            effort="off",
            budget=Budget(3),
        )

    return make

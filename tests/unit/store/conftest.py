from __future__ import annotations

import asyncio
import subprocess
import sys
import textwrap
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from inkwright.domain.conversation import Usage
from inkwright.domain.profile import EffectiveProfile
from inkwright.domain.proposal import Finding, Hunk, Proposal
from inkwright.domain.run import Budget, Part, RunRequest, Step, StepRecord, ToolRecord, Window
from inkwright.domain.text import Snapshot, Span
from inkwright.store.state import State

TEXT = "# 第一章 雨\n\n林晚秋推开门，雨还在下。𠮷\n"


class Child:
    """A real process that runs a script; it answers in lines on stdout and waits for lines on stdin."""

    def __init__(self, script: str, *args: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", textwrap.dedent(script), *args],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )

    def line(self) -> str:
        assert self.process.stdout
        return self.process.stdout.readline().strip()

    def say(self, text: str = "") -> None:
        assert self.process.stdin
        self.process.stdin.write(text + "\n")
        self.process.stdin.flush()

    def kill(self) -> None:
        self.process.kill()
        self.process.wait(30)

    def end(self) -> int:
        return self.process.wait(60)


@pytest.fixture
def child() -> Iterator[Callable[..., Child]]:
    children: list[Child] = []

    def start(script: str, *args: str) -> Child:
        children.append(Child(script, *args))
        return children[-1]

    yield start
    for one in children:
        if one.process.poll() is None:
            one.kill()
        for stream in (one.process.stdin, one.process.stdout):
            if stream:
                stream.close()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A book that owns its data."""
    book = tmp_path / "雪夜 100%"
    (book / ".inkwright").mkdir(parents=True)
    return book


@pytest.fixture
async def state(root: Path) -> AsyncIterator[State]:
    opened = await State.open(root)
    yield opened
    await asyncio.wait_for(opened.close(), 30)


@pytest.fixture
def make_request() -> Callable[..., RunRequest]:
    def make(ident: str = "run-1", text: str = TEXT, message: str = "保持文风") -> RunRequest:
        profile = EffectiveProfile(
            ability="polish",
            domain="novel",
            locale="zh",
            label="润色优化",
            domain_prompt="SECRET-PROMPT 小说",
            ability_prompt="SECRET-PROMPT 润色",
            hints=("SECRET-PROMPT 提示",),
            tools=("read_chapter",),
            rounds=3,
            seconds=240,
            calls=50,
            parallel=True,
            mode="react",
            output="edit",
            scope="chapter",
        )
        span = Span(0, len(text))
        return RunRequest(
            id=ident,
            profile=profile,
            book_root="/books/雪夜",
            snapshot=Snapshot("file:///books/%E9%9B%AA/1.md", "第一章.md", 3, text),
            span=span,
            whole=True,
            windows=(Window(0, 1, span, text),),
            context=(
                (
                    Part("card", "林晚秋：剑客", "mentioned", {"count": 1}, 8, 0, "cards/林晚秋.md"),
                    Part("suffix", "SECRET-PROMPT 后缀"),
                ),
            ),
            message=message,
            locale="zh",
            model="offline",
            effort="off",
            budget=Budget(3),
            memories=("喜欢短句",),
            history=(("问", "答"),),
        )

    return make


@pytest.fixture
def make_pipeline(make_request: Callable[..., RunRequest]) -> Callable[..., RunRequest]:
    """A run of three steps for each of two batches."""

    def make(ident: str = "run-1", **more: object) -> RunRequest:
        names = ("split", "distil", "cards") * 2
        steps = tuple(
            Step(
                n,
                len(names),
                name,
                f"第{n}步",
                "SECRET-PROMPT 步骤",
                ("create_note_card",),
                8,
                n != 2,
                n // 3,
                2,
            )
            for n, name in enumerate(names)
        )
        budget = Budget(20, 50, 3600.0, 9000, 1.5)
        return replace(
            make_request(ident), pipeline="breakdown", steps=steps, budget=budget, context_window=8000, **more
        )

    return make


@pytest.fixture
def make_step() -> Callable[..., StepRecord]:
    def make(run: str = "run-1", index: int = 0, text: str = "林晚秋推开门。") -> StepRecord:
        call = ToolRecord(
            "call-1", "read_chapter", {"chapter_id": "第一章.md"}, '{"chapter_id"', "正文", True, 0.5
        )
        return StepRecord(
            run, index, 0, index, "abc", 120, text, "stop", Usage(10, 20), 1.5, "req-9", "", (call,)
        )

    return make


@pytest.fixture
def make_proposal() -> Callable[..., Proposal]:
    def make(run: str = "run-1", ident: str = "p-1", text: str = TEXT) -> Proposal:
        hunks = (
            Hunk(0, Span(2, 4), text[2:4], "第二"),
            Hunk(
                1,
                Span(9, 12),
                text[9:12],
                "林晚",
                (
                    Finding("name_lost", {"name": "林晚秋", "count": 1}),
                    Finding("number_lost", {"before": ("3", "5")}),
                ),
            ),
        )
        return Proposal(
            ident, run, "file:///1.md", "第一章.md", 3, text, Span(0, len(text)), text + "新", hunks, 17.0
        )

    return make

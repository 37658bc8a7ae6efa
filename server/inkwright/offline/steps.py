"""The steps of the pipelines by their names."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping

from inkwright.domain.conversation import ModelRequest, Task, ToolCall
from inkwright.offline import breakdown, making
from inkwright.offline.desk import Desk
from inkwright.offline.notes import study

CARDS = "cards"
WRITERS: Mapping[str, Callable[[Desk, Task], Awaitable[str]]] = {
    "split": breakdown.split,
    "distil": breakdown.distil,
    "organise": study.organise,
    "concepts": study.concepts,
    "quiz": study.quiz,
}


def known(step: str) -> bool:
    return step == CARDS or step in WRITERS


async def play(desk: Desk, request: ModelRequest, task: Task) -> tuple[str, tuple[ToolCall, ...]]:
    """What a step says, and the tools that it calls. Raises `InkwrightError`."""
    calls: tuple[ToolCall, ...] = ()
    if task.step != CARDS:
        said = await WRITERS[task.step](desk, task)
    elif making.answered(request.messages):
        said = making.outcome(request.messages, task.locale)
    else:
        said, calls = await making.calls(desk, request, task)
    return said.rstrip("\n"), calls

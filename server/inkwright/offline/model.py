"""`OfflineModel`: a `ChatModel` that works from the typed task and reads no prompt."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterator, Mapping

from inkwright.domain.conversation import Finished, ModelEvent, ModelRequest, Task, Text, ToolCall, Usage
from inkwright.domain.errors import Fault, InkwrightError
from inkwright.domain.ports import BookView
from inkwright.offline import facts, steps
from inkwright.offline.analysis import analyse
from inkwright.offline.desk import Desk
from inkwright.offline.polish import polish
from inkwright.offline.research import research
from inkwright.offline.suggestions import names, titles
from inkwright.offline.summary import summary

PIECE = 400
"""Characters of the answer that go out at once."""

FACTS = "facts"
Answerer = Callable[[Desk, Task], Awaitable[str]]
ANSWERERS: Mapping[str, Answerer] = {
    "polish": polish,
    "analysis": analyse,
    "research": research,
    "summary": summary,
    "title-suggestions": titles,
    "name-suggestions": names,
}


class OfflineModel:
    """The rules as a model. `view` is the book they may read, None for a document without one.

    `disabled` are the ids of checks that the writer turned off. It plays the abilities of `ANSWERERS` and
    the steps of the pipelines that come with us; everything else, drafting above all, ends with
    `needs_model`. The same request gives the same answer.
    """

    def __init__(self, view: BookView | None, *, disabled: Collection[str] = ()) -> None:
        self._desk = Desk(view, disabled)

    @property
    def name(self) -> str:
        return "offline"

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        task = request.task
        if task is None or not _known(task):
            ability = task.step or task.ability if task is not None else ""
            yield Finished("error", fault=Fault("needs_model", {"ability": ability}))
            return
        try:
            answer, calls = await self._answer(request, task)
        except InkwrightError as error:
            yield Finished("error", fault=error.fault)
            return
        for piece in _pieces(answer):
            yield Text(piece)
            await asyncio.sleep(0)
        yield Finished("tool_calls" if calls else "stop", calls, usage=Usage())

    async def _answer(self, request: ModelRequest, task: Task) -> tuple[str, tuple[ToolCall, ...]]:
        if task.step:
            return await steps.play(self._desk, request, task)
        if task.ability == FACTS:
            return await facts.calls(self._desk, request, task)
        return await ANSWERERS[task.ability](self._desk, task), ()


def _known(task: Task) -> bool:
    return steps.known(task.step) if task.step else task.ability in (FACTS, *ANSWERERS)


def _pieces(answer: str) -> Iterator[str]:
    for at in range(0, len(answer), PIECE):
        yield answer[at : at + PIECE]

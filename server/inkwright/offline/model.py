"""`OfflineModel`: a `ChatModel` that works from the typed task and reads no prompt."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterator, Mapping

from inkwright.domain.conversation import Finished, ModelEvent, ModelRequest, Task, Text, Usage
from inkwright.domain.errors import Fault, InkwrightError
from inkwright.domain.ports import BookView
from inkwright.offline.analysis import analyse
from inkwright.offline.desk import Desk
from inkwright.offline.polish import polish
from inkwright.offline.research import research

PIECE = 400
"""Characters of the answer that go out at once."""

Answerer = Callable[[Desk, Task], Awaitable[str]]
ANSWERERS: Mapping[str, Answerer] = {"polish": polish, "analysis": analyse, "research": research}


class OfflineModel:
    """The rules as a model. `view` is the book they may read, None for a document without one.

    `disabled` are the ids of checks that the writer turned off. Everything but polish, analysis and
    research ends with `needs_model`; so do the steps of a pipeline.
    """

    def __init__(self, view: BookView | None, *, disabled: Collection[str] = ()) -> None:
        self._desk = Desk(view, disabled)

    @property
    def name(self) -> str:
        return "offline"

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        task = request.task
        answerer = ANSWERERS.get(task.ability) if task is not None and not task.step else None
        if task is None or answerer is None:
            ability = task.ability if task is not None else ""
            yield Finished("error", fault=Fault("needs_model", {"ability": ability}))
            return
        try:
            answer = await answerer(self._desk, task)
        except InkwrightError as error:
            yield Finished("error", fault=error.fault)
            return
        for piece in _pieces(answer):
            yield Text(piece)
            await asyncio.sleep(0)
        yield Finished("stop", usage=Usage())


def _pieces(answer: str) -> Iterator[str]:
    for at in range(0, len(answer), PIECE):
        yield answer[at : at + PIECE]

"""The index's one thread, and the tasks that wait for it."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


class Worker:
    """Runs blocking work one piece after the other. `closing` tells a long piece to stop early."""

    def __init__(self) -> None:
        self.closing = threading.Event()
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="inkwright-index")
        self._tasks: set[asyncio.Task[None]] = set()
        self._patient: set[asyncio.Task[None]] = set()

    async def run(self, fn: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """One hop to the thread."""
        return await asyncio.get_running_loop().run_in_executor(self._pool, lambda: fn(*args, **kwargs))

    def start(
        self, work: Coroutine[object, object, None], name: str, *, awaited: bool = True
    ) -> asyncio.Task[None] | None:
        """A task on the loop that `close` cancels; None, and nothing is done, once that has begun.

        `awaited` False: no answer hangs on it, and `idle` does not wait for it.
        """
        if self.closing.is_set():
            work.close()
            return None
        task = asyncio.create_task(work, name=name)
        tasks = self._tasks if awaited else self._patient
        tasks.add(task)
        task.add_done_callback(tasks.discard)
        return task

    async def idle(self, hurry: Callable[[], None] = lambda: None) -> bool:
        """Waits for the tasks that run now; False when there were none. `hurry` is called again and again."""
        waiting = set(self._tasks)
        found = bool(waiting)
        while waiting:
            hurry()
            _, waiting = await asyncio.wait(waiting, timeout=0.02)
        return found

    async def close(self, last: Callable[[], object]) -> None:
        """Cancels the tasks, runs `last` on the thread and ends it."""
        self.closing.set()
        ending = self._tasks | self._patient
        for task in ending:
            task.cancel()
        if ending:
            await asyncio.wait(ending)
        await self.run(last)
        self._pool.shutdown(wait=False)

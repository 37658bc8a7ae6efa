"""Work that a run leaves behind: its answer does not wait for it, the book's next run does."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from pathlib import Path

from inkwright.domain.errors import InkwrightError

_log = logging.getLogger(__name__)

PATIENCE = 5.0
"""Seconds that the next run, and the end, wait for it."""


class Behind:
    def __init__(self) -> None:
        self._tasks: dict[asyncio.Task[None], Path] = {}

    def start(self, root: Path, run_id: str, work: Coroutine[object, object, None]) -> None:
        """Does `work` for the book at `root`. What fails in it is logged: the run is over and well."""
        task = asyncio.create_task(_told(run_id, work), name=f"behind {run_id}")
        self._tasks[task] = root
        task.add_done_callback(self._tasks.pop)

    async def done(self, root: Path | None = None) -> None:
        """Waits for what is going on for a book, or for all of them."""
        if tasks := [task for task, place in self._tasks.items() if root in (None, place)]:
            await asyncio.wait(tasks, timeout=PATIENCE)

    async def close(self) -> None:
        """Waits for all of it, and stops what takes longer."""
        await self.done()
        tasks = tuple(self._tasks)
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)


async def _told(run_id: str, work: Coroutine[object, object, None]) -> None:
    try:
        await work
    except InkwrightError as error:
        _log.warning("run %s: nothing was remembered: %s", run_id, error.fault.code)
    except Exception:  # noqa: BLE001 - a fault of ours costs a memory, not a run
        _log.exception("run %s: nothing was remembered", run_id)

"""What a run leaves behind: waited for, and stopped when nobody can wait any longer."""

from __future__ import annotations

import asyncio
from pathlib import Path

from inkwright.abilities import behind
from inkwright.abilities.behind import Behind

ROOT = Path("/book")


async def test_what_never_ends_is_stopped_at_the_end(monkeypatch) -> None:
    """Work that is done in time is done; after it no task is left."""
    monkeypatch.setattr(behind, "PATIENCE", 0.01)
    work = Behind()
    done: list[str] = []

    async def quick() -> None:
        done.append("quick")

    async def endless() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            done.append("stopped")

    work.start(ROOT, "r1", quick())
    work.start(ROOT, "r2", endless())
    await work.close()
    assert done == ["quick", "stopped"]
    assert [task for task in asyncio.all_tasks() if task.get_name().startswith("behind")] == []


async def test_a_book_waits_for_its_own(monkeypatch) -> None:
    """What goes on for another one holds nobody up."""
    monkeypatch.setattr(behind, "PATIENCE", 60.0)
    work = Behind()
    held = asyncio.Event()

    async def endless() -> None:
        await held.wait()

    work.start(Path("/other"), "r1", endless())
    await asyncio.wait_for(work.done(ROOT), 60)
    held.set()
    await work.close()

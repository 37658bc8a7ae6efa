"""Work that follows typing."""

from __future__ import annotations

import asyncio

import pytest

from inkwright.lsp.latest import Latest


class Desk:
    """Counts what is done; each piece of work waits until it is let go."""

    def __init__(self) -> None:
        self.done: list[str] = []
        self.begun = asyncio.Event()
        self.go = asyncio.Event()
        self.go.set()

    async def work(self, key: str) -> None:
        self.begun.set()
        await self.go.wait()
        self.done.append(key)


@pytest.fixture
async def desk() -> Desk:
    return Desk()


async def finished(latest: Latest[str], key: str) -> None:
    while (task := latest.now(key)) is not None:
        await asyncio.wait([task])
        await asyncio.sleep(0)


async def test_many_calls_are_one_piece_of_work(desk):
    """A hundred calls before the pause is over are worked on once."""
    latest = Latest(60, desk.work, asyncio.ensure_future)
    for _ in range(100):
        latest.call("a")
    await finished(latest, "a")
    assert desk.done == ["a"]


async def test_calls_during_the_work_are_one_more(desk):
    """What changes while the work runs is worked on once more after it, never beside it."""
    latest = Latest(0, desk.work, asyncio.ensure_future)
    desk.go.clear()
    latest.call("a")
    await desk.begun.wait()
    for _ in range(10):
        latest.call("a")
        latest.now("a")
    desk.go.set()
    await finished(latest, "a")
    assert desk.done == ["a", "a"]


async def test_keys_do_not_wait_for_each_other(desk):
    """Each key has its own pause and its own work."""
    latest = Latest(60, desk.work, asyncio.ensure_future)
    latest.call("a")
    latest.call("b")
    await finished(latest, "b")
    assert desk.done == ["b"]
    await finished(latest, "a")
    assert desk.done == ["b", "a"]


async def test_dropped_work_is_not_done(desk):
    """Neither what waits nor what runs goes on after a drop."""
    latest = Latest(0, desk.work, asyncio.ensure_future)
    desk.go.clear()
    latest.call("a")
    await desk.begun.wait()
    latest.call("a")
    latest.drop("a")
    desk.go.set()
    await asyncio.sleep(0)
    await finished(latest, "a")
    assert desk.done == []


async def test_endless_typing_is_worked_on_all_the_same(desk):
    """Work is put off MAX_PAUSES pauses at most, however fast the calls come."""
    latest = Latest(0.01, desk.work, asyncio.ensure_future)
    async with asyncio.timeout(60):
        while not desk.done:
            latest.call("a")
            await asyncio.sleep(0)


async def test_work_that_rests_is_done_when_asked_for(desk):
    """A rest puts the next work off beyond its pause and all its limits; asked for at once it is done."""
    latest = Latest(0, desk.work, asyncio.ensure_future)
    latest.rest("a", 60)
    for _ in range(20):
        latest.call("a")
        await asyncio.sleep(0)
    assert desk.done == []
    await finished(latest, "a")
    assert desk.done == ["a"]

"""Waiting for httpx so that a cancelled wait leaves nothing of its connection behind.

httpcore shields the closing of a connection from anyio's cancelling, not from that of asyncio: a
task that is cancelled or timed out right there leaves a request in the pool for good, and often a socket.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

T = TypeVar("T")


async def whole(work: Awaitable[T], unwanted: Callable[[T], Awaitable[Any]] | None = None) -> T:
    """The result of `work`. When the caller is cancelled, `work` ends in order before that goes on.

    `unwanted` takes a result that came although the caller had been cancelled.
    """
    import anyio

    scope = anyio.CancelScope()

    async def within() -> T:
        with scope:
            return await work
        raise asyncio.CancelledError

    async def without() -> None:
        scope.cancel()
        try:
            result = await task
        except (asyncio.CancelledError, Exception):  # noqa: BLE001 - nobody waits for it any more
            return
        if unwanted is not None:
            await unwanted(result)

    task = asyncio.ensure_future(within())
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        if task.cancelled():
            raise
        await asyncio.shield(without())
        raise

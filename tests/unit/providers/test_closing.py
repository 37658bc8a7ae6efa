"""Cancelling a wait on the network leaves nothing behind."""

from __future__ import annotations

import asyncio

import anyio
import pytest

from inkwright.domain.conversation import Message, ModelRequest
from inkwright.providers.closing import whole

ASK = ModelRequest((Message("user", "hello"),))


async def test_a_closing_is_not_cut_in_two(until) -> None:
    """A caller that is cancelled again while the connection closes cancels the wait, never the closing."""
    reading, closing, go_on = asyncio.Event(), asyncio.Event(), asyncio.Event()
    closed: list[bool] = []

    async def work() -> None:
        try:
            reading.set()
            await asyncio.Event().wait()
        finally:
            with anyio.CancelScope(shield=True):
                closing.set()
                await go_on.wait()
                closed.append(True)

    task = asyncio.create_task(whole(work()))
    await reading.wait()
    task.cancel()
    await closing.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    go_on.set()
    await until(lambda: closed)


async def test_a_result_that_nobody_takes_is_handed_back() -> None:
    """What was ready just when the caller was cancelled is not lost with its connection."""
    reading, go_on = asyncio.Event(), asyncio.Event()
    back: list[str] = []

    async def work() -> str:
        with anyio.CancelScope(shield=True):
            reading.set()
            await go_on.wait()
        return "response"

    async def take(result: str) -> None:
        back.append(result)

    task = asyncio.create_task(whole(work(), take))
    await reading.wait()
    task.cancel()
    await asyncio.sleep(0)
    go_on.set()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert back == ["response"]


async def test_results_and_errors_pass() -> None:
    """Without a cancel it is as if the work were awaited itself."""

    async def work(value: int) -> int:
        if value < 0:
            raise ValueError(value)
        return value

    assert await whole(work(7)) == 7
    with pytest.raises(ValueError, match="-1"):
        await whole(work(-1))


@pytest.mark.parametrize("head", [{}, {"connection": "close"}], ids=["kept", "closed"])
async def test_whenever_a_request_is_cancelled_the_pool_is_empty(server, model, reply, head) -> None:
    """After any number of steps, from the connect to the last close: no request and no busy connection stays."""
    answer = b'data: {"choices":[{"delta":{"content":"ok"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'
    server.reply = reply([answer], headers={"content-type": "text/event-stream", **head})
    asked = model(server.url)

    async def consume() -> None:
        async for _ in asked.stream(ASK):
            pass

    await consume()
    pool = asked._transport._client._transport._pool
    for steps in range(160):
        task = asyncio.create_task(consume())
        for _ in range(steps):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        assert not pool._requests, steps
        assert all(connection.is_idle() for connection in pool.connections), steps


async def test_many_answers_at_once_leave_an_empty_pool(server, model, reply) -> None:
    """A server that closes after each answer, asked a hundred times at once."""
    answer = b'data: {"choices":[{"delta":{"content":"ok"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'
    head = {"content-type": "text/event-stream", "connection": "close"}
    server.reply = reply([answer], headers=head)
    asked = model(server.url)

    async def consume() -> None:
        async for _ in asked.stream(ASK):
            pass

    await asyncio.gather(*(consume() for _ in range(100)))
    pool = asked._transport._client._transport._pool
    assert not pool._requests
    assert all(connection.is_idle() for connection in pool.connections)

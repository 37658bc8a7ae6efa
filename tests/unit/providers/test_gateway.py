"""Turns, retries, rest and cancelling against a real server on this machine."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack, aclosing
from typing import Any

import pytest

from inkwright.domain.conversation import Finished, Message, ModelRequest, Text, Underway, Usage, Waiting
from inkwright.domain.model import ModelProfile
from inkwright.domain.run import Clocks
from inkwright.providers import build
from inkwright.providers.again import Again
from inkwright.providers.gateway import Gateway
from inkwright.secrets import Secrets

SOON = Again(backoff=0.001)
CLOCKS = Clocks(connect=60, bytes=60, first_payload=60, payload=60)
SLOW = Clocks(connect=10**6, bytes=3000, first_payload=10**6, payload=10**6)


@pytest.fixture
async def gateway(server) -> AsyncIterator[Callable[..., Gateway]]:
    made: list[Gateway] = []

    def make(again: Again = SOON, clock: Any = time.monotonic, **fields: Any) -> Gateway:
        profile = ModelProfile(
            **{"id": "m", "endpoint": server.url, "model": "demo", "clocks": CLOCKS, **fields}
        )
        made.append(Gateway(profile, build(profile, Secrets({})), again, clock))
        return made[-1]

    yield make
    for each in made:
        await each.close()


@pytest.fixture
def good(reply, streams):
    return reply([streams.sse(streams.delta(content="好"), streams.delta("stop"))])


def refusal(reply, status: int, **headers: str):
    return reply([b'{"error": {"message": "no"}}'], status, {"content-type": "application/json", **headers})


def request(run: str = "") -> ModelRequest:
    return ModelRequest((Message("user", "hello"),), run=run)


async def events(model: Gateway, run: str = "") -> list[Any]:
    return [event async for event in model.stream(request(run))]


@pytest.mark.parametrize("status", [429, 500, 502, 503, 529])
async def test_a_fleeting_refusal_is_tried_again_and_told(gateway, server, reply, good, status):
    """Two failures, then the answer: each failure is told with its reason, and the text comes once."""
    server.script = [refusal(reply, status), refusal(reply, status)]
    server.reply = good
    seen = await events(gateway())
    assert len(server.requests) == 3
    kinds = [type(event) for event in seen]
    assert kinds == [Waiting, Underway, Waiting, Underway, Text, Finished]
    attempts = [event.attempt for event in seen if isinstance(event, Waiting)]
    assert all(one.kind in ("rate_limit", "server", "overloaded") and one.seconds >= 0 for one in attempts)
    assert seen[-1].finish == "stop"


async def test_three_failures_are_the_end(gateway, server, reply):
    """At most two retries; the last fault is the answer."""
    server.reply = refusal(reply, 500)
    seen = await events(gateway())
    assert len(server.requests) == 3
    assert seen[-1].fault.kind == "server"


@pytest.mark.parametrize("status", [400, 401, 402, 403, 404])
async def test_what_stays_is_asked_once(gateway, server, reply, status):
    """No key gets right by asking again."""
    server.reply = refusal(reply, status)
    assert [type(event) for event in await events(gateway())] == [Finished]
    assert len(server.requests) == 1


async def test_a_reset_before_the_answer_is_tried_again(gateway, server, reply, good):
    """The connection broke with nothing said."""
    server.script = [reply(raw=b"", then="reset")]
    server.reply = good
    seen = await events(gateway())
    assert [event.text for event in seen if isinstance(event, Text)] == ["好"]
    assert len(server.requests) == 2


async def test_nothing_is_tried_again_once_text_is_out(gateway, server, reply, streams):
    """A stream that breaks in the middle is a partial answer, not a second one."""
    piece = streams.sse(streams.delta(content="半"), done=False)
    for broken in (
        reply([piece], then="reset"),
        reply([piece, b'data: {"error": {"code": 503, "message": "overloaded"}}\n\n']),
    ):
        server.requests.clear()
        server.script = [broken]
        seen = await events(gateway())
        assert [event.text for event in seen if isinstance(event, Text)] == ["半"]
        assert seen[-1].fault is not None
        assert len(server.requests) == 1


async def test_an_overload_inside_a_stream_is_tried_again_while_nothing_is_out(gateway, server, reply, good):
    """Under a 200, before any text: the same as a 503."""
    server.script = [reply([b'data: {"error": {"code": 503, "message": "overloaded"}}\n\n'])]
    server.reply = good
    assert (await events(gateway()))[-1].finish == "stop"
    assert len(server.requests) == 2


async def test_silence_before_the_first_byte_is_tried_again(gateway, server, reply, good, until, time_flies):
    """Nothing had come: the clock of bytes ends the attempt, not the request."""
    server.script = [reply(raw=b"", then="hang")]
    server.reply = good
    seen: list[Any] = []

    async def follow() -> None:
        async for event in gateway(clocks=SLOW).stream(request()):
            seen.append(event)  # noqa: PERF401 - what has come counts while more is waited for

    following = asyncio.ensure_future(follow())
    await until(server.staying.is_set)
    await time_flies(lambda: seen or following.done())
    await following
    assert seen[0].attempt.code == "model_timeout_bytes"
    assert seen[-1].finish == "stop"


async def test_silence_behind_the_headers_is_final(gateway, server, reply, outlast):
    """The server was at work, and may be paid for it."""
    server.reply = reply([], then="hang")
    seen = await outlast(events(gateway(clocks=SLOW)))
    assert seen[-1].fault.code == "model_timeout_bytes"
    assert len(server.requests) == 1


async def test_what_a_failed_attempt_used_is_told(gateway, server, reply, streams, good):
    """Tokens that were reported before the fault are paid for all the same."""
    usage = {"choices": [], "usage": {"prompt_tokens": 7, "completion_tokens": 0}}
    broken = streams.sse(usage, {"error": {"code": 503, "message": "overloaded"}}, done=False)
    server.script = [reply([broken])]
    server.reply = good
    seen = await events(gateway())
    assert seen[0].attempt.usage == Usage(7, 0)


async def test_a_server_that_asks_for_hours_is_not_waited_for(gateway, server, reply):
    """One request, and the time until which there is no use."""
    server.reply = refusal(reply, 429, **{"retry-after": "7200"})
    seen = await events(gateway())
    assert [type(event) for event in seen] == [Finished]
    assert seen[0].fault.code == "model_wait_until"
    assert len(server.requests) == 1


async def test_a_retry_waits_for_what_the_server_says(gateway, server, reply, good, until):
    """Retry-After is kept to, and holds for the other requests to the model too."""
    now = time.monotonic()
    server.script = [refusal(reply, 429, **{"retry-after": "1"})]
    server.reply = good
    model = gateway(clock=lambda: now)
    first = asyncio.ensure_future(events(model, "a"))
    await until(lambda: model._line._rates.delay(0))
    async with aclosing(model.stream(request("b"))) as second:
        assert (await anext(second)).why == "rate"
        assert len(server.requests) == 1
        now += 2
        assert [event async for event in second][-1].finish == "stop"
    seen = await first
    assert 1 <= seen[0].seconds <= 1 + 2 * SOON.backoff
    assert seen[-1].finish == "stop"


async def test_those_in_the_line_wait_too(gateway, server, reply, good, until):
    """The next in the line does not go out while the server wants to be left alone."""
    server.script = [refusal(reply, 429, **{"retry-after": "100"})]
    server.reply = good
    model = gateway(concurrency=1)
    tasks = [asyncio.ensure_future(events(model, run)) for run in "ab"]
    await until(lambda: model._line._rates.delay(0) > 0)
    await until(lambda: model._line._busy == 0)
    assert len(server.requests) == 1
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    assert len(server.requests) == 1


async def test_after_a_rest_one_request_alone_tries_the_model(gateway, server, reply, good, until):
    """However slowly the one that waited takes its turn, nobody else goes out beside it."""
    now = time.monotonic()
    clock = lambda: now  # noqa: E731
    server.reply = refusal(reply, 500)
    model = gateway(Again(retries=0), clock=clock)
    for _ in range(5):
        await events(model)
    now += 31
    server.reply = reply(raw=b"", then="hang")
    model._line.pause(0.01)
    slow, quick = model.stream(request("a")), model.stream(request("b"))
    assert (await anext(slow)).why == "rate"
    now += 1
    assert await anext(slow) == Underway()
    trial = asyncio.ensure_future(anext(quick))
    await until(lambda: len(server.requests) == 6)
    assert (await anext(slow)).fault.code == "model_resting"
    trial.cancel()
    await asyncio.gather(trial, return_exceptions=True)
    await slow.aclose()
    assert len(server.requests) == 6
    server.reply = good  # a trial that was given up stands in nobody's way
    assert (await events(model))[-1].finish == "stop"


async def test_five_faults_and_the_model_rests(gateway, server, reply, good):
    """Then nothing goes out until the rest is over; one that succeeds ends it."""
    now = time.monotonic()
    clock = lambda: now  # noqa: E731
    server.reply = refusal(reply, 500)
    model = gateway(clock=clock)
    await events(model)
    await events(model)
    assert len(server.requests) == 5
    for _ in range(3):
        seen = await events(model)
        assert (seen[0].fault.code, seen[0].fault.params["model"]) == ("model_resting", "demo")
    assert len(server.requests) == 5
    now += 31
    server.reply = good
    assert (await events(model))[-1].finish == "stop"
    assert (await events(model))[-1].finish == "stop"


async def test_fifty_runs_at_once_on_four_connections(gateway, server, reply, streams):
    """Never more than four, all finish, and those that wait begin in the order in which they came."""
    pieces = [streams.sse(streams.delta(content=str(n)), done=False) for n in range(3)]
    server.reply = reply([*pieces, streams.sse(streams.delta("stop"))], pause=0.002)
    model = gateway(concurrency=4)
    began: list[int] = []

    async def run(number: int) -> str:
        text = ""
        async with aclosing(model.stream(request(f"run-{number}"))) as stream:
            async for event in stream:
                if isinstance(event, Underway):
                    began.append(number)
                elif isinstance(event, Text):
                    text += event.text
                elif isinstance(event, Finished):
                    assert event.finish == "stop"
        return text

    assert await asyncio.gather(*map(run, range(50))) == ["012"] * 50
    assert server.most <= 4
    assert len(server.requests) == 50
    assert began == list(range(4, 50))


@pytest.mark.parametrize("moment", ["queue", "rate", "retry", "first byte", "mid stream"])
async def test_cancelled_wherever_it_is(gateway, server, reply, streams, good, until, moment):
    """The connection is closed, nothing goes out later, and the place is free for the next."""
    model = gateway(Again(backoff=60), concurrency=1, requests_per_minute=1 if moment == "rate" else 0)
    piece = streams.sse(streams.delta(content="半"), done=False)
    held: list[asyncio.Task[Any]] = []
    if moment in ("queue", "rate"):
        server.script = [reply([piece], then="hang") if moment == "queue" else good]
        held.append(asyncio.ensure_future(events(model, "other")))
        await until(lambda: len(server.requests) == 1)
        if moment == "rate":
            await held.pop()
    elif moment == "retry":
        server.script = [refusal(reply, 500)]
    elif moment == "first byte":
        server.script = [reply(raw=b"", then="hang")]
    else:
        server.script = [reply([piece], then="hang")]
    server.reply = good
    before = len(server.requests)
    seen: list[Any] = []

    async def follow() -> None:
        async with aclosing(model.stream(request("mine"))) as stream:
            async for event in stream:
                seen.append(event)  # noqa: PERF401 - what came before a cancel counts

    task = asyncio.ensure_future(follow())
    if moment in ("queue", "rate", "retry"):
        await until(lambda: bool(seen))
        assert (seen[-1].why, len(seen)) == (moment, 1)
    elif moment == "mid stream":
        await until(lambda: bool(seen))
    else:
        await until(lambda: len(server.requests) == before + 1)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    told = len(seen)
    if moment in ("first byte", "mid stream"):
        await until(server.gone.is_set)
    for other in held:
        other.cancel()
        await asyncio.gather(other, return_exceptions=True)
    asked = len(server.requests)
    if moment != "rate":
        assert (await events(model, "next"))[-1].finish == "stop"
        assert len(server.requests) == asked + 1
    assert len(seen) == told
    assert model._line._busy == 0
    assert not model._line._runs


@pytest.fixture
def deaf() -> Iterator[int]:
    """A port of this machine where nobody takes a connection: its line is full."""
    with socket.socket() as listening, ExitStack() as waiting:
        listening.bind(("127.0.0.1", 0))
        listening.listen(0)
        for _ in range(4):
            one = waiting.enter_context(socket.socket())
            one.setblocking(False)
            one.connect_ex(listening.getsockname())
        yield listening.getsockname()[1]


async def test_cancelled_while_connecting(gateway, deaf, until):
    """A connection that is never made holds no place."""
    model = gateway(concurrency=1, endpoint=f"http://127.0.0.1:{deaf}/v1")
    task = asyncio.ensure_future(events(model))
    await until(lambda: model._line._busy == 1)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert model._line._busy == 0


async def test_a_connection_that_nobody_takes_is_tried_again(gateway, deaf):
    """Its clock ends each attempt; the last one is the answer."""
    clocks = Clocks(connect=0.05, bytes=60, first_payload=60, payload=60)
    seen = await events(gateway(endpoint=f"http://127.0.0.1:{deaf}/v1", clocks=clocks))
    assert [event.attempt.code for event in seen if isinstance(event, Waiting)] == [
        "model_timeout_connect"
    ] * 2
    assert seen[-1].fault.code == "model_timeout_connect"


@pytest.mark.parametrize("wrong", [0.0, 10**11, -(10**9)])
async def test_the_wall_clock_decides_nothing(gateway, server, reply, good, monkeypatch, wrong):
    """A clock that is set to another age meanwhile lengthens no wait and ends none."""
    server.script = [refusal(reply, 503)]
    server.reply = good
    monkeypatch.setattr("time.time", lambda: wrong)
    assert (await events(gateway(requests_per_minute=5, concurrency=1)))[-1].finish == "stop"

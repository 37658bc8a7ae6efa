"""Who goes next, how many at once, how many a minute."""

from __future__ import annotations

import asyncio
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inkwright.domain.conversation import Waiting
from inkwright.providers.line import Line
from inkwright.providers.rates import Rates


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def line(slots: int, rates: Rates | None = None) -> Line:
    return Line(slots, rates or Rates(0, 0, Clock()))


async def drained(queue: Line, tickets) -> list[str]:
    """The runs in the order in which they went, one after another."""
    order = []
    waiting = list(tickets)
    while waiting:
        ticket = next(t for t in waiting if t.granted)
        order.append(ticket.run)
        waiting.remove(ticket)
        ticket.leave()
    return order


async def test_runs_take_turns_and_a_runs_own_requests_keep_their_order():
    """One run with many requests does not keep the others waiting."""
    queue = line(1)
    tickets = [queue.enter(run, 0) for run in "aaaabbc"]
    firsts = [t for t in tickets if t.run == "a"]
    order = await drained(queue, tickets)
    assert order == ["a", "a", "b", "c", "a", "b", "a"]
    assert firsts == sorted(firsts, key=tickets.index)


async def test_no_more_than_the_slots_are_out_at_once():
    """A place that is given back goes to the next at once; without a limit all go."""
    queue = line(2)
    tickets = [queue.enter(f"r{n}", 0) for n in range(5)]
    assert [t.granted for t in tickets] == [True, True, False, False, False]
    tickets[1].leave()
    tickets[1].leave()
    assert [t.granted for t in tickets] == [True, True, True, False, False]
    assert all(t.granted for t in [line(0).enter("x", 0) for _ in range(50)])


async def test_the_line_says_how_many_go_before():
    """Each knows its own place, and is told when it changes."""
    queue = line(1)
    first, *others = [queue.enter(run, 0) for run in "abcb"]
    assert [t.waiting for t in others] == [Waiting("queue", ahead=n) for n in (0, 1, 2)]
    last = others[-1]
    moved = asyncio.ensure_future(last.moved())
    first.leave()
    await moved
    await moved_again(last)
    assert last.waiting == Waiting("queue", ahead=1)


async def moved_again(ticket) -> None:
    """What was told before the last change is no news."""
    async with asyncio.timeout(60):
        while ticket.waiting != Waiting("queue", ahead=1):
            await ticket.moved()


async def test_one_who_leaves_while_waiting_is_forgotten():
    """Neither its place nor a slot is kept for it."""
    queue = line(1)
    first, second, third = (queue.enter(run, 0) for run in "abc")
    second.leave()
    assert third.waiting == Waiting("queue", ahead=0)
    first.leave()
    assert third.granted
    assert not second.granted


@given(st.lists(st.sampled_from("abcd"), min_size=1, max_size=40), st.integers(1, 5))
def test_nobody_waits_for_more_than_one_request_of_each_other_run(runs, slots):
    """Whoever stands first of its run goes after at most one request of every other run."""

    async def play() -> list[str]:
        queue = line(slots)
        return await drained(queue, [queue.enter(run, 0) for run in runs])

    order = asyncio.run(play())
    assert Counter(order) == Counter(runs)
    began = order[slots:]
    left = Counter(began)
    for place, run in enumerate(began[:-1]):
        left[run] -= 1
        others = sum(1 for other, n in left.items() if other != run and n > 0)
        ahead = began[place + 1 : place + 1 + others]
        assert slots > 1 or len(set(ahead)) == others


def test_requests_a_minute():
    """The third of two a minute waits until the first is a minute old, by a clock that never goes back."""
    clock = Clock()
    rates = Rates(2, 0, clock)
    for _ in range(2):
        assert rates.delay(10) == 0
        rates.take(10)
        clock.now += 10
    assert rates.delay(10) == pytest.approx(40)
    clock.now += 40
    assert rates.delay(10) == 0


def test_tokens_a_minute_count_what_was_really_used():
    """What a request came to takes the place of its estimate; one that is too large by itself goes alone."""
    clock = Clock()
    rates = Rates(0, 100, clock)
    spent = rates.take(10)
    assert rates.delay(60) == 0
    spent.tokens = 90
    assert rates.delay(60) == pytest.approx(60)
    assert rates.delay(1000) == pytest.approx(60)
    clock.now += 60
    assert rates.delay(1000) == 0


def test_a_pause_holds_for_all():
    """What a server asks for is kept to whatever the limits are."""
    clock = Clock()
    rates = Rates(0, 0, clock)
    rates.pause(7)
    rates.pause(3)
    assert rates.delay(0) == pytest.approx(7)
    clock.now += 7
    assert rates.delay(0) == 0


async def test_a_line_with_a_rate_goes_on_by_itself():
    """Those who wait are told for about how long, and granted when the time has come."""
    rates = Rates(1, 0, asyncio.get_running_loop().time, period=0.05)
    queue = Line(0, rates)
    first, second = queue.enter("a", 0), queue.enter("b", 0)
    assert first.granted
    assert second.waiting == Waiting("rate", 1.0, ahead=0)
    async with asyncio.timeout(60):
        while not second.granted:
            await second.moved()
    queue.close()

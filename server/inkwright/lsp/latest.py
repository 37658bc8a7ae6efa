"""Work that follows typing: it waits for a pause, and only the latest state is worked on."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, Generic, TypeVar

K = TypeVar("K")
Spawn = Callable[[Coroutine[Any, Any, Any]], "asyncio.Task[Any]"]


class Latest(Generic[K]):
    """One piece of work per key, `pause` seconds after the last call, MAX_PAUSES pauses after the first
    at the latest. Calls that come while it runs are folded into one more run after it.
    """

    MAX_PAUSES = 8

    def __init__(self, pause: float, work: Callable[[K], Coroutine[Any, Any, None]], spawn: Spawn) -> None:
        self._pause = pause
        self._work = work
        self._spawn = spawn
        self._timers: dict[K, tuple[asyncio.TimerHandle, float]] = {}
        self._running: dict[K, asyncio.Task[Any]] = {}
        self._again: set[K] = set()
        self._rested: dict[K, float] = {}

    def call(self, key: K) -> None:
        """Something changed."""
        loop = asyncio.get_running_loop()
        now = loop.time()
        timer = self._timers.get(key)
        first = now if timer is None else timer[1]
        rested = self._rested.get(key, 0.0)
        limit = max(first + self.MAX_PAUSES * self._pause, rested)
        if timer is not None:
            if timer[0].when() >= limit:
                return
            timer[0].cancel()
        due = max(min(now + self._pause, limit), rested)
        self._timers[key] = (loop.call_at(due, self._start, key), first)

    def rest(self, key: K, seconds: float) -> None:
        """The next work begins no sooner, unless it is asked for at once."""
        self._rested[key] = asyncio.get_running_loop().time() + seconds

    def now(self, key: K) -> asyncio.Task[Any] | None:
        """Starts what waits at once; the running work, if there is any."""
        if (timer := self._timers.get(key)) is not None:
            timer[0].cancel()
            self._start(key)
        return self._running.get(key)

    def drop(self, key: K) -> None:
        """Forgets what waits and stops what runs."""
        if (timer := self._timers.pop(key, None)) is not None:
            timer[0].cancel()
        self._again.discard(key)
        self._rested.pop(key, None)
        if (task := self._running.pop(key, None)) is not None:
            task.cancel()

    def _start(self, key: K) -> None:
        self._timers.pop(key, None)
        if key in self._running:
            self._again.add(key)
            return
        task = self._spawn(self._work(key))
        self._running[key] = task
        task.add_done_callback(lambda done: self._done(key, done))

    def _done(self, key: K, task: asyncio.Task[Any]) -> None:
        if self._running.get(key) is task:
            del self._running[key]
            if key in self._again:
                self._again.discard(key)
                if self._rested.get(key, 0.0) > asyncio.get_running_loop().time():
                    self.call(key)
                else:
                    self._start(key)

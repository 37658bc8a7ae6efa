"""The clocks of one request: each silence has its own limit and its own name."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Literal

from inkwright.domain.errors import ModelError
from inkwright.domain.run import Clocks
from inkwright.providers.errors import fault

GRACE = 5.0
"""How long usage may follow after the server said why it stopped."""

Clock = Literal["connect", "bytes", "first_payload", "payload", "total", "grace"]


class Watch:
    """Knows what is overdue. Times are the event loop's; make it inside a running loop.

    Only waiting counts as silence: while the caller is busy with what came, the clocks stand still,
    all but the total.
    """

    def __init__(self, clocks: Clocks) -> None:
        self._clocks = clocks
        self._loop = asyncio.get_running_loop()
        self._start = self._first = self._bytes = self._payload = self._left = self._loop.time()
        self._settled = 0.0
        self._sent = False
        self._payloads = 0
        self._timeout: asyncio.Timeout | None = None

    def connected(self) -> None:
        """The request is going out: from now on bytes are due."""
        self._sent = True
        self._bytes = self._loop.time()
        if self._timeout is not None and not self._timeout.expired():
            self._timeout.reschedule(self._due()[0])

    def arrived(self, payloads: int, *, settled: bool) -> None:
        """Bytes came; `payloads` documents so far; `settled` when the answer has its reason to end."""
        now = self._bytes = self._loop.time()
        if payloads > self._payloads:
            self._payloads, self._payload = payloads, now
        if settled and not self._settled:
            self._settled = now

    @asynccontextmanager
    async def limit(self) -> AsyncIterator[None]:
        """Around one wait. Raises `ModelError` with the fault of the clock that ran out."""
        away = self._loop.time() - self._left
        self._first += away
        self._bytes += away
        self._payload += away
        self._settled += away if self._settled else 0
        due, clock, seconds = self._due()
        try:
            async with asyncio.timeout_at(due) as self._timeout:
                yield
        except TimeoutError:
            if self._timeout is None or not self._timeout.expired():
                raise
            _, clock, seconds = self._due()
            raise ModelError(fault("timeout", f"model_timeout_{clock}", seconds=seconds)) from None
        finally:
            self._timeout = None
            self._left = self._loop.time()

    def _due(self) -> tuple[float, Clock, float]:
        """The earliest deadline, its clock and that clock's seconds."""
        clocks = self._clocks
        limits: list[tuple[float, Clock, float]] = []
        if clocks.total:
            limits.append((self._start + clocks.total, "total", clocks.total))
        if self._settled:
            limits.append((self._settled + min(GRACE, clocks.payload), "grace", GRACE))
        elif not self._sent:
            limits.append((self._first + clocks.connect, "connect", clocks.connect))
        else:
            limits.append((self._bytes + clocks.bytes, "bytes", clocks.bytes))
            if self._payloads:
                limits.append((self._payload + clocks.payload, "payload", clocks.payload))
            else:
                limits.append((self._first + clocks.first_payload, "first_payload", clocks.first_payload))
        return min(limits)

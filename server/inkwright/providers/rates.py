"""Requests and tokens of the last minute, and how long it is until the next one fits."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

MINUTE = 60.0


@dataclass(slots=True)
class Spent:
    at: float
    tokens: int


@dataclass(slots=True)
class Rates:
    """Limits for each `period` (seconds); 0 sets none. `clock` never goes back."""

    requests: int
    tokens: int
    clock: Callable[[], float]
    period: float = MINUTE
    _past: deque[Spent] = field(default_factory=deque)
    _paused: float = float("-inf")

    def delay(self, tokens: int) -> float:
        """Seconds until a request of about so many tokens may go, 0 for now.

        One that is over the limit by itself goes when nothing else counts any more.
        """
        now = self.clock()
        while self._past and self._past[0].at + self.period <= now:
            self._past.popleft()
        due = max(now, self._paused)
        if self.requests and len(self._past) >= self.requests:
            due = max(due, self._past[len(self._past) - self.requests].at + self.period)
        if self.tokens:
            over = sum(spent.tokens for spent in self._past) + tokens - self.tokens
            for spent in self._past:
                if over <= 0:
                    break
                over -= spent.tokens
                due = max(due, spent.at + self.period)
        return due - now

    def take(self, tokens: int) -> Spent:
        """A request goes out. What it really used can be put into what is returned."""
        spent = Spent(self.clock(), tokens)
        if self.requests or self.tokens:
            self._past.append(spent)
        return spent

    def pause(self, seconds: float) -> None:
        """Nothing goes out for so long: the server said so."""
        self._paused = max(self._paused, self.clock() + seconds)

"""A model that failed again and again is left alone for a while, then tried once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from inkwright.domain.errors import ErrorKind, Fault

FAULTS = 5
"""Faults in a row after which a model rests."""
FIRST, LONGEST = 30.0, 600.0
"""Seconds of the first rest, and the most: each that ends in another fault is followed by one twice as long."""

TROUBLE: frozenset[ErrorKind] = frozenset(
    ("rate_limit", "overloaded", "server", "timeout", "connection", "malformed")
)
"""What says that the model's side is not well; other faults are those of a request or of a key."""


@dataclass(slots=True)
class Rest:
    """`clock` never goes back."""

    clock: Callable[[], float]
    _row: int = 0
    _until: float | None = None
    _seconds: float = FIRST
    _trial: bool = False

    def refusal(self) -> Fault | None:
        """Why no request may go out now."""
        if self._until is None:
            return None
        left = self._until - self.clock()
        if left <= 0 and not self._trial:
            return None
        seconds = max(1, round(left))
        params: dict[str, str | int | float] = {"count": self._row, "seconds": seconds}
        return Fault("model_resting", params, kind="overloaded", retryable=True, retry_after=float(seconds))

    def begin(self) -> bool:
        """A request that is not refused goes out; True when it is the one that tries the model after a rest."""
        if self._until is None:
            return False
        self._trial = True
        return True

    def end(self, fault: Fault | None, *, trial: bool) -> None:
        """How a request ended."""
        if trial:
            self._trial = False
        if fault is None or fault.kind not in TROUBLE:
            self._row, self._until, self._seconds = 0, None, FIRST
            return
        self._row += 1
        if trial or (self._until is None and self._row >= FAULTS):
            self._until = self.clock() + self._seconds
            self._seconds = min(LONGEST, 2 * self._seconds)

    def drop(self, *, trial: bool) -> None:
        """A request that was given up says nothing about the model."""
        if trial:
            self._trial = False

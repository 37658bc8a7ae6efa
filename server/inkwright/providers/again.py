"""Whether a request that failed is made again, and after how long."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime

from inkwright.domain.errors import Fault

RETRIES = 2
LONGEST = 120.0
"""Seconds that a server may have us wait; for longer the writer is told instead."""

BACKOFF = 0.5
# The rest of these kinds, a name that nobody knows say, is as wrong the next time.
_KINDS = frozenset(("rate_limit", "overloaded", "server"))
_LOST = "model_connection_lost"
_SILENT = frozenset(("model_timeout_connect", "model_timeout_bytes", "model_timeout_first_payload"))


@dataclass(frozen=True, slots=True)
class Again:
    """`chance` gives numbers from 0 to 1."""

    retries: int = RETRIES
    longest: float = LONGEST
    backoff: float = BACKOFF
    chance: Callable[[], float] = random.random

    def wait(self, fault: Fault | None, tried: int, *, answered: bool) -> float | None:
        """Seconds until the request is made again, None for never.

        `tried` times it has failed. Of timeouts only those count before which nothing had `answered`.
        """
        if fault is None or tried > self.retries or not _fleeting(fault, answered=answered):
            return None
        least = fault.retry_after or 0.0
        if least > self.longest:
            return None
        spread: float = self.backoff * 2 ** (tried - 1)
        return max(least, spread) + spread * self.chance()


def _fleeting(fault: Fault, *, answered: bool) -> bool:
    if fault.kind == "connection":
        return fault.code == _LOST
    if fault.kind == "timeout":
        return fault.code in _SILENT and not answered
    return fault.retryable and fault.kind in _KINDS


def dated(fault: Fault, longest: float = LONGEST, now: Callable[[], float] = time.time) -> Fault:
    """A fault that says until when the server wants to be left alone, where that is long."""
    if fault.kind not in _KINDS or fault.code == "model_resting" or (fault.retry_after or 0) <= longest:
        return fault
    until = datetime.fromtimestamp(now() + (fault.retry_after or 0)).astimezone()
    params = {**fault.params, "until": until.strftime("%Y-%m-%d %H:%M")}
    return replace(fault, code="model_wait_until", params=params)

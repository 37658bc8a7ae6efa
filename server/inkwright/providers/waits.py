"""How long a server asks us to wait: Retry-After in seconds or as a date, retry-after-ms, RetryInfo."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

LONGEST = 7 * 24 * 3600.0


def retry_after(headers: Mapping[str, str], body: Any = None, now: datetime | None = None) -> float | None:
    """The least wait in seconds, None when none is asked for. `headers` have lower-case names."""
    milliseconds = _number(headers.get("retry-after-ms", ""))
    if milliseconds is not None:
        return min(milliseconds / 1000, LONGEST)
    said = headers.get("retry-after", "").strip()
    if said:
        seconds = _number(said)
        if seconds is None:
            seconds = _until(said, headers.get("date", ""), now)
        if seconds is not None:
            return min(seconds, LONGEST)
    return _retry_info(body, 0)


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) and value >= 0 else None


def _until(date: str, sent: str, now: datetime | None) -> float | None:
    """Seconds until an HTTP date, by the server's own clock when it says what time it is."""
    due = _date(date)
    if due is None:
        return None
    start = now or _date(sent) or datetime.now(UTC)
    return max(0.0, (due - start).total_seconds())


def _date(text: str) -> datetime | None:
    try:
        found = parsedate_to_datetime(text)
    except (ValueError, IndexError, TypeError, OverflowError):
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def _retry_info(value: Any, depth: int) -> float | None:
    if depth > 6:
        return None
    if isinstance(value, dict):
        delay = value.get("retryDelay")
        if isinstance(delay, str) and (match := re.fullmatch(r"(\d{1,9}(?:\.\d{1,9})?)s", delay.strip())):
            return min(float(match[1]), LONGEST)
        value = list(value.values())
    if isinstance(value, list):
        for item in value[:50]:
            if (found := _retry_info(item, depth + 1)) is not None:
                return found
    return None

"""Token counts as chat-completions servers report them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from inkwright.domain.conversation import Usage


def read_usage(value: Any) -> Usage | None:
    """The usage in a chunk; None when there is none or it names neither input nor output."""
    if not isinstance(value, dict):
        return None
    sent = _count(value, "prompt_tokens", "input_tokens")
    made = _count(value, "completion_tokens", "output_tokens")
    if sent is None and made is None:
        return None
    before, after = _table(value, "prompt_tokens_details"), _table(value, "completion_tokens_details")
    cached = _count(before, "cached_tokens")
    return Usage(
        input=sent or 0,
        output=made or 0,
        cache_read=cached if cached is not None else _count(value, "prompt_cache_hit_tokens"),
        reasoning=_count(after, "reasoning_tokens"),
        cost=_cost(value.get("cost")),
    )


def _table(value: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    found = value.get(key)
    return found if isinstance(found, dict) else {}


def _count(table: Mapping[str, Any], *names: str) -> int | None:
    for name in names:
        found = table.get(name)
        if isinstance(found, bool) or not isinstance(found, int | float):
            continue
        if math.isfinite(found) and 0 <= found < 10**15:
            return int(found)
    return None


def _cost(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if math.isfinite(value) and 0 <= value < 10**9 else None

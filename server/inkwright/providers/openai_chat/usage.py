"""Token counts as chat-completions servers report them."""

from __future__ import annotations

import math
from typing import Any

from inkwright.domain.conversation import Usage
from inkwright.providers.counts import count, table


def read_usage(value: Any) -> Usage | None:
    """The usage in a chunk; None when there is none or it names neither input nor output."""
    if not isinstance(value, dict):
        return None
    sent = count(value, "prompt_tokens", "input_tokens")
    made = count(value, "completion_tokens", "output_tokens")
    if sent is None and made is None:
        return None
    before, after = table(value, "prompt_tokens_details"), table(value, "completion_tokens_details")
    cached = count(before, "cached_tokens")
    cost = _cost(value.get("cost"))
    return Usage(
        input=sent or 0,
        output=made or 0,
        cache_read=cached if cached is not None else count(value, "prompt_cache_hit_tokens"),
        cache_write=count(before, "cache_write_tokens", "cache_creation_tokens"),
        reasoning=count(after, "reasoning_tokens"),
        cost=cost,
        currency="" if cost is None else "USD",
    )


def _cost(value: Any) -> float | None:
    """What routers say that it cost: in US dollars, with all who do."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if math.isfinite(value) and 0 <= value < 10**9 else None

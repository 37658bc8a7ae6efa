"""Numbers in a server's usage: what is no sane count is none."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any


def count(table: Mapping[str, Any], *names: str) -> int | None:
    """The first of the names that holds a number of tokens."""
    for name in names:
        found = table.get(name)
        if isinstance(found, bool) or not isinstance(found, int | float):
            continue
        if math.isfinite(found) and 0 <= found < 10**15:
            return int(found)
    return None


def table(value: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    found = value.get(key)
    return found if isinstance(found, dict) else {}

"""The unit that stands behind a number."""

from __future__ import annotations

import re
from functools import cache

from inkwright.proposals.tables import table


def unit(text: str, at: int) -> str:
    """The unit at `at`, by the first of its names; '' for none."""
    pattern, first = _units()
    match = pattern.match(text, at)
    return first[(match["unit"] or match["latin"]).lower()] if match else ""


@cache
def _units() -> tuple[re.Pattern[str], dict[str, str]]:
    rows = table("units")
    first = {name.lower(): row[0] for row in (*rows["zh"], *rows["en"]) for name in row}
    longest = sorted(first, key=len, reverse=True)
    han = "|".join(re.escape(name) for name in longest if not name.isascii())
    latin = "|".join(re.escape(name) for name in longest if name.isascii())
    return re.compile(rf"[来多余餘几]?(?P<unit>{han})|[ -]?(?P<latin>{latin})\b", re.I), first

"""What models used and cost, as the command line and LSP report it."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from typing import Any

from inkwright.store.usage import Spent, day_of
from inkwright.workspace import OpenBook

DAYS = 30
MOST = 36_600

JSON = dict[str, Any]
_COUNTS = (
    ("requests", "requests"),
    ("input", "input"),
    ("output", "output"),
    ("cacheRead", "cache_read"),
    ("cacheWrite", "cache_write"),
    ("reasoning", "reasoning"),
    ("unpriced", "unpriced"),
    ("estimated", "estimated"),
)


def since(days: int, now: float | None = None) -> str:
    """The first of the last `days` days, today being one; 0 means from the beginning."""
    today = date.fromisoformat(day_of(time.time() if now is None else now))
    if not 0 < days <= min(MOST, today.toordinal()):
        return ""
    return (today - timedelta(days=days - 1)).isoformat()


async def report(books: Sequence[OpenBook], days: int = DAYS) -> JSON:
    """{since, rows, days, totals}: rows by day, book, model, ability and currency, the newest first.

    `cost` stands in `currency` and leaves out the requests that are `unpriced`; null: none has a price.
    Sums are made within a currency, never over two. Raises `StorageError`.
    """
    start = since(days)
    rows = [
        (book.book.title or book.root.name, one)
        for book in books
        for one in await book.state.usage.since(start)
    ]
    rows.sort(key=lambda row: (row[1].day, row[0]), reverse=True)
    every = sorted({one.day for _, one in rows}, reverse=True)
    return {
        "since": start or None,
        "rows": [
            {"day": one.day, "book": title, "model": one.model, "ability": one.ability, **_sums((one,))}
            for title, one in rows
        ],
        "days": [
            {"day": day, **sums}
            for day in every
            for sums in _by_currency(one for _, one in rows if one.day == day)
        ],
        "totals": _by_currency(one for _, one in rows),
    }


def _by_currency(rows: Iterable[Spent]) -> list[JSON]:
    apart: dict[str, list[Spent]] = {}
    for row in rows:
        apart.setdefault(row.currency, []).append(row)
    return [_sums(apart[currency]) for currency in sorted(apart)]


def _sums(rows: Sequence[Spent]) -> JSON:
    """The sums of rows of one currency."""
    out: JSON = {ours: sum(getattr(row, theirs) for row in rows) for ours, theirs in _COUNTS}
    priced = out["unpriced"] < out["requests"]
    # Sums of floats are shown without what they cannot know.
    cost = round(sum(row.cost for row in rows), 10) if priced else None
    return {**out, "cost": cost, "currency": rows[0].currency or None}

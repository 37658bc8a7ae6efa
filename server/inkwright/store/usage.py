"""What models used and cost: counted with each step of a run, kept when the run is gone."""

from __future__ import annotations

import sqlite3
import time
from dataclasses import dataclass

from inkwright.domain.conversation import Usage
from inkwright.store.database import Database
from inkwright.store.values import pack, unpack


@dataclass(frozen=True, slots=True)
class Spent:
    """A day's requests to a model for an ability. `cost` in `currency`; what the `unpriced` ones cost is not in it.

    `estimated` counts the requests whose tokens are estimates.
    """

    day: str
    model: str
    ability: str
    currency: str
    requests: int
    input: int
    output: int
    cache_read: int
    cache_write: int
    reasoning: int
    cost: float
    unpriced: int
    estimated: int


_SUMS = (
    "requests",
    "input",
    "output",
    "cache_read",
    "cache_write",
    "reasoning",
    "cost",
    "unpriced",
    "estimated",
)
_MORE = ", ".join(f"{name} = {name} + excluded.{name}" for name in _SUMS)
_ADD = f"""
INSERT INTO usage (book_id, day, model, ability, currency, {", ".join(_SUMS)})
SELECT book_id, :day, model, ability, :currency, {", ".join(f":{name}" for name in _SUMS)}
FROM runs WHERE id = :run
ON CONFLICT (book_id, day, model, ability, currency) DO UPDATE SET {_MORE}
"""  # noqa: S608 - our own names


def day_of(now: float) -> str:
    """The writer's day, as their clock has it."""
    return time.strftime("%Y-%m-%d", time.localtime(now))


def count(conn: sqlite3.Connection, run_id: str, usage: Usage | None, now: float, times: int = 1) -> None:
    """Adds a step's usage to that of its book's day; `times` -1 takes it back. What used nothing is none."""
    if usage is None or usage.nothing:
        return
    row = {
        "requests": 1,
        "input": usage.input,
        "output": usage.output,
        "cache_read": usage.cache_read or 0,
        "cache_write": usage.cache_write or 0,
        "reasoning": usage.reasoning or 0,
        "cost": usage.cost or 0.0,
        "unpriced": int(usage.cost is None),
        "estimated": int(usage.estimated),
    }
    sums = {name: times * value for name, value in row.items()}
    conn.execute(_ADD, {**sums, "day": day_of(now), "currency": usage.currency, "run": pack(run_id)})


class UsageLedger:
    """What one book's runs used. Every method raises `StorageError`."""

    def __init__(self, database: Database, book_id: str) -> None:
        self._db = database
        self._book = book_id

    async def since(self, day: str = "") -> tuple[Spent, ...]:
        """From a day (YYYY-MM-DD) on, the newest first."""

        def work(conn: sqlite3.Connection) -> tuple[Spent, ...]:
            rows = conn.execute(
                "SELECT * FROM usage WHERE book_id = ? AND day >= ?"
                " ORDER BY day DESC, model, ability, currency",
                (self._book, day),
            )
            return tuple(_spent(row) for row in rows)

        return await self._db.read(work)


class Spending:
    """What days cost over all books, whatever process runs them. Every method raises `StorageError`."""

    def __init__(self, database: Database) -> None:
        self._db = database

    async def of(self, currency: str, now: float) -> float:
        """What the day of `now` has cost so far in a currency."""

        def work(conn: sqlite3.Connection) -> float:
            row = conn.execute(
                "SELECT cost FROM spending WHERE day = ? AND currency = ?", (day_of(now), currency)
            ).fetchone()
            return float(row["cost"]) if row else 0.0

        return await self._db.read(work)

    async def add(self, currency: str, cost: float, now: float) -> None:
        def work(conn: sqlite3.Connection) -> None:
            conn.execute(
                "INSERT INTO spending (day, currency, cost) VALUES (?, ?, ?)"
                " ON CONFLICT (day, currency) DO UPDATE SET cost = cost + excluded.cost",
                (day_of(now), currency, cost),
            )

        await self._db.write(work)


def _spent(row: sqlite3.Row) -> Spent:
    names = ("day", "currency", *_SUMS)
    return Spent(
        model=unpack(row["model"]), ability=unpack(row["ability"]), **{name: row[name] for name in names}
    )

"""How many memories are kept, and for how long. The caller holds the transaction."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """`unused` in seconds since a memory was made, changed or last went along with a run.

    Pinned memories are never deleted, and count for none of the caps.
    """

    per_ability: int = 60
    per_book: int = 240
    unused: float = 180 * 24 * 3600.0
    most: int = 200
    """So many are deleted in one pass."""


LIMITS = Limits()

_USED = "max(created_at, updated_at, coalesce(last_hit_at, 0))"
_OWN = "book_id = :book AND NOT pinned"
# What the writer said stays longer than what a model advised.
_WORTH = f"memory_type = 'lesson', relevance_score DESC, {_USED} DESC, seq DESC"
_VICTIMS = (
    f"SELECT seq FROM (SELECT seq, {_USED} AS used,"  # noqa: S608 - our own words
    f" row_number() OVER (PARTITION BY skill_type ORDER BY {_WORTH}) AS of_ability,"
    f" row_number() OVER (ORDER BY {_WORTH}) AS of_book FROM memories WHERE {_OWN})"
    " WHERE used < :oldest OR of_ability > :per_ability OR of_book > :per_book"
    " ORDER BY used >= :oldest, of_book DESC LIMIT :most"
)


def due(conn: sqlite3.Connection, book: str, now: float, limits: Limits) -> bool:
    """Whether `prune` would delete anything."""
    asked = {"book": book, "oldest": now - limits.unused}
    counts = conn.execute(
        f"SELECT count(*), total({_USED} < :oldest) FROM memories WHERE {_OWN} GROUP BY skill_type",  # noqa: S608
        asked,
    ).fetchall()
    return (
        any(number > limits.per_ability or old for number, old in counts)
        or sum(number for number, _ in counts) > limits.per_book
    )


def prune(conn: sqlite3.Connection, book: str, now: float, limits: Limits) -> int:
    """Deletes at most `limits.most` memories; returns how many."""
    asked = {
        "book": book,
        "oldest": now - limits.unused,
        "per_ability": limits.per_ability,
        "per_book": limits.per_book,
        "most": limits.most,
    }
    return conn.execute(f"DELETE FROM memories WHERE seq IN ({_VICTIMS})", asked).rowcount  # noqa: S608

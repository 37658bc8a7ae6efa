"""What was written each day: per chapter the counts before the day's first word and after its last."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping

from inkwright.domain.manuscript import Counts
from inkwright.store.database import Database

_RULES = ("mixed", "han", "word", "nonspace")
_NOTHING = (0, 0, 0, 0)
_BOOK = ""
"""Stands for the book itself: a row of nothing on the day on which it was first seen, also without a chapter."""


class DailyCounts:
    """Days are ISO dates in the writer's own time zone. Chapters go by their stable id."""

    def __init__(self, database: Database, book_id: str) -> None:
        self._db = database
        self._book = book_id

    async def record(self, day: str, counts: Mapping[str, Counts]) -> None:
        """Notes how the chapters stand now, {chapter id: counts}.

        In a book that is seen for the first time nothing counts as written today; in a known book a
        chapter that is new has all its words from today. A chapter that stands as it stood is not noted.
        """

        def work(conn: sqlite3.Connection) -> None:
            known = _latest(conn, self._book, day)
            new: list[tuple[str | int, ...]] = []
            if not known:
                new.append((self._book, day, _BOOK, *_NOTHING, *_NOTHING))
            for chapter, counts_now in counts.items():
                now = _tuple(counts_now)
                noted, before = known.get(chapter, ("", _NOTHING if known else now))
                if not noted or before != now:
                    new.append((self._book, day, chapter, *before, *now))
            conn.executemany(
                "INSERT INTO daily_counts VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
                " ON CONFLICT (book_id, day, chapter_id) DO UPDATE SET mixed = excluded.mixed,"
                " han = excluded.han, word = excluded.word, nonspace = excluded.nonspace",
                new,
            )

        await self._db.write(work)

    async def written(self, day: str) -> dict[str, Counts]:
        """What each chapter gained that day (negative for what it lost), {chapter id: counts}."""

        def work(conn: sqlite3.Connection) -> dict[str, Counts]:
            rows = conn.execute(
                "SELECT * FROM daily_counts WHERE book_id = ? AND day = ? AND chapter_id <> ?",
                (self._book, day, _BOOK),
            )
            return {row["chapter_id"]: _gain(row) for row in rows}

        return await self._db.read(work)

    async def days(self, since: str = "") -> dict[str, Counts]:
        """What the book gained on each day from `since` on, {day: counts}, in order."""

        def work(conn: sqlite3.Connection) -> dict[str, Counts]:
            out: dict[str, Counts] = {}
            for row in conn.execute(
                "SELECT * FROM daily_counts WHERE book_id = ? AND day >= ? AND chapter_id <> ? ORDER BY day",
                (self._book, since, _BOOK),
            ):
                out[row["day"]] = out.get(row["day"], Counts()) + _gain(row)
            return out

        return await self._db.read(work)


def _latest(
    conn: sqlite3.Connection, book: str, day: str
) -> dict[str, tuple[str, tuple[int, int, int, int]]]:
    """{chapter id: the last day up to `day` that it was noted on, and how it stood then}."""
    rows = conn.execute(
        "SELECT chapter_id, MAX(day), mixed, han, word, nonspace FROM daily_counts"
        " WHERE book_id = ? AND day <= ? GROUP BY chapter_id",
        (book, day),
    )
    return {chapter: (noted, (mixed, han, word, non)) for chapter, noted, mixed, han, word, non in rows}


def _tuple(counts: Counts) -> tuple[int, int, int, int]:
    return (counts.mixed, counts.han, counts.word, counts.nonspace)


def _gain(row: sqlite3.Row) -> Counts:
    return Counts(*(row[rule] - row[f"{rule}_before"] for rule in _RULES))

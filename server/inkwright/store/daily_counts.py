"""What was written each day: per chapter the counts before the day's first word and after its last."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping

from inkwright.domain.manuscript import Counts
from inkwright.store.database import Database

_RULES = ("mixed", "han", "word", "nonspace")
_Row = tuple[int, int, int, int]
_NOTHING: _Row = (0, 0, 0, 0)
_BOOK = ""
"""Stands for the book itself: a row of nothing on the day on which it was first seen, also without a chapter."""


class DailyCounts:
    """Days are ISO dates in the writer's own time zone. Chapters go by their stable id."""

    def __init__(self, database: Database, book_id: str) -> None:
        self._db = database
        self._book = book_id

    async def record(
        self,
        day: str,
        counts: Mapping[str, Counts],
        *,
        gone: Iterable[str] = (),
        found: Mapping[str, Counts] | None = None,
    ) -> None:
        """Notes how the chapters stand now, {chapter id: counts}.

        In a book that is seen for the first time what was `found` (None: what is there now) was not written today; in
        a known book a chapter that is new has all its words from today. A chapter that stands as it stood is not
        noted. `gone` are the chapters that were there the last time: one that came today takes its words with it,
        and the words of an older one are not written anew where a chapter that came today has them.
        """

        def work(conn: sqlite3.Connection) -> None:
            known = _latest(conn, self._book, day)
            new: list[tuple[str | int, ...]] = []
            if not known:
                new.append((self._book, day, _BOOK, *_NOTHING, *_NOTHING))
            left = _NOTHING
            for chapter in gone:
                noted, before, last = known.get(chapter, ("", _NOTHING, _NOTHING))
                if noted == day and before == _NOTHING:
                    new.append((self._book, day, chapter, *_NOTHING, *_NOTHING))
                else:
                    left = _sum(left, last)
            for chapter, counts_now in counts.items():
                now = _tuple(counts_now)
                if chapter in known:
                    noted, before, last = known[chapter]
                    before = before if noted == day else last
                else:
                    noted, last = "", _NOTHING
                    before = now if found is None else _tuple(found.get(chapter, Counts()))
                    before = _NOTHING if known else before
                came = bool(known) and (not noted or (noted == day and before == _NOTHING))
                if came and left != _NOTHING:
                    moved = _least(left, now)
                    before, left = moved, _sum(left, moved, -1)
                elif noted and last == now:
                    continue
                new.append((self._book, day, chapter, *before, *now))
            conn.executemany(
                "INSERT INTO daily_counts VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
                " ON CONFLICT (book_id, day, chapter_id) DO UPDATE SET mixed_before = excluded.mixed_before,"
                " han_before = excluded.han_before, word_before = excluded.word_before,"
                " nonspace_before = excluded.nonspace_before, mixed = excluded.mixed,"
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


def _latest(conn: sqlite3.Connection, book: str, day: str) -> dict[str, tuple[str, _Row, _Row]]:
    """{chapter id: the last day up to `day` that it was noted on, how it began that day, how it stood then}."""
    rows = conn.execute(
        "SELECT chapter_id, MAX(day), mixed_before, han_before, word_before, nonspace_before, mixed, han, word, nonspace"
        " FROM daily_counts WHERE book_id = ? AND day <= ? GROUP BY chapter_id",
        (book, day),
    )
    return {row[0]: (row[1], tuple(row)[2:6], tuple(row)[6:10]) for row in rows}


def _sum(a: _Row, b: _Row, sign: int = 1) -> _Row:
    return (a[0] + sign * b[0], a[1] + sign * b[1], a[2] + sign * b[2], a[3] + sign * b[3])


def _least(a: _Row, b: _Row) -> _Row:
    return (min(a[0], b[0]), min(a[1], b[1]), min(a[2], b[2]), min(a[3], b[3]))


def _tuple(counts: Counts) -> _Row:
    return (counts.mixed, counts.han, counts.word, counts.nonspace)


def _gain(row: sqlite3.Row) -> Counts:
    return Counts(*(row[rule] - row[f"{rule}_before"] for rule in _RULES))

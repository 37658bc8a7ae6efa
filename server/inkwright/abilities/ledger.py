"""The ledger of a book's threads as other programs read it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from inkwright.domain.manuscript import Chapter
from inkwright.manuscript.ledger import Row, ledger


def threads(chapters: Sequence[Chapter]) -> list[dict[str, Any]]:
    """[{`name`, `state`, `planted`, `progress`, `paid`, `due`, `dueSaid`}] in the order in which they come up.

    `state` is open, overdue, unpaid, unplanted or paid; the next three are lists of paths, `due` is the path
    of the chapter by which it is to be paid or null, `dueSaid` how that was written.
    """
    return [_thread(row, chapters) for row in ledger(chapters)]


def _thread(row: Row, chapters: Sequence[Chapter]) -> dict[str, Any]:
    def paths(places: Sequence[int]) -> list[str]:
        return [chapters[at].path for at in places]

    return {
        "name": row.name,
        "state": row.standing,
        "planted": paths(row.planted),
        "progress": paths(row.progress),
        "paid": paths(row.paid),
        "due": None if row.due is None else chapters[row.due].path,
        "dueSaid": row.due_said,
    }

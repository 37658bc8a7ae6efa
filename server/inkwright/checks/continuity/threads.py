"""Threads that are overdue, never paid, or paid out of nothing."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from inkwright.checks.book.page import Page
from inkwright.domain.diagnostic import Diagnostic, Related, Severity
from inkwright.domain.text import Span
from inkwright.manuscript import threads
from inkwright.manuscript.overview import Overview

OVERDUE, UNPAID, UNPLANTED = "thread_overdue", "thread_unpaid", "thread_unplanted"
CODES = frozenset({OVERDUE, UNPAID, UNPLANTED})

_CODES = {"overdue": OVERDUE, "unpaid": UNPAID, "unplanted": UNPLANTED}
_SEVERITY: dict[str, Severity] = {OVERDUE: "information", UNPAID: "information", UNPLANTED: "hint"}


def find(book: Overview, page: Page) -> Iterable[Diagnostic]:
    here = book.order.get(page.path)
    if here is None or page.chapter is None or page.chapter.meta.get("threads") is None:
        return
    for row in book.ledger():
        code = _CODES.get(row.standing)
        if code is None or here != (row.paid[0] if code == UNPLANTED else row.first):
            continue
        span = threads.place(page.text, row.name)
        if span is None:
            continue
        params: dict[str, str | int | float] = {"name": row.name, "due": row.due_said}
        related: tuple[Related, ...] = ()
        if code == OVERDUE and row.due is not None:
            there = book.chapters[row.due]
            params["due"] = row.due_said or there.title
            if row.due != here:
                related = (
                    Related(
                        there.path, partial(_place, row.name), "related_thread_due", {"title": there.title}
                    ),
                )
        yield Diagnostic(span, _SEVERITY[code], code, params, related=related)


def _place(name: str, text: str) -> Span | None:
    from inkwright.checks.book import places

    return threads.place(text, name) or places.title(text)

"""All checks of the book over one document."""

from __future__ import annotations

import logging
import traceback
from functools import cache

from inkwright.checks.book.page import Page
from inkwright.checks.book.registry import checks
from inkwright.checks.book.strips import Strips
from inkwright.domain.diagnostic import Diagnostic
from inkwright.manuscript.ends import Ends
from inkwright.manuscript.overview import Overview

_LOG = logging.getLogger(__name__)


class BookCache:
    """What one document's paragraphs said last time. One per open document; not safe for two threads at once."""

    def __init__(self, ends: Ends | None = None) -> None:
        self.path = ""
        self._ends = ends
        self.strips = Strips(ends)

    def of(self, path: str) -> Strips:
        """What is known of the document at a path; of another than before nothing."""
        if path != self.path:
            self.path, self.strips = path, Strips(self._ends)
        return self.strips


def find(
    book: Overview,
    path: str,
    text: str,
    off: frozenset[str] = frozenset(),
    cache: BookCache | None = None,
) -> list[Diagnostic]:
    """What the checks say of the document `path` of a book that has been read, by place.

    `off` are codes that nobody wants to hear of. Takes CPU time. A check that fails costs its own findings,
    and an error in the log.
    """
    page = Page(path, text, book, (cache or BookCache()).of(path))
    out: list[Diagnostic] = []
    for check in checks():
        if off & check.CODES == check.CODES:
            continue
        try:
            out += [one for one in check.find(book, page) if one.code not in off]
        except Exception as error:  # noqa: BLE001 - what the others say is worth having
            where = traceback.extract_tb(error.__traceback__)[-1]
            kind, name = type(error).__name__, getattr(check, "__name__", "")
            _LOG.error("a check failed: %s: %s at %s:%s", name, kind, where.name, where.lineno)
    return sorted(out, key=lambda one: (one.span.start, one.span.end, one.code))


@cache
def codes() -> frozenset[str]:
    """The codes of all checks."""
    return frozenset(code for check in checks() for code in check.CODES)

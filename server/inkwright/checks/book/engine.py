"""All checks of the book over one document."""

from __future__ import annotations

import logging
from functools import cache

from inkwright.checks.book.page import Memory, Page
from inkwright.checks.book.registry import checks
from inkwright.domain.diagnostic import Diagnostic
from inkwright.manuscript.markdown import Document
from inkwright.manuscript.overview import Overview

_LOG = logging.getLogger(__name__)


class BookCache:
    """What one document's paragraphs said last time. One per open document; not safe for two threads at once."""

    def __init__(self) -> None:
        self.memory = Memory()


def find(
    book: Overview,
    path: str,
    text: str,
    parsed: Document,
    off: frozenset[str] = frozenset(),
    cache: BookCache | None = None,
) -> list[Diagnostic]:
    """What the checks say of the document `path` of a book that has been read, by place.

    `off` are codes that nobody wants to hear of. Takes CPU time. A check that fails costs its own findings.
    """
    memory = Memory() if cache is None else cache.memory
    memory.begin((path, book.dictionary.version))
    page = Page(path, text, parsed, book, memory)
    out: list[Diagnostic] = []
    for check in checks():
        if off & check.CODES == check.CODES:
            continue
        try:
            out += [one for one in check.find(book, page) if one.code not in off]
        except Exception as error:  # noqa: BLE001 - what the others say is worth having
            _LOG.error("a check failed: %s: %s", getattr(check, "__name__", ""), type(error).__name__)
    return sorted(out, key=lambda one: (one.span, one.code))


@cache
def codes() -> frozenset[str]:
    """The codes of all checks."""
    return frozenset(code for check in checks() for code in check.CODES)

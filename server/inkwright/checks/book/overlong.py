"""Paragraphs of which only the beginning is read."""

from __future__ import annotations

from collections.abc import Iterable

from inkwright.checks.book.page import Page
from inkwright.checks.book.strips import Strip
from inkwright.domain.diagnostic import Diagnostic
from inkwright.domain.text import Span
from inkwright.manuscript import overlong
from inkwright.manuscript.overview import Overview

OVERLONG = "paragraph_overlong"
CODES = frozenset({OVERLONG})


def find(_book: Overview, page: Page) -> Iterable[Diagnostic]:
    for begin, places in page.strips.few(OVERLONG, None, _unread):
        for at in places:
            where = Span(begin + at, begin + at + 1)
            yield Diagnostic(where, "information", OVERLONG, {"limit": overlong.MOST})


def _unread(strip: Strip) -> list[int]:
    """Where in a stretch the reading of a paragraph ends."""
    if len(strip.text) <= overlong.MOST:
        return []
    long = [p.span for p in strip.parsed.paragraphs if p.prose and len(p.span) > overlong.MOST]
    return [span.start + overlong.MOST for span in long]

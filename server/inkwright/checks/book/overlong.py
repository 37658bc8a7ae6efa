"""Paragraphs of which only the beginning is read."""

from __future__ import annotations

from collections.abc import Iterable

from inkwright.checks.book.page import Page
from inkwright.domain.diagnostic import Diagnostic
from inkwright.domain.text import Span
from inkwright.manuscript import overlong
from inkwright.manuscript.overview import Overview

OVERLONG = "paragraph_overlong"
CODES = frozenset({OVERLONG})


def find(_book: Overview, page: Page) -> Iterable[Diagnostic]:
    for begin, strip in page.strips.starts():
        if len(strip.text) <= overlong.MOST:
            continue
        for paragraph in strip.parsed.paragraphs:
            if paragraph.prose and len(paragraph.span) > overlong.MOST:
                at = begin + paragraph.span.start + overlong.MOST
                yield Diagnostic(Span(at, at + 1), "information", OVERLONG, {"limit": overlong.MOST})

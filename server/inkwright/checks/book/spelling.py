"""Names in prose that are one slip away from a card's."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from itertools import accumulate

from inkwright.checks.book import fixes, places
from inkwright.checks.book.alike import Slip, Speller
from inkwright.checks.book.page import Page
from inkwright.checks.book.strips import Passage
from inkwright.domain.diagnostic import Diagnostic
from inkwright.domain.text import Span
from inkwright.manuscript.overview import Overview

MISSPELT = "name_misspelt"
CODES = frozenset({MISSPELT})

OFTEN = 4
"""As often in one chapter, and half as often as the right name, it is another name."""

_SENTENCE = re.compile(r"(?:\A|[.!?:;…—\"“”‘’'(\[*_\r\n])[\s\"“”‘’'(\[*_]*\Z")


def find(book: Overview, page: Page) -> Iterable[Diagnostic]:
    if page.chapter is None:
        return
    speller = book.once("speller", book.dictionary.version, lambda: Speller(book.cards))

    def look(_book: Overview, passage: Passage) -> tuple[Diagnostic, ...]:
        return tuple(_slips(book, speller, passage))

    for one in page.each(MISSPELT, look):
        if not _is_name(page.text, str(one.params["found"]), str(one.params["better"])):
            yield one


def _slips(book: Overview, speller: Speller, passage: Passage) -> Iterator[Diagnostic]:
    hits = sorted(passage.hits)
    begins = [start for start, _, _ in hits]
    reach = [*accumulate((end for _, end, _ in hits), max)]
    last = -1
    for piece in passage.prose:
        text = piece.of(passage.text)
        found = [*speller.han(text), *speller.latin(text)]
        for slip in sorted(found):
            start, end = slip.start + piece.start, slip.end + piece.start
            before = bisect_left(begins, end)  # the hits that begin before it ends
            if start < last or (before and reach[before - 1] > start):
                continue
            beside = hits[bisect_left(reach, start - 2) : before]
            if text[slip.start].isascii() and not _in_sentence(text, slip, beside, start):
                continue
            last = end
            yield _diagnostic(book, Span(start, end).of(passage.text), Span(start, end), slip)


def _diagnostic(book: Overview, written: str, span: Span, slip: Slip) -> Diagnostic:
    card = book.table.by_path[slip.card]
    better = slip.better.upper() if written.isupper() else slip.better
    return Diagnostic(
        span,
        "information",
        MISSPELT,
        {"found": written, "better": better},
        related=(places.card(card),),
        fixes=(fixes.replace(span, better, preferred=True), *fixes.alias(card, written)),
    )


def _in_sentence(text: str, slip: Slip, hits: Iterable[tuple[int, int, tuple[str, ...]]], start: int) -> bool:
    """Whether a capital can only be a name's: within a sentence, or beside a name."""
    if not _SENTENCE.search(text, max(0, slip.start - 12), slip.start):
        return True
    return any(slip.card in cards and 0 < start - b < 3 for _, b, cards in hits)


def _is_name(text: str, found: str, better: str) -> bool:
    """Whether the document itself shows that this is another word or another name."""
    if found.isascii() and re.search(rf"\b{re.escape(found.lower())}\b", text):
        return True
    times = text.count(found)
    return times >= OFTEN and times * 2 >= text.count(better)

"""Facts on a card that were taken from a chapter which does not tell them any more."""

from __future__ import annotations

from collections.abc import Iterable

from inkwright.checks.book import places
from inkwright.checks.book.page import Page
from inkwright.domain.cards import Fact
from inkwright.domain.diagnostic import Change, Diagnostic, Fix
from inkwright.manuscript import factlist, opposing
from inkwright.manuscript.overview import Overview

GONE = "fact_source_gone"
CODES = frozenset({GONE})


def find(book: Overview, page: Page) -> Iterable[Diagnostic]:
    if not book.lost:
        return
    lost = {(fact.key, "".join(fact.quote.split())): fact for fact in book.lost}
    for entry in factlist.entries(page.text):
        fact = entry.fact
        source = lost.get((opposing.canonical(fact.key), "".join(fact.quote.split())))
        if source is None:
            continue
        chapter = book.chapter(source.source)
        params = {
            "key": fact.key,
            "value": fact.value,
            "chapter": chapter.title if chapter else source.source,
        }
        related = (places.chapter(chapter),) if chapter else ()
        fixes = (_removal(page.text, fact),)
        yield Diagnostic(entry.value, "information", GONE, params, related=related, fixes=fixes)


def _removal(text: str, fact: Fact) -> Fix:
    edits = tuple(factlist.remove(text, fact))
    return Fix("fix_remove_fact", {"key": fact.key, "value": fact.value}, (Change("", edits),))

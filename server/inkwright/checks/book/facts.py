"""Facts on a card that were taken from a chapter which does not tell them any more."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from inkwright.checks.book import places
from inkwright.checks.book.page import Page
from inkwright.domain.cards import Fact
from inkwright.domain.diagnostic import Change, Diagnostic, Fix
from inkwright.domain.facts import NewFact
from inkwright.manuscript import factlist, opposing
from inkwright.manuscript.factlist import Entry
from inkwright.manuscript.overview import Overview

GONE = "fact_source_gone"
CODES = frozenset({GONE})


def find(book: Overview, page: Page) -> Iterable[Diagnostic]:
    for entry, source in gone(page.text, book.lost):
        fact = entry.fact
        chapter = book.chapter(source.source)
        params = {
            "key": fact.key,
            "value": fact.value,
            "chapter": chapter.title if chapter else source.source,
        }
        related = (places.chapter(chapter),) if chapter else ()
        fixes = (_removal(page.text, fact),)
        yield Diagnostic(entry.value, "information", GONE, params, related=related, fixes=fixes)


def gone(text: str, lost: Sequence[NewFact]) -> list[tuple[Entry, NewFact]]:
    """The entries of a card that rest on quotations which are lost, each with what was taken then."""
    by_quote = {(fact.key, "".join(fact.quote.split())): fact for fact in lost}
    found = factlist.entries(text) if lost else []
    keys = [(opposing.canonical(one.fact.key), "".join(one.fact.quote.split())) for one in found]
    return [(one, by_quote[key]) for one, key in zip(found, keys, strict=True) if key in by_quote]


def _removal(text: str, fact: Fact) -> Fix:
    edits = tuple(factlist.remove(text, fact))
    return Fix("fix_remove_fact", {"key": fact.key, "value": fact.value}, (Change("", edits),))

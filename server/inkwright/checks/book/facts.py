"""Facts on a card: taken from a chapter which does not tell them any more, of a chapter that is not there, and
keys of an entry that are a slip of a known one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from inkwright.checks.book import fixes, places
from inkwright.checks.book.nearest import distance, nearest
from inkwright.checks.book.page import Page
from inkwright.domain.cards import Fact
from inkwright.domain.diagnostic import Change, Diagnostic, Fix, Severity
from inkwright.domain.facts import NewFact
from inkwright.manuscript import factlist, fields, frontmatter_edits, naming, opposing
from inkwright.manuscript.factlist import Entry, Field
from inkwright.manuscript.overview import Overview
from inkwright.manuscript.places import BEYOND, Order

GONE, AWAY, KEY = "fact_source_gone", "fact_chapter_missing", "fact_key_unlikely"
CODES = frozenset({GONE, AWAY, KEY})

_SHORT = 3
"""Letters of a key below which nothing is a slip."""


def find(book: Overview, page: Page) -> Iterable[Diagnostic]:
    yield from _lost(book, page)
    if not page.cards or page.chapter is not None:
        return
    rows = page.once("fact pairs", page.text, lambda: factlist.pairs(page.text))
    for one in rows:
        name = fields.word(one.key, "card.fact")
        if name is None:
            yield from _slip(one, {fields.word(o.key, "card.fact") for o in rows if o.row == one.row})
        elif name in ("from", "until"):
            yield from _away(book, one)


def _slip(one: Field, taken: set[str | None]) -> Iterator[Diagnostic]:
    """A key that nothing reads, one slip away from one that is not in the entry yet."""
    table = fields.table("card.fact")
    known = [word for name, others in table.items() if name not in taken for word in (name, *others)]
    key = one.key.casefold()
    better = next((w for w in known if len(key) >= _SHORT and w.isascii() and distance(key, w, 1) == 1), "")
    if better:
        fix = fixes.replace(one.place, better, preferred=True)
        yield Diagnostic(one.place, "hint", KEY, {"key": one.key, "better": better}, fixes=(fix,))


def _away(book: Overview, one: Field) -> Iterator[Diagnostic]:
    """A chapter that the book does not have: a slip, or one that is still to be written."""
    if not book.chapters or not one.said:
        return
    order = book.once("order", book.bearing, lambda: Order(book.chapters))
    if order.place(one.said) != BEYOND:
        return
    later = naming.parse(one.said).number is not None
    chinese = any(not ch.isascii() for ch in one.said)
    names = [c.title for c in book.chapters]
    names += [order.reference(at, chinese=chinese) for at in range(len(book.chapters))]
    near = nearest(one.said, dict.fromkeys(names))
    last = book.chapters[-1].title
    better = [frontmatter_edits.plain(name) for name in near] or [frontmatter_edits.plain(last)]
    params = {"key": one.key, "chapter": one.said, "last": last}
    severity: Severity = "hint" if later else "information"
    yield Diagnostic(one.value, severity, AWAY, params, fixes=fixes.replaced(one.value, better))


def _lost(book: Overview, page: Page) -> Iterable[Diagnostic]:
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

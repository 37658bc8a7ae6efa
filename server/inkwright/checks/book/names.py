"""Names that two cards have: the same name, or one that is another's alias."""

from __future__ import annotations

from collections.abc import Iterable

from inkwright.checks.book import fixes, places
from inkwright.checks.book.page import Page
from inkwright.domain.cards import Card
from inkwright.domain.diagnostic import Diagnostic, Severity
from inkwright.domain.params import Params
from inkwright.manuscript.overview import Overview, plain

DOUBLED, AMBIGUOUS = "card_name_doubled", "name_ambiguous"
CODES = frozenset({DOUBLED, AMBIGUOUS})


def find(book: Overview, page: Page) -> Iterable[Diagnostic]:
    for card in page.cards:
        for name in dict.fromkeys(card.names):
            others = [other for other in book.named(name) if other.path != card.path]
            if others:
                yield _shared(page, card, name, others)


def _shared(page: Page, card: Card, name: str, others: list[Card]) -> Diagnostic:
    same = plain(name)
    doubled = name == card.name and any(plain(other.name) == same for other in others)
    known = name == card.name or any(plain(other.name) == same for other in others)
    severity: Severity = "warning" if known else "information"
    params: Params = {"name": name, "others": tuple(_told(other, doubled) for other in others)}
    return Diagnostic(
        places.name(page.text, name, card),
        severity,
        DOUBLED if doubled else AMBIGUOUS,
        params,
        related=tuple(places.card(other, name) for other in others),
        fixes=(
            *fixes.no_alias(card, name),
            *(fix for other in others for fix in fixes.no_alias(other, name)),
        ),
    )


def _told(card: Card, by_path: bool) -> str:
    return card.path if by_path else card.name

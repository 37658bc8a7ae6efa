"""What several checks offer to do."""

from __future__ import annotations

from collections.abc import Iterable

from inkwright.domain.cards import Card, NewCard
from inkwright.domain.diagnostic import Change, Fix
from inkwright.domain.text import Span, TextEdit
from inkwright.manuscript import cardname, frontedits


def replace(span: Span, new: str, *, preferred: bool = False) -> Fix:
    """`span` of the document becomes `new`."""
    return Fix("fix_replace", {"better": new}, (Change("", (TextEdit(span, new),)),), preferred=preferred)


def replaced(span: Span, words: Iterable[str]) -> tuple[Fix, ...]:
    """The same with each of several words; one that stands alone is preferred."""
    found = tuple(words)
    return tuple(replace(span, word, preferred=len(found) == 1) for word in found)


def create(name: str, kind: str) -> tuple[Fix, ...]:
    """A card of that name is made; not of one that no card may have."""
    if not cardname.usable(name):
        return ()
    return (Fix("fix_create_card", {"name": name}, card=NewCard(kind, name, "")),)


def alias(card: Card, name: str) -> tuple[Fix, ...]:
    """The name becomes an alias of a card; not of one that shares its file with others."""
    if card.within:
        return ()
    change = Change(card.path, lambda text: frontedits.add(text, "aliases", name, "card.keys"))
    return (Fix("fix_alias", {"alias": name, "name": card.name}, (change,)),)


def no_alias(card: Card, name: str) -> tuple[Fix, ...]:
    """The name is no alias of a card any more."""
    if card.within or name not in card.aliases:
        return ()
    change = Change(card.path, lambda text: frontedits.drop(text, "aliases", name, "card.keys"))
    return (Fix("fix_no_alias", {"alias": name, "name": card.name}, (change,)),)

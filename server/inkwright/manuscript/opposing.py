"""Whether a fact is on a card already, and what on the card speaks against it. Pure."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from inkwright.domain.cards import Card, Fact
from inkwright.manuscript import facts, fields, numerals
from inkwright.manuscript.places import Order
from inkwright.manuscript.script import HAN

_HAN = re.compile(f"[{HAN}]")
_CHANGES = frozenset(("status", "age", "location", "owner"))
"""What is told anew as the story goes on: a value of an earlier chapter does not speak against a later one."""
_MANY = frozenset(("knows", "relations"))
_PARTS = (
    ("眼", "目", "瞳", "眸", "eye"),
    ("发", "髮", "辫", "hair", "beard", "braid"),
    ("手", "臂", "指", "hand", "arm", "finger"),
    ("脚", "腿", "足", "foot", "leg", "limp"),
    ("疤", "痕", "痣", "scar", "mole"),
    ("高", "矮", "tall", "short"),
)
"""Of two values of `appearance` those about the same part may contradict each other."""


def canonical(key: str) -> str:
    """A fact's key under our own name, where it has one."""
    return fields.word(key, "card.keys") or key.strip().casefold()


def spelled(key: str, card: Card, language: str) -> str:
    """The key as this card writes it, else in the language of the book or of the card's name."""
    for fact in card.facts:
        if canonical(fact.key) == key:
            return fact.key
    chinese = language.casefold().startswith("zh") or (not language and _HAN.search(card.name) is not None)
    return called(key, chinese=chinese)


def called(key: str, *, chinese: bool) -> str:
    """What a key of a card is called in a language."""
    row = (key, *fields.table("card.keys").get(key, ()))
    return next((word for word in row if _HAN.search(word)), key) if chinese else key


def there(card: Card, order: Order, place: int | None, key: str, value: str) -> bool:
    """Whether the card says so already, as of chapter number `place`."""
    return any(_says(fact.value, key, value) for fact in _own(card, order, place, key))


def against(card: Card, order: Order, place: int | None, key: str, value: str) -> str:
    """The value on the card, as of chapter number `place`, that differs from this one; '' for none."""
    if key in _MANY:
        return ""
    for fact in _own(card, order, place, key):
        if key in _CHANGES and place is not None and fact.since and facts.start(fact, order) < place:
            continue
        if key == "appearance" and _parts(fact.value).isdisjoint(_parts(value)):
            continue
        if not _says(fact.value, key, value):
            return fact.value
    return ""


def _own(card: Card, order: Order, place: int | None, key: str) -> Iterator[Fact]:
    """What holds of a key: the card's own field, then its facts."""
    if (field := card.fields.get(key)) not in (None, "", [], {}):
        yield Fact(key, fields.text(field))
    for fact in facts.at(card, order, place):
        if canonical(fact.key) == key:
            yield fact


def _says(written: str, key: str, value: str) -> bool:
    """Whether a value says another one: of what has many parts, among other things; of ages by their number."""
    if key == "age" and (years := numerals.years(value)):
        return numerals.years(written) == years
    if key in _MANY or key == "appearance":
        return _plain(value) in _plain(written)
    return _plain(value) == _plain(written)


def _parts(value: str) -> set[int]:
    said = value.casefold()
    return {number for number, words in enumerate(_PARTS) if any(word in said for word in words)}


def _plain(value: str) -> str:
    return "".join(unicodedata.normalize("NFKC", value).casefold().split())

"""What a card states as of a chapter, for the writer to read: its fields of a meaning, then its facts."""

from __future__ import annotations

from collections.abc import Iterator

from inkwright.checks.continuity import dates, stating
from inkwright.domain.cards import Card, Fact
from inkwright.manuscript import facts, fields, opposing
from inkwright.manuscript.places import BEYOND, Order

_TOLD = frozenset(("appearance", "personality", "affiliation", "goal"))
"""Fields that are shown beside those that continuity reads."""


def of(card: Card, order: Order, place: int | None, language: str) -> tuple[Fact, ...]:
    """What holds in chapter number `place` (an index; None: in the whole book), with the keys of fields in the
    language of the card or book. A death is not there before its chapter or date."""
    return (*_fields(card, order, place, language), *facts.at(card, order, place))


def _fields(card: Card, order: Order, place: int | None, language: str) -> Iterator[Fact]:
    for key, value in card.fields.items():
        about, said = stating.topic(key), fields.text(value)
        if not said or (about in ("other", "knows") and key not in _TOLD):
            continue
        if about == "death" and place is not None and _to_come(said, order, place):
            continue
        yield Fact(opposing.spelled(key, card, language), said)


def _to_come(said: str, order: Order, place: int) -> bool:
    """Whether the chapter or the date that a field names lies behind a chapter."""
    at = order.place(said)
    if at != BEYOND:
        return place < at
    there, here = dates.read(said), dates.read(fields.text(order.chapters[place].meta.get("date")))
    if there is None or here is None:
        return False
    return dates.compare(here, there) == -1

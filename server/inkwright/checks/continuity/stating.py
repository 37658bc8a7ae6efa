"""What a card states about itself, with its time: a fact of the list, or a field of its front matter."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from inkwright.domain.cards import Card, Fact
from inkwright.manuscript import fields
from inkwright.manuscript.places import BEYOND, Order

Topic = Literal[
    "status", "birth", "death", "age", "location", "owner", "knows", "first", "eyes", "hair", "other"
]


@dataclass(frozen=True, slots=True)
class Statement:
    """`since` and `until` are places in the reading order, both included. `fact` is None for a field `key`.

    `ends` is where a later statement on the same thing takes over (not included), `until` what is written.
    """

    card: Card
    topic: Topic
    key: str
    value: str
    since: float = -BEYOND
    until: float = BEYOND
    ends: float = BEYOND
    fact: Fact | None = None

    @property
    def dated(self) -> bool:
        """Whether it says from when on it holds."""
        return self.since != -BEYOND

    def holds(self, place: int) -> bool:
        return self.since <= place <= self.until and place < self.ends

    def changing(self, place: int) -> bool:
        """Whether it begins or ends in this very chapter: both sides may be told there."""
        return place in (self.since, self.until) or place == self.ends


_FIELDS: tuple[Topic, ...] = ("status", "birth", "death", "age", "location", "owner")
_SUCCEEDING = frozenset(("status", "age", "location", "owner", "eyes", "hair"))


def of(card: Card, order: Order) -> tuple[Statement, ...]:
    """The statements of a card, those of its list first and in its order."""
    out = [*_facts(card, order), *_fields(card)]
    return tuple(_succeeded(one, out) for one in out)


def topic(key: str) -> Topic:
    """What a fact is about, by its key."""
    from inkwright.checks.continuity.words import fact_words

    plain = key.strip().casefold()
    for own in ("eyes", "hair", "first"):
        if plain in fact_words(own):
            return own
    known = fields.word(key, "card.keys")
    topics: Sequence[Topic] = ("status", "birth", "death", "age", "location", "owner", "knows")
    return next((one for one in topics if one == known), "other")


def _facts(card: Card, order: Order) -> Iterator[Statement]:
    for fact in card.facts:
        since = order.place(fact.since) if fact.since else -BEYOND
        until = order.place(fact.until) if fact.until else BEYOND
        yield Statement(card, topic(fact.key), fact.key, fact.value, since, until, BEYOND, fact)


def _fields(card: Card) -> Iterator[Statement]:
    for key, value in card.fields.items():
        about = topic(key)
        if about in _FIELDS or about in ("eyes", "hair", "first") or key in ("appearance",):
            said = fields.text(value)
            if said:
                yield Statement(card, about, key, said)


def _succeeded(one: Statement, all_: Sequence[Statement]) -> Statement:
    """With the place where the next statement on the same thing begins, unless it says its own end."""
    if one.topic not in _SUCCEEDING or one.until != BEYOND:
        return one
    later = [other.since for other in all_ if other.topic == one.topic and other.since > one.since]
    ends = min(later, default=BEYOND)
    return replace(one, ends=ends) if ends != BEYOND else one

"""Names in a short text: those of cards, and capitalised ones that have no card."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

from inkwright.domain.cards import Card, Match
from inkwright.domain.text import Span
from inkwright.manuscript.mentions import Dictionary

_CAPITAL = re.compile(r"(?<![\w’'.-])[A-Z][a-z]{2,}(?![\w])")
INSIDE = re.compile(r"(?<=[a-z,;] )[A-Z][a-z]{2,}(?!\w)")
"""A word with a capital inside a sentence."""
_LOWER = re.compile(r"(?<![\w’'-])[a-z]{3,}")
COMMON = frozenset(
    [
        "Monday",
        "Tuesday",
        "Wednesday",
        "Thursday",
        "Friday",
        "Saturday",
        "Sunday",
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
        "God",
        "English",
        "French",
        "Christmas",
        "The",
        "And",
        "But",
        "Yes",
        "You",
    ]
)


@dataclass(frozen=True, slots=True)
class Named:
    """A name at a place. `who` tells one bearer from another; `person` may be spoken of as he or she."""

    span: Span
    who: str
    shown: str
    person: bool


class Names:
    """The names of a book's cards. An alias means its card; a name that several cards share means none of them."""

    def __init__(self, cards: Iterable[Card] = ()) -> None:
        given = tuple(cards)
        self._dictionary = Dictionary(given)
        self._persons = {card.path for card in given if card.kind == "character"}

    @classmethod
    def plain(cls, names: Iterable[str]) -> Self:
        """Names without cards, each its own bearer, as they are written."""
        return cls(
            Card(path=name, name=name, type="character", kind="character", match=Match("exact"))
            for name in names
        )

    def find(self, text: str) -> list[Named]:
        """The names in `text`, by place."""
        return [
            Named(Span(start, end), "|".join(cards), text[start:end], any(c in self._persons for c in cards))
            for start, end, cards in self._dictionary.hits(text, [Span(0, len(text))])
        ]


def capitalised(base: str) -> frozenset[str]:
    """Words that `base` writes with a capital inside sentences and never without: names, cards or no cards."""
    inside = Counter(INSIDE.findall(base))
    if not inside:
        return frozenset()
    lower = set(_LOWER.findall(base))
    everywhere = Counter(_CAPITAL.findall(base))
    return frozenset(
        word for word in inside if everywhere[word] >= 2 and word.lower() not in lower and word not in COMMON
    )


def with_capitals(text: str, found: list[Named], words: frozenset[str]) -> list[Named]:
    """`found` with the capitalised `words` that no card's name covers."""
    if not words:
        return found
    out = list(found)
    for match in _CAPITAL.finditer(text):
        span = Span(*match.span())
        if match.group() in words and not any(name.span.touches(span) for name in found):
            out.append(Named(span, match.group(), match.group(), person=True))
    return sorted(out, key=lambda name: name.span)

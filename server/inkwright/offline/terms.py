"""What a question asks about: names of cards in it, quoted words, and the words that are left of it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from inkwright.domain.cards import Card
from inkwright.manuscript.script import CJK

_QUOTED = re.compile(
    r"“([^”]{1,40})”|「([^」]{1,40})」|『([^』]{1,40})』|《([^》]{1,40})》|\"([^\"]{1,40})\"|`([^`]{1,40})`"
)
_LATIN = re.compile(r"[A-Za-z][A-Za-z'’-]{2,}")
_CJK_RUN = re.compile(f"[{CJK}]+")
MOST = 8


@dataclass(frozen=True, slots=True)
class Question:
    """`cards` are those that the message names; `terms` are searched for as they stand, best first."""

    cards: tuple[Card, ...]
    terms: tuple[str, ...]


def read(message: str, cards: Collection[Card]) -> Question:
    """A message that asks for nothing in particular has neither cards nor terms."""
    quoted = [next(part for part in match.groups() if part) for match in _QUOTED.finditer(message)]
    rest = message
    named: list[Card] = []
    names = sorted(
        ((name, card) for card in cards for name in card.names if name), key=lambda pair: -len(pair[0])
    )
    for name, card in names:
        if _stands(name, rest):
            rest = re.sub(re.escape(name), " ", rest, flags=re.IGNORECASE)
            if card not in named:
                named.append(card)
    own = {name for card in named for name in card.names}
    quoted = [part for part in quoted if part not in own]
    rest = _QUOTED.sub(" ", rest)
    return Question(tuple(named), tuple(dict.fromkeys([*quoted, *_words(rest)]))[:MOST])


def _stands(name: str, text: str) -> bool:
    if name[0].isascii():
        return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text, re.IGNORECASE) is not None
    return name in text


def _words(text: str) -> Iterable[str]:
    han, latin = _asking()
    for match in _CJK_RUN.finditer(text):
        for part in han.split(match[0]):
            if part and 2 <= len(part) <= 12:
                yield part
    for match in _LATIN.finditer(text):
        if match[0].lower() not in latin:
            yield match[0]


@cache
def _asking() -> tuple[re.Pattern[str], frozenset[str]]:
    """The words with which questions are asked, that nobody means to search for."""
    lines = (files("inkwright.offline") / "asking_words.txt").read_text("utf-8").splitlines()
    words = [word for line in lines if not line.startswith("#") for word in line.split()]
    han = sorted((w for w in words if not w.isascii()), key=len, reverse=True)
    return re.compile("|".join(map(re.escape, han))), frozenset(w for w in words if w.isascii())

"""The search for world cards: names before kinds before content, and part of a phrase before nothing."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated

from pydantic import Field

from inkwright.domain.cards import Card
from inkwright.tools.desk import Desk, shorten
from inkwright.tools.registry import Parameters, Tool
from inkwright.tools.texts import kinds, line

BEST = 5
CARD_CHARS = 300
_TERM = re.compile(r"[^\s,，。、;；:：!！?？\"“”‘’()（）\[\]《》「」]+")
_ENOUGH = 1 / 3
"""The share of a term's letter pairs that must stand in a card for a loose hit."""


class Query(Parameters):
    query: Annotated[str, Field(min_length=1, max_length=500)]


async def search_world_cards(desk: Desk, args: Query) -> str:
    query = args.query.strip()
    cards = desk.cards()
    words = kinds()
    described = await desk.described(cards)
    scored = [
        (-score(card, text, query, words), card.path, text)
        for card, text in zip(cards, described, strict=True)
    ]
    found = sorted(entry for entry in scored if entry[0] < 0)
    if not found:
        return line("card_none", desk.locale, query=query[:100], total=len(cards))
    best = [shorten(text, CARD_CHARS) for *_, text in found[:BEST]]
    return "\n\n".join([line("cards_found", desk.locale, found=len(found), shown=len(best)), *best])


def score(card: Card, text: str, query: str, words: Mapping[str, str]) -> float:
    """How well a card, which reads `text`, answers a query; 0 for not at all."""
    whole = query.casefold()
    terms = list(dict.fromkeys([whole, *_TERM.findall(whole)]))
    return sum(_score(card, text.casefold(), term, words) for term in terms)


def _score(card: Card, text: str, term: str, words: Mapping[str, str]) -> float:
    names = [name.casefold() for name in card.names]
    if term in names:
        return 100
    if any(term in name for name in names):
        return 60
    if any(len(name) > 1 and name in term for name in names):
        return 50
    if term in (card.type.casefold(), *(tag.casefold() for tag in card.tags)) or words.get(term) == card.kind:
        return 30
    if term in card.summary.casefold():
        return 20
    if term in text:
        return 15
    pairs = {term[i : i + 2] for i in range(len(term) - 1)}
    share = sum(pair in text for pair in pairs) / len(pairs) if pairs else 0
    return 10 * share if share >= _ENOUGH and len(pairs) > 1 else 0


TOOLS = (Tool("search_world_cards", Query, search_world_cards, frozenset({"card.search"})),)

"""The search for world cards: names before kinds before content, and part of a phrase before nothing.

It looks at what a model may see of each card, as of the run's chapter, and at nothing else: what is
private or comes later must not even decide which card is found.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping, Sequence
from typing import Annotated

from pydantic import Field

from inkwright.domain.cards import Card
from inkwright.manuscript import ranking
from inkwright.manuscript.folding import fold
from inkwright.manuscript.query import Needles, parse
from inkwright.tools.desk import Desk, shorten
from inkwright.tools.registry import Parameters, Tool
from inkwright.tools.texts import kinds, line

BEST = 5
CARD_CHARS = 300
_TERM = re.compile(r"[^\s,，。、;；:：!！?？\"“”‘’()（）\[\]《》「」]+")
_ENOUGH = 0.25
"""The share of a query's words and pairs, the rare ones weighing more, that makes a card found by content."""

Rank = tuple[float, int, float]
"""How well a card answers by name, by kind and by content; the first that differs decides."""
_NOT: Rank = (0.0, 0, 0.0)


class Query(Parameters):
    query: Annotated[str, Field(min_length=1, max_length=500)]


async def search_world_cards(desk: Desk, args: Query) -> str:
    query = args.query.strip()
    cards = desk.cards()
    described = await desk.described(cards)
    ranks = await asyncio.to_thread(rank, cards, described, query, kinds())
    order = sorted(range(len(cards)), key=lambda i: ([-part for part in ranks[i]], cards[i].path))
    found = [described[i] for i in order if ranks[i] > _NOT]
    if not found:
        return line("card_none", desk.locale, query=query[:100], total=len(cards))
    best = [shorten(text, CARD_CHARS) for text in found[:BEST]]
    return "\n\n".join([line("cards_found", desk.locale, found=len(found), shown=len(best)), *best])


def rank(cards: Sequence[Card], texts: Sequence[str], query: str, words: Mapping[str, str]) -> list[Rank]:
    """How well each card, which reads as its text says, answers a query. `words` maps words to kinds."""
    whole = fold(query)
    terms = list(dict.fromkeys([whole, *_TERM.findall(whole)]))
    exact, loose = Needles(tuple(term for term in terms if term)), parse(query).loose
    masks = [loose.mask(text) for text in texts]
    weights = ranking.weights(masks, len(loose.texts))
    return [
        (
            _by_name([fold(name) for name in card.names], whole, terms),
            _by_kind(card, terms, words),
            _by_content(exact.mask(card.summary), exact.mask(text), ranking.weight(mask, weights)),
        )
        for card, text, mask in zip(cards, texts, masks, strict=True)
    ]


def _by_name(names: Sequence[str], whole: str, terms: Sequence[str]) -> float:
    """A name that is asked for, a part of one, a name in the question: of these the longest."""
    if any(term in names for term in terms):
        return 3 + (whole in names)
    if any(_part(term, name) for name in names for term in terms):
        return 2
    inside = max((len(name) for name in names if len(name) > 1 and _within(name, whole)), default=0)
    return 1 + inside / (len(whole) + 1) if inside else 0


def _part(term: str, name: str) -> bool:
    """Whether a term means a name by a part of it: no word of letters that hardly tells names apart."""
    return bool(term) and _within(term, name) and (not term.isascii() or 2 * len(term) >= len(name))


def _within(piece: str, text: str) -> bool:
    """Whether it stands in the text, words of letters as words of their own."""
    return piece in text and any(found.whole for found in Needles((piece,)).lines(text))


def _by_kind(card: Card, terms: Sequence[str], words: Mapping[str, str]) -> int:
    own = {fold(card.type), *map(fold, card.tags)}
    return sum(term in own or words.get(term) == card.kind for term in terms)


def _by_content(in_summary: int, in_text: int, share: float) -> float:
    """Terms that stand there as they are, before the words and pairs of all of them."""
    if in_summary or in_text:
        return 1 + bool(in_summary) + share
    return share if share >= _ENOUGH else 0


TOOLS = (Tool("search_world_cards", Query, search_world_cards, frozenset({"card.search"})),)

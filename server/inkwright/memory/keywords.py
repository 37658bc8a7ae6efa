"""What a text is about, for memories: its pairs and words without those that stand in every wish."""

from __future__ import annotations

from functools import cache
from itertools import chain
from typing import Protocol, cast

from inkwright.manuscript import bigrams
from inkwright.memory.words import words

MOST = 64
"""A text's first so many keywords count."""


class Segmenter(Protocol):
    """What of `rjieba` is used."""

    def cut(self, text: str) -> list[str]: ...


def keywords(text: str) -> tuple[str, ...]:
    """At most MOST different ones, in the order of the text.

    Pairs of characters, as the search has them. Where `rjieba` is installed only pairs that lie inside
    one of its words: they are some of the same pairs, so that memories made with and without it meet.
    """
    kept = dict.fromkeys(filter(None, map(_keyword, _tokens(text))))
    return tuple(kept)[:MOST]


def _tokens(text: str) -> list[str]:
    segmenter = _segmenter()
    if segmenter is None or text.isascii():
        return bigrams.tokens(text)
    whole = bigrams.tokens(text)
    inside = set(chain.from_iterable(bigrams.tokens(word) for word in segmenter.cut(text) if len(word) > 1))
    return [token for token in whole if token in inside]


def _keyword(token: str) -> str:
    """The token as a keyword, '' for one that says nothing."""
    if token.isascii():
        if len(token) > 3 and token.endswith("s") and not token.endswith(("ss", "'s")):
            token = token if token in words().stop else token[:-1]
        return "" if len(token) < 2 or token in words().stop else token
    if len(token) < 2 or token in words().stop or not words().stop_parts.isdisjoint(token):
        return ""
    return token


@cache
def _segmenter() -> Segmenter | None:
    """The extra `segment`, loaded when the first text comes; None where it is not installed."""
    try:
        import rjieba
    except ImportError:
        return None
    return cast("Segmenter", rjieba)

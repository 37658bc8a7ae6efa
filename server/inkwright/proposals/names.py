"""Finding the names of cards in a short text."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable

NameFinder = Callable[[str], Iterable[str]]
"""Gives each name or alias that stands in a text, once for each place."""


def finder(names: Collection[str]) -> NameFinder:
    """A finder for plain names: the longest wins, Latin letters end at a word's border, case counts."""
    known = sorted({name for name in names if name.strip()}, key=len, reverse=True)
    if not known:
        return lambda _: ()
    pattern = re.compile("|".join(_bounded(name) for name in known))
    return lambda text: (match.group() for match in pattern.finditer(text))


def _bounded(name: str) -> str:
    latin = r"[^\W_\u2e80-\U0003ffff]"
    left = rf"(?<!{latin})" if re.match(latin, name) else ""
    right = rf"(?!{latin})" if re.match(latin, name[-1]) else ""
    return left + re.escape(name) + right

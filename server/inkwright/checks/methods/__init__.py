"""The methods that rule families name: each turns a family's data into a finder."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from inkwright.checks.hits import Finder
from inkwright.checks.methods import articles, brackets, damage, patterns, quotes, words
from inkwright.checks.rules import Family

METHODS: Mapping[str, Callable[[Family], tuple[Finder, ...]]] = {
    "articles": articles.finders,
    "brackets": brackets.finders,
    "damage": damage.finders,
    "patterns": patterns.finders,
    "quotes": quotes.finders,
    "words": words.finders,
}

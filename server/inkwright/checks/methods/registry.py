"""The methods by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from inkwright.checks.hits import Finder
from inkwright.checks.methods.alike import finders as alike
from inkwright.checks.methods.articles import finders as articles
from inkwright.checks.methods.brackets import finders as brackets
from inkwright.checks.methods.damage import finders as damage
from inkwright.checks.methods.doubled import finders as doubled
from inkwright.checks.methods.idioms import finders as idioms
from inkwright.checks.methods.patterns import finders as patterns
from inkwright.checks.methods.phrases import finders as phrases
from inkwright.checks.methods.quotes import finders as quotes
from inkwright.checks.methods.words import finders as words
from inkwright.checks.rules import Family

METHODS: Mapping[str, Callable[[Family], tuple[Finder, ...]]] = {
    "alike": alike,
    "articles": articles,
    "brackets": brackets,
    "damage": damage,
    "doubled": doubled,
    "idioms": idioms,
    "patterns": patterns,
    "phrases": phrases,
    "quotes": quotes,
    "words": words,
}

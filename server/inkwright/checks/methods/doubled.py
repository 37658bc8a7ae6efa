"""English words that stand twice: expressions, tried only on paragraphs where two words in a row are equal."""

from __future__ import annotations

import operator
import re
from collections.abc import Iterator
from dataclasses import dataclass

from inkwright.checks.hits import Hit
from inkwright.checks.piece import Piece
from inkwright.checks.rules import Family, Rule, pattern


def finders(family: Family) -> tuple[Doubled, ...]:
    rules = [(rule, pattern(rule.options["pattern"]), rule.options.get("fix")) for rule in family.rules]
    return (Doubled(tuple(rules)),)


@dataclass(frozen=True, slots=True)
class Doubled:
    rules: tuple[tuple[Rule, re.Pattern[str], str | None], ...]
    triggers: frozenset[str] = frozenset()
    scope: str = "en"

    def find(self, piece: Piece) -> Iterator[Hit]:
        if not any(map(operator.eq, piece.words, piece.words[1:])):
            return
        for rule, expression, fix in self.rules:
            group = "x" if "x" in expression.groupindex else 0
            for match in expression.finditer(piece.text):
                new = None if fix is None else match.expand(fix)
                yield Hit(*match.span(group), rule.id, rule.severity, new)

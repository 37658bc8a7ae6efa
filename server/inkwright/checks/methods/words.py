"""Words that are written wrong one way only: a table of [wrong, right] pairs, found in one pass.

A pair may carry a third entry, characters that must not stand before it, and a fourth, characters that
must not stand after it: they name the sound words that the wrong one is only a part of.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from inkwright.checks.hits import Hit
from inkwright.checks.piece import Piece
from inkwright.checks.rules import Family, Rule


def finders(family: Family) -> tuple[Words, ...]:
    return tuple(_finder(rule, family.tables[rule.options["table"]]) for rule in family.rules)


def _finder(rule: Rule, table: list[list[str]]) -> Words:
    latin = rule.scope == "en"
    pairs = {row[0]: row[1] for row in table}
    if len(pairs) != len(table):
        raise ValueError(f"{rule.id}: a word stands twice")
    alternatives = []
    # A longer word first, so that no shorter one hides it.
    for row in sorted(table, key=lambda row: (-len(row[0]), row[0])):
        before = f"(?<![{re.escape(row[2])}])" if len(row) > 2 and row[2] else ""
        after = f"(?![{re.escape(row[3])}])" if len(row) > 3 and row[3] else ""
        word = re.escape(row[0])
        # The guard stands behind the first character: alternatives that begin with a literal are searched fast.
        look = f"(?<![{re.escape(row[2])}]{re.escape(row[0][0])})" if before else ""
        alternatives.append(
            word[: len(re.escape(row[0][0]))] + look + word[len(re.escape(row[0][0])) :] + after
        )
    body = "|".join(alternatives)
    if latin:
        expression = re.compile(rf"(?<![\w'’-])(?:{body})(?![\w'’-])", re.IGNORECASE)
        return Words(rule, expression, {k.lower(): v for k, v in pairs.items()}, frozenset())
    return Words(rule, re.compile(body), pairs, frozenset())


@dataclass(slots=True)
class Words:
    rule: Rule
    expression: re.Pattern[str]
    pairs: dict[str, str]
    triggers: frozenset[str]

    def find(self, piece: Piece) -> Iterable[Hit]:
        latin = self.rule.scope == "en"
        if not (piece.en if latin else piece.zh):
            return
        for match in self.expression.finditer(piece.text):
            right = self.pairs[match[0].lower() if latin else match[0]]
            if latin and match[0][0].isupper():
                right = right[0].upper() + right[1:]
            yield Hit(match.start(), match.end(), self.rule.id, self.rule.severity, right)

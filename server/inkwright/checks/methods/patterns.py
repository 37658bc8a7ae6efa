"""Rules that are one regular expression each.

Options of a rule: `pattern`; `triggers`, characters one of which must be in the paragraph; and one
of `fix` (a template for the match), `map` (character by character, spaces dropped; with
`space_before_letter` one space is set where a letter follows), `first` (the first character stays), or
none. A group named `x` narrows the place that is pointed at and replaced.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from inkwright.checks.hits import Hit
from inkwright.checks.piece import Piece
from inkwright.checks.rules import Family, Rule, pattern


def finders(family: Family) -> tuple[Pattern, ...]:
    return tuple(Pattern(rule, frozenset(rule.options.get("triggers", ""))) for rule in family.rules)


@dataclass(slots=True)
class Pattern:
    rule: Rule
    triggers: frozenset[str]

    def find(self, piece: Piece) -> Iterable[Hit]:
        rule = self.rule
        if not (piece.zh if rule.scope == "zh" else piece.en if rule.scope == "en" else True):
            return
        expression = pattern(rule.options["pattern"])
        group: int | str = "x" if "x" in expression.groupindex else 0
        fix, table = rule.options.get("fix"), rule.options.get("map")
        for match in expression.finditer(piece.text):
            start, end = match.span(group)
            if fix is not None:
                new: str | None = match.expand(fix)
            elif table is not None:
                new = "".join(table.get(ch, ch) for ch in piece.text[start:end] if ch not in " \t")
                if rule.options.get("space_before_letter") and piece.text[end : end + 1].isalpha():
                    new += " "
            elif rule.options.get("first"):
                new = piece.text[start]
            else:
                new = None
            yield Hit(start, end, rule.id, rule.severity, new)

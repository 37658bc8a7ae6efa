"""Rules that are one regular expression each.

Options of a rule: `pattern`; `triggers`, the characters that its match may begin with; `start`, an
expression for the places where a match may begin, when that says more; and one of `fix` (a template for the match), `map` (character by character, spaces dropped; with
`space_before_letter` one space is set where a letter follows), `first` (the first character stays), or
none. A group named `x` narrows the place that is pointed at and replaced.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from inkwright.checks.hits import Hit
from inkwright.checks.piece import Piece
from inkwright.checks.rules import Family, Rule, pattern

_TRIED = 8
"""A match begins near the beginning of a run of its characters: further in, each try would read the rest of it."""


def finders(family: Family) -> tuple[Pattern, ...]:
    return tuple(_finder(rule) for rule in family.rules)


def _finder(rule: Rule) -> Pattern:
    options = rule.options
    expression = pattern(options["pattern"])
    return Pattern(
        rule,
        frozenset(options["triggers"]),
        pattern(options["start"] if "start" in options else f"[{re.escape(options['triggers'])}]"),
        expression,
        "x" if "x" in expression.groupindex else 0,
        options.get("fix"),
        options.get("map"),
        bool(options.get("first")),
        bool(options.get("space_before_letter")),
    )


@dataclass(frozen=True, slots=True)
class Pattern:
    rule: Rule
    triggers: frozenset[str]
    start: re.Pattern[str]
    expression: re.Pattern[str]
    group: int | str
    fix: str | None
    map: Mapping[str, str] | None
    first: bool
    spaced: bool

    @property
    def scope(self) -> str:
        return self.rule.scope

    def find(self, piece: Piece) -> list[Hit]:
        text, rule = piece.text, self.rule
        out: list[Hit] = []
        at, stop, failed = 0, -1, 0
        # Begin where a character says so: an expression that opens with a look behind is slow to search for.
        for start in self.start.finditer(text):
            place = start.start()
            if place < at:
                continue
            failed = failed + 1 if place == stop else 0
            stop = start.end()
            if failed > _TRIED:
                continue
            if match := self.expression.match(text, place):
                out.append(Hit(*match.span(self.group), rule.id, rule.severity, self._new(text, match)))
                at, failed = match.end(), 0
        return out

    def _new(self, text: str, match: re.Match[str]) -> str | None:
        start, end = match.span(self.group)
        if self.fix is not None:
            return match.expand(self.fix) if "\\" in self.fix else self.fix
        if self.first:
            return text[start]
        if self.map is None:
            return None
        new = "".join(self.map.get(ch, ch) for ch in text[start:end] if ch not in " \t")
        return new + " " if self.spaced and text[end : end + 1].isalpha() else new

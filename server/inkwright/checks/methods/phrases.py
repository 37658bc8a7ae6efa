"""Phrases: rows of expressions with their fixes, and lists of fixed turns that are only pointed at.

A `row` has the `rule` it belongs to, a `pattern` (a group `x` or `y` narrows the place), maybe a `fix`, and `need`:
words of which a paragraph must have one for the expression to be tried. A `turns` table lists phrases under
the id of their rule.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from inkwright.checks import hant
from inkwright.checks.hits import Finder, Hit
from inkwright.checks.methods.words import Search, searcher
from inkwright.checks.piece import Piece
from inkwright.checks.rules import Family, Rule, pattern


def finders(family: Family) -> tuple[Finder, ...]:
    rows = family.tables.get("row", ())
    turns = family.tables.get("turns", {})
    out: list[Finder] = []
    for rule in family.rules:
        own = tuple(_row(row, rule) for row in rows if row["rule"] == rule.id)
        if own:
            out.append(Phrases(rule, own))
        if rule.id in turns:
            out.append(Turns(rule, searcher(_turns(rule, turns[rule.id]))))
    return tuple(out)


def _row(row: Mapping[str, Any], rule: Rule) -> Row:
    """A row for Chinese takes the Traditional characters too."""
    if rule.scope != "zh":
        return Row(pattern(row["pattern"]), row.get("fix"), tuple(row["need"]))
    need = tuple(dict.fromkeys(spelled for word in row["need"] for spelled in hant.spellings(word)))
    return Row(pattern(hant.both(row["pattern"])), row.get("fix"), need)


@dataclass(frozen=True, slots=True)
class Row:
    expression: re.Pattern[str]
    fix: str | None
    need: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Phrases:
    rule: Rule
    rows: tuple[Row, ...]
    triggers: frozenset[str] = frozenset()

    @property
    def scope(self) -> str:
        return self.rule.scope

    def find(self, piece: Piece) -> Iterator[Hit]:
        held = frozenset(piece.words) if piece.en else piece.text
        for row in self.rows:
            if not any(word in held for word in row.need):
                continue
            for match in row.expression.finditer(piece.text):
                group = next((name for name in "xy" if match.groupdict().get(name) is not None), 0)
                new = _new(row.fix, match, group)
                if new is not None and piece.zh and hant.is_traditional(piece.chars):
                    new = hant.written(new)
                yield Hit(*match.span(group), self.rule.id, self.rule.severity, new)


@dataclass(frozen=True, slots=True)
class Turns:
    rule: Rule
    search: Search
    triggers: frozenset[str] = frozenset()

    @property
    def scope(self) -> str:
        return self.rule.scope

    def find(self, piece: Piece) -> Iterator[Hit]:
        text = piece.text
        if piece.en:
            small = text.lower()
            if len(small) != len(text):
                return
            for start, end in self.search(small):
                if not text[start - 1 : start].isalnum() and not text[end : end + 1].isalnum():
                    yield Hit(start, end, self.rule.id, self.rule.severity)
        else:
            for start, end in self.search(text):
                yield Hit(start, end, self.rule.id, self.rule.severity)


def _turns(rule: Rule, given: list[str]) -> list[str]:
    if rule.scope != "zh":
        return [turn.lower() for turn in given]
    return [spelled for turn in given for spelled in (turn, hant.written(turn))]


def _new(fix: str | None, match: re.Match[str], group: int | str) -> str | None:
    """The fix; it begins with a capital where the match does."""
    if fix is None:
        return None
    new = match.expand(fix) if "\\" in fix else fix
    return new[:1].upper() + new[1:] if match[group][:1].isupper() and new[:1].islower() else new

"""Phrases: rows of expressions with their fixes, and lists of fixed turns that are only pointed at.

A `row` has the `rule` it belongs to, a `pattern` (a group `x` or `y` narrows the place), maybe a `fix`, and `need`:
words round which the expression is looked for, `before` which other words may have to stand: it then begins with the needed
word, or, with `around`, is looked for as well. A `turns` table lists phrases under
the id of their rule.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from inkwright.checks import hant
from inkwright.checks.hits import Finder, Hit
from inkwright.checks.methods.words import Search, searcher
from inkwright.checks.piece import Piece
from inkwright.checks.rules import Family, Rule, pattern

REACH = 64
"""Characters on either side of a needed word that an expression may look at; half of them in Chinese."""


def finders(family: Family) -> tuple[Finder, ...]:
    rows = family.tables.get("row", ())
    turns = family.tables.get("turns", {})
    out: list[Finder] = []
    for rule in family.rules:
        own = [_row(row, rule) for row in rows if row["rule"] == rule.id]
        if own:
            out.append(Phrases(rule, _needs(own)))
        if rule.id in turns:
            listed = _turns(rule, turns[rule.id])
            out.append(Turns(rule, frozenset(listed), searcher(listed)))
    return tuple(out)


def _row(row: Mapping[str, Any], rule: Rule) -> Row:
    """A row for Chinese takes the Traditional characters too."""
    chinese = rule.scope == "zh"
    spelled: Callable[[Iterable[str]], tuple[str, ...]] = _spelled if chinese else tuple
    return Row(
        row["pattern"],
        chinese,
        row.get("fix"),
        spelled(row["need"]),
        spelled(row.get("before", ())),
        bool(row.get("around")),
    )


def _spelled(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(form for word in words for form in hant.spellings(word)))


def _needs(rows: Iterable[Row]) -> Needs:
    by_word: dict[str, list[Row]] = {}
    for row in rows:
        for word in row.need:
            by_word.setdefault(word, []).append(row)
    return {word: (number, tuple(own)) for number, (word, own) in enumerate(by_word.items())}


@dataclass(frozen=True)
class Row:
    """`before`: one of these must stand before the needed word, where the expression then begins unless `around`."""

    source: str
    chinese: bool
    fix: str | None
    need: tuple[str, ...]
    before: tuple[str, ...]
    around: bool = False

    @cached_property
    def expression(self) -> re.Pattern[str]:
        """Made when a needed word first stands in a text: most never do."""
        return pattern(hant.both(self.source) if self.chinese else self.source)


Needs = Mapping[str, tuple[int, tuple[Row, ...]]]
"""The rows by needed word, each word with its number in the table."""


@dataclass(frozen=True, slots=True)
class Phrases:
    rule: Rule
    needs: Needs
    triggers: frozenset[str] = frozenset()

    @property
    def scope(self) -> str:
        return self.rule.scope

    @property
    def words(self) -> Collection[str]:
        return self.needs.keys()

    def find(self, piece: Piece) -> Iterator[Hit]:
        latin = piece.en
        text = piece.text
        words = self.needs.keys() & (piece.vocabulary if latin else piece.stands)
        if not words:
            return
        small = text.lower() if latin else text
        if len(small) != len(text):
            return
        reach = REACH if latin else REACH // 2
        seen: set[tuple[int, int]] = set()
        for word in sorted(words, key=lambda word: self.needs[word][0]):
            at = small.find(word)
            while at >= 0:
                for row in self.needs[word][1]:
                    found = self._at(row, text, at, word, reach)
                    if found is not None and found[0] not in seen:
                        seen.add(found[0])
                        yield self._hit(found, piece)
                at = small.find(word, at + len(word))

    def _at(
        self, row: Row, text: str, at: int, word: str, reach: int
    ) -> tuple[tuple[int, int], str | None] | None:
        if row.before and not text.endswith(row.before, max(0, at - reach), at):
            return None
        if row.before and not row.around:
            match = row.expression.match(text, at)
        else:
            match = row.expression.search(text, max(0, at - reach), at + len(word) + reach)
        if match is None:
            return None
        group = next((name for name in "xy" if match.groupdict().get(name) is not None), 0)
        return match.span(group), _new(row.fix, match, group)

    def _hit(self, found: tuple[tuple[int, int], str | None], piece: Piece) -> Hit:
        span, new = found
        if new is not None and piece.zh and hant.is_traditional(piece.chars):
            new = hant.written(new)
        return Hit(*span, self.rule.id, self.rule.severity, new)


@dataclass(frozen=True, slots=True)
class Turns:
    rule: Rule
    words: frozenset[str]
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
        elif not self.words.isdisjoint(piece.stands):
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

"""Words of two characters with one wrong one, which sounds or looks like the right one.

The two characters that then stand together never do in sound text, but where one word ends and another begins: what
would be an end with the character before it, or a beginning with the one behind, is left alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import repeat
from typing import NamedTuple

from inkwright.checks import hant
from inkwright.checks.classes import MASK
from inkwright.checks.hits import Finder, Hit
from inkwright.checks.piece import Piece
from inkwright.checks.rules import Family, Rule
from inkwright.domain.text import SURROGATE

LENGTH = 2
_LINE = re.compile(r"\S+")


def finders(family: Family) -> tuple[Finder, ...]:
    tables = family.tables
    return tuple(Alike(rule, tables["words"], tables["ends"], tables["starts"]) for rule in family.rules)


class Pairs(NamedTuple):
    """By the character that stands first: each second one of a wrong pair; and each second one with its right one, of
    the pairs whose first or second character is wrong, one after the other."""

    wrong: Mapping[str, str]
    first: Mapping[str, str]
    second: Mapping[str, str]
    ends: Mapping[str, str]
    starts: Mapping[str, str]


@dataclass(frozen=True)
class Alike:
    """The tables of the family as they are written."""

    rule: Rule
    words: str
    ends: str
    starts: str
    triggers: frozenset[str] = frozenset()

    @property
    def scope(self) -> str:
        return self.rule.scope

    @cached_property
    def pairs(self) -> Pairs:
        """Made when a text in Chinese is first looked at."""
        first: dict[str, list[str]] = {}
        second: dict[str, list[str]] = {}
        for line in _LINE.finditer(self.words):
            word, firsts, seconds = line[0].split("/")
            for char in firsts:
                first.setdefault(char, []).append(word[1] + word[0])
            for char in seconds:
                second.setdefault(word[0], []).append(char + word[1])
        wrong: dict[str, str] = {}
        for table in (first, second):
            for char, row in table.items():
                wrong[char] = wrong.get(char, "") + "".join([both[0] for both in row])
        return Pairs(
            wrong,
            {char: "".join(row) for char, row in first.items()},
            {char: "".join(row) for char, row in second.items()},
            _by_char(self.ends),
            _by_char(self.starts),
        )

    def find(self, piece: Piece) -> Iterator[Hit]:
        text, traditional = SURROGATE.sub(MASK, piece.text), hant.is_traditional(piece.chars)
        if traditional:
            back = hant.back()
            text = "".join([back.get(char, char) for char in text])
        pairs = self.pairs
        rows = map(pairs.wrong.get, text, repeat(""))
        # An automaton of so many pairs takes megabytes, and longer to be made than a chapter to be read by this.
        for start in [at for at, (row, two) in enumerate(zip(rows, text[1:], strict=False)) if two in row]:
            one, two, end = text[start], text[start + 1], start + LENGTH
            if text[start - 1 : start] in pairs.ends.get(one, MASK) and start:
                continue
            if end < len(text) and text[end] in pairs.starts.get(two, MASK):
                continue
            right = _right(pairs, one, two)
            new = hant.written(right) if traditional else right
            yield Hit(start, end, self.rule.id, self.rule.severity, new)


def _right(pairs: Pairs, one: str, two: str) -> str:
    row = pairs.first.get(one, "")[0::2]
    if two in row:
        return pairs.first[one][2 * row.index(two) + 1] + two
    row = pairs.second[one][0::2]
    return one + pairs.second[one][2 * row.index(two) + 1]


def _by_char(table: str) -> dict[str, str]:
    return {row[0]: row[1:] for row in table.split()}

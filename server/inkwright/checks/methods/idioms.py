"""Idioms of four characters with one wrong one, which sounds or looks like the right one.

One wrong character leaves one half of an idiom whole: where a half stands, the other one is looked at. What is an
idiom itself, is one of the `also` forms, or could be meant as two idioms, is left alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import add
from typing import NamedTuple

from inkwright.checks import hant
from inkwright.checks.classes import MASK
from inkwright.checks.hits import Finder, Hit
from inkwright.checks.piece import Piece
from inkwright.checks.rules import Family, Rule
from inkwright.domain.text import SURROGATE

LENGTH = 4
HALF = 2


def finders(family: Family) -> tuple[Finder, ...]:
    tables = family.tables
    idioms = tables["idioms"].split()
    if any(len(idiom) != LENGTH for idiom in idioms):
        raise ValueError(f"{family.id}: an idiom has not four characters")
    sound = frozenset((*idioms, *tables["also"].split()))
    alike = (*tables["sounds"].split(), *tables["shapes"].split())
    return tuple(Idioms(rule, idioms, sound, alike) for rule in family.rules)


class Halves(NamedTuple):
    """By half, the other halves behind and before it, one after the other."""

    others: dict[str, tuple[str, str]]
    signs: dict[str, str]
    """By character, the signs of the groups that it is in."""


@dataclass(frozen=True)
class Idioms:
    """`alike`: groups of characters that sound or look alike."""

    rule: Rule
    idioms: Sequence[str]
    sound: frozenset[str]
    alike: Sequence[str]
    triggers: frozenset[str] = frozenset()

    @property
    def scope(self) -> str:
        return self.rule.scope

    @cached_property
    def halves(self) -> Halves:
        """Made when a text in Chinese is first looked at."""
        after: dict[str, str] = {}
        before: dict[str, str] = {}
        for idiom in self.idioms:
            head, tail = idiom[:HALF], idiom[HALF:]
            after[head] = after.get(head, "") + tail
            before[tail] = before.get(tail, "") + head
        signs: dict[str, str] = {}
        for number, group in enumerate(self.alike):
            for char in group:
                signs[char] = signs.get(char, "") + chr(number)
        halves = after.keys() | before.keys()
        return Halves({half: (after.get(half, ""), before.get(half, "")) for half in halves}, signs)

    def find(self, piece: Piece) -> Iterator[Hit]:
        text, traditional = SURROGATE.sub(MASK, piece.text), hant.is_traditional(piece.chars)
        if traditional:
            back = hant.back()
            text = "".join([back.get(char, char) for char in text])
        others = self.halves.others
        pairs = map(add, text, text[1:])
        for start in [at for at, pair in enumerate(pairs) if pair in others]:
            end = start + HALF
            after, before = others[text[start:end]]
            if after and (right := self._meant(text[start : start + LENGTH], after, HALF)):
                yield self._hit(start, text[start:end] + right, traditional=traditional)
            if before and (right := self._meant(text[max(0, end - LENGTH) : end], before, 0)):
                yield self._hit(end - LENGTH, right + text[start:end], traditional=traditional)

    def _meant(self, four: str, others: str, at: int) -> str:
        """The only one of `others` that the two characters at `at` are nearly, '' if there is none."""
        if len(four) != LENGTH:
            return ""
        one, two = four[at], four[at + 1]
        if (one not in others and two not in others) or four in self.sound:
            return ""
        right = ""
        for k in range(0, len(others), HALF):
            other = others[k : k + HALF]
            if one == other[0]:
                if two == other[1] or not self._like(two, other[1]):
                    continue
            elif two != other[1] or not self._like(one, other[0]):
                continue
            if right:
                return ""
            right = other
        return right

    def _like(self, char: str, other: str) -> bool:
        signs = self.halves.signs
        mine, theirs = signs.get(char), signs.get(other)
        return mine is not None and theirs is not None and not set(mine).isdisjoint(theirs)

    def _hit(self, start: int, right: str, *, traditional: bool) -> Hit:
        new = hant.written(right) if traditional else right
        return Hit(start, start + LENGTH, self.rule.id, self.rule.severity, new)

"""Idioms of four characters with one wrong one, which sounds or looks like the right one.

One wrong character leaves one half of an idiom whole: where a half stands, the other one is looked at. What is an
idiom itself, is one of the `also` forms, or could be meant as two idioms, is left alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from inkwright.checks import hant
from inkwright.checks.hits import Finder, Hit
from inkwright.checks.piece import Piece
from inkwright.checks.rules import Family, Rule

LENGTH = 4
HALF = 2


def finders(family: Family) -> tuple[Finder, ...]:
    tables = family.tables
    idioms = tables["idioms"].split()
    if any(len(idiom) != LENGTH for idiom in idioms):
        raise ValueError(f"{family.id}: an idiom has not four characters")
    halves: dict[str, tuple[list[str], list[str]]] = {}
    for idiom in idioms:
        halves.setdefault(idiom[:HALF], ([], []))[0].append(idiom[HALF:])
        halves.setdefault(idiom[HALF:], ([], []))[1].append(idiom[:HALF])
    alike: dict[str, list[str]] = {}
    for number, group in enumerate((*tables["sounds"].split(), *tables["shapes"].split())):
        for char in group:
            alike.setdefault(char, []).append(chr(number))
    signs = {char: "".join(own) for char, own in alike.items()}
    sound = frozenset((*idioms, *tables["also"].split()))
    return tuple(Idioms(rule, halves, sound, signs) for rule in family.rules)


@dataclass(frozen=True, slots=True)
class Idioms:
    """`halves`: what follows and what stands before each half; `alike`: by character the groups that it is in."""

    rule: Rule
    halves: Mapping[str, tuple[list[str], list[str]]]
    sound: frozenset[str]
    alike: Mapping[str, str]
    triggers: frozenset[str] = frozenset()

    @property
    def scope(self) -> str:
        return self.rule.scope

    def find(self, piece: Piece) -> Iterator[Hit]:
        text, traditional = piece.text, hant.is_traditional(piece.chars)
        if traditional:
            back = hant.back()
            text = "".join([back.get(char, char) for char in text])
        halves = self.halves
        for i in range(len(text) - 1):
            found = halves.get(text[i : i + HALF])
            if found is None:
                continue
            half = text[i : i + HALF]
            after, before = found
            if after and (right := self._meant(half + text[i + HALF : i + LENGTH], after, HALF)):
                yield self._hit(i, half + right, traditional=traditional)
            if before and i >= HALF and (right := self._meant(text[i - HALF : i] + half, before, 0)):
                yield self._hit(i - HALF, right + half, traditional=traditional)

    def _meant(self, four: str, others: list[str], at: int) -> str:
        """The only one of `others` that the two characters at `at` are nearly, '' if there is none."""
        if len(four) != LENGTH or four in self.sound:
            return ""
        one, two = four[at], four[at + 1]
        right = ""
        for other in others:
            same_one, same_two = one == other[0], two == other[1]
            if same_one == same_two:
                continue
            if self._like(two, other[1]) if same_one else self._like(one, other[0]):
                if right:
                    return ""
                right = other
        return right

    def _like(self, char: str, other: str) -> bool:
        mine, theirs = self.alike.get(char), self.alike.get(other)
        return mine is not None and theirs is not None and not set(mine).isdisjoint(theirs)

    def _hit(self, start: int, right: str, *, traditional: bool) -> Hit:
        new = hant.written(right) if traditional else right
        return Hit(start, start + LENGTH, self.rule.id, self.rule.severity, new)

"""Simplified characters in a Traditional chapter and the other way round.

Only characters that one script has and the other has not count: 后, 里, 干 stand in both. A paragraph that is
wholly in the other script, and a quotation that is, was meant so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from inkwright.checks import hant
from inkwright.checks.chapter.marks import Mark, Notes
from inkwright.checks.hits import Hit
from inkwright.checks.piece import Piece
from inkwright.checks.rules import Family, Rule

if TYPE_CHECKING:
    from inkwright.checks.chapter.watchers import Chapter

SIMPLIFIED, TRADITIONAL = 0, 1
SHARE = 3
"""How many times the characters of one script must outnumber the other's for the chapter to be in it."""
_QUOTED = re.compile(r"[“「『‘《〈][^“”「」『』‘’《》〈〉]{1,60}[”」』’》〉]")


def watchers(family: Family) -> tuple[Scripts, ...]:
    return (Scripts(family.rules[0], frozenset({family.rules[0].id})),)


@dataclass(frozen=True)
class Scripts:
    rule: Rule
    rules: frozenset[str]

    @cached_property
    def simplified(self) -> frozenset[str]:
        return frozenset(hant.pairs())

    @cached_property
    def traditional(self) -> frozenset[str]:
        return frozenset(hant.back())

    def note(self, piece: Piece, notes: Notes) -> None:
        if piece.zh:
            ours, theirs = piece.chars & self.simplified, piece.chars & self.traditional
            notes.amounts += (("simplified", len(ours)), ("traditional", len(theirs)))
            notes.marks += self._marks(piece, ours, theirs)

    def _marks(self, piece: Piece, ours: frozenset[str], theirs: frozenset[str]) -> Iterator[Mark]:
        if not ours or not theirs:
            few = ours or theirs
            if not few or len(few) > 1:
                return
        quoted = None
        for form, found, other, fixes in (
            (SIMPLIFIED, ours, theirs, hant.pairs()),
            (TRADITIONAL, theirs, ours, hant.back()),
        ):
            if not found or len(found) > max(2, len(other) // SHARE):
                continue
            if quoted is None:
                quoted = [m.span() for m in _QUOTED.finditer(piece.text)]
            for at, char in enumerate(piece.text):
                if char in found and not self._meant(piece.text, at, quoted, form):
                    yield Mark(self.rule.id, form, at, at + 1, (fixes[char],))

    def _meant(self, text: str, at: int, quoted: list[tuple[int, int]], form: int) -> bool:
        """Whether a character stands in a quotation that is wholly in its script."""
        other = self.simplified if form == TRADITIONAL else self.traditional
        return any(a < at < b and other.isdisjoint(text[a:b]) for a, b in quoted)

    def judge(self, chapter: Chapter) -> Iterator[Hit]:
        ours, theirs = chapter.amount("simplified"), chapter.amount("traditional")
        if chapter.script == "hant" or (not chapter.script and theirs > SHARE * ours):
            wrong = SIMPLIFIED
        elif chapter.script == "hans" or (not chapter.script and ours > SHARE * theirs):
            wrong = TRADITIONAL
        else:
            return
        for mark in chapter.marks(self.rule.id, wrong):
            yield Hit(mark.start, mark.end, self.rule.id, self.rule.severity, mark.forms[0])

"""Text that was decoded with the wrong encoding: rare characters by the dozen between question marks.

A paragraph like that is pointed at once, and no other rule has anything to say about it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from inkwright.checks.hits import Hit
from inkwright.checks.piece import Piece
from inkwright.checks.rules import Family, Rule, pattern


def finders(family: Family) -> tuple[Damage, ...]:
    return tuple(
        Damage(
            rule,
            frozenset(rule.options["triggers"]),
            pattern(rule.options["certain"]),
            pattern(rule.options["suspect"]),
            float(rule.options["share"]),
        )
        for rule in family.rules
    )


CERTAIN = frozenset("锟銆锛鈥\ufffd")
AROUND = 16
"""Characters on each side of a question mark that it is judged by."""


@dataclass(slots=True)
class Damage:
    rule: Rule
    triggers: frozenset[str]
    certain: re.Pattern[str]
    suspect: re.Pattern[str]
    share: float

    @property
    def scope(self) -> str:
        return self.rule.scope

    def find(self, piece: Piece) -> Iterable[Hit]:
        found = None if piece.chars.isdisjoint(CERTAIN) else self.certain.search(piece.text)
        if found is None and "?" in piece.chars:
            found = next((m for m in self.suspect.finditer(piece.text) if self._rare(piece.text, m)), None)
        if found is not None:
            yield Hit(found.start(), found.end(), self.rule.id, self.rule.severity)

    def _rare(self, text: str, match: re.Match[str]) -> bool:
        """Whether around a question mark too many characters stand outside the 3,755 common ones of GB 2312."""
        around = text[max(0, match.start() - AROUND) : match.end() + AROUND]
        han = [ch.encode("gb2312", "ignore") for ch in around if "\u4e00" <= ch <= "\u9fff"]
        rare = sum(len(code) != 2 or code[0] >= 0xD8 for code in han)
        return len(han) >= AROUND // 2 and rare > self.share * len(han)

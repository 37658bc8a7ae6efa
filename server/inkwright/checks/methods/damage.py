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


@dataclass(slots=True)
class Damage:
    rule: Rule
    triggers: frozenset[str]
    certain: re.Pattern[str]
    suspect: re.Pattern[str]
    share: float

    def find(self, piece: Piece) -> Iterable[Hit]:
        found = self.certain.search(piece.text)
        if found is None:
            suspects = self.suspect.findall(piece.text)
            if len(suspects) < 3 or not _rare(piece.text, self.share):
                return
            found = self.suspect.search(piece.text)
        if found is not None:
            yield Hit(found.start(), found.end(), self.rule.id, self.rule.severity)


def _rare(text: str, share: float) -> bool:
    """Whether more than `share` of the Han characters stand outside the 3,755 common ones of GB 2312."""
    han = common = 0
    for ch in text:
        if "\u4e00" <= ch <= "\u9fff":
            han += 1
            code = ch.encode("gb2312", "ignore")
            common += len(code) == 2 and code[0] < 0xD8
    return han > 0 and (han - common) > share * han

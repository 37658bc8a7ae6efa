"""Paragraphs in a row that open with the same words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from inkwright.checks.chapter.marks import Run
from inkwright.checks.hits import Hit
from inkwright.checks.names import Names
from inkwright.checks.piece import Piece
from inkwright.checks.rules import Family, Rule

_HAN = re.compile(r"[\s\u3000]*([\u4e00-\u9fff]{2})")
_LATIN = re.compile(r"\s*([A-Z][A-Za-z'’]*)")


@dataclass(slots=True)
class Openings:
    """The opening of a paragraph: two Han characters or one Latin word, '' for speech and the like."""

    family: Family
    by_scope: dict[str, Rule] = field(init=False)

    def __post_init__(self) -> None:
        self.by_scope = {rule.scope: rule for rule in self.family.rules}

    @property
    def rules(self) -> frozenset[str]:
        return frozenset(rule.id for rule in self.family.rules)

    def of(self, piece: Piece, names: Names) -> str:
        found = (_HAN if piece.zh else _LATIN).match(piece.text)
        if found is None or names.touch(piece.text, *found.span(1)):
            return ""
        return found[1]

    def hits(self, runs: Iterable[Run]) -> Iterator[Hit]:
        for run in runs:
            rule = self.by_scope["en" if run.opening.isascii() else "zh"]
            params: dict[str, str | int | float] = {"word": run.opening, "count": run.length}
            yield Hit(run.start, run.end, rule.id, rule.severity, None, params)

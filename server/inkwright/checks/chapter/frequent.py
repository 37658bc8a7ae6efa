"""Words and turns that one chapter uses too often: one hint each, at the first place.

A row has `words` (they count together) or a `pattern` with its `triggers` (characters of Chinese, words of
English, of which a paragraph must have one), `least`, the count below which nothing is said, and
`rate`, how many there may be in ten thousand characters (Chinese) or words (English).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from inkwright.checks.chapter.marks import Mark, Notes
from inkwright.checks.hits import Hit
from inkwright.checks.methods.words import Search, searcher
from inkwright.checks.piece import Piece
from inkwright.checks.rules import Family, Rule, pattern

if TYPE_CHECKING:
    from inkwright.checks.chapter.watchers import Chapter

PER = 10_000


def watchers(family: Family) -> tuple[Frequent, ...]:
    return tuple(
        _watcher(rule, [row for row in family.tables["row"] if row["rule"] == rule.id])
        for rule in family.rules
    )


@dataclass(frozen=True, slots=True)
class Limit:
    least: int
    rate: float


@dataclass(frozen=True, slots=True)
class Way:
    group: str
    triggers: frozenset[str]
    expression: re.Pattern[str]


def _watcher(rule: Rule, rows: list[dict[str, object]]) -> Frequent:
    words: dict[str, str] = {}
    ways: list[Way] = []
    limits: dict[str, Limit] = {}
    for row in rows:
        given = row.get("words")
        listed = [str(word) for word in given] if isinstance(given, list) else []
        name = f"{rule.id}:{listed[0] if listed else row['name']}"
        limits[name] = Limit(int(str(row["least"])), float(str(row["rate"])))
        for word in listed:
            words[word] = name
        if "pattern" in row:
            ways.append(Way(name, _triggers(row["triggers"]), pattern(str(row["pattern"]))))
    search = searcher(words) if words and rule.scope == "zh" else None
    return Frequent(rule, frozenset({rule.id}), words, search, tuple(ways), limits)


def _triggers(given: object) -> frozenset[str]:
    return frozenset(given) if isinstance(given, list) else frozenset(str(given))


@dataclass(frozen=True, slots=True)
class Frequent:
    rule: Rule
    rules: frozenset[str]
    words: dict[str, str]
    search: Search | None
    ways: tuple[Way, ...]
    limits: dict[str, Limit]

    def note(self, piece: Piece, notes: Notes) -> None:
        if self.rule.scope == ("zh" if piece.zh else "en"):
            notes.marks += self._marks(piece)
            notes.amounts.append((self.rule.id, len(piece.text) if piece.zh else len(piece.words)))

    def _marks(self, piece: Piece) -> Iterator[Mark]:
        if self.search is not None:
            rows = () if self.words.keys().isdisjoint(piece.stands) else self.search(piece.text)
            for start, end in rows:
                yield Mark(self.words[piece.text[start:end]], 0, start, end)
        elif self.words:
            some = self.words.keys() & piece.vocabulary
            if some:
                expression = rf"(?<![\w'’-])(?:{'|'.join(sorted(some))})(?![\w'’-])"
                for match in re.finditer(expression, piece.text, re.IGNORECASE):
                    yield Mark(self.words[match[0].lower()], 0, *match.span())
        for way in self.ways:
            if not way.triggers.isdisjoint(piece.vocabulary if piece.en else piece.chars):
                first = way.expression.search(piece.text)
                if first is not None:
                    more = sum(1 for _ in way.expression.finditer(piece.text, first.end()))
                    yield Mark(way.group, 0, *first.span(), times=1 + more)

    def judge(self, chapter: Chapter) -> Iterator[Hit]:
        size = chapter.amount(self.rule.id)
        for group, limit in self.limits.items():
            count = sum(chapter.forms(group).values())
            if count >= limit.least and count * PER > limit.rate * size:
                mark = next(chapter.marks(group, 0))
                params: dict[str, str | int | float] = {"count": count, "word": group.partition(":")[2]}
                yield Hit(mark.start, mark.end, self.rule.id, self.rule.severity, None, params)

"""Things that are written in two or more ways in one chapter: the rarer way is pointed at.

A group has `forms`, lists of words that answer each other by their place, or `patterns`, an expression for
each way; a group named `key` in it makes a group of each thing that it matches (each unit, say).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from inkwright.checks.chapter.marks import Mark, Notes
from inkwright.checks.hits import Hit
from inkwright.checks.methods.words import Search, searcher
from inkwright.checks.piece import Piece
from inkwright.checks.rules import Family, Rule, pattern

if TYPE_CHECKING:
    from inkwright.checks.chapter.watchers import Chapter

CLEAR = 3
"""How often a spelling stands at least, and how many times as often as all others, to be the chapter's own."""
SHOWN = 20
"""Places of one group that are pointed at."""


def watchers(family: Family) -> tuple[Forms, ...]:
    return tuple(
        _watcher(rule, [row for row in family.tables["group"] if row["rule"] == rule.id])
        for rule in family.rules
    )


def _watcher(rule: Rule, rows: list[dict[str, list[list[str]]]]) -> Forms:
    words: dict[str, Word] = {}
    ways: list[tuple[str, frozenset[str], int, re.Pattern[str]]] = []
    for row in rows:
        name = f"{rule.id}:{row['name']}"
        for form, column in enumerate(row.get("forms", ())):
            for i, word in enumerate(column):
                words[word] = Word(name, form, tuple(other[i] for other in row["forms"]))
        for form, source in enumerate(row.get("patterns", ())):
            ways.append((name, frozenset(row["triggers"][form]), form, pattern(str(source))))
    search = searcher(words) if words and rule.scope == "zh" else None
    return Forms(rule, frozenset({rule.id}), words, search, tuple(ways))


@dataclass(frozen=True, slots=True)
class Word:
    group: str
    form: int
    forms: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Forms:
    rule: Rule
    rules: frozenset[str]
    words: dict[str, Word]
    search: Search | None
    ways: tuple[tuple[str, frozenset[str], int, re.Pattern[str]], ...]

    def note(self, piece: Piece, notes: Notes) -> None:
        if self.rule.scope in ("any", "zh" if piece.zh else "en"):
            notes.marks += self._marks(piece)

    def _marks(self, piece: Piece) -> Iterator[Mark]:
        for name, triggers, form, expression in self.ways:
            if triggers.isdisjoint(piece.chars) and triggers.isdisjoint(piece.vocabulary):
                continue
            group = "x" if "x" in expression.groupindex else 0
            if "key" in expression.groupindex:
                for match in expression.finditer(piece.text):
                    yield Mark(f"{name}:{match['key']}", form, *match.span(group))
            elif first := expression.search(piece.text):
                more = sum(1 for _ in expression.finditer(piece.text, first.end()))
                yield Mark(name, form, *first.span(group), times=1 + more)
        if self.search is not None:
            rows = () if self.words.keys().isdisjoint(piece.stands) else self.search(piece.text)
            for start, end in rows:
                word = self.words[piece.text[start:end]]
                yield Mark(word.group, word.form, start, end, word.forms)
        elif self.words:
            yield from self._latin(piece)

    def _latin(self, piece: Piece) -> Iterator[Mark]:
        some = self.words.keys() & piece.vocabulary
        if some:
            expression = rf"(?<![\w'’-])(?:{'|'.join(sorted(some))})(?![\w'’-])"
            for match in re.finditer(expression, piece.text, re.IGNORECASE):
                word = self.words[match[0].lower()]
                forms = word.forms
                if match[0][0].isupper():
                    forms = tuple(form[0].upper() + form[1:] for form in forms)
                yield Mark(word.group, word.form, *match.span(), forms)

    def judge(self, chapter: Chapter) -> Iterator[Hit]:
        for group in chapter.groups():
            if not group.startswith(f"{self.rule.id}:"):
                continue
            counts = chapter.forms(group)
            if len(counts) < 2:
                continue
            usual = max(counts, key=lambda form: (counts[form], -form))
            if not self._clear(counts, usual):
                continue
            rare = (mark for form in counts if form != usual for mark in chapter.marks(group, form))
            for mark in islice(rare, SHOWN):
                better = mark.forms[usual] if mark.forms else None
                params = {"count": counts[mark.form], "usual": counts[usual]}
                yield Hit(mark.start, mark.end, self.rule.id, self.rule.severity, better, params)

    def _clear(self, counts: Mapping[int, int], usual: int) -> bool:
        """Whether the usual way is the author's: of two spellings that both pass it has to be so by far."""
        most, others = counts[usual], sum(counts.values()) - counts[usual]
        return most >= max(CLEAR, CLEAR * others) if self.words else most > others

"""Words that are written wrong one way only, from a table of [wrong, right] pairs.

A pair may carry a third entry, characters that must not stand before it, and a fourth, characters that
must not stand after it: they name the sound words that the wrong one is only a part of. A fifth is what is
right in Traditional characters, where the wrong word is written alike in both scripts. A table that is one text lists
each right word with its misspellings.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from inkwright.checks import hant
from inkwright.checks.classes import MASK
from inkwright.checks.hits import Finder, Hit
from inkwright.checks.piece import Piece
from inkwright.checks.rules import Family, Rule
from inkwright.domain.text import SURROGATE
from inkwright.manuscript.mentions import scanner

Search = Callable[[str], Iterable[tuple[int, int]]]


def finders(family: Family) -> tuple[Finder, ...]:
    out: list[Finder] = []
    for rule in family.rules:
        table = family.tables[rule.options["table"]]
        if isinstance(table, str):
            out.append(Spellings(rule, table))
            continue
        if len({row[0] for row in table}) != len(table):
            raise ValueError(f"{rule.id}: a word stands twice")
        if rule.scope == "en":
            out.append(LatinWords(rule, {row[0]: row[1] for row in table}))
        else:
            entries = {
                row[0]: Entry(
                    row[1],
                    "".join(row[4:5]) or row[1],
                    "".join(row[2:3]),
                    "".join(row[3:4]),
                )
                for row in table
            }
            triggers = frozenset[str]()
            if rule.options.get("traditional"):
                triggers = frozenset("".join(entries)) & hant.back().keys()
                if any(triggers.isdisjoint(word) for word in entries):
                    raise ValueError(f"{rule.id}: a word is none of Traditional text alone")
            out.append(HanWords(rule, entries, frozenset(entries), searcher(entries), triggers))
    return tuple(out)


@dataclass(frozen=True, slots=True)
class Entry:
    right: str
    traditional: str
    """What is right where the paragraph is in Traditional characters."""
    not_after: str
    not_before: str


@dataclass(frozen=True, slots=True)
class HanWords:
    rule: Rule
    entries: dict[str, Entry]
    words: frozenset[str]
    search: Search
    triggers: frozenset[str] = frozenset()

    @property
    def scope(self) -> str:
        return self.rule.scope

    def find(self, piece: Piece) -> Iterator[Hit]:
        text = piece.text
        if self.words.isdisjoint(piece.stands):
            return
        for start, end in self.search(text):
            entry = self.entries[text[start:end]]
            before, after = text[start - 1 : start] or MASK, text[end : end + 1] or MASK
            if before not in entry.not_after and after not in entry.not_before:
                right = entry.right
                if right != entry.traditional and hant.is_traditional(piece.chars):
                    right = entry.traditional
                yield Hit(start, end, self.rule.id, self.rule.severity, right)


@dataclass(frozen=True, slots=True)
class LatinWords:
    rule: Rule
    pairs: dict[str, str]
    triggers: frozenset[str] = frozenset()

    @property
    def scope(self) -> str:
        return self.rule.scope

    def find(self, piece: Piece) -> Iterator[Hit]:
        wrong = self.pairs.keys() & piece.vocabulary
        if not wrong:
            return
        expression = re.compile(rf"(?<![\w'’-])(?:{'|'.join(sorted(wrong))})(?![\w'’-])", re.IGNORECASE)
        for match in expression.finditer(piece.text):
            right = self.pairs[match[0].lower()]
            if match[0][0].isupper():
                right = right[0].upper() + right[1:]
            yield Hit(match.start(), match.end(), self.rule.id, self.rule.severity, right)


@dataclass(frozen=True)
class Spellings:
    """Rows of a right word and the ways in which it is misspelled, with `/` between them; only in small letters."""

    rule: Rule
    table: str
    triggers: frozenset[str] = frozenset()

    @property
    def scope(self) -> str:
        return self.rule.scope

    @cached_property
    def pairs(self) -> dict[str, str]:
        """Made when a text in English is first looked at."""
        rows = (row.split("/") for row in self.table.split())
        return {wrong: right for right, *all_wrong in rows for wrong in all_wrong}

    def find(self, piece: Piece) -> Iterator[Hit]:
        wrong = self.pairs.keys() & piece.vocabulary
        if not wrong:
            return
        expression = re.compile(rf"(?<![\w'’-])(?:{'|'.join(sorted(wrong))})(?![\w'’-])")
        for match in expression.finditer(piece.text):
            yield Hit(match.start(), match.end(), self.rule.id, self.rule.severity, self.pairs[match[0]])


def standing(words: Collection[str]) -> Callable[[str], frozenset[str]]:
    """Which of `words` stand in a text."""
    patterns = sorted(words)
    scan = scanner(patterns)

    def stand(text: str) -> frozenset[str]:
        if not text.isascii():
            text = SURROGATE.sub(MASK, text)
        return frozenset([patterns[number] for number, _, _ in scan(text)])

    return stand


def searcher(words: Collection[str]) -> Search:
    """Where any of `words` stands, leftmost and longest: by automaton, or by expression where there is none."""
    try:
        from ahocorasick_rs import AhoCorasick, MatchKind
    except ImportError:
        return by_expression(words)
    patterns = sorted(words)
    automaton = AhoCorasick(patterns, matchkind=MatchKind.LeftmostLongest)

    def search(text: str) -> Iterable[tuple[int, int]]:
        if not text.isascii():
            # A lone surrogate is a character to us and none to the automaton.
            text = SURROGATE.sub(MASK, text)
        return ((start, end) for _, start, end in automaton.find_matches_as_indexes(text))

    return search


def by_expression(words: Collection[str]) -> Search:
    ordered = sorted(words, key=lambda word: (-len(word), word))
    expression = re.compile("|".join(map(re.escape, ordered)))
    return lambda text: (match.span() for match in expression.finditer(text))

"""The guard's judgement of contraries: 拒绝 where 接受 stood, `alive` where `dead` stood, in a clause that is else the same.

A clause that denies the one word says the other (没有答应 for 拒绝了), so both clauses have to deny as often. Words
of a class (how sure, how many, before and after, which side, more and less) are judged alike.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import Any

from rapidfuzz.distance import LCSseq

from inkwright.domain.proposal import Finding, FindingCode
from inkwright.proposals import negation
from inkwright.proposals.change import Change
from inkwright.proposals.tables import table

_LATIN = re.compile("[A-Za-z]{3}")
_SAME = 0.6
"""The share of its other words that a clause must keep."""


_ALIKE = {"whether": "if"}
"""Hedges that leave as much open as another one."""
_COMPARED = 8
"""How many characters behind 比 a word compares."""


@dataclass(frozen=True, slots=True)
class _Pair:
    """Two groups of words, one of which must not stand for the other; `same`: the share that its clause must keep."""

    code: FindingCode
    one: re.Pattern[str]
    other: re.Pattern[str]
    same: float = _SAME


def judged(change: Change) -> Iterator[Finding]:
    """The first clause of a hunk that says the contrary now."""
    old, new = change.old, change.new
    for pair in _pairs(english=_LATIN.search(old) is not None):
        for here, there in ((pair.one, pair.other), (pair.other, pair.one)):
            if not here.search(old) or not there.search(new):
                continue
            gone, came = (_more(here, old, new), _more(there, new, old))
            if gone and came and (found := _turned(here, there, old, new, pair.same)):
                yield Finding(pair.code, {"before": found[0], "after": found[1]})
                return


def _more(word: re.Pattern[str], text: str, other: str) -> bool:
    return len(word.findall(text)) > len(word.findall(other))


def _turned(
    here: re.Pattern[str], there: re.Pattern[str], old: str, new: str, same: float
) -> tuple[str, str] | None:
    """The clause of `old` with the one word and the clause of `new` that differs from it by the other word."""
    fore, aft = _sides(here, there, old), _sides(there, here, new)
    for before in fore:
        for after in aft:
            if before.hedges != after.hedges or before.other_than(after, same):
                continue
            rest, other = before.rest, after.rest
            (words, nos), (others, more) = negation.read(rest, other), negation.read(other, rest)
            if (nos - more) % 2 or negation.excused(other, rest) or negation.excused(rest, other):
                continue
            common = LCSseq.similarity(words, others)
            if 2 * common >= same * (len(words) + len(others)):
                return before.text.strip(), after.text.strip()
    return None


@dataclass(frozen=True, slots=True)
class _Side:
    """A clause with one of the words: its `rest`, that rest's words, and how many of these may be denied by a
    prefix, which is told beside the other clause alone."""

    text: str
    hedges: list[str]
    rest: str
    words: list[str]
    known: frozenset[str]
    prefixed: int

    def other_than(self, other: _Side, same: float) -> bool:
        """Whether the two cannot have so large a share of their words in common, whatever their order. Cheap."""
        loose = self.prefixed + other.prefixed
        most = sum(map(other.known.__contains__, self.words)) + loose
        return 2 * most < same * (len(self.words) + len(other.words) - loose)


def _sides(word: re.Pattern[str], without: re.Pattern[str], text: str) -> list[_Side]:
    """The clauses of a text that have a word of the one kind and none of the other."""
    prefixes = tuple(table("negation")["en_prefixes"])
    out: list[_Side] = []
    for part in negation.clauses(text):
        if word.search(part) and not without.search(part):
            rest = word.sub(" ", part)
            words = negation.read(rest, "")[0]
            prefixed = sum(one.startswith(prefixes) for one in words)
            out.append(_Side(part, _weakened(part, word), rest, words, frozenset(words), prefixed))
    return out


def _weakened(clause: str, word: re.Pattern[str]) -> list[str]:
    """The hedges of a clause but for its words themselves."""
    own = [match.span() for match in word.finditer(clause)]
    return sorted(
        _ALIKE.get(match.group().lower(), match.group())
        for match in _hedges().finditer(clause)
        if not any(start <= match.start() and match.end() <= end for start, end in own)
    )


@cache
def _pairs(*, english: bool) -> list[_Pair]:
    rows = table("opposites")
    out = [_Pair("meaning_reversed", re.compile(one), re.compile(other)) for one, other in rows["zh"]]
    if english:
        out += [_Pair("meaning_reversed", _words(one), _words(other)) for one, other in rows["en"]]
    for row in rows["class"]:
        out += _class(row, english=english)
    return out


def _class(row: dict[str, Any], *, english: bool) -> Iterator[_Pair]:
    """Every two groups of a class that are not near each other."""
    code, same = row["code"], row.get("same", _SAME)
    sides = [("near", [re.compile(group) for group in row.get("zh", ())])]
    if english:
        sides.append(("near_en", [_words(group) for group in row.get("en", ())]))
    for near, groups in sides:
        close = {frozenset(pair) for pair in row.get(near, ())}
        for (i, one), (j, other) in combinations(enumerate(groups), 2):
            if frozenset((i, j)) not in close:
                yield _Pair(code, one, other, same)
    for one_word, other_word in row.get("degrees", ()):
        yield _Pair(code, _degree(one_word), _degree(other_word), same)


def _degree(words: str) -> re.Pattern[str]:
    """A word that tells a degree: 更高, 越来越高, 比去年高."""
    behind = "|".join(f"(?<=比{'[^，。！？；]' * n})" for n in range(1, _COMPARED + 1))
    return re.compile(f"(?:(?<=[越更最较較])|{behind})(?:{words})")


def _words(side: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{side})\b", re.I)


@cache
def _hedges() -> re.Pattern[str]:
    return re.compile(table("opposites")["hedges"], re.I)

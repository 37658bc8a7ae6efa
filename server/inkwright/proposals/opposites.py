"""The guard's judgement of contraries: 拒绝 where 接受 stood, `alive` where `dead` stood, in a clause that is else the same.

A clause that denies the one word says the other (没有答应 for 拒绝了), so both clauses have to deny as often. Words
of a class (how sure, how many, before and after, which side, more and less) are judged alike.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Any

from rapidfuzz.distance import LCSseq
from rapidfuzz.fuzz import ratio

from inkwright.domain.proposal import Finding, FindingCode
from inkwright.proposals import negation
from inkwright.proposals.change import Change
from inkwright.proposals.tables import table

_LATIN = re.compile("[A-Za-z]{3}")
_SAME = 0.6
"""The share of its other words that a clause must keep."""


_ALIKE = {"whether": "if"}
"""Hedges that leave as much open as another one."""
_MASKED = 90
"""Of 100: how much alike two texts are, without the words of a class, in which these changed places."""
_LONG = 2_000
"""Characters of a hunk in which that is looked for."""
_VOICE = re.compile(r"[被把让由給给叫]|\b(?:by|to|from)\b")
_AND = re.compile(r"|[和与與跟同及、或]|,? ?(?:and|or|nor|,) (?:(?:his|her|the|their|my|our|your|a) )?")
_COMPARED = 8
"""How many characters behind 比 a word compares."""


@dataclass(frozen=True, slots=True)
class _Class:
    """Groups of words, none of which must stand for another one that is not `near` it.

    `same` is the share of its other words that the clause must keep.
    """

    code: FindingCode
    groups: tuple[re.Pattern[str], ...]
    near: frozenset[tuple[int, int]] = frozenset()
    same: float = _SAME


def judged(change: Change) -> Iterator[Finding]:
    """The first clause of a hunk that says the contrary now, or in which two such words changed places."""
    old, new = change.old, change.new
    for kind in _classes(english=_LATIN.search(old) is not None):
        if not (before := _count(kind, old)) or not (after := _count(kind, new)):
            continue
        gone = [n for n in before if before[n] > after[n]]
        came = [n for n in after if after[n] > before[n]]
        for here, there in product(gone, came):
            if (here, there) in kind.near or (there, here) in kind.near:
                continue
            if found := _turned(kind.groups[here], kind.groups[there], old, new, kind.same):
                yield Finding(kind.code, {"before": found[0], "after": found[1]})
                return
        if before == after and len(before) > 1 and _exchanged(kind, old, new):
            yield Finding(kind.code, {"before": old.strip(), "after": new.strip()})
            return


def _count(kind: _Class, text: str) -> Counter[int]:
    """How often each group stands in a text, those that do."""
    found = ((number, len(group.findall(text))) for number, group in enumerate(kind.groups))
    return Counter({number: count for number, count in found if count})


def _exchanged(kind: _Class, old: str, new: str) -> bool:
    """Whether words of two groups changed places in what is else the same. `A and B` is `B and A`."""
    if len(old) > _LONG or _VOICE.findall(old) != _VOICE.findall(new):
        return False
    (fore, masked), (aft, masked_after) = _order(kind, old), _order(kind, new)
    return fore != aft and ratio(masked, masked_after) >= _MASKED


def _order(kind: _Class, text: str) -> tuple[list[int], str]:
    """The groups by place, those of one list in any order, and the text with a sign for each."""
    places = sorted(
        (match.start(), match.end(), number)
        for number, group in enumerate(kind.groups)
        for match in group.finditer(text)
    )
    runs: list[list[int]] = []
    out, at = [], 0
    for start, end, number in places:
        if start < at:
            continue
        if runs and _AND.fullmatch(text, at, start):
            runs[-1].append(number)
        else:
            runs.append([number])
        out += [text[at:start], "\ue000"]
        at = end
    return [number for run in runs for number in sorted(run)], "".join([*out, text[at:]])


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
def _classes(*, english: bool) -> tuple[_Class, ...]:
    rows = table("opposites")
    out = [_Class("meaning_reversed", tuple(map(re.compile, pair))) for pair in rows["zh"]]
    if english:
        out += [_Class("meaning_reversed", tuple(map(_words, pair))) for pair in rows["en"]]
    for row in (*rows["class"], *table("kin")["class"]):
        out += _class(row, english=english)
    return tuple(out)


def _class(row: dict[str, Any], *, english: bool) -> Iterator[_Class]:
    """The groups of a row, those of each language by themselves, and its degrees."""
    code, same = row["code"], row.get("same", _SAME)
    for name, near, word in (("zh", "near", re.compile), ("en", "near_en", _words)):
        if name in row and (english or name == "zh"):
            close = frozenset((a, b) for a, b in row.get(near, ()))
            yield _Class(code, tuple(map(word, row[name])), close, same)
    for pair in row.get("degrees", ()):
        yield _Class(code, tuple(map(_degree, pair)), same=same)


def _degree(words: str) -> re.Pattern[str]:
    """A word that tells a degree: 更高, 越来越高, 比去年高."""
    behind = "|".join(f"(?<=比{'[^，。！？；]' * n})" for n in range(1, _COMPARED + 1))
    return re.compile(f"(?:(?<=[越更最较較])|{behind})(?:{words})")


def _words(side: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{side})\b", re.I)


@cache
def _hedges() -> re.Pattern[str]:
    return re.compile(table("opposites")["hedges"], re.I)

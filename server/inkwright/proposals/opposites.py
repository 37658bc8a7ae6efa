"""The guard's judgement of contraries: 拒绝 where 接受 stood, `alive` where `dead` stood, in a clause that is else the same.

A clause that denies the one word says the other (没有答应 for 拒绝了), so both clauses have to deny as often.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from rapidfuzz.distance import LCSseq

from inkwright.domain.proposal import Finding
from inkwright.proposals import negation
from inkwright.proposals.change import Change
from inkwright.proposals.tables import table

_LATIN = re.compile("[A-Za-z]{3}")
_SAME = 0.6
"""The share of its other words that a clause must keep."""


def judged(change: Change) -> Iterator[Finding]:
    """The first clause of a hunk that says the contrary now."""
    old, new = change.old, change.new
    for one, other in _pairs(english=_LATIN.search(old) is not None):
        for here, there in ((one, other), (other, one)):
            if not here.search(old) or not there.search(new):
                continue
            gone, came = (_more(here, old, new), _more(there, new, old))
            if gone and came and (found := _turned(here, there, old, new)):
                yield Finding("meaning_reversed", {"before": found[0], "after": found[1]})
                return


def _more(word: re.Pattern[str], text: str, other: str) -> bool:
    return len(word.findall(text)) > len(word.findall(other))


def _turned(here: re.Pattern[str], there: re.Pattern[str], old: str, new: str) -> tuple[str, str] | None:
    """The clause of `old` with the one word and the clause of `new` that differs from it by the other word."""
    fore = [part for part in negation.clauses(old) if here.search(part) and not there.search(part)]
    aft = [part for part in negation.clauses(new) if there.search(part) and not here.search(part)]
    hedges = _hedges()
    for before in fore:
        for after in aft:
            if sorted(hedges.findall(before)) != sorted(hedges.findall(after)):
                continue
            rest, other = here.sub(" ", before), there.sub(" ", after)
            (words, nos), (others, more) = negation.read(rest, other), negation.read(other, rest)
            if (nos - more) % 2 or negation.excused(other, rest) or negation.excused(rest, other):
                continue
            common = LCSseq.similarity(words, others)
            if 2 * common >= _SAME * (len(words) + len(others)):
                return before.strip(), after.strip()
    return None


@cache
def _pairs(*, english: bool) -> list[tuple[re.Pattern[str], re.Pattern[str]]]:
    rows = table("opposites")
    pairs = [(re.compile(one), re.compile(other)) for one, other in rows["zh"]]
    if english:
        pairs += [(_words(one), _words(other)) for one, other in rows["en"]]
    return pairs


def _words(side: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{side})\b", re.I)


@cache
def _hedges() -> re.Pattern[str]:
    return re.compile(table("opposites")["hedges"], re.I)

"""The guard's judgement of who tells and of whom: `I` that became `he`, `he` that became `she`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from inkwright.domain.proposal import Finding
from inkwright.proposals.change import Change
from inkwright.proposals.quotes import outside

_PERSONS = {
    "I": re.compile(r"(?<![自你])我(?!国|行我)|\b(?:I|me|my|mine|myself)\b"),
    "he": re.compile(r"(?<![其吉])他(?![人日乡杀国])|\b(?:[Hh]e|[Hh]im|[Hh]is|himself)\b"),
    "she": re.compile(r"她|\b(?:[Ss]he|[Hh]er|[Hh]ers|herself)\b"),
}


def judged(change: Change) -> Iterator[Finding]:
    """One person's words went from the narration and another's came."""
    before, after = (_count(text) for text in change.line)
    for one, other in (("I", "he"), ("I", "she"), ("he", "she")):
        for a, b in ((one, other), (other, one)):
            gone = before[a] and after[a] < before[a] and (a != "I" or not after[a])
            came = after[b] > before[b] and (b != "I" or not before[b])
            if gone and came:
                yield Finding(
                    "person_changed", {"before": _word(a, change.line[0]), "after": _word(b, change.line[1])}
                )
                return


def _count(text: str) -> dict[str, int]:
    told = outside(text)
    return {person: len(pattern.findall(told)) for person, pattern in _PERSONS.items()}


def _word(person: str, text: str) -> str:
    match = _PERSONS[person].search(outside(text))
    return match.group() if match else person

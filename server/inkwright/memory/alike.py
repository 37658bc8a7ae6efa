"""When two sentences say the same, when one denies the other, and what a new memory makes of the old ones."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from inkwright.domain.memory import Memory
from inkwright.manuscript.folding import fold
from inkwright.memory.extract import CHARS, draft, lines_of
from inkwright.memory.keywords import keywords
from inkwright.memory.words import words

CLOSE = 0.8
"""So much of two sentences' pairs must be shared before one more letter is no difference."""

_CLAUSE = re.compile(r"[，,；;：:。．.！!？?…—、\n]+")
_GAP = re.compile(r"[\W_]+")
_NUMBER = re.compile(r"[\d零一二两三四五六七八九十百千万半]")


@dataclass(frozen=True, slots=True)
class Gist:
    """What a sentence comes to: its clauses without fillers, in one order.

    `bare` is the same without negations, and `denies` whether an odd number of them was there.
    """

    core: str
    bare: str
    denies: bool


def gist(sentence: str) -> Gist:
    table = words()
    cores: list[str] = []
    bares: list[str] = []
    negations = 0
    for clause in _CLAUSE.split(fold(sentence)):
        bare, count = table.negation.subn("", clause)
        negations += count
        core = _GAP.sub("", _unfilled(clause))
        if core:
            cores.append(core)
            bares.append(_GAP.sub("", table.more.sub("", _unfilled(bare))))
    if not cores:
        # All of it is filler: then it is what it says.
        whole = _GAP.sub("", fold(sentence))
        return Gist(whole, whole, False)
    return Gist(" ".join(sorted(cores)), " ".join(sorted(filter(None, bares))), negations % 2 == 1)


def same(a: Gist, b: Gist) -> bool:
    """Whether both say the same: in any order of clauses, with other fillers, or with one small letter more."""
    if a.core == b.core:
        return True
    if a.denies != b.denies:
        return False
    short, long = sorted((a.core, b.core), key=len)
    more = Counter(long) - Counter(short)
    if more.total() != len(long) - len(short) or more.total() != 1 or not _inside(short, long):
        return False
    (letter,) = more
    if _NUMBER.match(letter) or words().negation.search(letter) or words().more.match(letter):
        return False
    return _dice(short, long) >= CLOSE


def contrary(a: Gist, b: Gist) -> bool:
    """Whether one denies what the other says."""
    return a.denies != b.denies and bool(a.bare) and a.bare == b.bare


def merge(new: Memory, known: Sequence[Memory]) -> tuple[tuple[Memory, ...], Memory | None]:
    """What `new` means for memories of its type: (those that change, what is to be added).

    A sentence that one of them has already renews it, in its newest words unless it is pinned; said in
    another ability too, it counts in all. What is left over becomes a memory of its own. A contrary
    changes nothing: both stand, and the newer one goes along with runs.
    """
    lines = {memory.id: {line: gist(line) for line in lines_of(memory.content)} for memory in known}
    said: dict[str, Gist] = {}
    for sentence in lines_of(new.content):
        meaning = gist(sentence)
        if not any(same(other, meaning) for other in said.values()):
            said[sentence] = meaning
    changed: dict[str, Memory] = {}
    left: list[str] = []
    for sentence, meaning in said.items():
        if (found := _having(meaning, lines)) is None:
            left.append(sentence)
            continue
        ident, line = found
        memory = changed.get(ident) or next(memory for memory in known if memory.id == ident)
        changed[ident] = _renewed(memory, line, sentence, new)
    if len(left) == len(lines_of(new.content)):
        return (), new
    rest = draft(new.type, new.ability, left)
    return tuple(changed.values()), replace(
        new, content=rest.content, keywords=rest.keywords
    ) if left else None


def _renewed(memory: Memory, line: str, sentence: str, new: Memory) -> Memory:
    ability = memory.ability if memory.ability == new.ability else ""
    renewed = replace(memory, ability=ability, pinned=memory.pinned or new.pinned)
    if memory.pinned or line == sentence:
        return renewed
    content = "\n".join(sentence if old == line else old for old in lines_of(memory.content))
    if len(content) > CHARS:
        return renewed
    return replace(renewed, content=content, keywords=keywords(content))


def _having(meaning: Gist, lines: Mapping[str, Mapping[str, Gist]]) -> tuple[str, str] | None:
    """The id and the line of a memory that says the same, to the letter if there is one."""
    every = [(ident, line, other) for ident, own in lines.items() for line, other in own.items()]
    for ident, line, other in every:
        if other.core == meaning.core:
            return ident, line
    return next(((ident, line) for ident, line, other in every if same(other, meaning)), None)


def _unfilled(text: str) -> str:
    return words().filler.sub("", text)


def _inside(short: str, long: str) -> bool:
    letters = iter(long)
    return all(letter in letters for letter in short)


def _dice(a: str, b: str) -> float:
    left, right = (Counter(pairwise(text)) for text in (a, b))
    return 2 * (left & right).total() / max(1, left.total() + right.total())

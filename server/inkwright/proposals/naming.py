"""The guard's judgement of names: who is no longer spoken of, who is new, who changed places.

A mention of a bearer who stays named may come or go, as a pronoun does, while no other person is in play;
where another one is, "she" may be somebody else, so that is told.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from rapidfuzz.fuzz import ratio

from inkwright.domain.proposal import Finding
from inkwright.proposals.change import Change
from inkwright.proposals.names import INSIDE, Named

Find = Callable[[str], list[Named]]

_SWAPPED = 88  # of 100: with the names masked, the two texts are the same but for a word


def judged(
    change: Change, find: Find, stays: frozenset[str], *, drops: bool, adds: bool
) -> Iterator[Finding]:
    """`stays` are the bearers that the passage names before and after; one of them may go where an ability `drops`
    sentences, or come where it `adds` some."""
    before, after = (find(text) for text in change.line)
    old, new = Counter(n.who for n in before), Counter(n.who for n in after)
    if old == new:
        yield from _swapped(change, before, after)
        return
    here = (find(change.old), find(change.new))
    shown: dict[str, Named] = {}
    for name in (*before, *after):
        shown.setdefault(name.who, name)
    for who in shown:
        if old[who] == new[who]:
            continue
        lost = old[who] > new[who]
        if who in stays and (drops if lost else adds):
            continue
        if (
            old[who]
            and new[who]
            and _plain(shown[who], before + after, here[1 if lost else 0], [*here[0], *here[1]])
        ):
            continue
        where = before if lost else after
        word = next(n.shown for n in where if n.who == who)
        yield Finding(
            "name_lost" if lost else "name_added", {"name": word, "count": abs(old[who] - new[who])}
        )


def invented(change: Change, known: Callable[[str], bool]) -> Iterator[Finding]:
    """Words with a capital inside a sentence of the new text that the book never `known` wrote."""
    words = Counter(w for w in INSIDE.findall(change.new) if not known(w))
    for word, count in words.items():
        yield Finding("name_added", {"name": word, "count": count})


def _plain(name: Named, around: Sequence[Named], kept: Sequence[Named], here: Sequence[Named]) -> bool:
    """Whether it stays clear who is meant although one mention more or fewer stands there."""
    if not name.person:
        return True

    def others(names: Sequence[Named]) -> bool:
        return any(n.person and n.who != name.who for n in names)

    if others(here):
        return False
    return any(n.who == name.who for n in kept) or not others(around)


def _swapped(change: Change, before: list[Named], after: list[Named]) -> Iterator[Finding]:
    if [n.who for n in before] == [n.who for n in after]:
        return
    pairs = [(a, b) for a, b in zip(before, after, strict=True) if a.who != b.who]
    if ratio(_masked(change.line[0], before), _masked(change.line[1], after)) >= _SWAPPED:
        yield Finding("name_swapped", {"before": pairs[0][0].shown, "after": pairs[0][1].shown})


def _masked(text: str, names: Sequence[Named]) -> str:
    out, at = [], 0
    for name in names:
        out += [text[at : name.span.start], "\ue000"]
        at = name.span.end
    return "".join([*out, text[at:]])

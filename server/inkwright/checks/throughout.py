"""Marks that a whole document has in another one's place: told of once, with one fix for all of them.

Where that rule is off, they are told of place by place, as slips are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from math import inf
from typing import Protocol

from inkwright.checks.rules import Rule, families
from inkwright.domain.diagnostic import Change, Diagnostic, Fix
from inkwright.domain.text import TextEdit

SHARE = 2
"""How many wrong marks there are for each right one, at least, before they are the document's way, where a habit says nothing else."""
_SAID, _RIGHT = "throughout:", "throughout-right:"


@dataclass(frozen=True, slots=True)
class Habit:
    """What `rule` says of the mark that the rule `of` finds, `share` times for each of the characters `right`, or `many` times."""

    rule: Rule
    of: str
    right: str
    better: str
    least: int
    share: float
    many: float


class Part(Protocol):
    """A stretch of the document that begins at `begin`, and what the rules said of it, by places in it."""

    @property
    def begin(self) -> int: ...
    @property
    def said(self) -> Sequence[Diagnostic]: ...


class Sums(Protocol):
    def amount(self, name: str) -> int: ...


def note(text: str, said: Iterable[Diagnostic]) -> Iterator[tuple[str, int]]:
    """What one stretch adds to the document's amounts."""
    codes = Counter(one.code for one in said)
    for of, habit in habits().items():
        if count := codes[of]:
            yield _SAID + of, count
        if count := sum(map(text.count, habit.right)):
            yield _RIGHT + of, count


def kept(sums: Sums, disabled: Collection[str] = ()) -> frozenset[str]:
    """The rules whose marks are the document's way; none where that is not to be told."""
    return frozenset(
        of
        for of, habit in habits().items()
        if habit.rule.id not in disabled
        and (count := sums.amount(_SAID + of)) >= habit.least
        and (count >= habit.many or count >= habit.share * sums.amount(_RIGHT + of))
    )


def told(kept: frozenset[str], sums: Sums, parts: Sequence[Part], text: str) -> Iterator[Diagnostic]:
    """One diagnostic for each of these rules, at the first of its places; its fix is an offer."""
    for of in sorted(kept):
        habit = habits()[of]
        part, first = next((part, one) for part in parts for one in part.said if one.code == of)
        span = first.span.shift(part.begin)
        params: dict[str, str | int | float] = {
            "found": span.of(text),
            "better": habit.better,
            "count": sums.amount(_SAID + of),
        }
        change = Change("", _All(of, text, tuple((part.begin, part.said) for part in parts)))
        fix = Fix("fix_throughout", params, (change,))
        yield Diagnostic(span, habit.rule.severity, habit.rule.id, params, fixes=(fix,))


@dataclass(frozen=True, slots=True)
class _All:
    """The fixes of one rule in all stretches, made when they are asked for; none for another text."""

    of: str
    text: str = field(repr=False)
    parts: Sequence[tuple[int, Sequence[Diagnostic]]] = field(repr=False)

    def __call__(self, text: str) -> Sequence[TextEdit]:
        if text != self.text:
            return ()
        return [
            one.fix.shift(begin)
            for begin, said in self.parts
            for one in said
            if one.code == self.of and one.fix is not None
        ]


@cache
def habits() -> Mapping[str, Habit]:
    """By the rule that finds the mark."""
    family = next(family for family in families() if family.method == "throughout")
    rules, rows = {rule.id: rule for rule in family.rules}, family.tables["habits"]
    return {
        row["of"]: Habit(
            rules[row.get("rule", family.rules[0].id)],
            row["of"],
            row["right"],
            row["better"],
            family.tables["least"],
            row.get("share", SHARE),
            row.get("many", inf),
        )
        for row in rows
    }

"""What a judge of the guard is given: a hunk, and the lines that it stands in, before and after."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from inkwright.domain.text import EOL, TextEdit

NEAR = 40
"""Characters beside a hunk in which a word or a number may go on."""
FAR = 2_000
"""How far a line is looked at on each side of a hunk."""
_SHOWN = 40


@dataclass(frozen=True, slots=True)
class Change:
    """`old` becomes `new`. `near` and `line` are the text around it within its lines, as it is and with the change made.

    `at` is where `line` begins in the base.
    """

    old: str
    new: str
    near: tuple[str, str]
    line: tuple[str, str]
    at: int


def change(base: str, edit: TextEdit) -> Change:
    """An edit of `base` with what stands around it."""
    near, _ = _around(base, edit, NEAR)
    line, at = _around(base, edit, FAR)
    return Change(edit.span.of(base), edit.new, near, line, at)


def _around(base: str, edit: TextEdit, reach: int) -> tuple[tuple[str, str], int]:
    start, end = edit.span.start, edit.span.end
    head = base[max(0, start - reach) : start]
    tail = base[end : end + reach]
    head = head[max(head.rfind("\n"), head.rfind("\r")) + 1 :]
    stop = EOL.search(tail)
    tail = tail[: stop.start()] if stop else tail
    return (head + edit.span.of(base) + tail, head + edit.new + tail), start - len(head)


def differences(before: Iterable[str], after: Iterable[str]) -> tuple[Counter[str], Counter[str]]:
    """What only the one has, and what only the other."""
    old, new = Counter(before), Counter(after)
    return old - new, new - old


def listed(items: Counter[str]) -> tuple[str, ...]:
    """Words for a sentence, long ones cut."""
    return tuple(item if len(item) <= _SHOWN else item[:_SHOWN] + "…" for item in items.elements())

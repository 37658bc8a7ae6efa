"""What really differs between an old and a new text, in whole words: enough to know a change by."""

from __future__ import annotations

import re

from inkwright.manuscript.script import HAN, KANA

_WORD = re.compile(r"[^\W_]")
_HAN = re.compile(f"[{HAN}{KANA}]")
_BESIDE = 2
"""Characters that a change of a text without spaces keeps on each side."""


def differing(before: str, after: str) -> tuple[str, str]:
    """Both texts without what they share at their ends; a word stays whole, Chinese keeps a little around it."""
    front = _kept(before, _shared(before, after))
    old, new = before[front:], after[front:]
    back = _kept(old[::-1], _shared(old[::-1], new[::-1]))
    return old[: len(old) - back], new[: len(new) - back]


def _shared(one: str, other: str) -> int:
    most = min(len(one), len(other))
    return next((at for at in range(most) if one[at] != other[at]), most)


def _kept(text: str, shared: int) -> int:
    """How much of the `shared` characters at the beginning of a text can go."""
    at, han = shared, 0
    while at > 0:
        if _HAN.match(text[at - 1]):
            han += 1
            if han > _BESIDE:
                break
        elif not _WORD.match(text[at - 1]):
            break
        at -= 1
    return at

"""How much a text is another version of a passage, and when an answer is no rewrite of it.

Likeness is the share of words (Han characters, Latin words) that stand in the same order in both.
On novels in Chinese and English, unrelated passages reach 0.1 to 0.2, free rewrites 0.4 and more.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from rapidfuzz.distance import Indel

Refusal = Literal["empty", "chat", "other_text", "too_short", "too_long", "cut_off"]

_HAN = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
_WORD = re.compile(rf"[{_HAN}]|[^\W_{_HAN}]+")

_SHORT = 24  # words: below this, chance rules the likeness
_ALIKE = 0.25
_SHORTEST, _LONGEST, _SLACK = 0.6, 2.0, 20
_CUT_OFF = 0.85


def words(text: str) -> list[str]:
    return _WORD.findall(text.lower())


def likeness(a: Sequence[str], b: Sequence[str]) -> float:
    """0 to 1 for two lists of words."""
    return float(Indel.normalized_similarity(a, b))


def verdict(passage: str, answer: str) -> Refusal | None:
    """Why `answer` is no rewrite of `passage`; None when it is one."""
    old, new = words(passage), words(answer)
    if not new:
        return "empty" if old else None
    if not old:
        return None
    if len(new) > _LONGEST * len(old) + _SLACK:
        return "too_long"
    alike = likeness(old, new)
    if alike < (_ALIKE if len(old) >= _SHORT else 0.1):
        return "other_text"
    if len(new) < _SHORTEST * len(old) and len(old) - len(new) > 3:
        return "too_short"
    if len(new) < _CUT_OFF * len(old) and len(old) >= _SHORT and _is_part(old, new):
        return "cut_off"
    return None


def _is_part(old: list[str], new: list[str]) -> bool:
    """True when `new` is the first or the last part of `old` rather than a version of all of it."""
    n = len(new)
    return max(likeness(old[:n], new), likeness(old[-n:], new)) >= 0.9

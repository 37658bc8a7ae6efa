"""How much a text is another version of a passage, and when an answer is no rewrite of it.

Likeness is the share of words (Han characters, Latin words) that stand in the same order in both.
On novels in Chinese and English, unrelated passages reach 0.1 to 0.2, free rewrites 0.4 and more.
Where a text is to come out much shorter or longer, the share of the shorter one counts instead:
unrelated passages of 1:5 to 5:1 reach 0.38 of it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from rapidfuzz.distance import Indel, LCSseq

Refusal = Literal["empty", "chat", "other_text", "too_short", "too_long", "cut_off"]

_HAN = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
_WORD = re.compile(rf"[{_HAN}]|[^\W_{_HAN}]+")

_SHORT = 24  # words: below this, chance rules the likeness
_ALIKE = 0.25
_HELD = 0.42
LENGTH = (0.6, 2.0)
"""How long a rewrite may be, as shares of the passage's words, where nobody says otherwise."""
_SLACK = 20
_CUT_OFF = 0.85


def words(text: str) -> list[str]:
    return _WORD.findall(text.lower())


def likeness(a: Sequence[str], b: Sequence[str]) -> float:
    """0 to 1 for two lists of words."""
    return float(Indel.normalized_similarity(a, b))


def verdict(passage: str, answer: str, length: tuple[float, float] | None = None) -> Refusal | None:
    """Why `answer` is no rewrite of `passage`; None when it is one.

    `length` are the least and the most words that it may have, as shares of the passage's.
    """
    least, most = length or LENGTH
    old, new = words(passage), words(answer)
    if not new:
        return "empty" if old else None
    if not old:
        return None
    if len(new) > most * len(old) + _SLACK:
        return "too_long"
    alike = likeness(old, new)
    if alike < (_ALIKE if len(old) >= _SHORT else 0.1) and (length is None or not _holds(old, new)):
        return "other_text"
    if len(new) < least * len(old) and len(old) - len(new) > 3:
        return "too_short"
    if len(new) < _CUT_OFF * len(old) and len(old) >= _SHORT and _is_part(old, new):
        return "cut_off"
    return None


def _holds(old: list[str], new: list[str]) -> bool:
    """Whether the shorter of the two stands in the longer one, in its order and with gaps."""
    return bool(LCSseq.similarity(old, new) >= _HELD * min(len(old), len(new)))


def _is_part(old: list[str], new: list[str]) -> bool:
    """True when `new` is the first or the last part of `old` rather than a version of all of it."""
    n = len(new)
    return max(likeness(old[:n], new), likeness(old[-n:], new)) >= 0.9

"""What a text is searched by: pairs of Han, kana and Hangul characters, and words of all other scripts.

冷静的女剑客 gives 冷静 静的 的女 女剑 剑客 客: a word of two or more characters stands in a text where
all its pairs do, one of a single character where a token begins with it. Punctuation parts runs.
"""

from __future__ import annotations

import re
from operator import add

from inkwright.manuscript.folding import fold
from inkwright.manuscript.script import CJK, COMBINING

LONGEST = 64
"""A longer word counts by its first characters."""

_LETTER = rf"[^\W_{CJK}]"
_RUN = re.compile(rf"([{CJK}]+)|{_LETTER}(?:[{COMBINING}]|{_LETTER}|'(?={_LETTER}))*")


def tokens(text: str) -> list[str]:
    """All tokens in the order of the text; those of a single character end each run of pairs."""
    out: list[str] = []
    for match in _RUN.finditer(fold(text)):
        run = match[1]
        if run is None:
            out.append(match[0][:LONGEST])
        else:
            out += map(add, run, run[1:])
            out.append(run[-1])
    return out


def grams(text: str) -> set[str]:
    """What two texts that speak of the same share: words, and pairs; a run of one character as it is."""
    out: set[str] = set()
    for match in _RUN.finditer(fold(text)):
        run = match[1]
        if run is None:
            out.add(match[0][:LONGEST])
        elif len(run) == 1:
            out.add(run)
        else:
            out.update(map(add, run, run[1:]))
    return out

"""What a text is known by: pairs of Han, kana and Hangul characters, and words of all other scripts.

冷静的女剑客 gives 冷静 静的 的女 女剑 剑客 客. Punctuation and changes of script part runs.
"""

from __future__ import annotations

import re
from functools import lru_cache
from operator import add

from inkwright.manuscript.folding import fold
from inkwright.manuscript.script import CJK, COMBINING

LONGEST = 64
"""A longer word counts by its first characters."""
MOST = 32
"""Keys that a string is looked for by: the more, the fewer texts are left, and beyond this hardly any fewer."""

_LETTER = rf"[^\W_{CJK}]"
_PAIRED = re.compile(f"[{CJK}]+")
_SPELLED = re.compile(f"(?:{_LETTER}|[{COMBINING}])+")
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


def keys(text: str) -> set[str]:
    """What the full-text index finds a folded text by: of every run its pieces, those cut off at its end too.

    A piece is two characters of Han, kana or Hangul, three of any other script. So a text can hold a
    string only if its keys hold those that `keys_of` names.
    """
    out: set[str] = set()
    for run in set(_PAIRED.findall(text)):
        out.update(map(add, run, run[1:]))
        out.add(run[-1])
    for run in set(_SPELLED.findall(text)):
        out.update(_pieces(run) if len(run) <= LONGEST else _cut(run))
    return out


def _cut(run: str) -> tuple[str, ...]:
    return tuple([run[at : at + 3] for at in range(len(run))])


_pieces = lru_cache(maxsize=4096)(_cut)  # a book's words come again and again


def keys_of(needle: str) -> tuple[set[str], set[str]]:
    """Keys of every text that holds this folded string: those themselves, and beginnings of some; at most `MOST`."""
    whole: set[str] = set()
    begun: set[str] = set()
    for pattern, size in ((_PAIRED, 2), (_SPELLED, 3)):
        for run in pattern.findall(needle):
            if len(run) < size:
                begun.add(run)
            else:
                whole.update([run[at : at + size] for at in range(len(run) - size + 1)])
    kept = sorted(whole)[:MOST]
    return set(kept), set(sorted(begun)[: MOST - len(kept)])

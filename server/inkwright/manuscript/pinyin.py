"""Chinese names by the letters that people type for them: initials, full syllables, any mixture of the two.

The table of readings is read when something is first spelled. A character that is read in several ways
may be typed in each of them.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files

LONGEST = 80
"""Letters of what is typed."""

_TYPED = re.compile(r"[a-z0-9]+")
_BETWEEN = re.compile(r"['’\s\-·]+")
_LONGEST_SYLLABLE = 6
_ALONE = "\ue000"
"""The first of the private characters that stand for a character with several initials."""


def typed(query: str) -> str:
    """What of a query can be letters of a spelling, `ü` as `v`; '' when it cannot be one."""
    plain = unicodedata.normalize("NFKC", query).casefold()
    bare = _BETWEEN.sub("", plain.replace("u\u0308", "v").replace("ü", "v"))
    return bare if len(bare) <= LONGEST and _TYPED.fullmatch(bare) and not bare.isdecimal() else ""


_COMPATIBLE = (
    range(0xAA, 0x2B9),
    range(0x1D2C, 0x2185),
    range(0x249C, 0x24EA),
    range(0xFB00, 0xFB07),
    range(0xFF21, 0xFF5B),
    range(0x1D400, 0x1D800),
)
"""Where characters stand that are Latin letters in another shape: ª is typed as a."""


def readings(char: str) -> tuple[str, ...]:
    """How a character may be typed, the usual way first; () for what is not typed at all."""
    known = _table().get(char)
    if known is not None:
        return known
    folded = unicodedata.normalize("NFKC", char).casefold()
    return (folded,) if folded.isalnum() else ()


def completed(letters: str, name: str) -> str:
    """`letters` and what is still to come of `name`; '' when they do not begin it, or it is not Chinese."""
    if not any(char in _table() for char in name):
        return ""
    chosen = _spelled(letters, [readings(char) for char in name], 0)
    return letters + chosen[1] if chosen else ""


def found(letters: str, name: str, start: int = 0) -> str:
    """The readings of the characters from `start` on that `letters` spell, the last one whole; '' when they do not."""
    chosen = _spelled(letters, [readings(char) for char in name], start)
    return chosen[0] if chosen else ""


def initials(text: str) -> str:
    """`text` with each character as its first letter, as long as the text; to be looked through with `starts`."""
    return text.translate(_initials()[0])


def starts(letters: str) -> re.Pattern[str]:
    """Finds in initials where a spelling may begin: a quick look that passes too much, never too little."""
    first = _any(letters[0])
    if len(letters) == 1 or any(syllable.startswith(letters) for syllable in _syllables()):
        return re.compile(first)
    second = _any(letters[1 : _LONGEST_SYLLABLE + 1])
    return re.compile(rf"{first}(?={second}|[^\w\n{_ALONE}-\uf8ff])")


def _any(letters: str) -> str:
    marks = _initials()[1]
    wanted = set(letters)
    return "[" + "".join(sorted(wanted)) + "".join(m for m, among in marks.items() if wanted & among) + "]"


def _spelled(letters: str, chars: Sequence[tuple[str, ...]], start: int) -> tuple[str, str] | None:
    """The readings that were meant from `start` on, and what is still to come of the whole name.

    Each character takes one letter or more.
    """
    ways: dict[int, str] = {0: ""}
    """The readings so far, by how many letters they used up."""
    for at in range(start, len(chars)):
        options = chars[at]
        if not options:
            if at == start:
                return None
            continue
        after: dict[int, str] = {}
        for used, before in ways.items():
            for option in options:
                for length in range(_shared(letters, used, option), 0, -1):
                    if used + length == len(letters):
                        rest = "".join(option[0] for option in chars[at + 1 :] if option)
                        return before + option, option[length:] + rest
                    after.setdefault(used + length, before + option)
        if not after:
            return None
        ways = after
    return None


def _shared(letters: str, at: int, option: str) -> int:
    """How many letters of a reading stand at a place."""
    for count, char in enumerate(option):
        if at + count >= len(letters) or letters[at + count] != char:
            return count
    return len(option)


@cache
def _table() -> Mapping[str, tuple[str, ...]]:
    lines = (files("inkwright.manuscript") / "pinyin.txt").read_text("utf-8").split("\n")
    rows = [line.split(" ") for line in lines if line and not line.startswith("#")]
    out: dict[str, tuple[str, ...]] = {}
    others: list[tuple[str, str]] = []
    for syllable, chars in rows:
        usual, _, also = chars.partition("|")
        out.update(dict.fromkeys(usual, (syllable,)))
        others += [(char, syllable) for char in also]
    for char, syllable in others:
        out[char] = (*out.get(char, ()), syllable)
    return out


@cache
def _syllables() -> frozenset[str]:
    return frozenset(way for ways in _table().values() for way in ways)


@cache
def _initials() -> tuple[Mapping[int, str], Mapping[str, frozenset[str]]]:
    """Each character's first letter, or the mark of several; and the letters of each mark."""
    marks: dict[frozenset[str], str] = {}
    out: dict[int, str] = {}
    for char, ways in _table().items():
        among = frozenset(way[0] for way in ways)
        out[ord(char)] = (
            next(iter(among)) if len(among) == 1 else marks.setdefault(among, chr(ord(_ALONE) + len(marks)))
        )
    out |= {code: chr(code).lower() for code in range(ord("A"), ord("Z") + 1)}
    for ahead in _COMPATIBLE:
        for code in ahead:
            folded = unicodedata.normalize("NFKC", chr(code)).casefold()
            if folded[:1].isascii() and folded[:1].isalpha():
                out[code] = folded[0]
    return out, {mark: among for among, mark in marks.items()}

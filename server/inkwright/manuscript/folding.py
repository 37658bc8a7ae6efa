"""One spelling for what a reader takes for the same letters: case, full width, composed accents, the apostrophe."""

from __future__ import annotations

import re
import unicodedata
from array import array

from inkwright.manuscript.script import COMBINING

_FULL_WIDTH = {0xFF00 + code: chr(0x20 + code) for code in (*range(0x10, 0x1A), *range(0x21, 0x3B))}
_SMALL = {0xFF00 + code: chr(0x20 + code) for code in range(0x41, 0x5B)}
_LETTERS = str.maketrans(
    {**_FULL_WIDTH, **_SMALL, "ς": "σ", "ſ": "s", "İ": "i", "\u2019": "'", "\u02bc": "'", "\uff07": "'"}
)
_ODD = re.compile("[\uff10-\uff19\uff21-\uff3a\uff41-\uff5aςſΣİ\u2019\u02bc\uff07]")
# A letter with its marks, or the parts of a Korean syllable.
_CLUSTER = re.compile(f".[{COMBINING}\u3099\u309a\u1160-\u11ff]*", re.DOTALL)


def fold(text: str) -> str:
    """The text as searches compare it. As long as the text, unless that is not composed (`folded`)."""
    text = _lower(text)
    if text.isascii() or unicodedata.is_normalized("NFC", text):
        return text
    return "".join([unicodedata.normalize("NFC", part) for part in _CLUSTER.findall(text)])


def folded(text: str) -> tuple[str, array[int] | None]:
    """`fold(text)` and where each of its characters, and its end, stand in `text`; None for the same places."""
    text = _lower(text)
    if text.isascii() or unicodedata.is_normalized("NFC", text):
        return text, None
    parts: list[str] = []
    places = array("I")
    for match in _CLUSTER.finditer(text):
        part = unicodedata.normalize("NFC", match[0])
        parts.append(part)
        places.extend([match.start()] * len(part))
    places.append(len(text))
    return "".join(parts), places


def _lower(text: str) -> str:
    if _ODD.search(text):
        text = text.translate(_LETTERS)
        # Python's own lower-case sigma depends on what stands around it.
        return text.lower().replace("ς", "σ")
    return text.lower()

"""What a file is called after its title: a name that every system takes. Pure."""

from __future__ import annotations

import re
import unicodedata

MAX_NAME = 80
"""Characters of a whole file name, with its suffix and the number that tells it from another."""
SUFFIX = ".md"
_MAX_BYTES = 240  # of a whole name, UTF-8: what file systems take is 255
_FORBIDDEN = re.compile(
    '[<>:"/\\\\|?*\x00-\x1f\x7f\ud800-\udfff\u200e\u200f\u202a-\u202e\u2028\u2029\u2066-\u2069]'
)
_UNSEEN = re.compile("[\u00ad\u180e\u200b\u2060-\u2064\ufeff]")
"""Characters without a shape or a width: nobody could type the name, or tell it from the one without them."""
_RESERVED = re.compile(
    r"(con|prn|aux|nul|clock\$|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?= *(?:\.|\Z))", re.IGNORECASE
)


def of(title: str, tail: str = "", otherwise: str = "card") -> str:
    """The file name of a title, with its suffix. `otherwise` is for a title of which nothing is left."""
    return stem(title, tail, otherwise) + SUFFIX


def stem(title: str, tail: str = "", otherwise: str = "card") -> str:
    """`title` as the name of a file, safe on every system: never empty, ≤ 80 characters with `tail` and suffix."""
    text = unicodedata.normalize("NFC", _FORBIDDEN.sub(" ", _UNSEEN.sub("", title)))
    text = re.sub(r"\A[-~\s.]+", "", re.sub(r"\s+", " ", text))
    # Windows looks at a name up to its first point alone: `CON.txt` is the console as well.
    text = _RESERVED.sub(r"\1_", text, count=1) if _RESERVED.match(text) else text
    text = text[: MAX_NAME - len(tail + SUFFIX)]
    while len((text + tail + SUFFIX).encode()) > _MAX_BYTES:
        text = text[:-1]
    return (text.strip(" .") or otherwise) + tail

"""Text that can be written down as UTF-8: surrogates are paired over pieces or replaced."""

from __future__ import annotations

import re
from typing import Any

_SURROGATE = re.compile("[\ud800-\udfff]")


def sound(text: str) -> str:
    """`text` with pairs of surrogates joined and lone ones replaced by U+FFFD."""
    if _SURROGATE.search(text) is None:
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def sound_value(value: Any) -> Any:
    """A JSON value with `sound` text in all its strings. Nesting is as deep as the JSON reader allows."""
    if isinstance(value, str):
        return sound(value)
    if isinstance(value, list):
        return [sound_value(item) for item in value]
    if isinstance(value, dict):
        return {sound(key): sound_value(item) for key, item in value.items()}
    return value


class Joiner:
    """Pieces of a text in, sound pieces out; a pair may be cut between two of them."""

    def __init__(self) -> None:
        self._high = ""

    def feed(self, piece: str) -> str:
        text = self._high + piece
        self._high = ""
        if text and "\ud800" <= text[-1] <= "\udbff":
            text, self._high = text[:-1], text[-1]
        return sound(text)

    def end(self) -> str:
        rest, self._high = self._high, ""
        return sound(rest)

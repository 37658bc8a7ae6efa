"""A place of a text in a title: what stands there, with its neighbours where that alone shows nothing. Pure."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from inkwright.domain.text import Span

_WORD = r"[^\W_\u2e80-\uffef]{1,24}|\S{1,4}"
_BEFORE = re.compile(rf"(?:{_WORD})\Z")
_AFTER = re.compile(_WORD)
_NEAR = 24
"""Characters on each side."""


def around(text: str, span: Span) -> tuple[str, str]:
    """What to show before and after a span that is empty or blank; ('', '') for one that can be seen."""
    if span.of(text).strip():
        return "", ""
    before = _BEFORE.search(text[max(0, span.start - _NEAR) : span.start])
    after = _AFTER.match(text[span.end : span.end + _NEAR])
    return (before[0] if before else ""), (after[0] if after else "")

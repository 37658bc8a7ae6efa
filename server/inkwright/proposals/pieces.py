"""A text cut into sentences for comparing: cores with the gaps between them."""

from __future__ import annotations

import re

from inkwright.domain.text import Span
from inkwright.manuscript.sentences import split

BLANK = " \t\u3000\u00a0\ufeff"
"""White space within a line. U+2028 and its like are plain characters of the manuscript."""

_GAP = BLANK + "\r\n"
_SPACES = re.compile(rf"[{_GAP}]+")
_SOLID = re.compile(r"\w")


def sentences(text: str) -> list[Span]:
    """The cores of the sentences, in order: never empty, without white space at their borders.

    A run of punctuation alone belongs to the sentence before it.
    """
    out: list[Span] = []
    for span in split(text):
        start, end = span.start, span.end
        while start < end and text[start] in _GAP:
            start += 1
        while end > start and text[end - 1] in _GAP:
            end -= 1
        if start == end:
            continue
        if out and not _SOLID.search(text, start, end):
            out[-1] = Span(out[-1].start, end)
        else:
            out.append(Span(start, end))
    return out


def collapsed(text: str) -> str:
    """`text` with every run of white space as one space: the key of hard-wrapped prose."""
    return _SPACES.sub(" ", text)

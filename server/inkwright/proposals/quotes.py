"""The quotations in a text, compared by their words alone."""

from __future__ import annotations

import re
from collections.abc import Iterator

from inkwright.domain.text import Span

MARKS = re.compile(r"[“”「」『』\"]|(?<!\w)‘|’(?!\w)")

_QUOTED = re.compile(r"「[^「」]*」|『[^『』]*』|(?<!\w)‘[^‘’]*(?:\w’\w[^‘’]*)*’(?!\w)")
_DOUBLE = re.compile(r"[“”\"\r\n]")
_SILENT = re.compile(r"[\W_]+")


def quoted(text: str) -> list[Span]:
    """Where quotations stand, marks included, in order.

    A straight mark opens or closes, whichever is due, so that a text and its repair with curly marks
    have the same quotations; one that it opened ends with its line.
    """
    return sorted([*_doubly(text), *(Span(*match.span()) for match in _QUOTED.finditer(text))])


def _doubly(text: str) -> Iterator[Span]:
    start = -1
    for match in _DOUBLE.finditer(text):
        mark = match.group()
        if mark in "\r\n":
            if start >= 0 and text[start] == '"':
                start = -1
        elif mark == "“" or (mark == '"' and start < 0):
            start = match.start()
        elif start >= 0:
            yield Span(start, match.end())
            start = -1


def quotations(text: str) -> list[str]:
    """What stands in quotation marks, without punctuation and white space; those with no words are left out."""
    return [words for span in quoted(text) if (words := silent(span.of(text)))]


def silent(text: str) -> str:
    """The words of a text without punctuation and white space."""
    return _SILENT.sub("", text)

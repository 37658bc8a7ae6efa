"""The quotations in a text, compared by their words alone."""

from __future__ import annotations

import re

from inkwright.domain.text import Span

MARKS = re.compile(r"[“”「」『』\"]|(?<!\w)‘|’(?!\w)")

_QUOTED = re.compile(
    r"“[^“”]*”|「[^「」]*」|『[^『』]*』|\"[^\"\r\n]*\"|(?<!\w)‘[^‘’]*(?:\w’\w[^‘’]*)*’(?!\w)"
)
_SILENT = re.compile(r"[\W_]+")


def quoted(text: str) -> list[Span]:
    """Where quotations stand, marks included, in order."""
    return [Span(*match.span()) for match in _QUOTED.finditer(text)]


def quotations(text: str) -> list[str]:
    """What stands in quotation marks, without punctuation and white space; those with no words are left out."""
    return [words for span in quoted(text) if (words := silent(span.of(text)))]


def silent(text: str) -> str:
    """The words of a text without punctuation and white space."""
    return _SILENT.sub("", text)

"""The quotations in a text, compared by their words alone."""

from __future__ import annotations

import re

_QUOTED = re.compile(
    r"“([^“”]*)”|「([^「」]*)」|『([^『』]*)』|\"([^\"\r\n]*)\"|(?<!\w)‘([^‘’]*(?:\w’\w[^‘’]*)*)’(?!\w)"
)
_SILENT = re.compile(r"[\W_]+")


def quotations(text: str) -> list[str]:
    """What stands in quotation marks, without punctuation and white space; those with no words are left out."""
    found = (_SILENT.sub("", match.group(match.lastindex or 0)) for match in _QUOTED.finditer(text))
    return [words for words in found if words]

"""The header of a Manuskript text: `key:` and a value at a fixed column, up to the first empty line. Pure.

Taken for one only where it is written as that program writes it, with the text's number: a first line
`title: …` that somebody typed is prose.
"""

from __future__ import annotations

import re

from inkwright.domain.text import EOL, Span

MAX_LENGTH = 65_536
_PAIR = re.compile(r"([A-Za-z][A-Za-z ]*):([ \t]*)(.*)")
_FIRST = re.compile(r"\ufeff?title:[ ]{10}")
_NUMBER = re.compile(r"ID:[ ]{13}\d+")


def begins(text: str, at: int) -> bool:
    """Whether a text that began at `at` might have such a header."""
    return _FIRST.match(text, at) is not None


def read(text: str) -> tuple[dict[str, str], dict[str, Span], int] | None:
    """The fields, where their keys stand, and where the body begins; None for a text without such a header."""
    if not _FIRST.match(text):
        return None
    meta: dict[str, str] = {}
    keys: dict[str, Span] = {}
    key = ""
    numbered = False
    at = int(text.startswith("\ufeff"))
    while at < min(len(text), MAX_LENGTH):
        found = EOL.search(text, at)
        end, following = (found.start(), found.end()) if found else (len(text), len(text))
        row = text[at:end]
        if not row.strip():
            break
        numbered |= _NUMBER.match(row) is not None
        pair = None if row[0] in " \t" else _PAIR.fullmatch(row)
        if pair is not None:
            key = pair[1].strip()
            meta[key] = pair[3].strip()
            keys[key] = Span(at, at + len(pair[1]))
        elif row[0] in " \t":
            meta[key] = f"{meta[key]}\n{row.strip()}".strip()
        else:
            return None
        at = following
    if not numbered:
        return None
    while (blank := re.compile(r"[ \t]*(?:\r\n|\n|\r)").match(text, at)) is not None:
        at = blank.end()
    return meta, keys, at

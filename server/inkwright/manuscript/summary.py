"""What a chapter is about, by rule: its key sentences, in their order, as far as they fit."""

from __future__ import annotations

import re
from collections.abc import Collection

from inkwright.manuscript.key_sentences import balanced, key_sentences, ranked

__all__ = ["key_sentences", "summarise"]

_CLAUSE = re.compile(r"[，,；;：:、。！？!?…—]")
_TOO_LITTLE = 12
"""Characters of room in which no sentence is looked for any more."""
_TRIES = 40
_ODD_MARKS = re.compile(r"[“”「」『』（）()《》【】\"]")
_LATIN = re.compile(r"[“‘\"'(]*[A-Za-z0-9\u00c0-\u024f]")


def summarise(text: str, limit: int = 300, names: Collection[str] = ()) -> str:
    """At most `limit` characters of a Markdown text's own sentences, without marks; '' for no prose.

    The same for the same text. Pure; about linear in the text, and takes CPU time.
    """
    taken: list[tuple[int, str]] = []
    room = limit
    for tried, sentence in enumerate(ranked(text, names)):
        if room < _TOO_LITTLE or tried > _TRIES:
            break
        said = sentence.text if balanced(sentence.text) else _ODD_MARKS.sub("", sentence.text)
        if not taken and len(said) > limit:
            said = _shortened(said, limit)
        if said and len(said) + 1 <= min(room, limit // 2) + (not taken) * limit:
            taken.append((sentence.span.start, said))
            room -= len(said) + 1
    out = ""
    for _, said in sorted(taken):
        out += (" " if out and _LATIN.match(said) else "") + said
    return out


def _shortened(said: str, limit: int) -> str:
    """The beginning of a sentence that is too long, as far as a clause goes."""
    cut = said[: max(0, limit - 1)]
    ends = [match.start() for match in _CLAUSE.finditer(cut)]
    kept = cut[: ends[-1]] if ends and ends[-1] >= limit // 3 else cut
    return (kept if balanced(kept) else _ODD_MARKS.sub("", kept)).rstrip() + "…" if limit > 0 else ""

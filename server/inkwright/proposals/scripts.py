"""The guard's judgement of the writing: Simplified or Traditional, Chinese or another language."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from inkwright.domain.proposal import Finding
from inkwright.manuscript.script import BEYOND_LATIN
from inkwright.proposals.change import Change
from inkwright.proposals.pieces import sentences
from inkwright.proposals.tables import table

_HAN = re.compile(BEYOND_LATIN)
_WORD = re.compile(r"[A-Za-z]+")
_FEW = 4
"""Words of another language that are no sentence in it yet."""


def judged(change: Change, around: str) -> Iterator[Finding]:
    """`around` is some text of the book beside the hunk: what a new text without an old one is measured by."""
    old = change.old if len(change.old.strip()) > 1 else around
    simplified, traditional = _only()
    s, t = len(simplified.findall(old)), len(traditional.findall(old))
    came = [char for char in traditional.findall(change.new) if char not in old] if s and not t else []
    if t and not s:
        came = [char for char in simplified.findall(change.new) if char not in old]
    if came:
        yield Finding("script_changed", {"after": "".join(dict.fromkeys(came))[:10]})
    if change.new.strip():
        before, after = _language(old), _foreign(change.new, _language(old))
        if before and after:
            yield Finding("language_changed", {"after": after})


def _language(text: str) -> str:
    han, words = len(_HAN.findall(text)), len(_WORD.findall(text))
    if han == words == 0:
        return ""
    return "zh" if han > words else "en"


def _foreign(text: str, language: str) -> str:
    """The first sentence of `text` in another language, shortened; '' for none."""
    for span in sentences(text):
        sentence = span.of(text)
        han, words = len(_HAN.findall(sentence)), len(_WORD.findall(sentence))
        other = words if language == "zh" else han
        if other >= _FEW and _language(sentence) != language:
            return sentence[:30]
    return ""


@cache
def _only() -> tuple[re.Pattern[str], re.Pattern[str]]:
    rows = table("scripts")
    return re.compile(f"[{rows['simplified']}]"), re.compile(f"[{rows['traditional']}]")

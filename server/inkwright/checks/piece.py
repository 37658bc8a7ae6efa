"""One paragraph as the rules see it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from inkwright.checks.classes import MASK
from inkwright.domain.text import Span
from inkwright.manuscript.script import HAN, KANA

_HAN = re.compile(f"[{HAN}]")
_KANA = re.compile(f"[{KANA}]")
_WORD = re.compile(r"[A-Za-z]+(?:['’][A-Za-z]+)*")
_ENGLISH = re.compile(
    r"\b(?:the|an?|and|of|to|in|is|was|were|are|it|he|she|they|you|we|that|this|with|for|on|at|not|had|have|"
    r"his|her|my|but|or|as|i)\b",
    re.IGNORECASE,
)
_FOREIGN = re.compile(r"[\u00c0-\u024f]")
# An entity, a backslash escape and an emoji code are Markdown, not prose; an address is none either.
_MARKS = re.compile(
    r"&(?:[A-Za-z][A-Za-z0-9]{1,31}|#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6});"
    r"|\\[!-/:-@\[-`{-~]"
    r"|:[a-z][a-z0-9_+-]+:"
    r"|[\w.+-]+@[\w-]+\.[\w.-]*\w"
    r"|(?:[a-z][a-z0-9+.-]*://|www\.)[^\s\"<>“”（）。，]+",
    re.IGNORECASE | re.ASCII,
)


@dataclass(frozen=True, slots=True)
class Piece:
    """`text` has the length of the paragraph; what no rule may touch is `MASK` in it."""

    text: str
    chars: frozenset[str]
    zh: bool
    en: bool


def mask(text: str, span: Span, prose: Sequence[Span]) -> str:
    """The paragraph at `span` with all but its prose and its line ends masked."""
    if len(prose) == 1 and prose[0] == span:
        raw = text[span.start : span.end]
    else:
        parts: list[str] = []
        at = span.start
        for part in prose:
            if part.start > at:
                parts.append(_cover(text[at : part.start]))
            parts.append(text[part.start : part.end])
            at = part.end
        if at < span.end:
            parts.append(_cover(text[at : span.end]))
        raw = "".join(parts)
    if "&" in raw or "\\" in raw or "@" in raw or ":" in raw or "www." in raw:
        return _MARKS.sub(lambda m: MASK * len(m[0]), raw)
    return raw


def look(text: str, language: str) -> Piece:
    """What a masked paragraph is: `zh` and `en` say whose rules apply (neither for other languages)."""
    if text.isascii():
        return Piece(text, frozenset(text), False, _english(text, language))
    chars = frozenset(text)
    han = len(_HAN.findall(text))
    if not han:
        return Piece(text, chars, False, not _KANA.search(text) and _english(text, language))
    latin = len(_WORD.findall(text))
    ours = language in ("", "zh", "en")
    weight = {"zh": 1_000_000, "en": 1}.get(language, 2)
    zh = ours and han * weight >= latin and len(_KANA.findall(text)) * 8 <= han
    return Piece(text, chars, zh, ours and not zh and latin > han and _english(text, language))


def _english(text: str, language: str) -> bool:
    if language == "en":
        return True
    if language not in ("", "zh"):
        return False
    return bool(_ENGLISH.search(text)) and len(_FOREIGN.findall(text)) * 40 <= len(text)


def _cover(text: str) -> str:
    if "\n" in text or "\r" in text:
        return "".join(ch if ch in "\r\n" else MASK for ch in text)
    return MASK * len(text)

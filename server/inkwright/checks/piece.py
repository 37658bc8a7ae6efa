"""One paragraph as the rules see it."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from inkwright.checks.classes import MASK
from inkwright.domain.text import Span
from inkwright.manuscript.script import HAN, KANA

_HAN = re.compile(f"[{HAN}]+")
_KANA = re.compile(f"[{KANA}]")
_WORD = re.compile(r"[a-z]+(?:['’][a-z]+)*")
_LATIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
_ALL_KANA = frozenset(chr(code) for code in range(0x3041, 0x3100))
# An entity, a backslash escape and an emoji code are Markdown, not prose; an address is none either.
_MARKS = re.compile(
    r"&(?:[A-Za-z][A-Za-z0-9]{1,31}|#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6});"
    r"|\\[!-/:-@\[-`{-~]"
    r"|:[a-z][a-z0-9_+-]+:"
    r"|[\w.+-]+@[\w-]+\.[\w.-]*\w"
    r"|(?:[a-z][a-z0-9+.-]*://|www\.)[^\s\"<>“”（）。，]+",
    re.IGNORECASE | re.ASCII,
)


WEIGHT = {"zh": 1_000_000, "": 2, "en": 1}
"""How many words one Han character outweighs when a paragraph has both, by the book's language."""

SAMPLE = 80
"""Words by which the language of a paragraph in Latin letters is told."""


@dataclass(frozen=True, slots=True)
class Piece:
    """`text` has the length of the paragraph; what no rule may touch is `MASK` in it."""

    text: str
    chars: frozenset[str]
    zh: bool
    en: bool
    words: tuple[str, ...] = ()
    """The words of an English paragraph in small letters, for rules that look before they search."""
    vocabulary: frozenset[str] = frozenset()
    """The same, each once."""
    stands: frozenset[str] = frozenset()
    """The plain words of the rules that stand in a Chinese paragraph, found in one look for all rules."""


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
    chars = frozenset(text)
    if language not in ("", "zh", "en"):
        return Piece(text, chars, False, False)
    wide = not text.isascii()
    if wide and chars.isdisjoint(_LATIN) and chars.isdisjoint(_ALL_KANA) and language != "en":
        return Piece(text, chars, _HAN.search(text) is not None, False)
    words = _WORD.findall(text.lower())
    if wide:
        han, kana = sum(map(len, _HAN.findall(text))), len(_KANA.findall(text))
        if han and han * WEIGHT[language] >= len(words):
            return Piece(text, chars, kana * 8 <= han, False)
        if kana or len(words) <= han:
            return Piece(text, chars, False, False)
    english = language == "en" or _is_english(words)
    if not english:
        return Piece(text, chars, False, False)
    return Piece(text, chars, False, True, tuple(words), frozenset(words))


def _is_english(words: Sequence[str]) -> bool:
    english, others = _function_words()
    some = words[:SAMPLE]
    ours = sum(map(english.__contains__, some))
    return ours > 0 and ours > sum(map(others.__contains__, some))


@cache
def _function_words() -> tuple[frozenset[str], frozenset[str]]:
    table = tomllib.loads((files("inkwright.checks") / "languages.toml").read_text("utf-8"))
    return frozenset(table["english"]), frozenset(table["others"])


def _cover(text: str) -> str:
    if "\n" in text or "\r" in text:
        return "".join(ch if ch in "\r\n" else MASK for ch in text)
    return MASK * len(text)

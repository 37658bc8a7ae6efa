"""The signs in a sentence of what it is about: who, what like, when, which claim."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files

from inkwright.domain.conversation import Locale
from inkwright.manuscript.script import BEYOND_LATIN, HAN

_LETTERS = re.compile(r"[A-Za-z]+")
_HAN = re.compile(f"[{HAN}]")


@cache
def cue(language: Locale, key: str) -> re.Pattern[str]:
    """The pattern of one kind of sign."""
    table = tomllib.loads((files("inkwright.offline") / "cues.toml").read_text("utf-8"))
    pattern = table[language][key]
    if key == "time" and language == "zh":
        pattern = rf"(?<!{BEYOND_LATIN}){pattern}"
    return re.compile(pattern, re.IGNORECASE)


def language_of(text: str) -> Locale:
    """The language that most of a text is written in."""
    return "zh" if len(_HAN.findall(text)) >= sum(1 for _ in _LETTERS.finditer(text)) else "en"

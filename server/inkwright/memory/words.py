"""The tables of words that the rules of this room work with; built when first used."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from inkwright.domain.memory import MemoryType

TYPES: tuple[MemoryType, ...] = ("preference", "decision", "lesson")


@dataclass(frozen=True, slots=True)
class Words:
    """Patterns for folded text (`manuscript.folding`): lower case, straight apostrophes, half width."""

    triggers: Mapping[MemoryType, re.Pattern[str]]
    speakers: re.Pattern[str]
    """Who speaks: without one an English trigger in `spoken` says nothing."""
    spoken: frozenset[str]
    question: re.Pattern[str]
    asks: re.Pattern[str]
    stop_parts: frozenset[str]
    stop: frozenset[str]
    filler: re.Pattern[str]
    negation: re.Pattern[str]
    more: re.Pattern[str]
    unsafe: re.Pattern[str]


@cache
def words() -> Words:
    table = tomllib.loads((files("inkwright.memory") / "words.toml").read_text("utf-8"))
    question = table["question"]
    return Words(
        triggers={kind: _either(table[kind]) for kind in TYPES},
        speakers=_either({"zh": [], "en": table["speaker"]["en"]}),
        spoken=frozenset(table["speaker"]["needs"]),
        question=re.compile(rf"(?:[?？]|(?:{_any(question['zh'])})[。.!！~…]*)\s*\Z"),
        asks=re.compile(rf"(?:{_any(question['asks'])})\s*[?？]\s*\Z"),
        stop_parts=frozenset(table["stop"]["parts"]),
        stop=frozenset([*table["stop"]["pairs"], *table["stop"]["en"]]),
        filler=_either(table["filler"]),
        negation=_either(table["negation"]),
        more=re.compile(_any(table["negation"]["more"])),
        unsafe=re.compile("|".join(table["unsafe"]["patterns"])),
    )


def _either(table: Mapping[str, Any]) -> re.Pattern[str]:
    english = rf"(?<![a-z0-9'])(?:{_any(table['en'])})(?![a-z0-9'])"
    return re.compile(f"{_any(table['zh'])}|{english}" if table["zh"] else english)


def _any(listed: list[str]) -> str:
    return "|".join(map(re.escape, sorted(listed, key=lambda word: (-len(word), word))))

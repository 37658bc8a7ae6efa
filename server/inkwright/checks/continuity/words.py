"""The words of `words.toml` as patterns."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Literal

Language = Literal["zh", "en"]
Limb = Literal["arm", "hand", "leg", "foot", "eye"]

LIMBS: tuple[tuple[Limb, str], ...] = (
    ("arm", "arms"),
    ("hand", "hands"),
    ("leg", "legs"),
    ("foot", "feet"),
    ("eye", "sights"),
)
HAN = re.compile("[\u3400-\u9fff]")
QUOTED = "\ue000"
"""Stands for each character of what is said aloud, where only the narration is looked at."""

_END = rf"(?=[，。．！？；：、…—\s{QUOTED}]|\Z)"


@dataclass(frozen=True)
class Words:
    """The patterns of one language. `lead` is all that stands before the one who acts in a clause."""

    language: Language
    lead: re.Pattern[str]
    does: re.Pattern[str]
    """From the end of a name on: groups `speech`, `think` or `act`."""
    says: re.Pattern[str]
    """From there to a word for speaking that a quotation stands beside: group `speech`."""
    past: re.Pattern[str]
    unreal: re.Pattern[str]
    simile: re.Pattern[str]
    spectral: re.Pattern[str]
    strong: re.Pattern[str]
    opens: re.Pattern[str]
    leads: re.Pattern[str]
    returns: re.Pattern[str]
    negative: re.Pattern[str]
    use: re.Pattern[str]
    moves: re.Pattern[str]
    colour: str
    colours: Mapping[str, str]
    """The colour that each word means."""
    parts: Mapping[str, str]
    """Patterns of the nouns for eyes and hair."""
    changed: re.Pattern[str]
    looking: re.Pattern[str]
    others: re.Pattern[str]
    """Those without a card whom a part of a body may belong to."""
    limbs: Mapping[Limb, str]
    lost: re.Pattern[str]
    idle: re.Pattern[str]
    doubt: re.Pattern[str]
    knowing: re.Pattern[str]
    empty: re.Pattern[str]
    unknowing: re.Pattern[str]


@cache
def words(language: Language) -> Words:
    data = _data()[language]
    chinese = language == "zh"

    def found(*keys: str) -> re.Pattern[str]:
        return _pattern([word for key in keys for word in data[key]], chinese)

    colours = {word: colour for colour, row in data["colours"].items() for word in row}
    return Words(
        language,
        _lead(data, chinese),
        _does(data, chinese),
        _says(data, chinese),
        found("past"),
        found("unreal"),
        found("simile"),
        found("spectral"),
        found("strong"),
        re.compile(rf"[\s\u3000]*(?:{_any(data['opens'])})", re.IGNORECASE),
        re.compile(rf"(?:{_any(data['leads'])})\s*\Z", re.IGNORECASE),
        found("returns"),
        found("negative", "wish") if chinese else found("negative"),
        found("use"),
        found("moves"),
        _any(re.escape(word) for word in colours),
        colours,
        {"eyes": _any(data["eyes"]), "hair": _any(data["hair"])},
        found("changed"),
        found("looking"),
        found("others"),
        {limb: _any(data[key]) for limb, key in LIMBS},
        found("lost"),
        found("idle"),
        found("doubt"),
        found("knowing"),
        found("empty"),
        found("unknowing"),
    )


@cache
def used_after() -> re.Pattern[str]:
    """What may follow 把 and the name of a thing."""
    return re.compile(rf"[^，。．！？；：]{{0,6}}?(?:{_any(_data()['zh']['used'])})")


@cache
def fact_words(key: str) -> frozenset[str]:
    return frozenset(word.casefold() for word in _data()["facts"][key])


@cache
def fact_pattern(key: str) -> re.Pattern[str]:
    """One of the words of a row, standing for itself."""
    latin = [word for word in _data()["facts"][key] if word.isascii()]
    other = [word for word in _data()["facts"][key] if not word.isascii()]
    return re.compile(rf"(?:{_any(other)}|\b(?:{_any(latin)})\b)", re.IGNORECASE)


def _lead(data: Mapping[str, Any], chinese: bool) -> re.Pattern[str]:
    row = _any(data["lead"])
    if chinese:
        plain = "看望想起听对把给让被是向跟找叫喊问盯见在有和与为替"
        return re.compile(rf"[\s\u3000]*(?:{row})*(?:[^{plain}，。．！？；：、]{{1,8}}的)?")
    return re.compile(rf"[\s\W]*(?:(?:{row})\b[\s,]*)*", re.IGNORECASE)


def _does(data: Mapping[str, Any], chinese: bool) -> re.Pattern[str]:
    adverb = _any(data["adverb"])
    if chinese:
        act = rf"{_any(data['act'])}|[{data['bare']}](?:(?:{data['after']})|{_END})"
        act += r"|(?P<twice>[\u4e00-\u9fff])[了一](?P=twice)"
        act += rf"|(?![{data['none']}])[\u4e00-\u9fff]{{1,2}}?(?:{data['begun']})"
        kinds = rf"(?P<speech>{_any(data['speech'])})|(?P<think>{_any(data['think'])})|(?P<act>{act})"
        return re.compile(rf"(?:{adverb}){{0,4}}(?:{kinds})")
    dull = _any(data["no_act"])
    act = rf"(?:{_any(data['act'])}|(?!(?:{dull})\b)[a-z]{{2,}}ed|(?:was|were) (?:\w+ly )?[a-z]{{2,}}ing)\b"
    kinds = rf"(?P<speech>(?:{_any(data['speech'])})\b)|(?P<think>(?:{_any(data['think'])})\b)|(?P<act>{act})"
    return re.compile(rf"\s++(?:(?:{adverb})\s++){{0,3}}(?:{kinds})")


def _says(data: Mapping[str, Any], chinese: bool) -> re.Pattern[str]:
    if chinese:
        before = r"[^，。．！？；：、\s\ue000不没未]"
        row = _any((*data["speech"], "道"))
        return re.compile(rf"{before}{{0,12}}?(?P<speech>{row})(?=着?[：:，,]?\s*{QUOTED}|[。！？])")
    row = _any(data["speech"])
    return re.compile(
        rf"[^.!?;:{QUOTED}]{{1,40}}?\b(?P<speech>{row})(?=[^.!?;:{QUOTED}]{{0,24}}[,:]?\s*{QUOTED})",
        re.IGNORECASE,
    )


def _pattern(row: Iterable[str], chinese: bool) -> re.Pattern[str]:
    if chinese:
        return re.compile(_any(row))
    return re.compile(rf"(?:(?<![\w'’])|(?=n['’]t))(?:{_any(row)})(?!\w)", re.IGNORECASE)


def _any(row: Iterable[str]) -> str:
    return "|".join(sorted(row, key=len, reverse=True))


@cache
def _data() -> Mapping[str, Any]:
    return tomllib.loads((files("inkwright.checks.continuity") / "words.toml").read_text("utf-8"))

"""Halves and other parts as numbers with their unit: 半个时辰, 三年半, `half an hour`, `two and a half miles`."""

from __future__ import annotations

import re
from decimal import Decimal
from functools import cache

from inkwright.manuscript import numerals
from inkwright.proposals.tables import table
from inkwright.proposals.units import unit

_UNIT = (
    "小时|小時|钟头|鐘頭|时辰|時辰|分钟|分鐘|星期|礼拜|世纪|公里|英里|海里|公斤|年(?![级纪代])|月(?![形状牙])|里(?![面头])|米|丈|尺|寸|斤(?!八两)"
    "|吨|噸|磅|岁(?!月)|亩|秒"
)
_RUN = rf"(?:[{numerals.HAN}]{{1,6}}|\d{{1,6}})"
_CHINESE = re.compile(
    rf"(?P<n>{_RUN})个?(?:半(?P<of>{_UNIT})|(?P<and>(?!月)(?:{_UNIT}|天|个月))半(?![夜天路晌响空日载截个]))"
    rf"|(?<![大小多前后上下夜一])半个?多?(?P<half>{_UNIT})"
    r"|(?<![大小多另到了])(?P<share>一半)(?!一半)|半数"
)
_ANY = re.compile("half|third|quarter", re.I)
_ENGLISH = re.compile(
    rf"\b(?:(?P<n>{numerals.WORD}|an?|\d+)(?: (?P<unit>[a-z]+))? and a half\b"
    r"|(?P<part>half|(?:a|one) quarter of|three[- ]quarters of) an? (?=(?P<of>[a-z]+))(?!(?:dozen|score)\b)"
    r"|(?P<dozen>half a dozen)\b"
    r"|half (?:of )?(?:the|his|her|their|our|my|its|(?<=of )(?:them|us|you))\b(?! (?:time|way|battle))"
    r"|(?P<third>(?:a|one) third of|two[- ]thirds)\b"
    r"|(?:an? )?half[- ](?=(?P<bare>[a-z]+)\b))",
    re.I,
)

Part = tuple[int, str, str, bool]
"""Place, value as a decimal, unit, and whether it may be no number at all."""


def halves(text: str) -> tuple[str, list[Part]]:
    """The parts that `text` tells, and the text with blanks in their place."""
    found: list[Part] = []

    def taken(match: re.Match[str], part: tuple[str, str] | None) -> str:
        if part is None:
            return match.group()
        soft = bool(match.groupdict().get("share")) and text[match.end() : match.end() + 1] not in (
            "的",
            "以",
        )
        found.append((match.start(), *part, soft))
        return " " * len(match.group())

    if "半" in text:
        text = _CHINESE.sub(lambda m: taken(m, _chinese(m)), text)
    if _ANY.search(text):
        text = _ENGLISH.sub(lambda m: taken(m, _english(m)), text)
    return text, found


def _chinese(match: re.Match[str]) -> tuple[str, str] | None:
    name = match["of"] or match["and"] or match["half"]
    if not match["n"]:
        return "0.5", _named(name)
    value = int(match["n"]) if match["n"].isdecimal() else numerals.chinese(match["n"])
    return None if value is None else (f"{value}.5", _named(name))


def _named(name: str | None) -> str:
    return "" if not name else "个月" if name == "月" else unit(name, 0)


def _english(match: re.Match[str]) -> tuple[str, str] | None:
    if match["dozen"]:
        return "6", ""
    if match["third"]:
        return ("2/3" if match["third"].lower().startswith("two") else "1/3"), ""
    if word := match["n"]:
        name = unit(match["unit"], 0) if match["unit"] else unit(match.string, match.end())
        whole = int(word) if word.isdecimal() else numerals.english(word.lower()) or 1
        return (f"{whole}.5", name) if name or not match["unit"] else None
    name = unit(match["of"] or match["bare"] or "", 0)
    if match["bare"] and not name:
        return None
    if match["part"]:
        part = match["part"].lower()
        value = "0.75" if part.startswith("three") else "0.25" if "quarter" in part else "0.5"
        return (value, name) if name else None
    return "0.5", name


def in_measure(key: str, name: str) -> tuple[tuple[str, str], ...]:
    """The same amount in the smaller units that it is told in, too: 0.5 小时 as 30 分钟."""
    try:
        value = Decimal(key)
    except ArithmeticError:
        return ()
    return tuple((f"{(value * factor).normalize():f}", small) for factor, small in _smaller().get(name, ()))


@cache
def _smaller() -> dict[str, list[tuple[int, str]]]:
    out: dict[str, list[tuple[int, str]]] = {}
    for large, factor, small in table("units")["smaller"]:
        out.setdefault(large, []).append((factor, small))
    return out

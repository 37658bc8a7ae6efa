"""Dates and times of a story as front matter has them, as far as two of them can be compared. Pure."""

from __future__ import annotations

import re
from typing import NamedTuple

from inkwright.manuscript import numerals

_N = rf"[0-9]{{1,4}}|[元正腊冬]|[{numerals.HAN}]{{1,6}}"
_YEAR = re.compile(
    rf"(?P<era>[^\W\d_]{{0,6}}?)(?P<y>{_N})年\s*(?:(?P<m>{_N})月\s*(?:初?(?P<d>{_N})[日号]?)?)?"
)
_MONTH = re.compile(rf"(?P<m>{_N})月\s*初?(?P<d>{_N})[日号]?")
_DAY = re.compile(rf"第\s*(?P<n>{_N})\s*[日天]|day\s+(?P<e>\d{{1,4}}|{numerals.WORD})\b", re.IGNORECASE)
_ISO = re.compile(r"(?P<y>\d{3,4})[-/.](?P<m>\d{1,2})(?:[-/.](?P<d>\d{1,2}))?(?!\d)")
_BARE = re.compile(r"\d{3,4}")
_NAMES = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
]
_MONTHS = {
    **{name: n for n, name in enumerate(_NAMES, 1)},
    **{name[:3]: n for n, name in enumerate(_NAMES, 1)},
}
_SAID = rf"(?P<m>{'|'.join(sorted(_MONTHS, key=len, reverse=True))})\.?"
_ENGLISH = (
    re.compile(
        rf"(?P<d>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?{_SAID}(?:,?\s+(?P<y>\d{{3,4}}))?", re.IGNORECASE
    ),
    re.compile(
        rf"{_SAID}\s+(?P<d>\d{{1,2}})(?:st|nd|rd|th)?\b(?!\d)(?:,?\s+(?P<y>\d{{3,4}}))?", re.IGNORECASE
    ),
    re.compile(rf"{_SAID}\s+(?P<y>\d{{3,4}})", re.IGNORECASE),
)
_CLOCK = re.compile(r"(?P<h>[01]?\d|2[0-3])[:：](?P<m>[0-5]\d)")
_SLOTS = (
    (300, ("黎明", "拂晓", "破晓", "天亮", "dawn", "daybreak", "sunrise")),
    (420, ("清晨", "早晨", "早上", "清早", "morning", "breakfast")),
    (570, ("上午", "forenoon")),
    (720, ("正午", "中午", "晌午", "noon", "midday")),
    (900, ("下午", "午后", "afternoon")),
    (1080, ("黄昏", "傍晚", "日落", "dusk", "sunset", "twilight")),
    (1170, ("入夜", "晚上", "晚间", "evening")),
)
_NIGHT = ("深夜", "半夜", "午夜", "夜里", "夜", "凌晨", "midnight", "night", "small hours")


class Moment(NamedTuple):
    """A date as numbers from the largest unit down; only those of one kind can be compared."""

    kind: str
    parts: tuple[int, ...]

    @property
    def year(self) -> int | None:
        return self.parts[0] if self.kind.startswith("year") else None


def read(said: str) -> Moment | None:
    """The date in a text, None for none that we read."""
    said = said.strip()
    if found := _ISO.search(said):
        return _dated("year", found["y"], found["m"], found["d"])
    if found := _DAY.search(said):
        n = _number(found["n"]) if found["n"] else _word(found["e"])
        return None if n is None else Moment("day", (n,))
    if "闰" in said:
        return None
    if found := _YEAR.search(said):
        return _dated(f"year {found['era']}".strip(), found["y"], found["m"], found["d"])
    if found := _MONTH.search(said):
        return _dated("month", None, found["m"], found["d"])
    for pattern in _ENGLISH:
        if found := pattern.search(said):
            groups = found.groupdict()
            year = groups.get("y")
            return _dated(
                "year" if year else "month", year, str(_MONTHS[found["m"].lower()]), groups.get("d")
            )
    if _BARE.fullmatch(said):
        return Moment("year", (int(said),))
    return None


def compare(a: Moment, b: Moment) -> int | None:
    """-1, 0 or 1 as `a` lies before, on or behind `b`; None where nobody can say."""
    if a.kind != b.kind:
        return None
    both = min(len(a.parts), len(b.parts))
    x, y = a.parts[:both], b.parts[:both]
    if x == y:
        return 0 if len(a.parts) == len(b.parts) else None
    if a.kind == "month" and abs(x[0] - y[0]) > 5:  # the turn of a year
        return None
    return -1 if x < y else 1


def slot(said: str) -> str:
    """The time of the day as a word that equal times share, '' for none that we read."""
    if found := _CLOCK.search(said):
        return f"{int(found['h'])}:{found['m']}"
    low = said.casefold()
    for minute, row in _SLOTS:
        if any(word in low for word in row):
            return str(minute)
    return next((word for word in _NIGHT if word in low), "")


def minute(of_slot: str) -> int | None:
    """The minute of the day that a slot stands for; None for the night, which two days share."""
    if ":" in of_slot:
        hour, _, rest = of_slot.partition(":")
        return int(hour) * 60 + int(rest)
    return int(of_slot) if of_slot.isdecimal() else None


def _dated(kind: str, *parts: str | None) -> Moment | None:
    out: list[int] = []
    for part in parts:
        if part is None:
            if out:
                break
            continue
        number = _number(part)
        if number is None:
            return None
        out.append(number)
    return Moment(kind, tuple(out)) if out else None


def _number(said: str) -> int | None:
    named = {"元": 1, "正": 1, "腊": 12, "冬": 11}
    if said in named:
        return named[said]
    if said.isascii():
        return int(said)
    if len(said) >= 3 and all(ch in "零〇一二三四五六七八九" for ch in said):
        return int("".join(str("零一二三四五六七八九".index(ch.replace("〇", "零"))) for ch in said))
    return numerals.chinese(said)


def _word(said: str) -> int | None:
    return int(said) if said.isdecimal() else numerals.english(said)

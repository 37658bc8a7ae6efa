"""Numbers as people write them before a chapter: Arabic, full-width, Chinese, formal Chinese, Roman, English."""

from __future__ import annotations

import re

_DIGITS = {
    **dict(zip("零一二三四五六七八九", range(10), strict=True)),
    **dict(zip("〇壹贰叁肆伍陆柒捌玖", range(10), strict=True)),
    **dict(zip("○弌貳參肆伍陸柒捌玖", range(10), strict=True)),
    "两": 2,
    "兩": 2,
    "叄": 3,
}
_HAN_DIGITS = "零一二三四五六七八九"
_UNITS = {"十": 10, "拾": 10, "百": 100, "佰": 100, "千": 1000, "仟": 1000}
_TWENTIES = {"廿": 20, "卅": 30, "卌": 40}
_MYRIADS = {"万": 10_000, "萬": 10_000, "亿": 100_000_000, "億": 100_000_000}

HAN = "".join((*_DIGITS, *_UNITS, *_TWENTIES, *_MYRIADS))
"""Every character that a Chinese number is written with."""

_ROMAN = re.compile(r"M{0,3}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})", re.IGNORECASE)
_ROMAN_VALUE = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}

_ONES = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
WORD = rf"(?:(?:{'|'.join(_TENS)})(?:[ -](?:{'|'.join(_ONES[1:10])}))?|{'|'.join(reversed(_ONES))})"
"""A pattern for an English number word from zero to ninety-nine."""
NUMBER = re.compile(rf"\d{{1,3}}|[{HAN}]{{1,5}}|{WORD}", re.IGNORECASE)
"""A number as an age is written."""

_LONGEST = 9  # digits; a longer run is an identifier or a date, not a number of a chapter


def arabic(text: str) -> int | None:
    """`12`, `０１２`; None when it is no run of at most nine decimal digits."""
    return int(text) if 0 < len(text) <= _LONGEST and text.isdecimal() else None


def chinese(text: str) -> int | None:
    """`十二`, `一百零三`, `二〇二四`, `壹拾贰`, `廿三`, `一百二` (120); None when it is no number."""
    if not text or any(ch not in HAN for ch in text):
        return None
    if all(ch in _DIGITS for ch in text):
        return int("".join(str(_DIGITS[ch]) for ch in text)) if len(text) <= _LONGEST else None
    total = section = digit = 0
    last = 1
    pending = False
    for ch in text:
        if ch in _DIGITS:
            if pending and digit:
                return None
            digit, pending = _DIGITS[ch], True
            if digit == 0:
                last, pending = 1, False
        elif ch in _UNITS:
            last = _UNITS[ch]
            section += (digit if pending else 1) * last
            digit, pending = 0, False
        elif ch in _TWENTIES:
            if pending:
                return None
            section, last = section + _TWENTIES[ch], 10
        else:
            last = _MYRIADS[ch]
            total += (section + digit or 1) * last
            section = digit = 0
            pending = False
    return total + section + (digit * (last // 10) if pending and last >= 100 else digit)


def han(number: int) -> str:
    """A whole number from 0 to 99,999,999 as a heading has it: 十二, 一百零三, 二千零二十."""
    if number >= 10_000:
        above, below = divmod(number, 10_000)
        joint = "零" if 0 < below < 1000 else ""
        return f"{han(above)}万{joint}{_small(below)}"
    written = _small(number) or _HAN_DIGITS[0]
    return written.removeprefix("一") if 10 <= number < 20 else written


def _small(number: int) -> str:
    """A number below 10,000, '' for 0; 10 to 19 with their 一."""
    out, gap = "", False
    for unit, name in ((1000, "千"), (100, "百"), (10, "十"), (1, "")):
        digit = number // unit % 10
        if digit:
            out += ("零" if gap and out else "") + _HAN_DIGITS[digit] + name
        gap = not digit
    return out


def roman(text: str) -> int | None:
    """`IV`, `xii`; None when it is no well-formed Roman number."""
    if not text or not _ROMAN.fullmatch(text):
        return None
    values = [_ROMAN_VALUE[ch] for ch in text.upper()]
    return sum(-a if a < b else a for a, b in zip(values, [*values[1:], 0], strict=True))


def english(text: str) -> int | None:
    """`seven`, `Twenty-One`; None when it is no such word."""
    words = re.split(r"[ -]", text.lower())
    if len(words) == 1 and words[0] in _ONES:
        return _ONES.index(words[0])
    if words[0] not in _TENS or len(words) > 2:
        return None
    tens = 20 + 10 * _TENS.index(words[0])
    if len(words) == 1:
        return tens
    return tens + _ONES.index(words[1]) if words[1] in _ONES[1:10] else None


def value(text: str) -> int | None:
    """The number that `text` is, in any of the notations except Roman and English words."""
    return arabic(text) if text.isdecimal() else chinese(text)


def years(said: str) -> int:
    """The age that a text says, 0 for none or for more than one."""
    found = NUMBER.findall(said)
    if len(found) != 1:
        return 0
    written = found[0]
    return (english(written) if written[0].isascii() and not written.isdecimal() else value(written)) or 0

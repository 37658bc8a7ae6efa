"""Numbers in English words: `three hundred and twelve`, `half past three`, `the twenty-third`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from inkwright.manuscript import numerals

_BIG = {
    "hundred": 100,
    "thousand": 1_000,
    "million": 1_000_000,
    "billion": 1_000_000_000,
    "dozen": 12,
    "score": 20,
}
_SMALL = rf"\b{numerals.WORD}\b"
_COMPOUND = re.compile(
    rf"\b(?:(?P<small>{numerals.WORD})|a(?= (?:{'|'.join(_BIG)})\b)|(?P<digits>\d+(?:\.\d+)?)(?= (?:{'|'.join(_BIG)})\b))"
    rf"(?:[ -](?:and )?(?:{'|'.join(_BIG)}|{numerals.WORD})\b)*",
    re.I,
)
_CARDINALS = {
    "first": "one",
    "second": "two",
    "third": "three",
    "fifth": "five",
    "eighth": "eight",
    "ninth": "nine",
    "twelfth": "twelve",
}
_ORDINAL = re.compile(
    r"\b(?:(?:(?:twent|thirt|fort|fift|sixt|sevent|eight|ninet)"
    r"(?:ieth|y[ -](?:first|second|third|fifth|eighth|ninth|(?:four|six|seven)th)))"
    r"|first|second|third|fifth|eighth|ninth|twelfth"
    r"|(?:four|six|seven|ten|eleven|(?:thir|four|fif|six|seven|eigh|nine)teen|hundred|thousand|million)th)\b",
    re.I,
)
_MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
_DATED = re.compile(rf"(?:{_MONTHS}) (?:the )?$|^ (?:day )?(?:of )?(?:{_MONTHS})\b")
_DATE = re.compile(
    rf"\b(?:(?:{_MONTHS}) (?:the )?(?P<a>\d{{1,2}})(?:st|nd|rd|th)\b|\b(?P<b>\d{{1,2}})(?:st|nd|rd|th) (?:of )?(?:{_MONTHS}))"
)
_CLOCK = re.compile(
    rf"\b(?:(?P<past>half|quarter|{numerals.WORD}|\d{{1,2}})(?: minutes)? (?P<way>past|to)) (?P<hour>{numerals.WORD}|\d{{1,2}})\b",
    re.I,
)
_REST = re.compile(r"\b(?:hundreds|thousands|millions|billions|dozens|twice|thrice|half)\b", re.I)
_SHARES = {"twice": "2", "thrice": "3"}

Found = tuple[int, int, str, bool]
"""Start, end, key, and whether it may be no number at all."""


def english(text: str) -> Iterator[Found]:
    """The numbers in words, in no order; none overlaps another."""
    taken: list[tuple[int, int]] = []

    def free(start: int, end: int) -> bool:
        if any(a < end and start < b for a, b in taken):
            return False
        taken.append((start, end))
        return True

    for match in _CLOCK.finditer(text):
        key = _clock(match)
        if key and free(*match.span()):
            yield match.start(), match.end(), key, False
    for match in _ORDINAL.finditer(text):
        if not free(*match.span()):
            continue
        word = match.group().lower()
        value = numerals.english(_cardinal(word)) or _BIG.get(_cardinal(word))
        dated = _DATED.search(text[max(0, match.start() - 14) : match.start()]) or _DATED.search(
            text[match.end() : match.end() + 20]
        )
        key = f"{value}" if dated else f"{value}rd"
        yield match.start(), match.end(), key, word in ("first", "second") and not dated
    for match in _COMPOUND.finditer(text):
        if match.group().lower() == "a" or (match["digits"] and match.group() == match["digits"]):
            continue
        if free(*match.span()):
            yield match.start(), match.end(), *_compound(match.group().lower())
    for match in _REST.finditer(text):
        if free(*match.span()):
            word = match.group().lower()
            yield match.start(), match.end(), _SHARES.get(word, word), word == "half"


def undated(text: str) -> str:
    """`May 3rd` and `3rd of May` as `May 3` and `3 of May`, at the same places."""
    return _DATE.sub(lambda m: re.sub(r"(\d)(?:st|nd|rd|th)", r"\1  ", m.group()), text)


def _clock(match: re.Match[str]) -> str:
    hour = _small(match["hour"])
    past = {"half": 30, "quarter": 15}.get(match["past"].lower()) or _small(match["past"])
    if hour is None or past is None or not 1 <= hour <= 24 or not 0 < past < 60:
        return ""
    if match["way"].lower() == "to":
        hour, past = (hour - 1) or 12, 60 - past
    return f"{hour}:{past:02}"


def _small(word: str) -> int | None:
    return int(word) if word.isdecimal() else numerals.english(word)


def _compound(words: str) -> tuple[str, bool]:
    """The value of number words in a row: `two hundred and thirty-four`. Those that do not add up are listed."""
    if words == "one":
        return "1", True
    total = section = 0.0
    last = 10**12
    for word in re.findall(rf"{numerals.WORD}|\d+(?:\.\d+)?|a|{'|'.join(_BIG)}", words):
        if (big := _BIG.get(word)) is not None:
            if big >= 1000:
                total, section = total + (section or 1) * big, 0
            else:
                section = (section or 1) * big
            last = big
            continue
        value = 1.0 if word == "a" else float(word) if word[0].isdigit() else numerals.english(word)
        if value is None:
            return words, False
        if section and value >= last:
            return (f"{section:g}:{value:g}" if _tells_time(words, section, value) else words), False
        if word != "a":
            section, last = section + value, 1 if value < 10 else 10
    return f"{total + section:g}" if total + section < 1e6 else str(int(total + section)), False


def _tells_time(words: str, hour: float, minute: float) -> bool:
    """Whether two number words are a time of the day: `six thirty`."""
    return len(words.split()) == 2 and 1 <= hour <= 12 and 10 <= minute < 60


def _cardinal(word: str) -> str:
    """`twenty-third` as `twenty-three`; any other word as it is."""
    at = max(word.rfind(" "), word.rfind("-")) + 1
    head, last = word[:at], word[at:]
    if last in _CARDINALS:
        return head + _CARDINALS[last]
    return head + (last.removesuffix("ieth") + "y" if last.endswith("ieth") else last.removesuffix("th"))

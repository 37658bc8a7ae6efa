"""The numbers that a text states, whatever they are written with."""

from __future__ import annotations

import re
from collections.abc import Iterator

from inkwright.manuscript import numerals

_HALF = str.maketrans("０１２３４５６７８９", "0123456789")
_ANY = re.compile(rf"[\da-zA-Z{numerals.HAN}]")
_ARABIC = re.compile(r"\d+(?:[,，](?=\d{3}(?!\d))\d{3})*(?:[.．:：/]\d+)*")
_HAN_RUN = re.compile(rf"[{numerals.HAN}]+")
_LATIN = re.compile("[a-zA-Z]{3}")
_CARDINALS = {
    "first": "one",
    "second": "two",
    "third": "three",
    "fifth": "five",
    "eighth": "eight",
    "ninth": "nine",
    "twelfth": "twelve",
}
_ORDINAL = (
    r"(?:twent|thirt|fort|fift|sixt|sevent|eight|ninet)"
    r"(?:ieth|y[ -](?:first|second|third|fifth|eighth|ninth|(?:four|six|seven)th))"
    r"|third|fifth|eighth|ninth|twelfth"
    r"|(?:four|six|seven|ten|eleven|(?:thir|four|fif|six|seven|eigh|nine)teen|hundred|thousand|million)th"
)
_ENGLISH = re.compile(
    rf"\b(?:{_ORDINAL}|{numerals.WORD}|hundreds?|thousands?|millions?|billions?|dozens?|twice|thrice|half)\b",
    re.I,
)

# What makes a number of a lone numeral right behind it.
_COUNTING = re.compile(
    rf"(?:第|初|星期|礼拜|分之|老(?!一)|周(?![{numerals.HAN}][次回个趟年月天]))(?=[{numerals.HAN}])"
)
_MEASURES = frozenset(
    "个位名岁年月日天夜号点分秒时刻更里丈尺寸步斤两钱匹头只条张把件辆艘座间层楼级排行列章回卷页句字遍次趟回番场顿杯碗瓶壶盏支根颗粒块片枚朵株棵双对副套队群伙人口家户国省城镇村元块角文贯银金倍成折度米吨升克亩顷周旬载世代辈等"
)
_IDIOMS = re.compile(
    "[百千万]分之|万一|千万(?![两元人个匹年])|万万|十分(?![钟之])|万分|百般|十足|一一|三三两两|两两|再三|千百|七八糟|"
    "四[处周面下方]|八[方面卦]|[乱七]七八|五[官脏颜]|九[泉霄]|百姓|万[物般岁丈]|千[金秋古里迢]|六[神亲]|三[思生教]|七窍|八股"
)


def numbers(text: str) -> list[str]:
    """The numbers in order, each by its value (`12`, `3.5`, `12:30`), so that 十二 and 12 are one.

    A lone 一, `first` and `second`, and numerals inside fixed phrases, state no number.
    """
    plain = text.translate(_HALF)
    if not _ANY.search(plain):
        return []
    found = [(m.start(), _value(m.group())) for m in _ARABIC.finditer(plain)]
    found += _chinese(plain)
    if _LATIN.search(plain):
        found += _english(plain)
    return [number for _, number in sorted(found)]


def _value(written: str) -> str:
    plain = written.replace(",", "").replace("，", "").replace("．", ".").replace("：", ":")
    return plain.lstrip("0") or "0"


def _chinese(text: str) -> Iterator[tuple[int, str]]:
    idioms = [match.span() for match in _IDIOMS.finditer(text)]
    for match in _HAN_RUN.finditer(text):
        run, at = match.group(), match.start()
        if any(a < match.end() and at < b for a, b in idioms):
            continue
        following = text[match.end() : match.end() + 1]
        if len(run) == 1:
            counted = following in _MEASURES and following != ""
            ordinal = _COUNTING.search(text, max(0, at - 2), at + 2) is not None
            if not (ordinal or (counted and run not in "一壹零〇○")):
                continue
        value = numerals.chinese(run)
        yield at, run if value is None else str(value)


def _english(text: str) -> Iterator[tuple[int, str]]:
    for match in _ENGLISH.finditer(text):
        word = match.group().lower()
        if word == "one":
            continue
        value = numerals.english(_cardinal(word))
        yield match.start(), word.removesuffix("s") if value is None else str(value)


def _cardinal(word: str) -> str:
    """`twenty-third` as `twenty-three`; any other word as it is."""
    at = max(word.rfind(" "), word.rfind("-")) + 1
    head, last = word[:at], word[at:]
    if last in _CARDINALS:
        return head + _CARDINALS[last]
    return head + (last.removesuffix("ieth") + "y" if last.endswith("ieth") else last.removesuffix("th"))

"""The numbers that a text states, whatever they are written with."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from inkwright.manuscript import numerals
from inkwright.proposals.english_numbers import english, undated
from inkwright.proposals.halves import halves, in_measure
from inkwright.proposals.units import unit

_NEXT_DAY = re.compile("次日|翌日|[隔转轉][日天]|第二日")
_QUARTERS = re.compile("([一两兩二三])刻[钟鐘]")
_TENS = "twent|thirt|fort|fift|sixt|sevent|eight|ninet"
_DECADES = re.compile(
    rf"\b(?:(?:in|into|past|of) (?:his|her|their|my|our|your)|the|his|her|their|my|our|your) (?:(?P<part>early|late|mid|middle)[ -])(?P<tens>{_TENS})ies\b"
    rf"|\b(?:in|into|past|of) (?:his|her|their|my|our|your) (?P<whole>{_TENS})ies\b"
    rf"|\b(?P<about>{_TENS})y(?:-?ish|[- ]something)\b",
    re.I,
)
_HALF = str.maketrans("０１２３４５６７８９", "0123456789")
_ANY = re.compile(rf"[\da-zA-Z俩倆仨半次翌隔转轉{numerals.HAN}]")
_ARABIC = re.compile(
    r"(?P<number>\d+(?:[,，](?=\d{3}(?!\d))\d{3})*(?:[.．:：/]\d+)*)(?P<myriads>[百千万萬亿億]+(?![米克瓦卡]))?(?:(?P<th>st|nd|rd|th)\b)?"
)
_HAN_RUN = re.compile(rf"[{numerals.HAN}]+")
_TOGETHER = re.compile("[俩倆仨]")
_LATIN = re.compile("[a-zA-Z]{3}")
_NUM = rf"(?:\d{{1,2}}|[{numerals.HAN}]{{1,3}}?)"
_CLOCK = re.compile(
    rf"(?P<hour>{_NUM})[点點](?:钟|鐘)?(?:(?P<half>半)|(?P<quarter>[一三])刻|[零过過]?(?P<minute>{_NUM})分)"
)

# What makes a number of a lone numeral right behind it.
_COUNTING = re.compile(rf"(?:第|初|分之|老(?!一))(?=[{numerals.HAN}])")
_MEASURES = frozenset(
    "个位名岁年月日天夜号点分秒时刻更里丈尺寸步斤两钱匹头只条张把件辆艘座间层楼级排行列章回卷页句字遍次趟回番场顿杯碗瓶壶盏支根颗粒块片枚朵株棵双对副套队群伙人口家户国省城镇村元块角文贯银金倍成折度米吨升克亩顷周旬载世代辈等公英海厘毫石磅千"
)
_IDIOMS = re.compile(
    "[百千万]分之|万一|千万(?![两元人个匹年])|万万|十分(?![钟之])|万分|百般|十足|一一|三三两两|两两|再三|千百|七八糟|"
    "四[处周面下方]|八[方面卦]|[乱七]七八|五[官脏颜]|九[泉霄]|百姓|万[物般岁丈]|千[金秋古里迢]|六[神亲]|三[思生教]|七窍|八股|"
    "三番[五两]次|一五一十|七上八下|千方百计|四面八方|五花八门|三言两语|三心[二两]意|四分五裂|乱七八糟|七嘴八舌|九死一生|千辛万苦|"
    "千家万户|万水千山|千山万水|五湖四海|四海|三天两头|接二连三|不三不四|说三道四|颠三倒四|丢三落四|低三下四|一清二楚|一干二净|"
    "一心一意|独一无二|数一数二|百折不|千篇一律|千变万化|五光十色|十万火急|十全十美|百无聊赖|万籁|万念|七手八脚|五味|六神|两口子|"
    "一言一语|一举一动|一步一步|一个一个|三下五除二|两难|一刀两断|一举两得|三长两短|人山人海|推三阻四|挑三拣四|七零八落|七拼八凑"
)


@dataclass(frozen=True, slots=True)
class Number:
    """`key` is the value (`12`, `3.5`, `12:30`; of an ordinal `第3` or `3rd`), `unit` its unit if it has one that we
    know. A `soft` one (一, one, first) may be no number at all: it can stand for a hard one, and counts for nothing.
    `written` is how it stands in the text, '' where that is not one piece.
    """

    at: int
    key: str
    unit: str = ""
    soft: bool = False
    written: str = ""


def numbers(text: str) -> list[str]:
    """The values of the numbers in order, so that 十二 and 12 are one; soft ones are left out."""
    return [number.key for number in read(text) if not number.soft]


def read(text: str) -> list[Number]:
    """The numbers in order of place. Numerals inside fixed phrases state none."""
    plain = text.translate(_HALF)
    if not _ANY.search(plain):
        return []
    found: list[Number] = []

    def clock(match: re.Match[str]) -> str:
        hour = numerals.value(match["hour"])
        minute = 30 if match["half"] else 15 * (numerals.value(match["quarter"] or "") or 0)
        minute = minute or numerals.value(match["minute"] or "") or 0
        if hour is None:
            return match.group()
        found.append(Number(match.start(), f"{hour}:{minute:02}", written=match.group()))
        return " " * len(match.group())

    def named(match: re.Match[str]) -> str:
        if match.re is _QUARTERS:
            quarters = str(15 * (numerals.value(match[1]) or 2))
            found.append(Number(match.start(), quarters, unit("分钟", 0), written=match.group()))
        elif match.re is _DECADES:
            found.append(Number(match.start(), _decade(match), written=match.group()))
        else:  # the second day, and no number where the other text has none
            soft = match.group() != "第二日"
            found.append(Number(match.start(), "第2", soft=soft, written=match.group()))
        return " " * len(match.group())

    plain = _CLOCK.sub(clock, plain)
    for pattern in (_NEXT_DAY, _QUARTERS, _DECADES):
        plain = pattern.sub(named, plain)
    plain, parts = halves(undated(plain))
    found += [Number(at, key, name, soft) for at, key, name, soft in parts]
    found += _arabic(plain)
    found += _chinese(plain)
    found += _pairs(plain)
    if _LATIN.search(plain):
        found += [
            Number(at, key, "" if key.endswith("rd") else unit(plain, end), soft=soft, written=plain[at:end])
            for at, end, key, soft in english(plain)
        ]
    return sorted(found, key=lambda number: number.at)


def _decade(match: re.Match[str]) -> str:
    """Ten years of somebody's life, and which of them if that is told: `forties`, `late thirties`."""
    tens = (match["tens"] or match["whole"] or match["about"]).lower() + "ies"
    part = (match["part"] or "").lower().replace("middle", "mid")
    return f"{part} {tens}".strip()


def in_one_measure(before: list[Number], after: list[Number]) -> tuple[list[Number], list[Number]]:
    """Both, with an amount that the other tells in a smaller unit told in that: half an hour is thirty minutes."""
    old, new = ({(n.key, n.unit) for n in found} for found in (before, after))
    return [_measured(n, new) for n in before], [_measured(n, old) for n in after]


def _measured(number: Number, others: set[tuple[str, str]]) -> Number:
    if number.unit and (number.key, number.unit) not in others:
        for key, name in in_measure(number.key, number.unit):
            if (key, name) in others:
                return Number(number.at, key, name, number.soft)
    return number


def changed(before: list[Number], after: list[Number]) -> tuple[Counter[str], Counter[str]]:
    """The values that went and those that came; a soft one meets a hard one of its value."""
    lost, came = _hard(before) - _hard(after), _hard(after) - _hard(before)
    soft_lost, soft_came = _soft(before) - _soft(after), _soft(after) - _soft(before)
    lost, came = lost - soft_came, came - soft_lost
    if not lost and not came:
        lost, came = _exchanged(before, after)
    elif lost and not came:
        came = soft_came - _hard(before)
    elif came and not lost:
        lost = soft_lost - _hard(after)
    return lost, came


def as_written(values: Counter[str], found: list[Number]) -> Counter[str]:
    """Values as they stand in the text that they were found in."""
    written = {number.key: number.written for number in reversed(found) if number.written}
    return Counter({written.get(key, key): count for key, count in values.items()})


def _exchanged(before: list[Number], after: list[Number]) -> tuple[Counter[str], Counter[str]]:
    """Numbers that changed places: another one has the unit of each now."""
    old, new = (Counter((n.key, n.unit) for n in found if n.unit and not n.soft) for found in (before, after))
    lost, came = old - new, new - old
    names = {name for _, name in lost} & {name for _, name in came}
    return (
        Counter(key for key, name in lost if name in names),
        Counter(key for key, name in came if name in names),
    )


def units_changed(before: list[Number], after: list[Number]) -> tuple[Counter[str], Counter[str]]:
    """Numbers that kept their value and have another unit now, with their units."""
    old = Counter((n.key, n.unit) for n in before if n.unit)
    new = Counter((n.key, n.unit) for n in after if n.unit)
    lost, came = old - new, new - old
    keys = {key for key, _ in lost} & {key for key, _ in came}
    return _with_units(lost, keys), _with_units(came, keys)


def _with_units(pairs: Counter[tuple[str, str]], keys: set[str]) -> Counter[str]:
    return Counter({_joined(key, name): count for (key, name), count in pairs.items() if key in keys})


def _joined(key: str, name: str) -> str:
    return f"{key} {name}" if name.isascii() else key + name


def _hard(found: list[Number]) -> Counter[str]:
    return Counter(n.key for n in found if not n.soft)


def _soft(found: list[Number]) -> Counter[str]:
    return Counter(n.key for n in found if n.soft)


def _arabic(text: str) -> Iterator[Number]:
    for match in _ARABIC.finditer(text):
        key = _value(match["number"])
        if match["myriads"] and (factor := numerals.chinese("一" + match["myriads"])):
            key = _times(key, factor)
        if match["th"]:
            yield Number(match.start(), f"{key}rd", written=match.group().strip())
        elif text[match.start() - 1 : match.start()] == "第":
            yield Number(match.start(), f"第{key}", written=f"第{match.group().strip()}")
        else:
            yield Number(match.start(), key, unit(text, match.end()), written=match.group().strip())


def _times(key: str, factor: int) -> str:
    try:
        value = Decimal(key) * factor
    except InvalidOperation:
        return key
    return f"{value.normalize():f}"


def _value(written: str) -> str:
    plain = written.replace(",", "").replace("，", "").replace("．", ".").replace("：", ":")
    return re.sub("^0+(?=[0-9])", "", plain)


def _chinese(text: str) -> Iterator[Number]:
    idioms = [match.span() for match in _IDIOMS.finditer(text)]
    for match in _HAN_RUN.finditer(text):
        run, at, end = match.group(), match.start(), match.end()
        if any(a < end and at < b for a, b in idioms) or text[at - 1 : at].isdecimal():
            continue
        if len(run) > 1 and run[-1] in "两兩" and numerals.chinese(run[:-1]) is not None:  # taels
            run, end = run[:-1], end - 1
        if len(run) > 1 and run[-1] == "千" and run[-2] in "十百" and text[end : end + 1] in ("米", "克"):
            run, end = run[:-1], end - 1
        before = text[max(0, at - 1) : at]
        soft = False
        if len(run) == 1:
            following = text[end : end + 1]
            counted = following in _MEASURES and following != ""
            ordinal = _COUNTING.search(text, max(0, at - 2), at + 2) is not None
            if not (ordinal or counted):
                continue
            soft = not ordinal and run in "一壹零〇○"
        nth = "第" if before == "第" else ""
        yield Number(at, nth + _han_value(run), unit(text, end), soft=soft, written=nth + run)


def _pairs(text: str) -> Iterator[Number]:
    """他们俩, 哥仨: a number that is told beside the people."""
    for match in _TOGETHER.finditer(text):
        yield Number(match.start(), "3" if match.group() == "仨" else "2", soft=True, written=match.group())


def _han_value(run: str) -> str:
    about = len(run) == 2 and all(numerals.chinese(ch) in range(1, 10) for ch in run)
    value = None if about else numerals.chinese(run)  # 三五 says about how many
    return run if value is None else str(value)

"""What a file name, a folder name or a heading says about its place in a book, and the order it makes."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, total_ordering
from pathlib import Path

from inkwright.domain.manuscript import ChapterKind, ChapterName
from inkwright.manuscript import numerals

Place = tuple[float, ...]
Parts = tuple[tuple[int, float, str], ...]

_NUMBER = rf"(?:[0-9０-９]{{1,9}}(?:[.．][0-9０-９]{{1,3}})?|[{numerals.HAN}]+)"
_SEPARATORS = r"\s_\-–—.．、,，:：·|"
_END = rf"(?=[{_SEPARATORS}（(]|\Z)"
_NOT_NEGATIVE = r"(?!(?<=[\s_.．:：][\-–])[0-9０-９])"
"""A hyphen that stands apart from the word before and not from the number after is a minus: -1 is no place in a book."""
_EDGES = re.compile(rf"\A[{_SEPARATORS}]+|[\s_\-]+\Z")
_PIECES = re.compile(rf"[0-9]+|[{numerals.HAN}]+|[上中下末]|[^0-9{numerals.HAN}上中下末]+")
_SLOT: dict[ChapterKind, int] = {"prologue": 0, "main": 1, "extra": 2, "epilogue": 3}
_LAST = float("inf")
_LONGEST_ROMAN = 200  # beyond it a Roman number is more likely a word


@total_ordering
@dataclass(frozen=True, slots=True)
class Natural:
    """A name that sorts naturally. It is taken apart only when two names stand in the same place."""

    name: str

    def __lt__(self, other: Natural) -> bool:
        return natural(self.name) < natural(other.name)


SortKey = tuple[Place, Place, Natural]
"""Compares with the key of any other name; no two different names have the same."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A name taken apart. `prefix` is a bare number put before a name that says its place itself.

    `outer` is the volume's number where a name carries one (第一卷第三章). `sure` is True when the
    name has a unit, a word or a kind, not merely digits.
    """

    number: float | None
    title: str
    kind: ChapterKind = "main"
    prefix: float | None = None
    outer: float | None = None
    rank: int = 0
    sure: bool = False


def parse(name: str) -> ChapterName:
    """What `name` says: a file's stem, a folder's name, or a heading. Shape: number, title, kind.

    `title` is the name without its number part; it is '' when nothing else stands there. A name of
    prologue, epilogue, extra or interlude keeps its word in the title.
    """
    found = read(name)
    return ChapterName(None if found.number is None else int(found.number), found.title, found.kind)


def read(name: str) -> Reading:
    """`name` taken apart by the grammar."""
    text = unicodedata.normalize("NFC", name).strip(" \t\u3000\ufeff")
    return _named(text) or _prefixed(text) or Reading(None, text)


def sort_key(name: str, order: float | None = None) -> SortKey:
    """The place of `name` among its siblings. `order`, from front matter, goes before what the name says."""
    return key_of(read(name), name, order)


def key_of(found: Reading, name: str, order: float | None = None) -> SortKey:
    """The key of a name that was read (its number may have come from a heading)."""
    inner = (_SLOT[found.kind], 0, _or(found.number, _LAST), found.rank)
    lead = order if order is not None else found.prefix
    if lead is not None:
        return ((1, 0, lead, *inner), (), Natural(name))
    if found.outer is not None:
        return ((1, 0, found.outer), inner, Natural(name))
    if found.kind != "main":
        return ((_SLOT[found.kind], 0, found.rank, _or(found.number, 0)), (), Natural(name))
    return ((1, 1) if found.number is None else (1, 0, found.number, *inner), (), Natural(name))


def natural(name: str) -> Parts:
    """A natural sort key: numbers in any notation by value, 上中下 in that order, letters without case."""
    parts: list[tuple[int, float, str]] = []
    folded = unicodedata.normalize("NFKC", name).casefold()
    for piece in _PIECES.findall(folded):
        digits = piece.isascii() and piece.isdecimal()
        number = (float(piece) if len(piece) < 300 else _LAST) if digits else numerals.chinese(piece)
        if number is not None:
            parts.append((0, number, piece))
        elif piece in "上中下末":
            parts.append((1, "上中下末".index(piece), piece))
        else:
            parts.append((2, 0, piece))
    return (*parts, (-1, 0, name))


def order_value(value: object) -> float | None:
    """A front-matter `order` as a number: 3, 2.5, '007', '十二'; None when it is none."""
    if value is None or isinstance(value, bool):
        return None
    text = unicodedata.normalize("NFKC", str(value)).strip()
    if re.fullmatch(r"[+-]?[0-9]{1,12}(\.[0-9]{1,6})?", text):
        return float(text)
    number = numerals.chinese(text)
    return None if number is None else float(number)


@dataclass(frozen=True, slots=True)
class _Grammar:
    units: tuple[re.Pattern[str], ...]
    english: re.Pattern[str]
    titled: re.Pattern[str]
    bare: re.Pattern[str]
    date: re.Pattern[str]
    kinds: tuple[tuple[str, ChapterKind, int], ...]
    volumes: frozenset[str]


def _named(text: str) -> Reading | None:
    """A name with a unit (第三章), a word (Chapter 3) or a kind (序章)."""
    grammar = _grammar()
    for pattern in (*grammar.units, grammar.english):
        match = pattern.match(text)
        number = _value(match["n"]) if match else None
        if match is None or number is None:
            continue
        rest, unit = _title(text[match.end() :]), match["u"].lower()
        if unit == "interlude":
            return Reading(number, text, rank=1, sure=True)
        if unit in grammar.volumes and (inner := _named(rest)):
            return Reading(inner.number, inner.title, inner.kind, None, number, inner.rank, sure=True)
        return Reading(number, rest, sure=True)
    folded = text.casefold()
    for word, kind, rank in grammar.kinds:
        if folded.startswith(word) and (match := _kind_pattern(word).match(text)):
            return Reading(_value(match["n"] or ""), text, kind, rank=rank, sure=True)
    match = grammar.titled.match(text)
    return _named(text[match.end() :]) if match else None


def _prefixed(text: str) -> Reading | None:
    """A name that begins with a bare number: 0001_雨夜, 3. The Inn, 十二、旧信, （三）旧信, 00-序章."""
    grammar = _grammar()
    match = grammar.bare.match(text)
    number = _value(match[match.lastgroup or 0]) if match else None
    if match is None or number is None or grammar.date.match(text):
        return None
    rest = _title(text[match.end() :])
    if inner := _named(rest):
        return Reading(inner.number, inner.title, inner.kind, number, inner.outer, inner.rank, sure=True)
    return Reading(number, rest)


def _title(rest: str) -> str:
    return _EDGES.sub("", rest)


def _value(text: str) -> float | None:
    plain = unicodedata.normalize("NFKC", text).strip(" \t_-.")
    if re.fullmatch(r"[0-9]+(\.[0-9]+)?", plain):
        return float(plain)
    if plain.isascii() and plain:
        return _word_value(plain)
    number = numerals.chinese(plain)
    return None if number is None else float(number)


def _word_value(text: str) -> float | None:
    number = numerals.english(text.replace("_", "-"))
    if number is None and (text.isupper() or text.islower()):
        number = numerals.roman(text)
        number = number if number is not None and 0 < number <= _LONGEST_ROMAN else None
    return None if number is None else float(number)


def _or(number: float | None, default: float) -> float:
    return default if number is None else number


@cache
def _kind_pattern(word: str) -> re.Pattern[str]:
    """Compiled when a name begins with the word: there are many, and few books have one of them."""
    after = _END if len(word) == 1 else "(?![a-z])" if word.isascii() else ""
    number = rf"(?:[{_SEPARATORS}]*(?P<n>{_NUMBER}){_END})"
    return re.compile(rf"{word}{after}{number}?", re.IGNORECASE)


@cache
def _grammar() -> _Grammar:
    data = tomllib.loads(Path(__file__).with_name("naming.toml").read_text("utf-8"))
    longer: dict[str, str] = data["longer"]
    words = sorted(data["words"], key=len, reverse=True)

    def unit(choice: Sequence[str]) -> str:
        return "(?P<u>" + "|".join(u + (f"(?![{longer[u]}])" if u in longer else "") for u in choice) + ")"

    kinds: dict[ChapterKind, list[str]] = data["kinds"]
    ranked = [(word, kind, rank) for kind, row in kinds.items() for rank, word in enumerate(row)]
    ranked.sort(key=lambda entry: -len(entry[0]))
    digits = "[0-9０-９]{1,9}"
    counted = rf"[{numerals.HAN}]*[零一二三四五六七八九十廿卅壹贰叁肆伍陆柒捌玖拾][{numerals.HAN}]*"
    return _Grammar(
        units=(
            re.compile(rf"第\s*(?P<n>{_NUMBER})\s*{unit(data['units'])}"),
            re.compile(rf"(?P<n>{_NUMBER})\s*{unit(data['bare_units'])}{_END}"),
            re.compile(rf"{unit(data['units'])}\s*(?P<n>{_NUMBER})(?=[{_SEPARATORS}（(第]|\Z)"),
        ),
        english=re.compile(
            rf"(?P<u>{'|'.join(words)})[{_SEPARATORS}]*{_NOT_NEGATIVE}(?P<n>{_NUMBER}|{numerals.WORD}|[IVXLCDM]+)(?![a-z0-9])",
            re.IGNORECASE,
        ),
        titled=re.compile(rf"(?:《[^》]{{1,40}}》|[^第]{{1,40}}[{_SEPARATORS}])[{_SEPARATORS}]*(?=第)"),
        bare=re.compile(
            rf"[（(\[【](?P<a>{digits}|{counted})[）)\]】]|(?P<b>{digits}|{counted})(?=[{_SEPARATORS}]|\Z)"
            rf"|(?P<c>{digits})(?=[^\W\da-zA-Z_])(?![{data['measures']}])"
        ),
        date=re.compile(r"(?:1\d|20)\d\d[-_.年]?(?:0?[1-9]|1[0-2])[-_.月]?(?:0?[1-9]|[12]\d|3[01])(?!\d)"),
        kinds=tuple(ranked),
        volumes=frozenset((*data["volume_units"], *data["volume_words"])),
    )

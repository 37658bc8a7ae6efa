"""Bytes to text and back: a ladder of strict decoders, never a statistical guesser.

The byte order mark is no part of the text: editors keep it to themselves, so offsets agree with theirs.
Line ends are kept. Only UTF-8 that decodes strictly is ever written back.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from typing import Literal

from inkwright.domain.text import encodable

Readonly = Literal["", "encoding", "binary"]

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
# GBK and GB2312 are always read as their superset. Order breaks ties.
_LADDER = ("gb18030", "big5hkscs", "shift_jis", "euc-kr", "cp1252")
_WIDE = ("utf-16-le", "utf-16-be")
_SAMPLE = 20_000
_DAMAGED = 0.002

_COMMON = frozenset(
    "的一是不了在人有我他这中大来上个国到说们为子和你地出道也时年得就那要下以生会自着去之过家学对可她里后小么"
    "心多天而能好都然没日于起还发成事只作当想看文无开手十用主行方又如前所本见经头面公同三已老从动两长知回样"
    "它第儿己女二点什样只把被让给与走问话听门眼身间些此但笑正却几便吃打进声边少气水何谁马军王书曰其乃"
    "這來個國說們為時會著過後學對麼沒還發當無開經頭從動兩長樣點讓給與問話聽門間幾進聲邊氣誰馬軍書"
    "，。、：；？！“”‘’「」『』《》（）…—　"
)
_KOREAN = frozenset("이다는을의에가고하지그도한를은나로아어서들기사시있니게자라해만것수일리오대인")
_CONTROL = re.compile("[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f\x7f]")
_CONTROL_BYTES = bytes(i for i in range(128) if _CONTROL.match(chr(i)))
_STRAYS = 2
_NOT_PLAIN = re.compile("[^\t-\r -~\x1b]")
# Controls, unassigned and private places: no text is written with them.
_NEVER = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f\ue000-\uf8ff\ufffd-\uffff\U000e0000-\U0010ffff]")
# What one ASCII character weighs beside one beyond it: they look alike in most encodings.
_PLAIN = 0.05
_LEAST = 0.05
# Any even number of bytes is UTF-16 of something: it takes more to believe it.
_LEAST_WIDE = 0.3


@dataclass(frozen=True, slots=True)
class Decoded:
    """A file's text without its BOM. `readonly` says why it must not be written; `binary` has no text."""

    text: str
    encoding: str
    bom: bool = False
    readonly: Readonly = ""


def decode(data: bytes) -> Decoded:
    """The text of a file; never raises. An encoding that is only guessed is read, never written."""
    for mark, name in _BOMS:
        if data.startswith(mark):
            return _marked(data[len(mark) :], name)
    text = _strict(data, "utf-8")
    if text is not None and "\0" not in text:
        strays = len(data) - len(data.translate(None, _CONTROL_BYTES))
        return _binary() if strays > _STRAYS and _controls(text) else Decoded(text, "utf-8")
    return _guess(data, text)


def encode(text: str, like: Decoded) -> bytes:
    """`text` as the bytes of a writable file: UTF-8, with the BOM that it had."""
    if like.readonly:
        raise ValueError(f"a file that is read-only ({like.readonly}) is never written")
    return (codecs.BOM_UTF8 if like.bom else b"") + encodable(text).encode("utf-8")


def _marked(data: bytes, name: str) -> Decoded:
    text = data.decode(name, "replace")
    sound = name == "utf-8" and "\ufffd" not in text
    if name == "utf-8" and not sound:
        sound = _strict(data, name) is not None
    return Decoded(text, name, bom=True, readonly="" if sound else "encoding")


def _guess(data: bytes, utf8: str | None) -> Decoded:
    """The reading that looks most like a language. `utf8` is the strict UTF-8 one, if it holds."""
    names = (*_LADDER, *_WIDE) if len(data) % 2 == 0 else _LADDER
    found = [] if utf8 is None else [("utf-8", utf8)]
    found += [(name, text) for name in names if (text := _strict(data, name)) is not None]
    if utf8 is None:
        # One bad byte makes every strict decoder refuse a long text: UTF-8 with holes, then GB18030 with holes.
        found += [
            (name, text) for name in ("utf-8", "gb18030") if _nearly(text := data.decode(name, "replace"))
        ]
    # The first of the best: found stands in the order of the ladder.
    name, text = max(found, key=lambda entry: _score(entry[1][:_SAMPLE]), default=("", ""))
    least = _LEAST_WIDE if name in _WIDE else _LEAST
    if not name or _controls(text) or _score(text[:_SAMPLE]) < least:
        return _binary()
    return Decoded(text, name, readonly="" if text is utf8 else "encoding")


def _nearly(text: str) -> bool:
    return text.count("\ufffd") <= max(1, len(text) * _DAMAGED)


def _strict(data: bytes, name: str) -> str | None:
    try:
        return data.decode(name)
    except UnicodeDecodeError:
        return None


def _binary() -> Decoded:
    return Decoded("", "binary", readonly="binary")


def _controls(text: str) -> bool:
    """True when control characters are more than the strays that old texts carry."""
    sample = text if len(text) <= 4 * _SAMPLE else text[: 2 * _SAMPLE] + text[-2 * _SAMPLE :]
    return len(_CONTROL.findall(sample)) > max(_STRAYS, len(sample) // 200)


def _score(text: str) -> float:
    """How much the characters look like somebody's language: 1 is surely, below 0 is not."""
    plain = len(text.encode("ascii", "ignore"))
    weight = _PLAIN * plain
    total = weight
    for match in _NOT_PLAIN.finditer(text):
        total += _likely(text, match.start(), match.group())
        weight += 1
    return total / weight if weight else 1.0


def _likely(text: str, at: int, char: str) -> float:
    if char in _COMMON or "\u3041" <= char <= "\u30fe" or char in _KOREAN:
        return 1
    if _NEVER.match(char):
        return -3
    if "\u00c0" <= char <= "\u024f" and char not in "×÷":
        near = text[max(0, at - 1) : at] + text[at + 1 : at + 2]
        return 0.7 if near.isascii() and any(c.isalpha() for c in near) else 0.1
    if char in "–‘’“”…—«»":
        return 0.5
    if "\u4e00" <= char <= "\u9fff" or "\uac00" <= char <= "\ud7a3":
        return 0.1
    return -0.5 if "\uff61" <= char <= "\uff9f" else 0

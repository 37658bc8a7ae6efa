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
_PRIVATE = re.compile("[\ue000-\uf8ff\ufffd\U000f0000-\U0010ffff]")


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
    nuls = data.count(0)
    if nuls:
        wide = _wide(data, nuls)
        if wide is not None:
            return wide
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return _guess(data)
    return _binary() if nuls and _controls(text) else Decoded(text, "utf-8")


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


def _wide(data: bytes, nuls: int) -> Decoded | None:
    """UTF-16 without a mark: the NULs are the high halves of its ASCII, all on one side."""
    odd = data[1::2].count(0)
    for name, side in (("utf-16-le", odd), ("utf-16-be", nuls - odd)):
        if side < nuls * 0.9:
            continue
        text = _strict(data, name)
        if text is not None and not _controls(text) and "\x00" not in text:
            return Decoded(text, name, readonly="encoding")
    return None


def _guess(data: bytes) -> Decoded:
    best: tuple[float, str, str] | None = None
    for name in _LADDER:
        text = _strict(data, name)
        if text is None:
            continue
        score = _score(text[:_SAMPLE])
        if best is None or score > best[0]:
            best = (score, name, text)
    damaged = data.decode("utf-8", "replace")
    holes = damaged.count("\ufffd")
    if (
        holes <= max(1, len(damaged) * _DAMAGED)
        and _score(damaged[:_SAMPLE]) >= (best[0] if best else 0) - 0.05
    ):
        best = (1.0, "utf-8", damaged)
    if best is None:
        # Strict decoders all refuse a long text for one bad byte: the most likely one, with holes.
        text = data.decode("gb18030", "replace")
        if text.count("\ufffd") > len(text) * _DAMAGED * 5:
            return _binary()
        best = (_score(text[:_SAMPLE]), "gb18030", text)
    if _controls(best[2]) or best[0] <= -1:
        return _binary()
    return Decoded(best[2], best[1], readonly="encoding")


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
    return len(_CONTROL.findall(sample)) > max(2, len(sample) // 200)


def _score(text: str) -> float:
    """How much the characters beyond ASCII look like somebody's language: 1 is surely, below 0 is not."""
    wide = [c for c in text if c > "\x7f"]
    if not wide:
        return 0.0
    total = 0.0
    for i, c in enumerate(text):
        if c <= "\x7f":
            continue
        if c in _COMMON or "\u3041" <= c <= "\u30fe" or c in _KOREAN:
            total += 1
        elif "\u00c0" <= c <= "\u024f" and c not in "×÷":
            near = text[i - 1 : i] + text[i + 1 : i + 2]
            total += 0.7 if all(n.isascii() for n in near) and any(n.isalpha() for n in near) else 0.1
        elif c in "–‘’“”…—«»":
            total += 0.5
        elif _PRIVATE.match(c) or "\x80" <= c <= "\x9f":
            total -= 3
        elif "\u4e00" <= c <= "\u9fff" or "\uac00" <= c <= "\ud7a3":
            total += 0.1
        elif "\uff61" <= c <= "\uff9f":
            total -= 0.5
    return total / len(wide)

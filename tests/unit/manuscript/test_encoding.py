"""The encoding ladder."""

from __future__ import annotations

import codecs
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inkwright.manuscript.encoding import Decoded, decode, encode

ZH = "林夏到的时候，船已经走了。“再等等。”周衡说，“天黑之前总会回来的。”她点点头，在石阶上坐下来。\r\n"
TRADITIONAL = "這個國家的人們說話時會看著對方，沒有例外。她點點頭，在石階上坐了下來。\n"
JA = "吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。\n"
KO = "나는 고양이다. 이름은 아직 없다. 어디서 태어났는지 도무지 알 수 없다.\n"
FR = "Il était une fois, à l’été, un garçon élégant qui rêvait de « châteaux » près de la forêt.\n"
EN = "It is a truth universally acknowledged, that a single man must be in want of a wife.\n"


@pytest.mark.parametrize(
    ("text", "written", "read"),
    [
        (ZH, "gbk", "gb18030"),
        (ZH, "gb18030", "gb18030"),
        ("𠮷野㐀" + ZH, "gb18030", "gb18030"),
        ("林夏", "gbk", "gb18030"),
        (TRADITIONAL, "big5", "big5hkscs"),
        (JA, "shift_jis", "shift_jis"),
        (KO, "euc-kr", "euc-kr"),
        (FR, "cp1252", "cp1252"),
        ("“No” — don’t.", "cp1252", "cp1252"),
        (ZH, "utf-16-le", "utf-16-le"),
        (ZH, "utf-16-be", "utf-16-be"),
        (EN, "utf-16-le", "utf-16-le"),
        (EN, "utf-16-be", "utf-16-be"),
        (JA, "utf-16-le", "utf-16-le"),
    ],
)
def test_other_encodings_are_read_and_never_written(text: str, written: str, read: str) -> None:
    """The text is the same to the letter, line ends included, and the file is read-only."""
    found = decode(text.encode(written))
    assert found == Decoded(text, read, readonly="encoding")
    with pytest.raises(ValueError, match="read-only"):
        encode(text, found)


@pytest.mark.parametrize("encoding", ["gb18030", "utf-16-le", "utf-16-be", "big5hkscs"])
@pytest.mark.parametrize("size", [20, 60, 300])
def test_short_pieces_are_told_apart(encoding: str, size: int) -> None:
    """Samples of twenty characters are enough."""
    text = (TRADITIONAL if encoding.startswith("big5") else ZH) * 20
    for seed in range(20):
        start = random.Random(seed).randrange(len(text) - size)
        piece = text[start : start + size]
        assert decode(piece.encode(encoding)).text == piece


@pytest.mark.parametrize(
    "text", ["", ZH, EN, "a\rb\r\nc\n", "\u2028\x85😋𠮷", "no final newline", "\x0cpage\x1b"]
)
@pytest.mark.parametrize("bom", [b"", codecs.BOM_UTF8])
def test_utf8_goes_there_and_back(text: str, bom: bytes) -> None:
    """The BOM is no part of the text but of the file: what is written is what was read."""
    data = bom + text.encode()
    found = decode(data)
    assert found == Decoded(text, "utf-8", bom=bool(bom))
    assert encode(found.text, found) == data


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32"])
def test_other_marks(encoding: str) -> None:
    """A wide file with its mark is read without it, and not written."""
    found = decode(ZH.encode(encoding))
    assert (found.text, found.bom, found.readonly) == (ZH, True, "encoding")


@pytest.mark.parametrize(
    "data",
    [
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + random.Random(1).randbytes(2000),
        random.Random(2).randbytes(4000),
        b"\0" * 100,
        b"\x7fELF\2\1\1" + b"\0" * 9 + b"text and \0 more" * 9,
        b"SQLite format 3\0" + b"\x10\0\1\1\0" * 200,
        bytes(range(32)) * 20,
        b"",
    ],
)
def test_binary_has_no_text(data: bytes) -> None:
    """A picture, a database or noise is named binary and never shown as text; an empty file is a text."""
    found = decode(data)
    assert found == (Decoded("", "binary", readonly="binary") if data else Decoded("", "utf-8"))


def test_one_bad_byte_spoils_no_book() -> None:
    """A long text with a broken byte is read with a hole there, in its own encoding, and never written."""
    for encoding, name in (("utf-8", "utf-8"), ("gb18030", "gb18030")):
        data = (ZH * 100).encode(encoding)
        found = decode(data[:3000] + b"\xff" + data[3000:])
        assert (found.encoding, found.readonly) == (name, "encoding")
        assert found.text.count("林夏") >= 99


def test_a_stray_control_character_is_no_reason() -> None:
    """Old texts carry a few; they stay text, writable and unchanged."""
    text = ZH * 10 + "\x00\x02" + ZH * 10
    assert decode(text.encode()) == Decoded(text, "utf-8")


def test_lone_surrogates_do_not_raise_when_written() -> None:
    """A half character that a client sent is written as the replacement character."""
    assert encode("a\ud83d", Decoded("", "utf-8")) == "a\ufffd".encode()


@given(st.binary(max_size=200))
def test_nothing_raises(data: bytes) -> None:
    """Any bytes are text or binary; writable ones come back to the letter."""
    found = decode(data)
    if not found.readonly:
        assert encode(found.text, found) == data
    assert (found.encoding == "binary") == (found.readonly == "binary")

"""Numbers before chapters, in every notation writers use."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inkwright.manuscript import numerals

DIGITS = "零一二三四五六七八九"


def written(number: int) -> str:
    """`number` below 100,000 as Chinese writes it (103: 一百零三)."""
    if number < 10:
        return DIGITS[number]
    out, zero = "", False
    for unit, name in ((10_000, "万"), (1000, "千"), (100, "百"), (10, "十"), (1, "")):
        digit, number = divmod(number, unit)
        if digit:
            out += ("零" if zero and out else "") + DIGITS[digit] + name
            zero = False
        else:
            zero = True
    return out


@given(st.integers(0, 99_999))
def test_chinese_round_trip(number: int) -> None:
    """Every number that is written in Chinese is read back."""
    assert numerals.chinese(written(number)) == number


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("十二", 12),
        ("一百二", 120),
        ("一万二", 12_000),
        ("二〇二四", 2024),
        ("一二〇", 120),
        ("壹佰零叁", 103),
        ("廿三", 23),
        ("卅", 30),
        ("两百", 200),
        ("兩千零二", 2002),
        ("百", 100),
        ("三四十", None),
        ("一二三四五六七八九十", None),
        ("", None),
        ("十x", None),
    ],
)
def test_chinese(text: str, value: int | None) -> None:
    """Colloquial, formal, positional and traditional forms; what is no number is None."""
    assert numerals.chinese(text) == value


@pytest.mark.parametrize(
    ("text", "value"), [("IV", 4), ("xii", 12), ("MCMXCIX", 1999), ("IIII", None), ("VX", None), ("", None)]
)
def test_roman(text: str, value: int | None) -> None:
    """Only well-formed Roman numbers count."""
    assert numerals.roman(text) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("seven", 7),
        ("Twenty-One", 21),
        ("forty two", 42),
        ("ninety", 90),
        ("seventy-zero", None),
        ("sevenfold", None),
    ],
)
def test_english(text: str, value: int | None) -> None:
    """English words from zero to ninety-nine."""
    assert numerals.english(text) == value


@given(st.text(max_size=12))
def test_nothing_raises(text: str) -> None:
    """Any text is a number or None."""
    for read in (numerals.chinese, numerals.arabic, numerals.roman, numerals.english, numerals.value):
        assert read(text) is None or isinstance(read(text), int)


@pytest.mark.parametrize(
    ("number", "written"),
    [
        (0, "零"),
        (10, "十"),
        (19, "十九"),
        (20, "二十"),
        (101, "一百零一"),
        (110, "一百一十"),
        (1010, "一千零一十"),
    ],
)
def test_written_as_headings_have_them(number: int, written: str) -> None:
    """Ten without its one, a gap as one 零."""
    assert numerals.han(number) == written


@given(st.integers(min_value=0, max_value=99_999_999))
def test_what_is_written_is_read(number: int) -> None:
    """A number that is written in Chinese is read as itself."""
    assert numerals.chinese(numerals.han(number)) == number

"""The token estimate."""

from __future__ import annotations

from math import floor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inkwright.domain.tokens import estimate, tokens, weigh


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", 0),
        ("一", 0),
        ("一二三", 2),
        ("abcdefg", 2),
        ("一二三abcdefg", 4),
        ("，。！", 2),
        ("\U00020bb7\U00020bb7\U00020bb7", 2),
        ("かなハ", 2),
        ("한글자", 2),
    ],
)
def test_cjk_over_1_5_and_other_over_3_5(text, expected):
    """Han with extensions, kana, hangul and CJK punctuation count 1/1.5, all else 1/3.5."""
    assert estimate(text) == expected


@given(st.integers(0, 5000), st.integers(0, 5000))
def test_it_is_the_formula(cjk, other):
    """floor(CJK / 1.5 + other / 3.5), exactly."""
    made = estimate("中" * cjk + "a" * other)
    assert abs(made - floor(cjk / 1.5 + other / 3.5 + 1e-9)) == 0


@given(st.lists(st.text(max_size=20), max_size=8))
def test_weights_add_up(pieces):
    """The estimate of a text that came in pieces is the estimate of the whole."""
    assert tokens(sum(map(weigh, pieces))) == estimate("".join(pieces))

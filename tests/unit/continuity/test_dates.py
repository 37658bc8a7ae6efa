"""Dates and times of stories: what can be compared, and what nobody can say."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inkwright.checks.continuity import dates


@pytest.mark.parametrize(
    ("a", "b", "order"),
    [
        ("1907-05-01", "1907-05-02", -1),
        ("2024年3月5日", "2024-03-04", 1),
        ("景和二十年三月十二", "景和二十年三月初九", 1),
        ("建元元年", "建元三年", -1),
        ("第三日", "第十二天", -1),
        ("Day 3", "day twelve", -1),
        ("5 March 1907", "March 6, 1907", -1),
        ("三月初五", "三月十五", -1),
        ("March 1907", "1907", None),
        ("景和二十年", "建元三年", None),
        ("第三日", "三月初五", None),
        ("腊月三十", "正月初一", None),
        ("十二月三十日", "一月一日", None),
        ("闰四月初三", "四月初五", None),
        ("雨季", "第三日", None),
    ],
)
def test_two_dates(a, b, order):
    """Only dates of one kind and one era can be put in order; a year may turn between two months."""
    x, y = dates.read(a), dates.read(b)
    got = None if x is None or y is None else dates.compare(x, y)
    assert got == order
    if order is not None and x is not None and y is not None:
        assert dates.compare(y, x) == -order


@pytest.mark.parametrize(
    ("said", "minute"),
    [
        ("黄昏", 1080),
        ("at dusk", 1080),
        ("14:30", 870),
        ("清晨", 420),
        ("深夜", None),
        ("midnight", None),
        ("", None),
    ],
)
def test_times(said, minute):
    """Hours and the parts of a day have a place in it; the night has none."""
    assert dates.minute(dates.slot(said)) == minute


@given(st.text(max_size=40))
def test_anything_can_be_read(said):
    """No text raises, and what is read is equal to itself."""
    found = dates.read(said)
    assert found is None or dates.compare(found, found) in (0, None)
    dates.minute(dates.slot(said))

"""The search for wrong words, with the automaton and without."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from inkwright.checks.methods.words import by_expression, searcher

WORDS = ["一但", "一但是", "迫不急待", "急燥", "燥音", "以经"]


@given(
    st.lists(st.sampled_from([*WORDS, "一", "但", "急", "燥", "他", "\ud800", "𠮷"]), max_size=12).map(
        "".join
    )
)
def test_both_ways_find_the_same(text: str) -> None:
    """Where no automaton can be had, an expression finds the same places."""
    assert list(searcher(WORDS)(text)) == list(by_expression(WORDS)(text))

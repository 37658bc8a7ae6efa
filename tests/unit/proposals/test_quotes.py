"""Quotations are compared by their words: which marks they stand in is nothing to them."""

from __future__ import annotations

import pytest

from inkwright.proposals.quotes import quotations


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('借"通灵"之说，故曰"甄士隐"云云', "借“通灵”之说，故曰“甄士隐”云云"),
        ("“再等等,”他说", "“再等等，”他说"),
        ('"Wait," she said. "Now."', "“Wait,” she said. “Now.”"),
    ],
)
def test_a_repair_of_marks_changes_no_quotation(before: str, after: str) -> None:
    """Straight, mixed and curly marks give the same words."""
    assert quotations(after)
    assert quotations(before)[:1] == quotations(after)[:1]


@pytest.mark.parametrize(
    ("before", "after"),
    [("“走吧。”", "“快走吧。”"), ('"a honest man"', '"an honest man"'), ("「是」", "「不是」")],
)
def test_a_changed_word_changes_the_quotation(before: str, after: str) -> None:
    """A word more, less or other is seen."""
    assert quotations(before) != quotations(after)


def test_a_straight_mark_left_open_ends_with_its_line() -> None:
    """One lost mark does not turn the rest of the chapter inside out."""
    assert quotations('他说："走吧。\n\n她说："好。"\n') == ["好"]

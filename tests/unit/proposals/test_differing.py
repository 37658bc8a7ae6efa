"""A change is told by what differs, not by the sentence that it stands in."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inkwright.proposals.differing import differing


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ("She had recieved a letter.", "She had received a letter.", ("recieved", "received")),
        ("Mara pushed the the door open.", "Mara pushed the door open.", ("the door", "door")),
        ("There was noone at the pier.", "There was no one at the pier.", ("noone", "no one")),
        ("第二天，码头上以经没有人了。", "第二天，码头上已经没有人了。", ("头上以经没", "头上已经没")),
        ("灯灭了。。", "灯灭了。", ("。", "")),
        ("", "灯灭了。", ("", "灯灭了。")),
        ("灯灭了。", "", ("灯灭了。", "")),
    ],
)
def test_what_differs_is_told_in_whole_words(before, after, told):
    """The rest of the sentence stands in the text anyway."""
    assert differing(before, after) == told


@given(st.text("ab 灯。\n"), st.text("ab 灯。\n"), st.text("ab 灯。\n"), st.text("ab 灯。\n"))
def test_put_back_in_its_place_it_is_the_change(front, old, new, back):
    """Only what both share is left out, at the same place of both."""
    before, after = front + old + back, front + new + back
    short = differing(before, after)
    places = [n for n in range(len(before) + 1) if before.startswith(short[0], n)]
    assert any(before[:n] + short[1] + before[n + len(short[0]) :] == after for n in places)
    assert (short[0] == short[1]) == (before == after)

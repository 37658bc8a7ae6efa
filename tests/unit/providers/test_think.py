"""A leading `<think>` block is reasoning, however it is cut."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inkwright.domain.conversation import Reasoning, Text
from inkwright.providers.think import ThinkSplitter


def split(*pieces: str) -> tuple[str, str]:
    splitter = ThinkSplitter()
    events = [e for p in pieces for e in splitter.feed(p)] + splitter.end()
    assert all(event.text for event in events)
    return (
        "".join(e.text for e in events if isinstance(e, Text)),
        "".join(e.text for e in events if isinstance(e, Reasoning)),
    )


CASES = [
    ("<think>a</think>b", ("b", "a")),
    (" \n<think>a</think>\n\nb", ("b", "a")),
    ("<think></think>b", ("b", "")),
    ("<think>a</thi", ("", "a</thi")),
    ("<think>a < b </ c</think>d", ("d", "a < b </ c")),
    ("<thi", ("<thi", "")),
    (" <thinking>", (" <thinking>", "")),
    ("x<think>a</think>", ("x<think>a</think>", "")),
    ("<think>a</think>b<think>c</think>", ("b<think>c</think>", "a")),
    ("\n\n", ("\n\n", "")),
    ("", ("", "")),
    ("<think>a</think>  ", ("", "a")),
    ("</think>a", ("</think>a", "")),
]


@pytest.mark.parametrize(("text", "wanted"), CASES)
def test_whole_and_by_character(text, wanted):
    """In one piece and character by character."""
    assert split(text) == wanted
    assert split(*text) == wanted


@given(
    st.lists(st.sampled_from(["<think>", "</think>", "<", "a", " ", "\n", "</", "think>"]), max_size=8),
    st.lists(st.integers(0), max_size=6),
)
def test_cuts_change_nothing(parts, places):
    """Any cuts of any such text give what the whole gives."""
    text = "".join(parts)
    at = sorted(p % (len(text) + 1) for p in places)
    assert split(*[text[a:b] for a, b in zip([0, *at], [*at, len(text)], strict=True)]) == split(text)


def test_text_is_not_held_back():
    """Once it is clear that no tag comes, every piece is out at once."""
    splitter = ThinkSplitter()
    assert splitter.feed("a") == [Text("a")]
    assert splitter.feed("<") == [Text("<")]

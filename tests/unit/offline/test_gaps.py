"""White space in a stranger's text: it costs its length to read."""

from __future__ import annotations

import pytest

from inkwright.offline import keys
from inkwright.offline.notes import quiz
from inkwright.tools import facts

GAP = " " * 100_000


@pytest.mark.parametrize(("line", "name"), [(f"item | 铜钱{GAP}袋 **", f"铜钱{GAP}袋"), ("### 人物", None)])
def test_a_gap_in_the_title_of_a_card(line, name):
    """It is part of the name, what decorates the name is not."""
    match = quiz._TITLED.fullmatch(line)
    assert (match and match["name"]) == name


def test_a_gap_behind_what_somebody_says():
    """Only a colon or a quotation behind it makes it a speech tag."""
    assert keys._OPENS.match(f"{GAP}，{GAP}“")
    assert not keys._OPENS.match(f"{GAP}x")


def test_a_gap_in_a_quotation():
    """A line end with all that stands round it becomes a space, a gap within a line stays."""
    assert facts._BREAK.sub(" ", f"a{GAP}b{GAP}\n{GAP}c") == f"a{GAP}b c"

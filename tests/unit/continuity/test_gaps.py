"""White space in a stranger's text: it costs its length to read."""

from __future__ import annotations

from inkwright.checks.continuity import acting
from inkwright.checks.continuity.words import words

GAP = " " * 200_000


def test_a_gap_behind_a_name():
    """However long it is, what comes behind it is seen, or is nothing."""
    does = words("en").does
    assert does.match(f"{GAP}nodded")
    assert does.match(f"{GAP}quickly{GAP}nodded")
    assert not does.match(f"{GAP}quickly{GAP}?")


def test_a_gap_before_a_quotation():
    """Only a quotation behind it makes it the end of who speaks."""
    assert acting._COLON.match(f"说：{GAP}\ue000")
    assert not acting._COLON.match(f"说：{GAP}x")

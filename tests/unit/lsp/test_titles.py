"""The titles of lenses and actions on hunks."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from inkwright.domain.proposal import Hunk
from inkwright.domain.text import Span
from inkwright.i18n import tr
from inkwright.lsp.naming_places import around
from inkwright.lsp.pending import titled


@pytest.mark.parametrize(
    ("before", "after", "title"),
    [("的", "", "✓ Accept 的 → ∅"), ("", "，", "✓ Accept ∅ → ，"), ("\n\n", "\n", "✓ Accept ␣ → ␣")],
)
def test_a_title_shows_what_goes_and_what_comes(before: str, after: str, title: str) -> None:
    """Also where one of them is nothing, or nothing to see: no title ends in a space."""
    ls = SimpleNamespace(locale="en", tr=lambda code, **params: tr(code, "en", params))
    assert titled(ls, "lens_accept", Hunk(0, Span(0, len(before)), before, after)) == title


@pytest.mark.parametrize(
    ("text", "at", "shown"),
    [
        ("The long steps .", " .", ("steps", ".")),
        ("她走了 ,好。", " ,", ("她走了", ",好。")),
        ("她说，好。", "，", ("", "")),
        ("a\n  \nb", "  ", ("", "")),
        ("", "", ("", "")),
    ],
)
def test_a_place_that_shows_nothing_is_shown_with_its_neighbours(text: str, at: str, shown: object) -> None:
    """What is empty or blank; a line end is no neighbour."""
    start = text.index(at)
    assert around(text, Span(start, start + len(at.rstrip(".,") if at.strip(".,") else at))) == shown

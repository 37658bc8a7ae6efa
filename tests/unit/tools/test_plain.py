"""Plain text with a way back."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from inkwright.tools.plain import plain

SOURCE = (
    "---\ntitle: x\n---\n# 章 *一*\r\n\r\n　　他**说**，[船](http://a.b)走了。\n> 引\n\n<!-- 密 -->\n- 项\n"
)


def test_markup_front_matter_and_comments_are_gone():
    """Prose alone, a paragraph a line, without the indentation."""
    assert plain(SOURCE).text == "章 一\n他说，船走了。\n引\n项"


def test_every_offset_leads_back():
    """A character of the plain text is the same character at its document offset."""
    made = plain(SOURCE)
    for place, char in enumerate(made.text):
        if char != "\n":
            assert SOURCE[made.offset(place)] == char


def test_marked_names_the_offset_of_each_paragraph():
    """Each line begins with where it stands in the document."""
    made = plain("甲。\n\n乙。\n\n\n丙。")
    assert made.marked(0, len(made.text)) == "[0] 甲。\n[4] 乙。\n[9] 丙。"
    assert made.marked(1, 4) == "[1] 。\n[4] 乙"


ALPHABET = "中文 a*_`[]()#>-%<!\n\r\u2028\u3000\u0085\U00020bb7=~|："


@given(st.text(alphabet=ALPHABET, max_size=200), st.integers(1, 50))
def test_any_text(text, size):
    """Offsets rise and lead to the same character; pieces put together are the whole."""
    made = plain(text)
    places = [made.offset(i) for i in range(len(made.text) + 1)]
    assert places == sorted(places)
    assert all(0 <= p <= len(text) for p in places)
    for place, char in enumerate(made.text):
        if char != "\n":
            assert text[made.offset(place)] == char
    assert list(made.starts) == sorted(set(made.starts))
    pieces = [made.text[i : i + size] for i in range(0, len(made.text), size)]
    assert "".join(pieces) == made.text
    made.marked(0, len(made.text))

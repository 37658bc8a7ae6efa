"""Windows: a long passage goes to the model piece by piece, and no piece is lost."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inkwright.domain.text import Span
from inkwright.proposals.windows import windows

WHITE = " \t\r\n\u3000\ufeff"


def joined(found) -> str:
    return "".join(window.text for window in found)


def test_a_short_passage_is_one_window():
    """What fits goes in one piece, white space at its ends included."""
    text = "# 渡口\n\n　　林夏到了。\n"
    (only,) = windows(text, Span(0, len(text)), 1000)
    assert (only.index, only.count, only.span, only.text) == (0, 1, Span(0, len(text)), text)


def test_front_matter_goes_to_no_model():
    """The windows of a whole file begin below its front matter."""
    head = "---\ntitle: 渡口\n---\n"
    text = head + "林夏到了。\n"
    assert joined(windows(text, Span(0, len(text)), 100)) == "林夏到了。\n"
    assert windows(text, Span(0, len(head)), 100) == ()


def test_a_file_that_begins_with_a_scene_break_keeps_its_words():
    """A first `---` that is no front matter is text."""
    text = "---\n林夏到了。\n"
    assert joined(windows(text, Span(0, len(text)), 100)) == text


def test_windows_end_where_paragraphs_end():
    """Each window but the last ends in a line end, each but the first begins with a paragraph."""
    text = "\n\n".join(f"第{n}段。" + "他走了很远。" * 8 for n in range(30)) + "\n"
    found = windows(text, Span(0, len(text)), 200)
    assert len(found) > 5
    assert all(window.text.endswith("\n") for window in found[:-1])
    assert all(window.text.startswith("第") for window in found)
    assert [window.index for window in found] == list(range(len(found)))
    assert {window.count for window in found} == {len(found)}


def test_a_giant_paragraph_is_cut_between_sentences():
    """A paragraph that fits into no window is divided at a sentence's end."""
    text = "　　" + "他走了很远很远。" * 100
    found = windows(text, Span(0, len(text)), 120)
    assert joined(found) == text
    assert all(window.text.endswith("。") and len(window.text) <= 120 for window in found)


def test_a_heading_is_not_sent_alone_before_a_giant_paragraph():
    """A few characters before a paragraph that must be cut anyway go with its beginning."""
    text = "# 第一回\n\n" + "他走了很远很远。" * 100
    assert "他走了" in windows(text, Span(0, len(text)), 200)[0].text


def test_ten_megabytes_in_one_line_are_cut():
    """A text without any line end or sentence end still comes in windows of the size asked for."""
    text = "一二三四五六七八九十" * 350_000
    found = windows(text, Span(0, len(text)), 3000)
    assert max(len(window.text) for window in found) <= 3000
    assert sum(len(window.text) for window in found) == len(text)


def test_a_fence_is_kept_whole_when_it_can_be():
    """Code goes to the model in one piece."""
    fence = "```\n" + "a = 1\n\n" * 8 + "```\n"
    text = "他走了很远很远。\n\n" * 6 + fence + "\n他又走了。\n\n" * 6
    found = windows(text, Span(0, len(text)), 120)
    assert joined(found) == text
    assert sum(fence in window.text for window in found) == 1


def test_blank_lines_alone_make_no_window():
    """A passage of white space has nothing to rewrite, and blank lines at the end make no window."""
    assert windows(" \n\u3000\r\n", Span(0, 5), 10) == ()
    text = "他走了。" * 5 + "\n" * 50
    assert len(windows(text, Span(0, len(text)), 20)) == 1


def test_a_window_of_no_size_is_refused():
    """Asking for windows without room is a mistake of the caller."""
    with pytest.raises(ValueError, match="max_chars"):
        windows("甲", Span(0, 1), 0)


@given(
    st.text(st.sampled_from("甲乙。！ \n\r\u3000\u2028a.#`-~😀\u0301\u200d"), max_size=300),
    st.integers(1, 60),
    st.data(),
)
def test_windows_cover_the_passage_exactly(text, size, data):
    """Put together, the windows are the passage; each has words in it; none is too long by more than blank lines."""
    start = data.draw(st.integers(0, len(text)))
    span = Span(start, data.draw(st.integers(start, len(text))))
    found = windows(text, span, size)
    if not found:
        return
    assert found[-1].span.end == span.end
    assert joined(found) == text[found[0].span.start : span.end]
    for window in found:
        assert window.text == window.span.of(text)
        assert window.text.strip(WHITE)
        assert len(window.text.strip(WHITE)) <= size

"""What is wrong in a `book.toml`, each at the line that it is in."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inkwright.checks import book_file
from inkwright.checks.checking import message
from inkwright.manuscript import bookfile


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('title = "书"\ntype = "novel\n', [("book_file_bad_toml", "error", 'type = "novel')]),
        ('title = "书"\ncards = [1,\n\n', [("book_file_bad_toml", "error", "cards = [1,")]),
        ("\ufefftitle = 5", [("book_field_not_text", "warning", "\ufefftitle = 5")]),
        ('count = "foo"\r\n"language" = "??"\r\nchapters = 5\r\n', [
            ("book_field_count", "warning", 'count = "foo"'),
            ("book_field_language", "warning", '"language" = "??"'),
            ("book_field_not_globs", "warning", "chapters = 5"),
        ]),
        ('title = "severity"\n[checks]\ndisabled = 3\nseverity = 4\n', [
            ("book_field_checks", "warning", "disabled = 3"),
            ("book_field_checks", "warning", "severity = 4"),
        ]),
        ('[checks.severity]\nzh-variant = "off"\nzh-cliche = "bad"\n', [
            ("book_field_checks", "warning", 'zh-cliche = "bad"'),
        ]),
        ('checks = 1\nkey = "sk-abcdefghijklmnop"\n', [
            ("book_field_checks", "warning", "checks = 1"),
            ("key_in_book_file", "error", 'key = "sk-abcdefghijklmnop"'),
        ]),
        ('title = "书"\nchapters = ["*.md"]\n[checks]\nenabled = false\n', []),
        ("", []),
    ],
)  # fmt: skip
def test_each_fault_is_told_of_where_it_stands(text, expected):
    """A file that cannot be read is an error, a field that is not used a warning; what is right says nothing."""
    found = book_file.find(text)
    assert [(one.code, one.severity, one.span.of(text)) for one in found] == expected
    for locale in ("zh", "en"):
        assert all("{" not in message(one, locale) for one in found)


@given(st.text(st.sampled_from('title="书\n\r[]checks.severity enabled=12,#\ufeff\x00'), max_size=60))
def test_what_reading_says_the_check_says(text):
    """Whatever stands there: the same faults, each within the text."""
    found = book_file.find(text)
    assert {one.code for one in found} == {one.code for one in bookfile.of(text.removeprefix("\ufeff"))[1]}
    assert all(0 <= one.span.start <= one.span.end <= len(text) for one in found)

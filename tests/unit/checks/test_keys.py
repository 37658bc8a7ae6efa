"""Keys where none belongs, and the words of a story that are none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inkwright.checks import keys
from inkwright.checks.checking import message
from inkwright.domain.text import apply


@pytest.mark.parametrize(
    "line",
    [
        'api_key = "abcdefgh1234"',
        'apiKey = "abcdefgh1234" # mine',
        'key = "sk-abcdefghijklmnop"',
        'openai = "sk-proj-abcdefghijklmnop"',
        'token = "a8f3k29dk3k4l5m6n7o8p9"',
        'models.x.api-key = "abcdefgh1234"',
        'endpoint = "https://u:passpass@h/v1"',
        'Authorization = "Bearer abcdefghijkl"',
    ],
)
def test_a_key_in_book_toml(line):
    """The line is the place, its removal the fix; no message has a word of it."""
    text = f'title = "书"\n{line}\ntype = "novel"\n'
    (found,) = keys.in_book_file(text)
    assert (found.code, found.severity) == ("key_in_book_file", "error")
    assert found.span.of(text) == line
    assert apply(text, [found.fix]) == 'title = "书"\ntype = "novel"\n'
    for locale in ("zh", "en"):
        said = message(found, locale)
        assert "{" not in said
        assert "abcdefgh" not in said


def test_a_huge_book_toml_costs_no_more_than_the_largest_one():
    """What lies beyond the size that is read is not looked at."""
    key = 'api_key = "abcdefgh1234"\n'
    filled = "#" * (1_000_000 - len(key) - 1) + "\n"
    assert [one.code for one in keys.in_book_file(filled + key)] == ["key_in_book_file"]
    assert keys.in_book_file("#" * len(key) + filled + key * 1000) == []


@pytest.mark.parametrize(
    "line",
    [
        'title = "The Secret Key"',
        'key = "env:STUDIO_KEY"',
        'key = "keyring:studio"',
        'token = "铜钱"',
        'secret = "she is the princess"',
        'password = "open sesame"',
        'model = "studio"',
        'author = "Sky-Walker"',
        "# api_key = ",
    ],
)
def test_what_is_no_key(line):
    """Stories have secrets, tokens and passwords."""
    assert keys.in_book_file(f"{line}\n") == []


def test_an_endpoint_in_book_toml_is_told_of():
    """It is never read."""
    (found,) = keys.in_book_file('endpoint = "https://h/v1"\n')
    assert (found.code, found.severity) == ("endpoint_in_book_file", "warning")


@pytest.mark.parametrize("eol", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("bom", ["", "\ufeff"])
def test_a_front_matter(eol, bom):
    """Only there: the prose of a chapter may say what it likes."""
    lines = ["---", "title: 三", "api_key: abcdefgh1234", "---", "api_key: abcdefgh1234", ""]
    text = bom + eol.join(lines)
    (found,) = keys.in_front_matter(text)
    assert found.code == "key_in_front_matter"
    assert apply(text, [found.fix]) == bom + eol.join([*lines[:2], *lines[3:]])
    assert keys.in_front_matter(eol.join(lines[4:])) == []


@given(st.text(st.sampled_from("-: =\"'#\n\rkeysk123api_é😀"), max_size=80))
def test_any_text(text):
    """Places lie inside the text, in order, and no two fixes overlap."""
    for found in (keys.in_book_file(text), keys.in_front_matter(text)):
        ends = [0]
        for one in found:
            assert ends[-1] <= one.fix.span.start < one.fix.span.end <= len(text)
            ends.append(one.fix.span.end)

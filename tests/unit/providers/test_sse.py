"""The field reader: the three line ends, whole or cut, and nothing else."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inkwright.providers import sse
from inkwright.providers.sse import BLANK, Field, FieldReader, LineTooLongError


def read(*chunks: bytes) -> list[Field]:
    reader = FieldReader()
    return [f for chunk in chunks for f in reader.feed(chunk)] + list(reader.end())


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n"])
def test_line_ends(end):
    """CR, LF and CRLF each end a line once."""
    assert read(f"data: a{end}{end}b: c{end}".encode()) == [Field("data", "a"), BLANK, Field("b", "c")]


def test_other_separators_are_text():
    """U+2028, U+2029, U+0085, VT, FF and the information separators end nothing."""
    odd = "a\u2028b\u2029c\u0085d\x0be\x0cf\x1cg\x1dh\x1ei"
    assert read(f"data:{odd}\n".encode()) == [Field("data", odd)]


@pytest.mark.parametrize(
    ("line", "field"),
    [
        ("data: a", Field("data", "a")),
        ("data:a", Field("data", "a")),
        ("data:  a ", Field("data", " a ")),
        ("data", Field("data", "")),
        (": comment", Field("", "comment")),
        (":", Field("", "")),
        ("data: a: b", Field("data", "a: b")),
    ],
)
def test_fields(line, field):
    """One space after the colon is dropped, and no more."""
    assert read(line.encode()) == [field]


def test_a_cr_ends_its_line_at_once():
    """The line does not wait for an LF that may never come; the LF, when it comes, is no second end."""
    reader = FieldReader()
    assert list(reader.feed(b"data: a\r")) == [Field("data", "a")]
    assert list(reader.feed(b"")) == []
    assert list(reader.feed(b"\ndata: b\n")) == [Field("data", "b")]


def test_invalid_utf8_is_replaced():
    """A byte that is no UTF-8 costs a character, not the stream."""
    assert read(b"data: a\xff\xe4\n") == [Field("data", "a\ufffd\ufffd")]


def test_a_line_has_a_limit(monkeypatch):
    """A line past the limit raises, however it is cut."""
    monkeypatch.setattr(sse, "MAX_LINE", 10)
    with pytest.raises(LineTooLongError):
        read(*[b"x"] * 11)


@given(st.text(st.sampled_from("ab:\r\n\u2028é字🪴 ")), st.lists(st.integers(0), max_size=8))
def test_as_the_model_says(text, places):
    """Against the specification in one regular expression, for any text and any cuts."""
    data = text.encode()
    at = sorted(p % (len(data) + 1) for p in places)
    pieces = [data[a:b] for a, b in zip([0, *at], [*at, len(data)], strict=True)]
    lines = re.split("\r\n|\r|\n", text)
    lines = lines if lines[-1] else lines[:-1]
    wanted = []
    for line in lines:
        name, _, value = line.partition(":")
        wanted.append(Field(name, value.removeprefix(" ")) if line else BLANK)
    assert read(*pieces) == wanted

"""The base protocol, whatever the pieces in which it arrives."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inkwright.lsp.framing import MAX_BODY, MAX_HEADER, Framer, FramingError, frame


@given(st.lists(st.binary(max_size=60), max_size=8), st.lists(st.integers(1, 40), max_size=60))
def test_any_split_gives_the_same_bodies(bodies, cuts):
    """Bodies come out whole and in order however the stream is cut."""
    stream = b"".join(piece for body in bodies for piece in frame([body[:3], body[3:]]))
    framer, out, at = Framer(), [], 0
    for cut in [*cuts, len(stream)]:
        out += framer.feed(stream[at : at + cut])
        at += cut
    assert out == bodies


def test_headers_are_read_without_case():
    """Any case, further headers, and blanks round the number are fine."""
    block = b"CONTENT-TYPE: x; charset=utf-8\r\ncontent-LENGTH :  2 \r\n\r\n{}"
    assert list(Framer().feed(block)) == [b"{}"]


def test_a_block_without_a_length_is_dropped():
    """What carries no length is no message; the next one is read."""
    assert list(Framer().feed(b"X: 1\r\n\r\n" + b"".join(frame([b"[]"])))) == [b"[]"]


@pytest.mark.parametrize("value", [b"-1", b"x", b"", b"9" * 30, str(MAX_BODY + 1).encode()])
def test_a_length_that_cannot_be(value):
    """Such a stream cannot be read on."""
    with pytest.raises(FramingError):
        list(Framer().feed(b"Content-Length: " + value + b"\r\n\r\n"))


def test_a_header_without_end():
    """Bytes that never become a header are not kept for ever."""
    framer = Framer()
    assert list(framer.feed(b"x" * MAX_HEADER)) == []
    with pytest.raises(FramingError):
        list(framer.feed(b"x"))

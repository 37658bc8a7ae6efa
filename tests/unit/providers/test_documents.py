"""The documents of a body: events, JSON, pages, and what is none of them."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inkwright.providers import documents
from inkwright.providers.documents import Broken, Document, Documents, Done, unfinished


def read(*chunks: bytes) -> list:
    reader = Documents()
    return [item for chunk in chunks for item in reader.feed(chunk)] + list(reader.end())


@pytest.mark.parametrize(
    ("body", "items"),
    [
        (b"data: 1\n\ndata: [DONE]\n\ndata: 2\n\n", [Document(1), Done()]),
        (b"data: {\ndata: }\n\n", [Document({})]),
        (b"data: 1 2\ndata: 3\n\n", [Document(1), Document(2), Document(3)]),
        (b'data: {"a":1}{"b":2}\n\n', [Document({"a": 1}), Document({"b": 2})]),
        (b"data: {}\ndata: [DONE]\n", [Document({}), Done()]),
        (b"data: null\n\ndata:\n\ndata: \n\n", []),
        (b": hi\n\nid: 7\n\nretry: 1\n\n", []),
        (b"event: error\ndata: {}\n\ndata: {}\n\n", [Document({}, "error"), Document({})]),
        (b'error: {"a":1}\n', [Document({"error": {"a": 1}})]),
        (b"error: no json\n", []),
        (b"data: {}", [Document({})]),
        (b"data: {", [Broken("cut")]),
        (b"data: {\n\n", [Broken("json")]),
        (b"data: {}x\n\n", [Document({}), Broken("json")]),
        (b'data: {"a": "x\ty"}\n\n', [Document({"a": "x\ty"})]),
        (b'  \r\n\xef\xbb\xbf{"a":1}', [Document({"a": 1})]),
        (b'\xef\xbb\xbf\n [1, {"a":1}] {"b":2}', [Document(1), Document({"a": 1}), Document({"b": 2})]),
        (b'{"a":1}\n{"b":', [Document({"a": 1}), Broken("cut")]),
        (b'{"a":1}\n}', [Document({"a": 1}), Broken("json")]),
        (b" <html>", [Broken("page")]),
        (b"Bad Gateway", [Broken("text")]),
        (b"Bad: Gateway\n", [Broken("text")]),
        (b"foo: bar\ndata: 1\n\n", [Document(1)]),
        (b"", []),
        (b"\n\n  \n", []),
        (b"\xef\xbb", []),
    ],
)
def test_bodies(body, items):
    """In one piece and byte by byte."""
    assert read(body) == items
    assert read(*(body[n : n + 1] for n in range(len(body)))) == items


def test_an_event_does_not_wait_for_its_blank_line():
    """A line that is whole JSON is out when the line is, so servers without blank lines stream."""
    reader = Documents()
    assert list(reader.feed(b"data: 1\n")) == [Document(1)]
    assert list(reader.feed(b"data: 2\n")) == [Document(2)]


def test_limits(monkeypatch):
    """A JSON body and an event of many lines have the limit of a line."""
    monkeypatch.setattr(documents, "MAX_LINE", 100)
    assert read(*[b"[" * 60] * 3) == [Broken("long")]
    assert read(*[b"data: [\n"] * 200) == [Broken("long")]


values = st.recursive(
    st.none()
    | st.booleans()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.integers()
    | st.text(max_size=6),
    lambda v: st.lists(v, max_size=3) | st.dictionaries(st.text(max_size=4), v, max_size=3),
    max_leaves=6,
)


@given(st.lists(st.dictionaries(st.text(max_size=4), values, max_size=3), max_size=4), st.data())
def test_arrays(items, data):
    """The elements of an array are documents, whole as soon as they are, wherever the array is cut or ends."""
    text = json.dumps(
        items, ensure_ascii=data.draw(st.booleans()), indent=data.draw(st.sampled_from([None, 1]))
    )
    body = text.encode("utf-8", "surrogatepass")
    places = sorted(data.draw(st.lists(st.integers(0, len(body)), max_size=6)))
    pieces = [body[a:b] for a, b in zip([0, *places], [*places, len(body)], strict=True)]
    assert read(*pieces) == read(body)
    assert [item.value for item in read(body)] == json.loads(body.decode("utf-8", "replace"))
    short = read(body[: data.draw(st.integers(1, len(body) - 1))])
    assert short[-1] == Broken("cut")
    assert short[:-1] == read(body)[: len(short) - 1]


@given(st.dictionaries(st.text(max_size=4), values, min_size=1, max_size=3), st.booleans(), st.data())
def test_unfinished(value, ascii_only, data):
    """Every beginning of an object is unfinished; the whole is not, nor is one with a wrong ending."""
    text = json.dumps(value, ensure_ascii=ascii_only)
    assert unfinished(text[: data.draw(st.integers(0, len(text) - 1))])
    assert not unfinished(text)
    assert not unfinished(text + "}")


@pytest.mark.parametrize("text", ['{"action": listt_cards"}', "{a}", "{'a': 1}", '{"a" 1'])
def test_wrong_is_not_unfinished(text):
    """What no continuation could make right is broken."""
    assert not unfinished(text)

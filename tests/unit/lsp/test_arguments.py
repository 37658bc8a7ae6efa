"""The one object that a command takes."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pygls.exceptions import JsonRpcInvalidParams

from inkwright.lsp.arguments import Arguments

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


def test_null_is_absent():
    """A client that writes null has said nothing."""
    args = Arguments("c", {"a": None})
    assert (args.maybe("a"), args.whole("a"), args.indices("a"), args.range("a"), args.token("a")) == (
        "",
        None,
        None,
        None,
        None,
    )
    assert args.flag("a") is False
    assert args.given("a") == {}
    with pytest.raises(JsonRpcInvalidParams, match="c: a must be"):
        args.text("a")


def test_values():
    """Values of the right type come through; a float that is whole is a whole number."""
    where = {"start": {"line": 1, "character": 2}, "end": {"line": 3, "character": 4.0}}
    args = Arguments("c", {"t": "x", "n": 2.0, "h": [3, 1, 3, 2.0], "r": where, "f": True, "k": 7})
    assert (args.text("t"), args.whole("n"), args.indices("h")) == ("x", 2, (3, 1, 2))
    assert (args.range("r"), args.flag("f"), args.token("k")) == ((1, 2, 3, 4), True, 7)


def test_the_body_is_what_makes_two_calls_the_same():
    """The order of keys, absent nulls and the fields left out make no difference; every other field does."""
    one = Arguments("c", {"a": 1, "b": {"y": 1, "x": 2}, "token": 1})
    two = Arguments("c", {"b": {"x": 2, "y": 1}, "a": 1, "c": None})
    assert one.body("token") == two.body("token")
    assert one.body("token") != Arguments("c", {"a": 2, "b": {"x": 2, "y": 1}}).body("token")


@given(
    json_values, st.sampled_from(["text", "maybe", "whole", "flag", "cursor", "indices", "token", "range"])
)
def test_any_json_is_read_or_refused(value, reader):
    """Whatever stands in a field: a value of the promised type, or -32602, and nothing else."""
    args = Arguments("inkwright.x", {"field": value})
    with contextlib.suppress(JsonRpcInvalidParams):
        found = getattr(args, reader)("field")
        assert found is None or isinstance(found, str | int | bool | tuple)

"""What goes over the wire is JSON, however it was put together."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inkwright.lsp.wire import Json, body, dumps

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.characters(codec=None), max_size=6),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=12,
)


def refuse(value: object) -> object:
    raise TypeError(type(value).__name__)


def read(message: dict[str, object]) -> object:
    return json.loads(b"".join(body(message, refuse)))


@given(st.dictionaries(st.text(max_size=4), VALUES, max_size=3), VALUES)
def test_any_message_says_the_same_as_plain_json(members: dict[str, object], value: object) -> None:
    """Whole, ready-made or in pieces: a reader gets the same value, lone surrogates included."""
    expected = json.loads(json.dumps({"id": 1, "result": {**members, "rows": [value] * 300}}))
    message = {"id": 1, "result": {**members, "rows": [value] * 300}}
    assert read(message) == expected
    assert read({"id": 1, "result": Json(dumps(message["result"]))}) == expected
    small = {"id": 1, "result": value}
    assert read(small) == json.loads(json.dumps(small))


def test_what_is_no_json_is_refused() -> None:
    """A value that nothing can be made of is an error, in a large answer too."""
    for result in (object(), {"rows": [object()] * 300}):
        with pytest.raises(TypeError):
            body({"result": result}, refuse)

"""Strict templates."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inkwright.domain.templates import render


@given(st.text(max_size=30), st.text(max_size=30))
def test_what_is_put_in_is_never_looked_at_again(a, b):
    """A value that looks like a field stays as it is."""
    assert render("<{a}|{b}>", a=a, b=b) == f"<{a}|{b}>"
    assert render("{a}", a="{b}") == "{b}"


@pytest.mark.parametrize(("template", "params"), [("{a}", {}), ("x", {"a": 1}), ("{a}", {"a": 1, "b": 2})])
def test_fields_and_values_must_agree(template, params):
    """A missing or an unused value is an error of the program."""
    with pytest.raises(ValueError, match="do not match"):
        render(template, **params)


def test_other_braces_are_text():
    """Braces that are no field are left alone."""
    assert render('{"a": {n}} {} {A}', n=1) == '{"a": 1} {} {A}'

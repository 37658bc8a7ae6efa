"""Strict templates for texts that go to a model.

A `{name}` is replaced once, in one pass: what is put in is never looked at again, so a manuscript
may hold braces. A field without a value and a value without a field are errors of the program.
"""

from __future__ import annotations

import re

_FIELD = re.compile(r"\{([a-z][a-z0-9_]*)\}")


def fields(template: str) -> frozenset[str]:
    return frozenset(_FIELD.findall(template))


def render(template: str, /, **params: object) -> str:
    """`template` with every field filled. Raises `ValueError` when fields and params differ."""
    wanted = fields(template)
    if wanted != params.keys():
        raise ValueError(f"fields {sorted(wanted ^ params.keys())} do not match the template")
    return _FIELD.sub(lambda m: str(params[m[1]]), template)

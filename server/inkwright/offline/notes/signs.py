"""The patterns by which lines of notes are told apart, compiled once."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files


@cache
def _table() -> dict[str, str | list[str]]:
    return tomllib.loads((files("inkwright.offline.notes") / "notes.toml").read_text("utf-8"))


@cache
def sign(key: str) -> re.Pattern[str]:
    pattern = _table()[key]
    assert isinstance(pattern, str)
    # Han letters are no part of a formula; a law's name is known by its capital.
    flags = {"named_law": re.NOFLAG, "plain_formula": re.IGNORECASE | re.ASCII}
    return re.compile(pattern, flags.get(key, re.IGNORECASE))


@cache
def definitions() -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(pattern, re.IGNORECASE) for pattern in _table()["definitions"])

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
    return re.compile(pattern, re.IGNORECASE if key != "named_law" else 0)


@cache
def definitions() -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(pattern, re.IGNORECASE) for pattern in _table()["definitions"])

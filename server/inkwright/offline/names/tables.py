"""The word tables of the names, read once."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files


@cache
def words(table: str, key: str) -> tuple[str, ...]:
    """The words of one entry of `<table>.toml`, longest first, each once."""
    text = (files("inkwright.offline.names") / f"{table}.toml").read_text("utf-8")
    return tuple(sorted(dict.fromkeys(tomllib.loads(text)[key].split()), key=len, reverse=True))


@cache
def word_set(table: str, key: str) -> frozenset[str]:
    return frozenset(words(table, key))


@cache
def choice(table: str, *keys: str) -> str:
    """A pattern that matches any of the words, the longest first."""
    found = sorted({word for key in keys for word in words(table, key)}, key=len, reverse=True)
    return "|".join(map(re.escape, found))

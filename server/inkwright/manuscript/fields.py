"""Front matter under our own names: the synonyms of both languages, and values read leniently."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

_LINK = re.compile(r"\[\[([^\[\]|#]+)(?:#[^\[\]|]*)?(?:\|[^\[\]]*)?\]\]")
_LIST = re.compile(r"[,，、;；|/\n]")


def canonical(meta: Mapping[str, Any], table: str) -> dict[str, Any]:
    """`meta` with known keys under our names (`table` as in fields.toml: `card.keys`); others as written.

    Our own spelling wins over a synonym of it, an earlier synonym over a later one.
    """
    known = _synonyms(table)
    out: dict[str, Any] = {}
    sources: dict[str, str] = {}
    for key, value in meta.items():
        name = known.get(_plain(key), key)
        if name not in sources:
            sources[name], out[name] = key, value
        elif _plain(key) == name and _plain(sources[name]) != name:
            out[sources[name]] = out[name]
            sources[name], out[name] = key, value
        else:
            out[key] = value
    return out


def word(value: object, table: str) -> str | None:
    """The word of `table` that a value means, None for one that is not in it."""
    return _synonyms(table).get(_plain(value))


def text(value: object) -> str:
    """One line of text: numbers and words as they are, links by what they link to, None as ''."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple):
        return ", ".join(filter(None, map(text, value)))
    if isinstance(value, Mapping):
        return ", ".join(f"{key}: {text(inner)}" for key, inner in value.items())
    return unlink(str(value)).strip()


def texts(value: object) -> tuple[str, ...]:
    """A list of texts: a real list, or one string with commas (`、` and `/` too); no doubles, none empty."""
    if isinstance(value, str):
        parts: list[str] = _LIST.split(unlink(value))
    elif isinstance(value, list | tuple):
        parts = [text(item) for item in value]
    else:
        parts = [text(value)]
    return tuple(dict.fromkeys(filter(None, (part.strip() for part in parts))))


def unlink(value: str) -> str:
    """`[[林夏|她]]` as `林夏`."""
    return _LINK.sub(lambda match: match[1].strip(), value)


@cache
def table(name: str) -> Mapping[str, tuple[str, ...]]:
    """Our names of a table and the synonyms of each."""
    data: Any = tomllib.loads(Path(__file__).with_name("fields.toml").read_text("utf-8"))
    for part in name.split("."):
        data = data[part]
    return {ours: tuple(row) for ours, row in data.items()}


@cache
def _synonyms(name: str) -> Mapping[str, str]:
    data = table(name)
    out = {_plain(ours): ours for ours in data}
    for ours, row in data.items():
        for other in row:
            out.setdefault(_plain(other), ours)
    return out


def _plain(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return unicodedata.normalize("NFKC", str(value)).strip().casefold()

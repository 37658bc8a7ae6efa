"""Cards in JSON and JSON5: an array of objects or names, or a map from name to object. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from inkwright.domain.manuscript import Problem
from inkwright.manuscript.layouts import json5
from inkwright.manuscript.layouts.json5 import Json5Error, Table
from inkwright.manuscript.layouts.records import MAX_RECORDS, Read, Record, line_of

NAMES = ("name", "名字", "姓名", "名称", "角色名", "title", "subject")
_LISTS = ("characters", "roles", "people", "items", "locations", "角色", "人物", "data")
_SINGLE = ("protagonist", "主角")
_KIND = {"locations": "location", "items": "item"}


def read(path: str, text: str) -> Read:
    """The cards of a file. A text that is no JSON5 has none, and a problem with its line."""
    if not text.strip("\ufeff \t\r\n"):
        return [], []
    try:
        found = json5.loads(text)
    except Json5Error as error:
        params = {"path": path, "error": str(error)}
        return [], [Problem(path, line_of(text, error.offset), "project_file_bad", params)]
    out = list(_records(found, text, ""))
    return out[:MAX_RECORDS], []


def _records(found: Any, text: str, kind: str) -> Iterator[Record]:
    if isinstance(found, list):
        for row in found:
            if isinstance(row, str) and row.strip():
                yield Record(row.strip(), type=kind)
            elif isinstance(row, Mapping) and (name := name_of(row)):
                yield _record(name, row, text, kind)
        return
    if not isinstance(found, Mapping):
        return
    inner = [key for key in (*_LISTS, *_SINGLE) if isinstance(found.get(key), list | dict)]
    for key in inner:
        if key in _SINGLE:
            yield from _records([found[key]], text, "character")
        else:
            yield from _records(found[key], text, _KIND.get(key, kind))
    if inner:
        return
    for name, row in _named(found):
        yield _record(name, row, text, kind)


def _named(found: Mapping[str, Any]) -> Iterable[tuple[str, Mapping[str, Any]]]:
    """A map from name to object, or to one line of text about it."""
    for key, row in found.items():
        if isinstance(row, Mapping):
            yield name_of(row) or key, row
        elif isinstance(row, str) and all(isinstance(value, str) for value in found.values()):
            yield key, {"description": row}


def _record(name: str, row: Mapping[str, Any], text: str, kind: str) -> Record:
    at = row.offset if isinstance(row, Table) else 0
    meta = {key: value for key, value in row.items() if key not in NAMES or value != name}
    return Record(name, meta, kind, line=line_of(text, at))


def name_of(row: Mapping[str, Any]) -> str:
    """The name of an object; '' for one without."""
    for key in NAMES:
        value = row.get(key)
        if isinstance(value, str) and value.strip():
            return value.strip()
    return ""

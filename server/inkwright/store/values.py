"""The border between Python's strings and SQLite's: lone surrogates and JSON pass it unharmed.

SQLite's TEXT cannot hold a lone surrogate. A string that has one is stored as a BLOB of its WTF-8
bytes in the same column; a column of text therefore gives `str` or `bytes`, and only `unpack` reads it.
"""

from __future__ import annotations

import json
from typing import Any

Packed = str | bytes


def pack(text: str) -> Packed:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass")
    return text


def unpack(value: Packed) -> str:
    return value.decode("utf-8", "surrogatepass") if isinstance(value, bytes) else value


def pack_json(value: Any) -> Packed:
    return pack(json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True))


def unpack_json(value: Packed | None) -> Any:
    return None if value is None else json.loads(unpack(value))

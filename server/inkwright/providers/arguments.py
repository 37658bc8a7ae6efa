"""The arguments of a call as models write them: one JSON object, or something that must not be run."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from inkwright.providers.characters import sound, sound_value


def is_json(text: str) -> bool:
    """Whether `text` is one whole JSON value."""
    if not text or text.isspace():
        return False
    try:
        json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return False
    return True


def of_text(*readings: str) -> tuple[Mapping[str, Any] | None, str]:
    """(the object, the text) of the first reading that is whole JSON; the object is None when it is none.

    Nothing and null are an empty object.
    """
    for raw in readings:
        try:
            value = json.loads(raw, strict=False) if raw.strip() else {}
        except (ValueError, RecursionError):
            continue
        if value is None:
            return {}, sound(raw)
        return (sound_value(value) if isinstance(value, dict) else None), sound(raw)
    return None, sound(readings[0])


def of_value(value: Any) -> tuple[Mapping[str, Any] | None, str]:
    """The same of arguments that came as a JSON value."""
    if value is None:
        return {}, ""
    raw = sound(json.dumps(value, ensure_ascii=False))
    return (sound_value(value) if isinstance(value, dict) else None), raw

"""Whether a JSON value fits a schema, and what is wrong with it, in words for the model that wrote it.

The part of JSON Schema that models are asked for: types, properties, items, choices, bounds, anyOf.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

Value = Any
_MOST = 5
_DEPTH = 40
_TYPES: Mapping[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "boolean": (bool,),
    "null": (type(None),),
    "integer": (int,),
    "number": (int, float),
}


def wrong(value: Value, schema: Mapping[str, Any]) -> tuple[str, ...]:
    """The first few faults, each with its place; none when the value fits."""
    out: list[str] = []
    for fault in _faults(value, schema, "$", 0):
        out.append(fault)
        if len(out) == _MOST:
            break
    return tuple(out)


def found(text: str) -> Value:
    """The JSON value in an answer: the whole of it, a fenced block's, or from the first bracket on.

    Raises `ValueError` when there is none.
    """
    text = text.strip()
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("too deep") from None
    except ValueError:
        pass
    decoder = json.JSONDecoder()
    for place, sign in enumerate(text):
        if sign in "{[":
            try:
                return decoder.raw_decode(text, place)[0]
            except (ValueError, RecursionError):
                continue
    raise ValueError("no JSON value")


def _faults(value: Value, schema: Any, place: str, depth: int) -> Iterator[str]:
    if not isinstance(schema, Mapping):
        return
    if depth > _DEPTH:
        yield f"{place}: nested too deep"
        return
    types = schema.get("type")
    types = [types] if isinstance(types, str) else types
    if isinstance(types, list) and not any(_is(value, name) for name in types):
        yield f"{place}: must be {' or '.join(map(str, types))}, is {_name(value)}"
        return
    if "const" in schema and not _same(value, schema["const"]):
        yield f"{place}: must be {json.dumps(schema['const'], ensure_ascii=False)}"
    choices = schema.get("enum")
    if isinstance(choices, list) and not any(_same(value, one) for one in choices):
        yield f"{place}: must be one of {json.dumps(choices, ensure_ascii=False)}"
    for name in ("anyOf", "oneOf"):
        others = schema.get(name)
        if isinstance(others, list) and all(any(_faults(value, one, place, depth + 1)) for one in others):
            yield f"{place}: fits none of what it may be"
    if isinstance(value, dict):
        yield from _object(value, schema, place, depth)
    elif isinstance(value, list):
        yield from _bounds(len(value), schema, ("minItems", "maxItems"), place, "items")
        for number, item in enumerate(value):
            yield from _faults(item, schema.get("items"), f"{place}[{number}]", depth + 1)
    elif isinstance(value, str):
        yield from _bounds(len(value), schema, ("minLength", "maxLength"), place, "characters")
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield from _bounds(value, schema, ("minimum", "maximum"), place, "")


def _object(value: dict[str, Any], schema: Mapping[str, Any], place: str, depth: int) -> Iterator[str]:
    known = schema.get("properties", {})
    known = known if isinstance(known, Mapping) else {}
    for name in schema.get("required", ()):
        if name not in value:
            yield f"{place}: {name} is missing"
    rest = schema.get("additionalProperties", True)
    for name, item in value.items():
        if name in known:
            yield from _faults(item, known[name], f"{place}.{name}", depth + 1)
        elif rest is False:
            yield f"{place}: {name} is not known"
        else:
            yield from _faults(item, rest, f"{place}.{name}", depth + 1)


def _bounds(
    size: float, schema: Mapping[str, Any], names: tuple[str, str], place: str, unit: str
) -> Iterator[str]:
    least, most = (schema.get(name) for name in names)
    if isinstance(least, int | float) and size < least:
        yield f"{place}: must be at least {least} {unit}".rstrip()
    if isinstance(most, int | float) and size > most:
        yield f"{place}: must be at most {most} {unit}".rstrip()


def _is(value: Value, name: Any) -> bool:
    if name == "integer" and isinstance(value, float):
        return value.is_integer()
    if name != "boolean" and isinstance(value, bool):
        return False
    return isinstance(value, _TYPES.get(name, (object,)) if isinstance(name, str) else object)


def _same(one: Value, other: Value) -> bool:
    return type(one) is type(other) and bool(one == other)


def _name(value: Value) -> str:
    return next(name for name in _TYPES if _is(value, name))

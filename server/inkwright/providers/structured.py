"""What the wires share in asking for an answer that fits a JSON Schema."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from inkwright.domain.conversation import ANSWER_TOOL, ToolSpec


def answer_tool(schema: Mapping[str, Any]) -> ToolSpec:
    """The tool whose arguments are the answer."""
    return ToolSpec(ANSWER_TOOL, "Give the whole answer by calling this once.", schema)


def closed(schema: Any) -> Any:
    """The schema with no further properties in any object that lists its own: vendors insist on it."""
    if isinstance(schema, list):
        return [closed(item) for item in schema]
    if not isinstance(schema, Mapping):
        return schema
    out = {key: closed(value) for key, value in schema.items()}
    if isinstance(out.get("properties"), dict) and out.get("type", "object") == "object":
        out.setdefault("additionalProperties", False)
    return out


def is_strict(schema: Any) -> bool:
    """Whether every object names all it may hold, and requires all of it."""
    if isinstance(schema, list):
        return all(map(is_strict, schema))
    if not isinstance(schema, Mapping):
        return True
    if schema.get("type") == "object" or "properties" in schema:
        names = schema.get("properties", {})
        if schema.get("additionalProperties") is not False or set(schema.get("required", ())) != set(names):
            return False
    return all(map(is_strict, schema.values()))

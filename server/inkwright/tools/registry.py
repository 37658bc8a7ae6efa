"""One entry per tool: schema, visibility and dispatch are look-ups."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ConfigDict

from inkwright.domain.conversation import Locale, ToolSpec
from inkwright.tools.desk import Desk
from inkwright.tools.texts import description, parameter

MAKES_CARDS = "card.create"
"""The tag of tools that make cards: offered only where a card has somewhere to go."""
PROPOSES_FACTS = "fact.propose"
"""The tag of tools that propose facts of cards: offered only where there is somebody to take them."""


class Parameters(BaseModel):
    """What a tool takes. Anything it doesn't know is an error."""

    model_config = ConfigDict(extra="forbid", frozen=True)


@dataclass(frozen=True, slots=True)
class Tool:
    """`tags` are the permissions it needs. A tool that `reads` only may run beside others."""

    name: str
    parameters: type[Parameters]
    execute: Callable[[Desk, Any], Awaitable[str]]
    tags: frozenset[str]
    reads: bool = True


def register(tools: Iterable[Tool]) -> Mapping[str, Tool]:
    """The tools by name. Raises `ValueError` for a name that stands twice."""
    out: dict[str, Tool] = {}
    for tool in tools:
        if tool.name in out:
            raise ValueError(f"{tool.name} is registered twice")
        out[tool.name] = tool
    return out


def spec(tool: Tool, locale: Locale) -> ToolSpec:
    """The tool as a model sees it: a compact JSON Schema, described in the run's language."""
    schema = _compact(tool.parameters.model_json_schema())
    properties: dict[str, Any] = {
        name: {**field, "description": parameter(name, locale)}
        for name, field in schema.get("properties", {}).items()
    }
    parameters: dict[str, Any] = {"type": "object", "properties": properties}
    if schema.get("required"):
        parameters["required"] = schema["required"]
    parameters["additionalProperties"] = False
    return ToolSpec(tool.name, description(tool.name, locale), parameters)


def _compact(schema: Any) -> Any:
    """The schema without titles; a property that is called `title` stays."""
    if not isinstance(schema, dict):
        return schema
    out: dict[str, Any] = {}
    for key, value in schema.items():
        if key == "properties":
            out[key] = {name: _compact(field) for name, field in value.items()}
        elif key not in ("title", "description"):
            out[key] = _compact(value)
    return out

"""The guard's tables, read when they are first needed."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def table(name: str) -> dict[str, Any]:
    """The table `NAME.toml` of this room."""
    return tomllib.loads((files("inkwright.proposals") / f"{name}.toml").read_text("utf-8"))

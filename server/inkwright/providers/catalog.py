"""The vendors we know, read from `catalog.toml`."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from inkwright.domain.model import KnownModel, Price, Provider


@cache
def providers() -> tuple[Provider, ...]:
    """All rows, in the file's order. A field that `Provider` lacks is an error of ours: TypeError."""
    table = tomllib.loads(Path(__file__).with_name("catalog.toml").read_text("utf-8"))
    return tuple(_row(id_, row) for id_, row in table.items())


def _row(id_: str, fields: dict[str, Any]) -> Provider:
    models = tuple(_model(name, row) for name, row in fields.pop("models", {}).items())
    return Provider(id=id_, models=models, **_values(fields))


def _model(name: str, fields: dict[str, Any]) -> KnownModel:
    price = fields.pop("price", None)
    return KnownModel(name=name, price=Price(**price) if price else None, **_values(fields))


def _values(fields: dict[str, Any]) -> dict[str, Any]:
    return {k: tuple(v) if isinstance(v, list) else v for k, v in fields.items()}

"""The settings as JSON Schema, from what reads them: what clients and documents say of them is held against it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, get_args

from inkwright.config import fields
from inkwright.config.fields import EFFORTS, MONEY, currency_code
from inkwright.config.load import PLAIN
from inkwright.config.models import CLOCK_KEYS, SECONDS
from inkwright.config.reading import Read, Reader, flag
from inkwright.config.settings import Settings
from inkwright.domain.diagnostic import Severity
from inkwright.domain.model import Schema, Wire

JSON = dict[str, Any]

TEXT: JSON = {"type": "string"}
FLAG: JSON = {"type": "boolean"}
CURRENCY: JSON = {"type": "string", "pattern": "^([A-Za-z]{3})?$"}


def schema() -> JSON:
    """The section `inkwright`, which is the user's file as well: each setting with its type, bounds and default."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "inkwright",
        "type": "object",
        "additionalProperties": False,
        "properties": properties(),
    }


def properties() -> dict[str, JSON]:
    """By key, as they are written."""
    house = Settings()
    out = {key: {**_shape(read), "default": getattr(house, name)} for key, (name, read) in PLAIN.items()}
    out["locale"] |= {"enum": ["", *out["locale"]["enum"]], "default": ""}  # an empty text sets nothing
    out["model"] = {**TEXT, "default": ""}
    out["models"] = {**_each(_table(_model())), "default": {}}
    out["abilities"] = {**_each(TEXT), "default": {}}
    out["clocks"] = {**_clocks(), "default": {}}
    out["checks"] = {**_checks(), "default": {}}
    out["trustedFolders"] = {"type": "array", "items": TEXT, "default": []}
    return out


def _model() -> dict[str, JSON]:
    return {
        **{key: _shape(read) for key, (_, read) in fields.PLAIN.items()},
        "provider": TEXT,
        "endpoint": TEXT,
        "model": TEXT,
        "wire": {**TEXT, "enum": list(get_args(Wire))},
        "key": TEXT,
        "clocks": _clocks(),
        "capabilities": _table(
            {
                "tools": FLAG,
                "vision": FLAG,
                "jsonSchema": {"type": ["boolean", "string"], "enum": [True, False, *get_args(Schema)]},
                "efforts": {"type": "array", "items": {**TEXT, "enum": list(EFFORTS)}},
            }
        ),
        "price": {
            **_table(
                {
                    "currency": {**TEXT, "pattern": "^[A-Za-z]{3}$"},
                    **{key: _shape(MONEY) for key in sorted(fields.PRICE_KEYS - {"currency"})},
                }
            ),
            "required": ["currency", "input", "output"],
        },
    }


def _clocks() -> JSON:
    return _table(dict.fromkeys(CLOCK_KEYS, _shape(SECONDS)))


def _checks() -> JSON:
    ranks = {**TEXT, "enum": [*get_args(Severity), "off"]}
    return _table(
        {
            **dict.fromkeys(("enabled", "unopened", "harper"), FLAG),
            "disabled": {"type": "array", "items": TEXT},
            "severity": _each(ranks),
        }
    )


def _table(rows: Mapping[str, JSON]) -> JSON:
    return {"type": "object", "additionalProperties": False, "properties": dict(rows)}


def _each(shape: JSON) -> JSON:
    return {"type": "object", "additionalProperties": shape}


def _shape(read: Read) -> JSON:
    if isinstance(read, Reader):
        return dict(read.shape)
    plain: dict[Read, JSON] = {flag: FLAG, currency_code: CURRENCY}
    return dict(plain[read])


def sentence(key: str) -> str:
    """The code of what a setting does, in both languages."""
    return "setting_about_" + re.sub("[A-Z]", lambda found: f"_{found[0].lower()}", key)

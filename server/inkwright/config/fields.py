"""What a model's table may say beside where it is: limits, abilities, price."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, get_args

from inkwright.config.reading import Layer, Read, Refused, choice, flag, number, text, whole
from inkwright.domain.conversation import Effort
from inkwright.domain.model import Kind, ModelProfile, Price, Schema

TOKENS = whole(1, 100_000_000)
RATE = whole(1, 1_000_000_000)
MONEY = number(0, 1_000_000)

PLAIN: dict[str, tuple[str, Read]] = {
    "contextWindow": ("context_window", TOKENS),
    "maxOutput": ("max_output", TOKENS),
    "concurrency": ("concurrency", whole(1, 10_000)),
    "requestsPerMinute": ("requests_per_minute", RATE),
    "tokensPerMinute": ("tokens_per_minute", RATE),
    "kind": ("kind", choice(*get_args(Kind))),
    "effort": ("effort", choice(*get_args(Effort))),
}
CAPABILITY_KEYS = {"tools", "jsonSchema", "vision", "efforts"}
PRICE_KEYS = {"currency", "input", "output", "cacheRead", "cacheWrite"}
EFFORTS: tuple[Effort, ...] = get_args(Effort)


def spelled(table: Mapping[str, Any]) -> dict[str, Any]:
    """The keys as we write them: `max_output` and `max-output` are `maxOutput`."""
    return {re.sub(r"[_-]([a-z])", lambda m: m[1].upper(), key): value for key, value in table.items()}


def extended(profile: ModelProfile, layer: Layer, table: Mapping[str, Any], prefix: str) -> ModelProfile:
    """The profile with what the table says of it; a value that cannot be used is named, its default stays."""
    given: dict[str, Any] = {
        ours: value
        for theirs, (ours, read) in PLAIN.items()
        if (value := layer.value(theirs, read, table, prefix)) is not None
    }
    able = _capabilities(layer, spelled(layer.table("capabilities", table, prefix)), f"{prefix}capabilities.")
    price = _price(layer, spelled(layer.table("price", table, prefix)), f"{prefix}price.")
    if price is not None:
        given["price"] = price
    profile = replace(profile, **given, **able)
    if "kind" not in given:
        return _sound(replace(profile, kind="vision" if profile.vision else "text"), layer, prefix)
    return _sound(replace(profile, vision=profile.vision or profile.kind == "vision"), layer, prefix)


def _sound(profile: ModelProfile, layer: Layer, prefix: str) -> ModelProfile:
    """An effort that the model does not offer is named and not used."""
    if profile.effort is None or profile.effort in profile.efforts:
        return profile
    offered = ", ".join(profile.efforts) or "-"
    layer.complain(f"{prefix}effort", "setting_effort_unknown", choices=offered)
    return replace(profile, effort=None)


def _capabilities(layer: Layer, table: Mapping[str, Any], prefix: str) -> dict[str, Any]:
    _unknown(layer, table, CAPABILITY_KEYS, prefix)
    out: dict[str, Any] = {}
    for key in ("tools", "vision"):
        if (value := layer.value(key, flag, table, prefix)) is not None:
            out[key] = value
    if (schema := layer.value("jsonSchema", _schema, table, prefix)) is not None:
        out["schema"] = schema
    if table.get("efforts") is not None:
        efforts: list[Effort] = []
        for word in layer.words("efforts", table, prefix) or ():
            if word in EFFORTS:
                efforts.append(word)
            else:
                layer.complain(f"{prefix}efforts", "setting_not_choice", choices=", ".join(EFFORTS))
        out["efforts"] = tuple(sorted(set(efforts), key=EFFORTS.index))
    return out


def _schema(value: Any) -> Schema:
    if isinstance(value, bool):
        return "schema" if value else "none"
    found: Schema = choice(*get_args(Schema))(value)
    return found


def _price(layer: Layer, table: Mapping[str, Any], prefix: str) -> Price | None:
    """A price needs its currency, input and output."""
    if not table:
        return None
    _unknown(layer, table, PRICE_KEYS, prefix)
    currency = layer.value("currency", currency_code, table, prefix)
    per = {key: layer.value(key, MONEY, table, prefix) for key in PRICE_KEYS - {"currency"}}
    missing = [key for key in ("currency", "input", "output") if table.get(key) in (None, "")]
    if missing:
        layer.complain(prefix.rstrip("."), "price_incomplete", needs=", ".join(missing))
    if currency is None or per["input"] is None or per["output"] is None:
        return None
    return Price(currency, per["input"], per["output"], per["cacheRead"], per["cacheWrite"])


def currency_code(value: Any) -> str:
    code = text(value).upper()
    if not re.fullmatch(r"[A-Z]{3}", code):
        raise Refused("setting_not_currency")
    return code


def _unknown(layer: Layer, table: Mapping[str, Any], known: set[str], prefix: str) -> None:
    for key in table:
        if key not in known:
            layer.complain(prefix + key, "setting_unknown")

"""Models as JSON: what is configured, what answers, what runs on this machine. No key is in any of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from inkwright.config import Settings
from inkwright.domain.conversation import Locale
from inkwright.domain.errors import Fault
from inkwright.domain.model import ModelProfile, Provider, is_loopback, shown
from inkwright.i18n import render
from inkwright.providers.discovery import Found
from inkwright.providers.health import Health
from inkwright.providers.offering import Offered

JSON = dict[str, Any]


def model(profile: ModelProfile, settings: Settings, *, configured: bool) -> JSON:
    """{id, wire, endpoint, model, provider, local, default, keyConfigured, kind, …}; what is unknown is null."""
    offline = profile.offline
    price = profile.price
    return {
        "id": profile.id,
        "wire": None if offline else profile.wire,
        "endpoint": None if offline else shown(profile.endpoint),
        "model": profile.model or None,
        "provider": "offline" if offline else profile.provider.id,
        "local": offline or is_loopback(profile.host),
        "default": profile.id == settings.model,
        "abilities": sorted(a for a, name in settings.abilities.items() if name == profile.id),
        "keyConfigured": configured,
        "key": profile.key.ref if profile.key is not None else None,
        "kind": profile.kind,
        "contextWindow": profile.context_window or None,
        "maxOutput": profile.max_output or None,
        "tools": profile.tools,
        "jsonSchema": profile.schema,
        "vision": profile.vision,
        "efforts": list(profile.efforts),
        "effort": profile.effort,
        "concurrency": profile.concurrency or None,
        "requestsPerMinute": profile.requests_per_minute or None,
        "tokensPerMinute": profile.tokens_per_minute or None,
        "price": None
        if price is None
        else {
            "currency": price.currency,
            "input": price.input,
            "output": price.output,
            "cacheRead": price.cache_read,
            "cacheWrite": price.cache_write,
        },
        "origin": profile.origin,
    }


def health(found: Health, locale: Locale) -> JSON:
    """{model, works, url, reachable, latency, tools, keyConfigured, error}; `latency` in seconds."""
    return {
        "model": found.model,
        "works": found.works,
        "url": found.url or None,
        "reachable": found.reachable,
        "latency": None if found.latency is None else round(found.latency, 3),
        "tools": found.tools,
        "keyConfigured": found.key_configured,
        "error": _error(found.fault, locale),
    }


def offered(found: Offered, locale: Locale) -> JSON:
    """{endpoint, url, models, error}: the names of the models that an endpoint offers, or why it gave none."""
    return {
        "endpoint": found.endpoint,
        "url": found.url or None,
        "models": list(found.models),
        "error": _error(found.fault, locale),
    }


def user_file(path: Path, uri: str, problem: Fault | None, locale: Locale, *, exists: bool) -> JSON:
    """{file: true, path, uri, exists, problem}: the user's settings; `problem` is why they can't be used as they stand."""
    return {"file": True, "path": str(path), "uri": uri, "exists": exists, "problem": _error(problem, locale)}


def _error(fault: Fault | None, locale: Locale) -> JSON | None:
    if fault is None:
        return None
    error: JSON = {"code": fault.code, "message": render(fault, locale)}
    if fault.kind is not None:
        error |= {"kind": fault.kind, "retryable": fault.retryable}
    return error


def discovered(found: Found) -> JSON:
    """{found: true, id, label, endpoint, models, config}: `config` are the lines that would make it a model."""
    row = found.provider
    return {
        "found": True,
        "id": row.id,
        "label": row.label,
        "provider": row.id,
        "endpoint": row.endpoint,
        "local": True,
        "models": list(found.models),
        "config": found.lines(),
    }


def vendor(row: Provider) -> JSON:
    """{vendor: true, id, label, endpoint, model, variable}: one whose model a key under its id would make.

    `model` is null where the writer must name it; `variable` is where its key is looked for.
    """
    return {
        "vendor": True,
        "id": row.id,
        "label": row.label,
        "endpoint": row.endpoint,
        "model": row.model or None,
        "variable": row.env[0],
    }

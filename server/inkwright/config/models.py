"""Model profiles out of settings tables and environment variables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, get_args

from inkwright.config.reading import Layer, choice, number, text, whole
from inkwright.domain.model import (
    CLOCKS,
    LOCAL_CLOCKS,
    OFFLINE,
    KeyRef,
    ModelProfile,
    Provider,
    Wire,
    host_of,
    is_loopback,
    provider_of,
)
from inkwright.domain.run import Clocks

ENDPOINT, MODEL, KEY, WIRE = "INKWRIGHT_ENDPOINT", "INKWRIGHT_MODEL", "INKWRIGHT_API_KEY", "INKWRIGHT_WIRE"

CLOCK_KEYS = {"connect": "connect", "bytes": "bytes", "firstPayload": "first_payload", "payload": "payload"}
FIELDS = {"provider", "endpoint", "model", "wire", "key", "contextWindow", "maxOutput", "clocks"}
KEY_WORDS = {"apikey", "api_key", "api-key", "token", "secret", "password", "authorization"}
SECONDS = number(0.1, 86_400)
TOKENS = whole(1, 100_000_000)


def clocks(layer: Layer, table: Mapping[str, Any], prefix: str) -> dict[str, float]:
    """The clocks that a table sets, under our names."""
    found = {ours: layer.value(theirs, SECONDS, table, prefix) for theirs, ours in CLOCK_KEYS.items()}
    return {name: seconds for name, seconds in found.items() if seconds is not None}


def standing(endpoint: str, *overrides: Mapping[str, float]) -> Clocks:
    """The clocks of a model at `endpoint`: longer ones on this machine, then what was set, last wins."""
    base = LOCAL_CLOCKS if is_loopback(host_of(endpoint)) else CLOCKS
    for table in overrides:
        base = replace(base, **table)
    return base


class ModelReader:
    """Reads profiles for one `load`: the vendors we know, the environment, the clocks set for all."""

    def __init__(
        self, providers: Sequence[Provider], environ: Mapping[str, str], general: Mapping[str, float]
    ) -> None:
        self._providers = providers
        self._environ = environ
        self._general = general

    def from_tables(self, layer: Layer, origin: str) -> dict[str, ModelProfile]:
        """`models.NAME` tables. One that lacks an endpoint or a model is named and left out.

        A profile is taken whole from one layer, so that no key follows an endpoint of another.
        """
        out: dict[str, ModelProfile] = {}
        models = layer.table("models")
        for name in models:
            table = layer.table(name, models, "models.")
            if name == OFFLINE.id:
                layer.complain(f"models.{name}", "model_name_taken")
            elif profile := self._profile(layer, name, table, origin):
                out[name] = profile
        return out

    def from_environment(self, layer: Layer) -> ModelProfile | None:
        """The model that INKWRIGHT_ENDPOINT and its companions describe."""
        endpoint, model = self._environ.get(ENDPOINT, "").strip(), self._environ.get(MODEL, "").strip()
        if not endpoint:
            if self._has(KEY) and not model:
                layer.complain(KEY, "environment_incomplete", needs=ENDPOINT)
            return None
        if not host_of(endpoint):
            layer.complain(ENDPOINT, "setting_not_endpoint")
            return None
        wire = layer.value(WIRE, choice(*get_args(Wire)), self._set(WIRE))
        row = provider_of(endpoint, self._providers)
        if not (model or row.model):
            layer.complain(ENDPOINT, "environment_incomplete", needs=MODEL)
            return None
        key = KeyRef(f"env:{KEY}", (host_of(endpoint),)) if self._has(KEY) else self._usual(row)
        return self._make(model or row.model, endpoint, model or row.model, row, key, "environment", wire)

    def typed(self, endpoint: str, model: str, wire: Wire | None, variable: str = "") -> ModelProfile:
        """A model given on the command line, with the key of `variable`. No wire: the vendor's.

        Without one: the key in the environment that belongs to this host, if there is one.
        """
        host = host_of(endpoint)
        row = provider_of(endpoint, self._providers)
        key = KeyRef(f"env:{variable}", (host,)) if variable else self._usual(row)
        if key is None and self._has(KEY) and host and host_of(self._environ.get(ENDPOINT, "")) == host:
            key = KeyRef(f"env:{KEY}", (host,))
        return self._make(model, endpoint, model, row, key, "command", wire)

    def usual(self, model: str = "") -> list[ModelProfile]:
        """A profile for each vendor whose usual variable is set; `model` instead of its current one."""
        found: list[ModelProfile] = []
        for row in self._providers:
            key = self._usual(row)
            if key and row.endpoint and (model or row.model):
                name = model or row.id
                found.append(self._make(name, row.endpoint, model or row.model, row, key, "environment"))
        return found

    def _profile(self, layer: Layer, name: str, table: Mapping[str, Any], origin: str) -> ModelProfile | None:
        prefix = f"models.{name}."
        for field in table:
            if field.lower() in KEY_WORDS:
                layer.complain(prefix + field, "setting_holds_key")
            elif field not in FIELDS:
                layer.complain(prefix + field, "setting_unknown")
        rows = {row.id: row for row in self._providers}
        wanted = layer.value("provider", choice(*rows), table, prefix) if "provider" in table else None
        named = rows.get(wanted or "")
        endpoint = layer.value("endpoint", text, table, prefix) or (named.endpoint if named else "")
        if endpoint and not host_of(endpoint):
            layer.complain(f"{prefix}endpoint", "setting_not_endpoint")
            return None
        row = named or provider_of(endpoint, self._providers)
        model = layer.value("model", text, table, prefix) or row.model
        if not endpoint or not model:
            layer.complain(f"models.{name}", "model_incomplete", needs="model" if endpoint else "endpoint")
            return None
        profile = self._make(
            name,
            endpoint,
            model,
            row,
            self._key(layer, table, prefix, row, endpoint, origin),
            origin,
            layer.value("wire", choice(*get_args(Wire)), table, prefix),
            clocks(layer, layer.table("clocks", table, prefix), f"{prefix}clocks."),
        )
        return replace(
            profile,
            context_window=layer.value("contextWindow", TOKENS, table, prefix) or profile.context_window,
            max_output=layer.value("maxOutput", TOKENS, table, prefix) or profile.max_output,
        )

    def _key(
        self, layer: Layer, table: Mapping[str, Any], prefix: str, row: Provider, endpoint: str, origin: str
    ) -> KeyRef | None:
        ref = layer.value("key", text, table, prefix)
        host = host_of(endpoint)
        if ref is None:
            key = self._usual(row)
            return key if key and provider_of(endpoint, [row]) is row else None
        variable = ref.removeprefix("env:")
        if variable == ref or not variable.replace("_", "").isalnum() or not variable.isascii():
            layer.complain(f"{prefix}key", "setting_holds_key")
            return None
        return KeyRef(f"env:{variable}", self._hosts(variable, host) if origin == "editor" else (host,))

    def _hosts(self, variable: str, host: str) -> tuple[str, ...]:
        """Where a variable's key may go when an editor names it: editor settings can come with a book.

        A vendor's usual variable goes to that vendor alone, INKWRIGHT_API_KEY to its endpoint.
        """
        if variable == KEY:
            return (host_of(self._environ.get(ENDPOINT, "")),)
        owner = next((row for row in self._providers if variable in row.env), None)
        return owner.hosts if owner else (host,)

    def _make(
        self,
        name: str,
        endpoint: str,
        model: str,
        row: Provider,
        key: KeyRef | None,
        origin: str,
        wire: Wire | None = None,
        own_clocks: Mapping[str, float] | None = None,
    ) -> ModelProfile:
        known = row.known(model)
        offered = row.efforts if model.startswith(row.efforts_for or ("",)) else ()
        return ModelProfile(
            id=name,
            endpoint=endpoint,
            model=model,
            wire=wire or row.wire,
            provider=row,
            key=key,
            clocks=standing(endpoint, self._general, own_clocks or {}),
            context_window=known.context_window,
            max_output=known.max_output,
            efforts=offered if known.efforts is None else known.efforts,
            origin=origin,
            tools=row.tools,
            vision=row.vision if known.vision is None else known.vision,
            schema=known.schema or row.schema,
            price=known.price,
        )

    def _usual(self, row: Provider) -> KeyRef | None:
        for name in row.env:
            for variable in (name, f"INKWRIGHT_{name}"):
                if self._has(variable):
                    return KeyRef(f"env:{variable}", row.hosts)
        return None

    def _has(self, variable: str) -> bool:
        return bool(
            self._environ.get(variable, "").strip() or self._environ.get(f"{variable}_FILE", "").strip()
        )

    def _set(self, variable: str) -> dict[str, str]:
        value = self._environ.get(variable, "").strip()
        return {variable: value} if value else {}

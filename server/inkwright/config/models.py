"""Model profiles out of settings tables and environment variables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, get_args

from inkwright.config.fields import PLAIN, extended, spelled
from inkwright.config.keys import Keys
from inkwright.config.reading import Layer, choice, number, text
from inkwright.domain.errors import Fault
from inkwright.domain.keys import is_key, looks_like_key, names_key
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
    place_of,
    provider_of,
)
from inkwright.domain.run import Clocks

ENDPOINT, MODEL, KEY, WIRE = "INKWRIGHT_ENDPOINT", "INKWRIGHT_MODEL", "INKWRIGHT_API_KEY", "INKWRIGHT_WIRE"

CLOCK_KEYS = {"connect": "connect", "bytes": "bytes", "firstPayload": "first_payload", "payload": "payload"}
FIELDS = {*PLAIN, "provider", "endpoint", "model", "wire", "key", "capabilities", "price", "clocks"}
SECONDS = number(0.1, 86_400)


def clocks(layer: Layer, table: Mapping[str, Any], prefix: str) -> dict[str, float]:
    """The clocks that a table sets, under our names."""
    table = spelled(table)
    found = {ours: layer.value(theirs, SECONDS, table, prefix) for theirs, ours in CLOCK_KEYS.items()}
    return {name: seconds for name, seconds in found.items() if seconds is not None}


def standing(endpoint: str, *overrides: Mapping[str, float]) -> Clocks:
    """The clocks of a model at `endpoint`: longer ones on this machine, then what was set, last wins."""
    base = LOCAL_CLOCKS if is_loopback(host_of(endpoint)) else CLOCKS
    for table in overrides:
        base = replace(base, **table)
    return base


class ModelReader:
    """Reads profiles for one `load`: the vendors we know, the environment, the clocks set for all.

    `stored` are the names of the keys that are kept elsewhere, each with its reference.
    """

    def __init__(
        self,
        providers: Sequence[Provider],
        environ: Mapping[str, str],
        general: Mapping[str, float],
        stored: Mapping[str, str] | None = None,
    ) -> None:
        self._providers = providers
        self._environ = environ
        self._general = general
        self._keys = Keys(providers, environ, stored or {}, place_of(environ.get(ENDPOINT, "")))

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

    def from_environment(self, layer: Layer) -> ModelProfile | Fault | None:
        """The model that INKWRIGHT_ENDPOINT and its companions describe; why there is none where it names one that
        cannot be. A key alone chooses nothing."""
        endpoint, model = self._environ.get(ENDPOINT, "").strip(), self._environ.get(MODEL, "").strip()
        if not endpoint:
            if self._keys.has(KEY) and not model:
                layer.complain(KEY, "environment_incomplete", needs=ENDPOINT)
            return None
        if not host_of(endpoint):
            return layer.complain(ENDPOINT, "environment_endpoint_wrong")
        wire = layer.value(WIRE, choice(*get_args(Wire)), self._set(WIRE))
        row = provider_of(endpoint, self._providers)
        if not (model or row.model):
            return layer.complain(ENDPOINT, "environment_model_incomplete", needs=MODEL)
        own = KeyRef(f"env:{KEY}", (place_of(endpoint),)) if self._keys.has(KEY) else None
        key = own or self._keys.usual(row)
        return self._make(model or row.model, endpoint, model or row.model, row, key, "environment", wire)

    def typed(self, endpoint: str, model: str, wire: Wire | None, variable: str = "") -> ModelProfile:
        """A model given on the command line, with the key of `variable`. No wire: the vendor's.

        Without one: the key that belongs to this host, if there is one.
        """
        row = provider_of(endpoint, self._providers)
        key = KeyRef(f"env:{variable}", (place_of(endpoint),)) if variable else self._of_place(endpoint, row)
        return self._make(model, endpoint, model, row, key, "command", wire)

    def unnamed(self, endpoint: str, ref: str, configured: Sequence[ModelProfile]) -> ModelProfile:
        """An endpoint whose model is still to be chosen, with the key at `ref`; '' is the one that belongs there.

        A key that has its hosts, by what it is or by the `configured` models that use it, keeps them. What a
        folder's settings say of keys counts for nothing.
        """
        row = provider_of(endpoint, self._providers)
        place = place_of(endpoint)
        keyed = [one for one in configured if one.key is not None and one.origin != "workspace"]
        if ref:
            hosts = self._keys.bound(ref)
            if hosts is None:
                hosts = tuple(h for one in keyed if one.key and one.key.ref == ref for h in one.key.hosts)
            key: KeyRef | None = KeyRef(ref, hosts or (place,))
        else:
            own = (one.key for one in keyed if place and place_of(one.endpoint) == place)
            key = next(own, None) or self._of_place(endpoint, row)
            # Any customer of some vendors has a host there: only the writer can say whose a key is.
            if key is not None and not key.goes_to(endpoint):
                key = None
        return self._make("", endpoint, "", row, key, "command")

    def _of_place(self, endpoint: str, row: Provider) -> KeyRef | None:
        """The key that belongs to an endpoint by what it is."""
        place = place_of(endpoint)
        if (key := self._keys.usual(row)) is not None:
            return key
        own = self._keys.has(KEY) and place and place_of(self._environ.get(ENDPOINT, "")) == place
        return KeyRef(f"env:{KEY}", (place,)) if own else None

    def usual(self, model: str = "") -> list[ModelProfile]:
        """A profile for each vendor whose key is there; `model` instead of its current one."""
        found: list[ModelProfile] = []
        for row in self._providers:
            key = self._keys.usual(row)
            if key and row.endpoint and (model or row.model):
                name = model or row.id
                found.append(self._make(name, row.endpoint, model or row.model, row, key, "environment"))
        return found

    def _profile(self, layer: Layer, name: str, given: Mapping[str, Any], origin: str) -> ModelProfile | None:
        prefix = f"models.{name}."
        table = self._without_keys(layer, spelled(given), prefix)
        rows = {row.id: row for row in self._providers}
        wanted = layer.value("provider", choice(*rows), table, prefix) if "provider" in table else None
        named = rows.get(wanted or "")
        endpoint = layer.value("endpoint", text, table, prefix) or (named.endpoint if named else "")
        if endpoint and not host_of(endpoint):
            layer.complain(f"{prefix}endpoint", "setting_not_endpoint")
            return None
        if looks_like_key(endpoint):
            layer.complain(f"{prefix}endpoint", "setting_holds_key")
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
            self._keys.named(layer, table, prefix, row, endpoint, origin),
            origin,
            layer.value("wire", choice(*get_args(Wire)), table, prefix),
            clocks(layer, layer.table("clocks", table, prefix), f"{prefix}clocks."),
        )
        return extended(profile, layer, table, prefix)

    def _without_keys(self, layer: Layer, table: Mapping[str, Any], prefix: str) -> dict[str, Any]:
        """A table without what is a key or no field of ours; both are named, a key's text is not."""
        out: dict[str, Any] = {}
        for field, value in table.items():
            held = isinstance(value, str) and field not in ("key", "endpoint") and is_key(field, value)
            if held or (field not in FIELDS and names_key(field)):
                layer.complain(prefix + field, "setting_holds_key")
            elif field not in FIELDS:
                layer.complain(prefix + field, "setting_unknown")
            else:
                out[field] = value
        return out

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
        vision = row.vision if known.vision is None else known.vision
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
            vision=vision,
            schema=known.schema or row.schema,
            price=known.price,
            kind="vision" if vision else "text",
        )

    def _set(self, variable: str) -> dict[str, str]:
        value = self._environ.get(variable, "").strip()
        return {variable: value} if value else {}

"""Which key a model uses, and where that key may go. Names of places only: no key is read here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from inkwright.config.reading import Layer, text
from inkwright.domain.keys import REFERENCE, is_key
from inkwright.domain.model import KeyRef, Provider, place_of, provider_of

OWN = "INKWRIGHT_API_KEY"


class Keys:
    """The keys there are: in the environment, and those `stored` elsewhere, each name with its reference.

    `own_place` is where INKWRIGHT_API_KEY belongs.
    """

    def __init__(
        self,
        providers: Sequence[Provider],
        environ: Mapping[str, str],
        stored: Mapping[str, str],
        own_place: str,
    ) -> None:
        self._providers = providers
        self._environ = environ
        self._stored = stored
        self._own_place = own_place

    def has(self, variable: str) -> bool:
        """Whether a variable is set, or one that names its file."""
        return bool(
            self._environ.get(variable, "").strip() or self._environ.get(f"{variable}_FILE", "").strip()
        )

    def usual(self, row: Provider) -> KeyRef | None:
        """A vendor's key: in its usual variable, else kept under the vendor's id or that variable's name."""
        for name in row.env:
            for variable in (name, f"INKWRIGHT_{name}"):
                if self.has(variable):
                    return KeyRef(f"env:{variable}", row.hosts)
        for name in (row.id, *row.env):
            if row.hosts and (ref := self._stored.get(name)):
                return KeyRef(ref, row.hosts)
        return None

    def named(
        self, layer: Layer, table: Mapping[str, Any], prefix: str, row: Provider, endpoint: str, origin: str
    ) -> KeyRef | None:
        """The key that a table names; without one the vendor's, if the endpoint is the vendor's own."""
        ref = layer.value("key", text, table, prefix)
        if ref is None:
            key = self.usual(row)
            if origin == "workspace" and any(host.startswith(".") for host in row.hosts):
                # Any customer of such a vendor has a host there: which one is the writer's, only they can say.
                return None
            return key if key and provider_of(endpoint, [row]) is row and key.goes_to(endpoint) else None
        if REFERENCE.fullmatch(ref) is None or is_key("key", ref):
            layer.complain(f"{prefix}key", "setting_holds_key")
            return None
        if origin == "file":
            return KeyRef(ref, (place_of(endpoint),))
        hosts = self.bound(ref)
        anyones = hosts is not None and any(host.startswith(".") for host in hosts)
        if origin == "workspace" and (hosts is None or anyones):
            layer.complain(f"{prefix}key", "workspace_key_refused")
            return None
        return KeyRef(ref, (place_of(endpoint),) if hosts is None else hosts)

    def bound(self, ref: str) -> tuple[str, ...] | None:
        """Where a key may go whatever an editor's settings say, since they can come with a book.

        A vendor's goes to that vendor alone, INKWRIGHT_API_KEY to its endpoint; None is no such rule.
        """
        name = ref.partition(":")[2].removeprefix("INKWRIGHT_")
        if ref == f"env:{OWN}":
            return (self._own_place,)
        owner = next((row for row in self._providers if name in (row.id, *row.env)), None)
        return owner.hosts if owner and not ref.startswith("file:/") else None

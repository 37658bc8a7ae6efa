"""Models as the writer configures them: where one is, what it is called, whose key it uses."""

from __future__ import annotations

import ipaddress
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal
from urllib.parse import SplitResult, urlsplit

from inkwright.domain.conversation import Effort
from inkwright.domain.run import Clocks

Wire = Literal["openai"]
Auth = Literal["bearer", "api-key", "none"]
Thinking = Literal["none", "deepseek", "effort", "toggle", "enable"]

CLOCKS = Clocks()
LOCAL_CLOCKS = Clocks(bytes=600, first_payload=1800, payload=600)
"""A model on this machine may load for minutes before its first byte."""


@dataclass(frozen=True, slots=True)
class Provider:
    """A row of the catalogue: one vendor. `env` are the usual variables of its key, in order.

    `model` is the current one, '' when the writer must name it. `thinking` is how the vendor takes
    an effort: not at all; DeepSeek's pair of fields; `reasoning_effort`; `thinking: {type}`;
    `enable_thinking`. `efforts` are offered by the models whose names begin with one of
    `efforts_for` (by all when it is empty). `limit_field` is the name of the output limit in a request.
    """

    id: str
    label: str
    endpoint: str = ""
    hosts: tuple[str, ...] = ()
    wire: Wire = "openai"
    env: tuple[str, ...] = ()
    model: str = ""
    auth: Auth = "bearer"
    thinking: Thinking = "none"
    efforts: tuple[Effort, ...] = ()
    efforts_for: tuple[str, ...] = ()
    limit_field: str = "max_tokens"
    usage_option: bool = True
    context_window: int = 0
    max_output: int = 0


COMPATIBLE = Provider(id="compatible", label="OpenAI-compatible")
"""Any endpoint that no row of the catalogue knows."""


@dataclass(frozen=True, slots=True)
class KeyRef:
    """Where a key is, never the key: `env:NAME`. It goes only to one of `hosts`."""

    ref: str
    hosts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ModelProfile:
    """One configured model, `id` being its name. `endpoint` is used as typed; '' is the offline engine.

    `context_window` and `max_output` in tokens, 0 when unknown. `efforts` are those on offer, from
    the lowest to the highest. `origin` is the layer of settings that defined it.
    """

    id: str
    endpoint: str = ""
    model: str = ""
    wire: Wire = "openai"
    provider: Provider = COMPATIBLE
    key: KeyRef | None = None
    clocks: Clocks = CLOCKS
    context_window: int = 0
    max_output: int = 0
    efforts: tuple[Effort, ...] = ()
    origin: str = "default"

    @property
    def offline(self) -> bool:
        return not self.endpoint

    @property
    def host(self) -> str:
        return host_of(self.endpoint)


OFFLINE = ModelProfile(id="offline")


def _split(endpoint: str) -> SplitResult | None:
    try:
        parts = urlsplit(endpoint.strip())
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return None
    return parts if usable else None


def host_of(endpoint: str) -> str:
    """The lower-case host of an http(s) address, '' when it is none (a bad port included)."""
    parts = _split(endpoint)
    return (parts.hostname or "") if parts else ""


def shown(endpoint: str) -> str:
    """An endpoint fit for a message: no user, password, query or fragment; what is no address, cut short."""
    parts = _split(endpoint)
    if parts is None:
        return endpoint.strip()[:80] if endpoint.strip() and not set(endpoint) & set("@?\n") else "?"
    host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname
    return f"{parts.scheme}://{host}{f':{parts.port}' if parts.port else ''}{parts.path}"


def is_loopback(host: str) -> bool:
    """True for this machine: localhost, 127/8, ::1, and the unspecified address."""
    name = host.lower().rstrip(".")
    if name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        address = ipaddress.ip_address(name.partition("%")[0])
    except ValueError:
        return False
    mapped = getattr(address, "ipv4_mapped", None)
    address = mapped or address
    return address.is_loopback or address.is_unspecified


def provider_of(endpoint: str, providers: Sequence[Provider]) -> Provider:
    """The vendor whose host this is; a host with a leading dot stands for all its subdomains."""
    host = host_of(endpoint)
    for row in providers:
        if any(host == h or (h.startswith(".") and host.endswith(h)) for h in row.hosts):
            return row
    return COMPATIBLE

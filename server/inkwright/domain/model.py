"""Models as the writer configures them: where one is, what it is called, whose key it uses."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal
from urllib.parse import SplitResult, urlsplit

from inkwright.domain.conversation import Effort
from inkwright.domain.run import Clocks

Wire = Literal["openai", "anthropic", "gemini"]
Auth = Literal["wire", "bearer", "api-key", "none"]
Thinking = Literal["none", "deepseek", "effort", "toggle", "enable", "budget", "adaptive", "level"]
Schema = Literal["none", "object", "schema", "tool"]
Kind = Literal["text", "vision", "embedding"]

CLOCKS = Clocks()
LOCAL_CLOCKS = Clocks(bytes=600, first_payload=1800, payload=600)
"""A model on this machine may load for minutes before its first byte."""


@dataclass(frozen=True, slots=True)
class Price:
    """What a million tokens cost, in `currency` (ISO 4217). A cache price of None is the input's."""

    currency: str
    input: float
    output: float
    cache_read: float | None = None
    cache_write: float | None = None


@dataclass(frozen=True, slots=True)
class KnownModel:
    """One model of a vendor, or the head of a family: what is None or empty is as the vendor's row says.

    `off` is how thinking is switched off where the vendor has several ways ('' leaves the field out),
    `always` that it cannot be. `tools_effort` is the only effort that goes together with tools.
    """

    name: str
    context_window: int = 0
    max_output: int = 0
    thinking: Thinking | None = None
    efforts: tuple[Effort, ...] | None = None
    off: str = ""
    always: bool = False
    tools_effort: str = ""
    vision: bool | None = None
    schema: Schema | None = None
    price: Price | None = None


@dataclass(frozen=True, slots=True)
class Provider:
    """A row of the catalogue: one vendor. `env` are the usual variables of its key, in order.

    `model` is the current one, '' when the writer must name it. `port` is where a server on this
    machine usually listens; `hosts` are the vendor's own. `auth` `wire` is the wire's own header.

    `thinking` is how the vendor takes an effort: not at all; DeepSeek's pair of fields;
    `reasoning_effort`; `thinking: {type}`; `enable_thinking`; a budget of tokens; Claude's adaptive
    thinking; Gemini's level. `efforts` are offered by the models whose names begin with one of
    `efforts_for` (by all when it is empty). `limit_field` is the name of the output limit in a request.
    `schema` is how an answer that fits a JSON Schema is asked for: not at all; any JSON object; the
    schema itself; a call of a tool. `models` are the ones whose particulars we know.
    """

    id: str
    label: str
    endpoint: str = ""
    hosts: tuple[str, ...] = ()
    port: int = 0
    wire: Wire = "openai"
    env: tuple[str, ...] = ()
    model: str = ""
    auth: Auth = "wire"
    thinking: Thinking = "none"
    efforts: tuple[Effort, ...] = ()
    efforts_for: tuple[str, ...] = ()
    limit_field: str = "max_tokens"
    usage_option: bool = True
    tools: bool = True
    vision: bool = False
    schema: Schema = "none"
    models: tuple[KnownModel, ...] = ()

    def known(self, model: str) -> KnownModel:
        """What is known of a model: its own row, or that of the longest name that its name goes on from.

        A price is taken only from its own row: the name itself, also with a date or `latest` behind it.
        """
        rows = [row for row in self.models if _goes_on(row.name, model)]
        if not rows:
            return KnownModel(model)
        row = max(rows, key=lambda each: len(each.name))
        rest = model.removeprefix(row.name)
        return row if _VERSION.fullmatch(rest) else replace(row, price=None)


COMPATIBLE = Provider(id="compatible", label="OpenAI-compatible")
"""Any endpoint that no row of the catalogue knows."""


@dataclass(frozen=True, slots=True)
class KeyRef:
    """Where a key is, never the key: `env:NAME`, `editor:NAME`, `keyring:NAME` or `file:PATH`.

    It goes only to one of `hosts`: a host alone means https on the usual port (on this machine
    anything), with a leading dot all its subdomains; `scheme://host:port` means just that.
    """

    ref: str
    hosts: tuple[str, ...]

    @property
    def name(self) -> str:
        """The reference without its kind."""
        return self.ref.partition(":")[2] or self.ref

    def goes_to(self, endpoint: str) -> bool:
        """Whether the key may be sent to an endpoint; never to one that names a user or a password."""
        parts = _split(endpoint)
        if parts is None or "@" in parts.netloc:
            return False
        host, place = host_of(endpoint), place_of(endpoint)
        usual = "//" not in place or is_loopback(host)
        return any(
            place == own or (usual and (host == own or (own.startswith(".") and host.endswith(own))))
            for own in self.hosts
        )


@dataclass(frozen=True, slots=True)
class ModelProfile:
    """One configured model, `id` being its name. `endpoint` is used as typed; '' is the offline engine.

    `context_window` and `max_output` in tokens, 0 when unknown. `efforts` are those on offer, from
    the lowest to the highest; `effort` is the one to use whatever the ability is, None: the ability's.
    `origin` is the layer of settings that defined it. `tools`, `vision` and `schema` say what it can do,
    `kind` what it is for; `price` is None when unknown. `concurrency` is how many requests may be under
    way at once; it and the limits per minute are 0 where there is none.
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
    tools: bool = True
    vision: bool = False
    schema: Schema = "none"
    price: Price | None = None
    kind: Kind = "text"
    effort: Effort | None = None
    concurrency: int = 0
    requests_per_minute: int = 0
    tokens_per_minute: int = 0

    @property
    def known(self) -> KnownModel:
        """What the catalogue knows of this model."""
        return self.provider.known(self.model)

    @property
    def thinking(self) -> Thinking:
        """How this model takes an effort; `none` when it is offered none."""
        return (self.known.thinking or self.provider.thinking) if self.efforts else "none"

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


def place_of(endpoint: str) -> str:
    """Where an endpoint is, for keys: its host when it speaks https on the usual port, else all three."""
    parts = _split(endpoint)
    if parts is None:
        return ""
    port = parts.port or (443 if parts.scheme == "https" else 80)
    host = parts.hostname or ""
    if parts.scheme == "https" and port == 443:
        return host
    return f"{parts.scheme}://{f'[{host}]' if ':' in host else host}:{port}"


def in_clear(endpoint: str) -> bool:
    """Whether what is sent there can be read on the way: plain http that leaves the house."""
    parts = _split(endpoint)
    host = host_of(endpoint).rstrip(".")
    if parts is None or parts.scheme != "http" or is_loopback(host):
        return False
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return "." in host and not host.endswith((".local", ".lan", ".home.arpa", ".internal"))
    return not address.is_private


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
    """The vendor whose host this is; a host with a leading dot stands for all its subdomains.

    On this machine the port tells which server it is.
    """
    parts = _split(endpoint)
    host = host_of(endpoint)
    for row in providers:
        if any(host == h or (h.startswith(".") and host.endswith(h)) for h in row.hosts):
            return row
        if row.port and parts and parts.port == row.port and is_loopback(host):
            return row
    return COMPATIBLE


_VERSION = re.compile(r"(?:[-@:.](?:\d{4,8}|\d{4}-\d\d-\d\d|latest))?")


def _goes_on(name: str, model: str) -> bool:
    rest = model.removeprefix(name)
    return model.startswith(name) and (not rest or rest[0] in "-@:.")

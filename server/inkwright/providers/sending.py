"""Where a request goes and how it shows its key."""

from __future__ import annotations

from urllib.parse import urlsplit, urlunsplit

from inkwright.domain.model import ModelProfile
from inkwright.secrets import Secret


def address(endpoint: str, operation: str, *begun: str, ends: tuple[str, ...] = (), query: str = "") -> str:
    """The endpoint as typed, with the operation appended to its path unless it is there already.

    `begun` are beginnings of the operation that are not repeated when the path ends with them; a path
    that ends with one of `ends` is whole as it is. `query` is added unless its name is there.
    """
    parts = urlsplit(endpoint.strip())
    path = parts.path.rstrip("/")
    if not path.endswith((operation, *ends)):
        there = next((start for start in begun if path.endswith(start)), "")
        path += operation[len(there) :]
    asked = parts.query
    if query and not any(item.startswith(query.partition("=")[0] + "=") for item in asked.split("&")):
        asked = f"{asked}&{query}" if asked else query
    return urlunsplit(parts._replace(path=path, query=asked, fragment=""))


def key_header(profile: ModelProfile, key: Secret | None, own: str) -> dict[str, str]:
    """The header that carries the key: the vendor's way, else the wire's `own` header."""
    auth = profile.provider.auth
    if key is None or auth == "none":
        return {}
    name = {"wire": own, "bearer": "authorization", "api-key": "api-key"}[auth]
    return {name: f"Bearer {key.reveal()}" if name == "authorization" else key.reveal()}

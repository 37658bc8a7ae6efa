"""Which models an endpoint offers: `GET /models` in OpenAI's way, before anything is configured."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, replace
from urllib.parse import urlsplit, urlunsplit

from inkwright.domain.errors import Fault, ModelError
from inkwright.domain.model import ModelProfile, is_loopback, shown
from inkwright.domain.run import Clocks
from inkwright.providers import load
from inkwright.providers.discovery import listed
from inkwright.providers.errors import fault
from inkwright.providers.model import key_of, refusal
from inkwright.providers.sending import address, key_header
from inkwright.providers.transport import Transport
from inkwright.secrets import Secrets

SECONDS = 10.0
MAX_BODY = 8_000_000
MAX_MODELS = 1_000
OPERATION = "/models"
CHAT = "/chat/completions"
NO_LIST = frozenset(("bad_request", "context_length", "content_filter", "malformed"))


@dataclass(frozen=True, slots=True)
class Offered:
    """The names that an endpoint gave, those that write first, or why it gave none. `url` is what was asked."""

    endpoint: str
    url: str
    models: tuple[str, ...] = ()
    fault: Fault | None = None


async def offered(profile: ModelProfile, secrets: Secrets, seconds: float = SECONDS) -> Offered:
    """Asks the endpoint of a profile, over https or on this machine, with the profile's key and none of any book.

    No redirect is followed. Never raises for what a server does.
    """
    out = Offered(shown(profile.endpoint), "")
    if not profile.host:
        return replace(out, fault=_placed(fault("bad_request", "model_endpoint_invalid"), profile))
    url = _url(profile.endpoint)
    out = replace(out, url=shown(url))
    plain = profile.endpoint.strip().lower().startswith("http:")
    if plain and not is_loopback(profile.host):
        return replace(out, fault=_placed(fault("bad_request", "endpoint_in_clear"), profile))
    # The time limit of it all is the first to run out.
    clocks = Clocks(*(seconds + 1 for _ in range(5)))
    transport = Transport(profile.endpoint, clocks, keyed=profile.key is not None)
    await asyncio.to_thread(load)
    try:
        async with asyncio.timeout(seconds):
            return replace(out, models=await _models(transport, url, profile, secrets))
    except TimeoutError:
        late = fault("timeout", "endpoint_late", seconds=round(seconds))
        return replace(out, fault=_placed(late, profile))
    except ModelError as error:
        return replace(out, fault=_placed(_told(error.fault, secrets), profile))
    finally:
        await transport.close()


async def _models(transport: Transport, url: str, profile: ModelProfile, secrets: Secrets) -> tuple[str, ...]:
    key = await asyncio.to_thread(key_of, profile, secrets)
    body = bytearray()
    async with transport.get(url, key_header(profile, key, "authorization")) as response:
        if not 200 <= response.status < 300:
            raise ModelError(_refused(await refusal(response), response.status))
        while (piece := await response.read()) is not None:
            body += piece
            if len(body) > MAX_BODY:
                raise ModelError(fault("malformed", "endpoint_not_list"))
    # What somebody else sends may take a second to be parsed.
    names = await asyncio.to_thread(_names, bytes(body))
    if names is None:
        raise ModelError(fault("malformed", "endpoint_not_list"))
    # What says our key back is no model.
    return tuple(name for name in names if secrets.redact(name) == name)


def _names(body: bytes) -> tuple[str, ...] | None:
    try:
        return listed(json.loads(body), MAX_MODELS)
    except (ValueError, RecursionError):
        return None


def _refused(found: Fault, status: int) -> Fault:
    """A refusal told of a list: nothing was asked of any model."""
    params = {**found.params, "status": status}
    if found.kind == "auth":
        return replace(found, code="endpoint_auth", params=params)
    if found.kind in NO_LIST and not 300 <= status < 400:
        return replace(found, code="endpoint_no_list", params=params)
    return found


def _told(found: Fault, secrets: Secrets) -> Fault:
    """Without what the server says back of the key."""
    params = {name: secrets.redact(v) if isinstance(v, str) else v for name, v in found.params.items()}
    return replace(found, params=params, detail=secrets.redact(found.detail))


def _placed(found: Fault, profile: ModelProfile) -> Fault:
    place = {"host": profile.host, "endpoint": shown(profile.endpoint), "model": ""}
    return replace(found, params={**place, **found.params})


def _url(endpoint: str) -> str:
    """The list beside the operation that the endpoint may name already."""
    parts = urlsplit(endpoint.strip())
    base = parts.path.rstrip("/").removesuffix(CHAT)
    return address(urlunsplit(parts._replace(path=base)), OPERATION)

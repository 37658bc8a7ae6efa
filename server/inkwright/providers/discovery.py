"""Model servers on this machine: asked for on request only, and only offered."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from inkwright.domain.model import Provider, host_of, is_loopback

SECONDS = 1.5
"""What one server may take from the connection to the last byte; all are asked side by side."""
MAX_BODY = 1_000_000
MAX_MODELS = 200


@dataclass(frozen=True, slots=True)
class Found:
    """A server that answers like one of models, and the names that it gave, those that write first."""

    provider: Provider
    models: tuple[str, ...]

    def lines(self) -> str:
        """What to put into `config.toml` to use it."""
        model = self.models[0] if self.models else "NAME"
        quoted = json.dumps(model, ensure_ascii=False).replace("\x7f", "\\u007f")
        return f'[models.{self.provider.id}]\nprovider = "{self.provider.id}"\nmodel = {quoted}\n'


async def discover(rows: Sequence[Provider], seconds: float = SECONDS) -> tuple[Found, ...]:
    """The servers among `rows` that answer on this machine, in the order of the rows.

    Nothing leaves the machine: a row elsewhere is not asked, no proxy and no redirect is used, no key sent.
    """
    local = [row for row in rows if row.port and is_loopback(host_of(row.endpoint))]
    if not local:
        return ()
    import httpx

    async with httpx.AsyncClient(trust_env=False, verify=False, follow_redirects=False) as client:  # noqa: S501 - http to this machine
        answers = await asyncio.gather(*(_asked(client, row, seconds) for row in local))
    return tuple(found for found in answers if found is not None)


async def _asked(client: Any, row: Provider, seconds: float) -> Found | None:
    import httpx

    body = bytearray()
    try:
        async with (
            asyncio.timeout(seconds),
            client.stream(
                "GET", f"{row.endpoint}/models", headers={"accept-encoding": "identity"}
            ) as response,
        ):
            if response.status_code != 200:
                return None
            async for piece in response.aiter_bytes():
                body += piece
                if len(body) > MAX_BODY:
                    return None
        names = listed(json.loads(body))
    except (httpx.HTTPError, httpx.StreamError, OSError, ValueError, RecursionError):
        return None
    return None if names is None else Found(row, names)


def listed(answer: Any, most: int = MAX_MODELS) -> tuple[str, ...] | None:
    """The models of an OpenAI-style list, those that write first; None when it is something else that answers."""
    rows = answer.get("data") if isinstance(answer, dict) else None
    if not isinstance(rows, list):
        return None
    names = [item.get("id") for item in rows[:most] if isinstance(item, dict)]
    sound = [n for n in names if isinstance(n, str) and 0 < len(n) <= 200 and n.isprintable()]
    if rows and not sound:
        return None
    return tuple(sorted(dict.fromkeys(sound), key=lambda name: "embed" in name.lower()))

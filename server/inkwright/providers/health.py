"""Whether a model works: two short questions that have nothing to do with any manuscript."""

from __future__ import annotations

import asyncio
import time
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import Literal

from inkwright.domain.conversation import Finished, Message, ModelRequest, Reasoning, Text, ToolSpec, Waiting
from inkwright.domain.errors import Fault
from inkwright.domain.model import ModelProfile, is_loopback, shown
from inkwright.domain.run import Clocks
from inkwright.providers import load
from inkwright.providers.model import HttpModel
from inkwright.providers.wires import wire
from inkwright.secrets import Secrets

SECONDS = 30.0
LOCAL_SECONDS = 120.0
"""A server on this machine may have to load its model first."""
LIMIT = 512
"""Tokens that an answer may take: enough for a model that thinks first."""

PING = ToolSpec(
    "ping",
    "Answers with the word it is given.",
    {"type": "object", "properties": {"word": {"type": "string"}}, "required": ["word"]},
)
Tools = Literal["works", "refused", "not_called", "untested"]


@dataclass(frozen=True, slots=True)
class Health:
    """`url` is the final address without user, password and query. `latency` is seconds to the first piece.

    `reachable` says that something answered as a model does or refused as one; `tools` what came of
    asking for a tool call.
    """

    model: str
    url: str
    key_configured: bool
    reachable: bool = False
    latency: float | None = None
    tools: Tools = "untested"
    fault: Fault | None = None

    @property
    def works(self) -> bool:
        return self.fault is None and self.reachable


async def examine(profile: ModelProfile, secrets: Secrets, seconds: float | None = None) -> Health:
    """Asks for a word, then for a tool call; `seconds` bound it all. Never raises for what a server does."""
    if profile.offline:
        return Health(profile.id, "", key_configured=True, reachable=True)
    limit = seconds or (LOCAL_SECONDS if is_loopback(profile.host) else SECONDS)
    configured = profile.key is None or await asyncio.to_thread(secrets.configured, profile.key.ref)
    url = shown(wire(profile.wire).url(profile)) if profile.host else shown(profile.endpoint)
    health = Health(profile.id, url, configured)
    if profile.kind == "embedding":
        return replace(health, fault=Fault("model_not_for_text", {"name": profile.id}))
    short = min(profile.clocks.connect, limit)
    patient = replace(profile, clocks=Clocks(short, limit, limit, limit, limit))
    model = HttpModel(patient, secrets)
    await asyncio.to_thread(load)  # it is the server whose time is taken
    try:
        async with asyncio.timeout(limit):
            health = await _spoken(model, patient, health)
            if health.works and profile.tools:
                health = await _called(model, patient, health)
    except TimeoutError:
        if health.reachable:  # it speaks; only the tool was too slow
            return health
        fault = Fault("model_timeout_total", {"host": profile.host, "seconds": round(limit)}, kind="timeout")
        return replace(health, fault=fault)
    finally:
        await model.close()
    return health


async def _spoken(model: HttpModel, profile: ModelProfile, health: Health) -> Health:
    began = time.monotonic()
    first, end = await _asked(model, _request(profile, "Answer with the one word: ink"))
    latency = None if first is None else first - began
    answered = first is not None or end.finish in ("stop", "length", "tool_calls")
    refused = end.fault is not None and end.fault.kind not in ("connection", "timeout", "malformed", None)
    fault = end.fault if end.finish == "error" else None
    return replace(health, reachable=answered or refused, latency=latency, fault=fault)


async def _called(model: HttpModel, profile: ModelProfile, health: Health) -> Health:
    request = _request(profile, 'Call the tool ping with the word "ink". Do not answer in text.')
    _, end = await _asked(model, replace(request, tools=(PING,)))
    if any(call.name == PING.name and call.arguments is not None for call in end.tool_calls):
        return replace(health, tools="works")
    refused = end.fault is not None and end.fault.kind in ("bad_request", "server", "malformed")
    return replace(health, tools="refused" if refused else "untested" if end.fault else "not_called")


def _request(profile: ModelProfile, words: str) -> ModelRequest:
    effort = profile.effort or (profile.efforts[0] if profile.efforts else "off")
    return ModelRequest((Message("user", words),), effort=effort, max_output=LIMIT)


async def _asked(model: HttpModel, request: ModelRequest) -> tuple[float | None, Finished]:
    """When the first piece came, and the end."""
    first: float | None = None
    async with aclosing(model.stream(request)) as events:
        async for event in events:
            match event:
                case Text() | Reasoning():
                    first = first or time.monotonic()
                case Waiting():
                    pass
                case Finished():
                    return first, event
    return first, Finished("error", fault=Fault("model_cut_off", {"host": ""}, kind="connection"))

"""A model behind HTTP, as the `ChatModel` port wants it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from dataclasses import replace
from urllib.parse import urljoin

from inkwright.domain.conversation import Finished, ModelEvent, ModelRequest
from inkwright.domain.errors import Fault, ModelError
from inkwright.domain.model import ModelProfile, in_clear, shown
from inkwright.providers.echoes import echoes
from inkwright.providers.errors import classify, detail, fault
from inkwright.providers.reading import Reading
from inkwright.providers.transport import Response, Transport
from inkwright.providers.wires import Outgoing, Wire, wire
from inkwright.secrets import Secret, Secrets

ANSWERED = "answered"
"""In the `meta` of an end: the server had begun to answer, were it with its headers alone."""

REQUEST_IDS = ("x-request-id", "request-id", "x-ds-trace-id", "x-amzn-requestid")


class HttpModel:
    """One configured model and the connections to it. Streams may run side by side."""

    def __init__(self, profile: ModelProfile, secrets: Secrets) -> None:
        self._profile = profile
        self._secrets = secrets
        self._transport = Transport(profile.endpoint, profile.clocks, keyed=profile.key is not None)

    @property
    def name(self) -> str:
        return self._profile.id

    async def stream(self, request: ModelRequest) -> AsyncGenerator[ModelEvent, None]:
        """Text and reasoning as they come, then one `Finished`, whatever happens on the way."""
        ids: dict[str, str] = {}
        try:
            async with aclosing(self._events(request, ids)) as events:
                async for event in events:
                    yield self._dressed(event, request, ids) if isinstance(event, Finished) else event
        except ModelError as error:
            yield self._dressed(Finished("error", fault=error.fault), request, ids)

    async def close(self) -> None:
        """Closes every connection. Streams must have ended."""
        await self._transport.close()

    async def _events(self, request: ModelRequest, ids: dict[str, str]) -> AsyncGenerator[ModelEvent, None]:
        """The events of one request. Raises `ModelError` only before the first of them."""
        spoken = wire(self._profile.wire)
        out = await asyncio.to_thread(self._prepared, spoken, request)
        async with self._transport.post(out.url, out.headers, out.body) as (response, watch):
            ids["provider"] = next((v for n in REQUEST_IDS if (v := response.headers.get(n))), "")
            if not 200 <= response.status < 300:
                raise ModelError(await refusal(response))
            reading = Reading(spoken.answer())
            while not reading.over:
                ended: Fault | None = None
                try:
                    data = await response.read()
                except ModelError as error:
                    data, ended = None, error.fault
                events = reading.end(ended) if data is None else reading.feed(data)
                watch.arrived(reading.payloads, settled=reading.settled)
                if data is not None and reading.over:
                    await response.drain()
                for event in events:
                    yield event

    def _prepared(self, spoken: Wire, request: ModelRequest) -> Outgoing:
        """The request as it goes out. Reads the key; runs on a thread."""
        if not self._profile.host:
            raise ModelError(fault("bad_request", "model_endpoint_invalid"))
        return spoken.outgoing(self._profile, request, key_of(self._profile, self._secrets))

    def _dressed(self, end: Finished, request: ModelRequest, ids: Mapping[str, str]) -> Finished:
        """The end with what a message about it needs, and without anything that must not be shown."""
        id_ = ids.get("provider") or end.meta.get("id", "")
        meta = {**end.meta, ANSWERED: "1"} if "provider" in ids else end.meta
        end = replace(end, provider_request_id=id_, meta=meta)
        if end.fault is None:
            return end
        said = self._secrets.redact(end.fault.detail)
        if echoes(said, request.messages):
            said = ""
        place = {
            "host": self._profile.host,
            "endpoint": shown(self._profile.endpoint),
            "model": self._profile.model,
        }
        params = {**place, **end.fault.params}
        if "target" in params:
            params["target"] = self._secrets.redact(str(params["target"]))
        return replace(end, fault=replace(end.fault, params=params, detail=said))


def key_of(profile: ModelProfile, secrets: Secrets) -> Secret | None:
    """The key, for the host it was configured for and no other. Blocks. Raises `ModelError`."""
    ref = profile.key
    if ref is None:
        return None
    if not ref.goes_to(profile.endpoint):
        raise ModelError(Fault("key_other_host", {"name": ref.name}, kind="auth"))
    if in_clear(profile.endpoint):
        raise ModelError(Fault("key_in_clear", {"name": ref.name}, kind="auth"))
    found = secrets.resolve(ref.ref)
    if isinstance(found, Fault):
        raise ModelError(found)
    return found


async def refusal(response: Response) -> Fault:
    """The fault of a response that is no answer."""
    body = await response.error_body()
    text = body.decode("utf-8", "replace").strip()
    found = classify("" if text.startswith("<") else text, response.status, response.headers)
    if 300 <= response.status < 400:
        target = _target(response)
        code = "model_redirect" if target else "model_redirect_nowhere"
        return replace(found, code=code, params={**found.params, "target": target})
    return found


def _target(response: Response) -> str:
    """Where a redirect leads, whole and fit for a message; '' when it names no place."""
    if not response.location:
        return ""
    try:
        target = shown(urljoin(response.address, response.location))
    except ValueError:
        return ""
    return "" if target == "?" else detail(target)

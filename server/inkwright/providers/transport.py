"""One request and its streamed answer, under clocks. The only module that knows httpx."""

from __future__ import annotations

import asyncio
import logging
import socket
import ssl
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from inkwright import __version__
from inkwright.domain.errors import Fault, ModelError
from inkwright.domain.model import host_of, is_loopback
from inkwright.domain.run import Clocks
from inkwright.providers.closing import whole
from inkwright.providers.errors import fault
from inkwright.providers.watch import Watch

if TYPE_CHECKING:
    import httpx

MAX_ERROR_BODY = 65_536
ERROR_BODY_SECONDS = 5.0
DRAIN_SECONDS = 0.05


class Response:
    """A response whose body is read piece by piece, each wait under the watch."""

    def __init__(self, response: httpx.Response, watch: Watch) -> None:
        self._response = response
        self._watch = watch
        self._pieces = response.aiter_bytes()

    @property
    def status(self) -> int:
        return self._response.status_code

    @property
    def address(self) -> str:
        """Where the request went. It may hold what must not be shown."""
        return str(self._response.url)

    @property
    def location(self) -> str:
        """Where a redirect leads, as the server said it; '' when it did not."""
        return str(self._response.extensions.get(_LOCATION, "")).strip()

    @property
    def headers(self) -> Mapping[str, str]:
        """With lower-case names."""
        return {name.lower(): value for name, value in self._response.headers.items()}

    async def read(self) -> bytes | None:
        """The next bytes, never empty; None at the end. Raises `ModelError`."""
        async with self._watch.limit(), _diagnosed():
            return await whole(anext(self._pieces, None))

    async def error_body(self) -> bytes:
        """The body of a refusal: as much as comes soon, and no more than an error needs."""
        parts: list[bytes] = []
        try:
            async with asyncio.timeout(ERROR_BODY_SECONDS):
                while sum(map(len, parts)) < MAX_ERROR_BODY and (piece := await self.read()) is not None:
                    parts.append(piece)
        except (TimeoutError, ModelError):
            pass
        return b"".join(parts)[:MAX_ERROR_BODY]

    async def drain(self) -> None:
        """Takes in the end of a body whose answer is over, if it is there, so the connection can be kept."""
        try:
            async with asyncio.timeout(DRAIN_SECONDS):
                await self.read()
        except (TimeoutError, ModelError):
            pass


class Transport:
    """The connections to one endpoint. Nothing is imported or opened before the first post.

    `keyed`: a key goes with what is posted.
    """

    def __init__(self, endpoint: str, clocks: Clocks, *, keyed: bool) -> None:
        self._endpoint = endpoint
        self._clocks = clocks
        self._keyed = keyed
        self._client: httpx.AsyncClient | None = None
        self._making = asyncio.Lock()

    @asynccontextmanager
    async def post(
        self, url: str, headers: Mapping[str, str], body: bytes
    ) -> AsyncIterator[tuple[Response, Watch]]:
        """The response as soon as its headers are there. Leaving the block closes the connection.

        No redirect is followed. Raises `ModelError` for whatever keeps the response from coming.
        """
        async with self._answered("POST", url, {**_HEADERS, **headers}, body) as answered:
            yield answered

    @asynccontextmanager
    async def get(self, url: str, headers: Mapping[str, str]) -> AsyncIterator[Response]:
        """The same for what is only asked for."""
        async with self._answered("GET", url, {**_PLAIN, **headers}, None) as (response, _):
            yield response

    @asynccontextmanager
    async def _answered(
        self, method: str, url: str, headers: Mapping[str, str], body: bytes | None
    ) -> AsyncIterator[tuple[Response, Watch]]:
        client = await self._ready()
        watch = Watch(self._clocks)
        async with watch.limit(), _diagnosed():
            response = await whole(_sent(client, method, url, headers, body, watch), _closed)
        try:
            watch.arrived(0, settled=False)
            yield Response(response, watch), watch
        finally:
            await whole(_closed(response))

    async def close(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            await client.aclose()

    async def _ready(self) -> httpx.AsyncClient:
        async with self._making:
            if self._client is None:
                # The import and the certificates cost a tenth of a second of CPU each.
                self._client = await asyncio.to_thread(_client, self._endpoint, self._clocks, self._keyed)
            return self._client


async def _sent(
    client: httpx.AsyncClient,
    method: str,
    url: str,
    headers: Mapping[str, str],
    body: bytes | None,
    watch: Watch,
) -> httpx.Response:
    """Sends until a connection takes it: a kept one that the server had closed meanwhile costs nothing.

    A new connection is tried once; what it does to the request is final.
    """
    import httpx

    new = False

    async def trace(event: str, _info: Mapping[str, Any]) -> None:
        nonlocal new
        if event.endswith("connect_tcp.started"):
            new = True
        elif event.endswith("send_request_headers.started"):
            watch.connected()

    while True:
        request = client.build_request(
            method, url, headers=headers, content=body, extensions={"trace": trace}
        )
        try:
            return await client.send(request, stream=True, follow_redirects=False)
        except (httpx.RemoteProtocolError, httpx.ReadError, httpx.WriteError):
            if new:
                raise


async def _closed(response: httpx.Response) -> None:
    await response.aclose()


_PLAIN = {
    "accept": "application/json",
    "accept-encoding": "identity",
    "user-agent": f"inkwright/{__version__}",
}
_HEADERS = {
    **_PLAIN,
    "content-type": "application/json",
    "accept": "text/event-stream, application/json",
}


_LOCATION = "inkwright.location"


async def _unfollowed(response: httpx.Response) -> None:
    """Puts aside where a redirect leads: httpx makes a request of it even where none is to be followed, and
    takes an address that is none for a broken connection."""
    if (place := response.headers.pop("location", None)) is not None:
        response.extensions[_LOCATION] = place


def _client(endpoint: str, clocks: Clocks, keyed: bool) -> httpx.AsyncClient:
    """A client for one endpoint. This machine is reached without proxies, whatever the environment says, and
    so is a plain http endpoint with a key: a proxy on the way would read it.
    """
    import httpx

    # httpx logs whole addresses, and an address can hold a key.
    logging.getLogger("httpx").setLevel(logging.WARNING)
    local = is_loopback(host_of(endpoint))
    plain = endpoint.strip().lower().startswith("http:")
    try:
        return httpx.AsyncClient(
            timeout=httpx.Timeout(clocks.bytes, connect=clocks.connect, read=None, pool=clocks.connect),
            limits=httpx.Limits(max_connections=None, max_keepalive_connections=8, keepalive_expiry=30),
            trust_env=not (local or (plain and keyed)),
            event_hooks={"response": [_unfollowed]},
            # A plain connection to this machine has no certificate to check.
            verify=not (local and plain),
        )
    except (ImportError, ValueError, OSError, httpx.InvalidURL):
        raise ModelError(fault("bad_request", "model_proxy_unusable")) from None


@asynccontextmanager
async def _diagnosed() -> AsyncIterator[None]:
    """Turns httpx's exceptions into `ModelError`; what it does not know is not an error of the network."""
    import httpx

    try:
        yield
    except (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError, OSError, ValueError) as error:
        raise ModelError(diagnose(error)) from None


def diagnose(error: Exception) -> Fault:
    """The fault behind an exception of httpx, from its kind and from what caused it."""
    import httpx

    causes = list(_causes(error))
    if isinstance(error, httpx.ConnectTimeout | httpx.PoolTimeout):
        return fault("timeout", "model_timeout_connect")
    if isinstance(error, httpx.TimeoutException):
        return fault("timeout", "model_timeout_bytes")
    if isinstance(error, httpx.InvalidURL | httpx.UnsupportedProtocol):
        return fault("bad_request", "model_endpoint_invalid")
    if isinstance(error, httpx.LocalProtocolError | UnicodeError):
        return fault("bad_request", "model_request_invalid")
    if isinstance(error, httpx.DecodingError):
        return fault("malformed", "model_encoding")
    if isinstance(error, httpx.ProxyError):
        return fault("connection", "model_proxy")
    if any(isinstance(cause, ssl.SSLCertVerificationError) for cause in causes):
        return Fault("model_certificate", kind="connection")
    if any(isinstance(cause, ssl.SSLError) for cause in causes):
        return Fault("model_tls", kind="connection")
    if any(isinstance(cause, socket.gaierror | UnicodeError) for cause in causes):
        return fault("connection", "model_name_unknown")
    if any(isinstance(cause, ConnectionRefusedError) for cause in causes):
        return fault("connection", "model_connection_refused")
    if isinstance(error, httpx.ConnectError):
        return fault("connection", "model_unreachable")
    return fault("connection", "model_connection_lost")


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """An exception and all that led to it, groups included."""
    seen: set[int] = set()
    waiting = [error]
    while waiting:
        this = waiting.pop()
        if this is None or id(this) in seen:
            continue
        seen.add(id(this))
        yield this
        waiting += [this.__cause__, this.__context__]
        if isinstance(this, BaseExceptionGroup):
            waiting += this.exceptions

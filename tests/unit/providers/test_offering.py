"""The time that an endpoint has to list its models."""

from __future__ import annotations

import asyncio
import os

from inkwright.config import ModelReader
from inkwright.providers.catalog import providers
from inkwright.providers.offering import offered
from inkwright.secrets import Secrets


async def test_an_endpoint_that_is_silent_or_drips_is_left_in_time():
    """The limit holds for the whole, headers and body together, and the connection is closed."""
    gone = asyncio.Event()

    async def drip(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n")
        while await reader.read(65536):
            writer.write(b" ")
        writer.close()
        gone.set()

    server = await asyncio.start_server(drip, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    profile = ModelReader(providers(), {}, {}).unnamed(f"http://127.0.0.1:{port}/v1", "", ())
    found = await offered(profile, Secrets(os.environ), seconds=0.3)
    await gone.wait()
    server.close()
    assert found.models == ()
    assert found.fault is not None
    assert (found.fault.code, found.fault.kind) == ("endpoint_late", "timeout")

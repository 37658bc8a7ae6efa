"""The time that an endpoint has to list its models."""

from __future__ import annotations

import asyncio
import os
import threading

from inkwright.config import ModelReader
from inkwright.providers import offering
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


async def test_what_an_endpoint_sends_is_parsed_beside_the_loop(monkeypatch):
    """Megabytes of it take a second, in which nothing else would be answered."""
    threads = []
    real = offering.listed
    monkeypatch.setattr(
        offering, "listed", lambda *given: threads.append(threading.current_thread()) or real(*given)
    )

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b'HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n{"data":[{"id":"m"}]}')
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    profile = ModelReader(providers(), {}, {}).unnamed(f"http://127.0.0.1:{port}/v1", "", ())
    found = await offered(profile, Secrets(os.environ))
    server.close()
    assert found.models == ("m",)
    assert threads
    assert threading.main_thread() not in threads

"""A model behind the OpenAI wire on loopback that knows when it wrote and when its caller hung up."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress


class Model:
    """Streams `chunks` pieces, one every `pause` seconds; piece i is `‹i›`."""

    def __init__(self, chunks: int, pause: float) -> None:
        self.chunks = chunks
        self.pause = pause
        self.endpoint = ""
        self.written: list[float] = []
        self.closed = asyncio.Event()
        self.closed_at = 0.0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        size = next(
            int(h.split(b":")[1]) for h in head.lower().split(b"\r\n") if h.startswith(b"content-length:")
        )
        await reader.readexactly(size)
        self.closed.clear()
        self.written.clear()
        hangup = asyncio.create_task(self._watch(reader))
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n")
        try:
            for i in range(self.chunks):
                self.written.append(time.perf_counter())
                writer.write(_event({"delta": {"content": f"‹{i}›"}, "finish_reason": None}))
                await writer.drain()
                await asyncio.sleep(self.pause)
            writer.write(_event({"delta": {}, "finish_reason": "stop"}) + b"data: [DONE]\n\n")
            await writer.drain()
        except ConnectionError:
            pass
        finally:
            writer.close()
            await asyncio.wait([hangup], timeout=5)
            hangup.cancel()

    async def _watch(self, reader: asyncio.StreamReader) -> None:
        with suppress(ConnectionError):
            await reader.read()
        self.closed_at = time.perf_counter()
        self.closed.set()


def _event(choice: dict[str, object]) -> bytes:
    body = {
        "id": "1",
        "object": "chat.completion.chunk",
        "model": "bench",
        "choices": [{"index": 0, **choice}],
    }
    return b"data: " + json.dumps(body, ensure_ascii=False).encode() + b"\n\n"


@asynccontextmanager
async def model(chunks: int, pause: float) -> AsyncIterator[Model]:
    made = Model(chunks, pause)
    server = await asyncio.start_server(made.serve, "127.0.0.1", 0)
    made.endpoint = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
    try:
        yield made
    finally:
        server.close()

"""The floor on the standard streams of our own: what is left of its costs when only the transport is another."""

from __future__ import annotations

import asyncio
import json
import os

from floor import server

from inkwright.lsp import transport
from inkwright.lsp.framing import Framer


class Writer:
    """What pygls writes to."""

    def __init__(self, output: transport.Output) -> None:
        self.write = output.write

    def close(self) -> None:
        return


async def serve() -> None:
    done = asyncio.Event()
    framer, protocol = Framer(), server.protocol

    def received(chunk: bytes) -> None:
        for body in framer.feed(chunk):
            protocol.handle_message(protocol.structure_message(json.loads(body)))

    def attach(output: transport.Output) -> None:
        protocol.set_writer(Writer(output))

    await transport.open_stdio(transport.claim_stdio(), attach, received, done.set)
    await done.wait()
    os._exit(0)


if __name__ == "__main__":
    asyncio.run(serve())

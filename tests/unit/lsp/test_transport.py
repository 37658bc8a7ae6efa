"""The pipes to the client, and a client that is gone."""

from __future__ import annotations

import asyncio
import os

from inkwright.lsp import transport


async def test_a_pipe_that_the_client_has_left_is_closed_in_order():
    """Whoever ends without a word leaves no fault behind: what was still to be said is let go."""
    from_client, to_server = os.pipe()
    to_client, sink = os.pipe()
    outputs: list[transport.Output] = []
    gone = asyncio.Event()
    await transport.open_stdio((from_client, sink), outputs.append, lambda _: None, gone.set)
    os.close(to_client)
    os.close(to_server)
    await asyncio.wait_for(gone.wait(), 60)
    outputs[0].write(b"nobody reads this")
    await asyncio.sleep(0)
    await outputs[0].close(1.0)

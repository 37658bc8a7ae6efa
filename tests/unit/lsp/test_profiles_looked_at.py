"""Files of profiles are looked at beside the loop: whoever reads them just now may take long."""

from __future__ import annotations

import asyncio
import threading
from types import SimpleNamespace

from inkwright.lsp.features import profiles


async def test_a_reader_holds_up_no_other_question():
    """While files are read, a look at them waits, and all else goes on."""
    reading, waits = threading.Lock(), asyncio.Event()
    loop = asyncio.get_running_loop()

    def look() -> bool:
        loop.call_soon_threadsafe(waits.set)
        if reading.acquire(timeout=60):
            reading.release()
        return False

    async def studio() -> SimpleNamespace:
        return SimpleNamespace(libraries=SimpleNamespace(look=look))

    with reading:
        looked = asyncio.ensure_future(profiles.look(SimpleNamespace(studio=studio)))
        await asyncio.wait_for(waits.wait(), 30)
        assert not looked.done()
    await asyncio.wait_for(looked, 30)

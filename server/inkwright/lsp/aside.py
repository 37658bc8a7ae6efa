"""Work over whole texts: over a long one in a thread, so that no key waits for it, one work of a document at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from inkwright.domain.text import Span
    from inkwright.lsp.still import Still

T = TypeVar("T")

LONG = 30_000
"""Characters of a text that is worked on in a thread; a shorter one costs less than to hand it over."""


async def whole(still: Still, work: Callable[[Still], T], *, newest: bool = False) -> T:
    """What `work`, which may run in any thread, makes of a document.

    `newest`: of one that had to wait for its turn, what the document is by then: the client has typed on, and
    works on texts that are gone would only grow in number.
    """
    if len(still.text) <= LONG:
        return work(still)
    loop, live = asyncio.get_running_loop(), still.live
    if live is None:
        return await loop.run_in_executor(None, work, still)
    # Who is cancelled while it waits has cost nothing; a thread that has begun is seen to its end.
    while live.busy is not None and not live.busy.done():
        await asyncio.wait([live.busy])
        still = live.still() if newest else still
    live.busy = future = loop.run_in_executor(None, work, still)
    return await asyncio.shield(future)


async def part(still: Still, where: Span) -> None:
    """See to it that the parts round a place can be asked for at once."""
    if not still.apart(where):
        await read(still)


async def read(still: Still) -> None:
    """See to it that all parts can be asked for at once."""
    if not still.known:
        await whole(still, _read)


def _read(still: Still) -> None:
    _ = still.parsed

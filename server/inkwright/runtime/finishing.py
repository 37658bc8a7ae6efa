"""Work that must be finished once begun, whatever happens to the one who waits for it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from typing import TypeVar

_logger = logging.getLogger(__name__)
_T = TypeVar("_T")


async def to_the_end(work: Coroutine[object, object, _T]) -> _T:
    """`work`, finished even when the caller is cancelled meanwhile; the cancellation comes after it."""
    task = asyncio.ensure_future(work)
    cancelled: asyncio.CancelledError | None = None
    while not task.done():
        try:
            await asyncio.wait({task})
        except asyncio.CancelledError as exc:
            cancelled = exc
    if cancelled is None:
        return task.result()
    if not task.cancelled() and (error := task.exception()) is not None:
        _logger.error("work that was to be finished failed: %s", type(error).__name__, exc_info=error)
    raise cancelled

"""Writing to the journal: begun writes are finished, within a time, and what fails is a value."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable

from inkwright.domain.errors import Fault, InkwrightError
from inkwright.runtime.finishing import to_the_end

_logger = logging.getLogger(__name__)
SECONDS = 10.0
"""The time of one write."""


async def kept(run_id: str, write: Awaitable[None]) -> Fault | None:
    """Makes the write and says what kept it from being made, if anything did.

    Finished even when the caller is cancelled meanwhile; the cancellation comes after it.
    """
    return await to_the_end(_kept(run_id, write))


async def _kept(run_id: str, write: Awaitable[None]) -> Fault | None:
    try:
        async with asyncio.timeout(SECONDS):
            await write
    except InkwrightError as exc:
        return exc.fault
    except TimeoutError:
        return Fault("run_journal_slow")
    except Exception as exc:
        _logger.error("run %s: the journal failed: %s", run_id, type(exc).__name__, exc_info=True)
        return Fault("run_journal_failed")
    return None

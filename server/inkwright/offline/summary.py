"""A chapter's summary by rule: its key sentences in their order."""

from __future__ import annotations

import asyncio

from inkwright.domain.conversation import Task
from inkwright.domain.errors import InkwrightError
from inkwright.manuscript.summary import summarise
from inkwright.offline.desk import Desk

LIMIT = 300


async def summary(desk: Desk, task: Task) -> str:
    """At most `LIMIT` characters. Raises `InkwrightError` for a passage without prose."""
    visible = {name for card in desk.cards() for name in card.names}
    text = await asyncio.to_thread(summarise, task.passage, LIMIT, visible)
    if not text:
        raise InkwrightError("nothing_to_summarise")
    return text

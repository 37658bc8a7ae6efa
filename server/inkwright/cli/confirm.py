"""A question to the writer before something that cannot be undone."""

from __future__ import annotations

import asyncio
import sys

from inkwright.cli.context import Context


def somebody(context: Context) -> bool:
    """Whether there is somebody to ask."""
    return not context.json and sys.stdin is not None and sys.stdin.isatty()


async def agreed(context: Context, question: str) -> bool:
    """The writer's answer; the loop goes on meanwhile, so that Ctrl-C ends it."""
    context.note(question, end="")
    answer = await asyncio.to_thread(sys.stdin.readline)
    return answer.strip().lower() in ("y", "yes", "是", "好")

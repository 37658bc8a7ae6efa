"""What the full-text index costs, what a search costs before and after it, and whether it gets in the way."""

from __future__ import annotations

import asyncio
import random
import statistics
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import book
from client import Client

QUERIES = 25
BEGUN = 1.5
"""Seconds after a search in which the index has begun to be built."""
PACE = 0.1


@dataclass(frozen=True)
class Searching:
    """CPU seconds of the index; milliseconds of CPU of searches, of the clock for hovers."""

    index: float
    before: float
    phrases: float
    everywhere: float
    hovers: list[float]
    """While the index is being built."""


async def measured(client: Client, chapter: Path) -> Searching:
    """The server must have read the book, and have searched in it never."""
    uri = client.open(chapter, chapter.read_text("utf-8"))
    place = {"textDocument": {"uri": uri}, "position": {"line": 2, "character": 2}}
    await client.request("textDocument/hover", place)
    before, spent = await _asked(client, uri, [book.WORDS[0] + book.WORDS[1]] * 2), client.cpu
    hovers = await _hovers(client, place)
    index = client.cpu - spent - await _cost_of(client, place, len(hovers))
    rng = random.Random(7)
    phrases = ["".join(rng.sample(book.WORDS, 3)) for _ in range(QUERIES)]
    everywhere = [name for name, _ in book.names()[:5]]
    return Searching(
        index,
        statistics.median(before),
        statistics.median(await _asked(client, uri, phrases)),
        statistics.median(await _asked(client, uri, everywhere)),
        hovers,
    )


async def _asked(client: Client, uri: str, queries: list[str]) -> list[float]:
    """CPU milliseconds of each search."""
    out = []
    for query in queries:
        spent = client.cpu
        await client.command("inkwright.search", {"uri": uri, "query": query, "limit": 50})
        out.append((client.cpu - spent) * 1000)
    return out


async def _hovers(client: Client, place: dict[str, Any]) -> list[float]:
    """Hovers until the server has been idle for some seconds."""
    await asyncio.sleep(BEGUN)
    out: list[float] = []
    idle, spent = 0, client.cpu
    while idle < 30:
        start = time.perf_counter()
        await client.request("textDocument/hover", place)
        out.append((time.perf_counter() - start) * 1000)
        await asyncio.sleep(PACE)
        idle = idle + 1 if client.cpu - spent < 0.01 else 0
        spent = client.cpu
    return out[:-30] or out


async def _cost_of(client: Client, place: dict[str, Any], hovers: int) -> float:
    """CPU seconds of so many hovers alone."""
    spent = client.cpu
    for _ in range(30):
        await client.request("textDocument/hover", place)
    return (client.cpu - spent) / 30 * (hovers + 30)

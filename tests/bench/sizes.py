"""The same sentence edited in a short chapter and in one of a megabyte, with every check on: what the diagnostics
cost after it, to a client that asks for them and to one that waits for them."""

from __future__ import annotations

import asyncio
import statistics
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from client import CAPABILITIES, Client

TIMES = 21
SENTENCE = "他以经走过渡口。"
"""With a fault in it: what changes nothing is not pushed."""
QUIET = 1.5
"""Seconds after which what an opened chapter sets off is done."""
REST = 0.8
"""The same of an edit."""
PULLING = {
    **CAPABILITIES,
    "textDocument": {**CAPABILITIES["textDocument"], "diagnostic": {}},
    "workspace": {**CAPABILITIES["workspace"], "diagnostics": {}},
}


LENGTH = 70
"""Characters of the paragraph that is edited, as nearly as there is one: in both chapters the same work."""
CALM = 30.0
"""Seconds that diagnostics may be on their way."""


@dataclass(frozen=True)
class Costs:
    """Milliseconds of CPU: the first pull of a chapter, and a pull and a push after one edited sentence: the lower
    quartiles, since what else the machine does only adds."""

    first: float
    pulled: float
    pushed: float


@dataclass
class Opened:
    """A server with a chapter open, and the line of the paragraph that is edited: about in the middle."""

    client: Client
    uri: str
    line: int
    version: int = 1
    told: int = 0
    """The version that diagnostics were last pushed for."""

    def edit(self) -> None:
        self.version += 1
        self.client.change(self.uri, self.version, self.line, 2, SENTENCE)

    async def pull(self) -> None:
        await self.client.request("textDocument/diagnostic", {"textDocument": {"uri": self.uri}})

    async def pushed(self) -> None:
        """Waits for the diagnostics of the text as it stands."""
        async with asyncio.timeout(CALM):
            while self.told != self.version:
                await asyncio.sleep(0.02)

    def listen(self, method: str, params: Any, _now: float) -> None:
        if method == "textDocument/publishDiagnostics":
            self.told = params.get("version")


async def measured(command: list[str], env: dict[str, str], chapters: Mapping[Path, Path]) -> list[Costs]:
    """For each chapter, by the folder of its book. They take turns, so that what else the machine does is the same
    to all."""
    pulling = [await _opened(command, env, root, chapter, PULLING) for root, chapter in chapters.items()]
    await asyncio.sleep(QUIET)
    first = [await _cost(one, one.pull) for one in pulling]
    pulled = await _turns(pulling, Opened.pull)
    waiting = [await _opened(command, env, root, chapter, CAPABILITIES) for root, chapter in chapters.items()]
    for one in waiting:
        one.edit()
        await one.pushed()
    pushed = await _turns(waiting, Opened.pushed)
    return [Costs(*row) for row in zip(first, pulled, pushed, strict=True)]


async def _turns(opened: Sequence[Opened], told: Callable[[Opened], Awaitable[None]]) -> list[float]:
    """The cost of an edited sentence and of what is told of it, for each; then they are closed."""
    costs: list[list[float]] = [[] for _ in opened]
    for _ in range(TIMES):
        await asyncio.sleep(REST)
        for one, row in zip(opened, costs, strict=True):

            async def edited(one: Opened = one) -> None:
                one.edit()
                await told(one)

            row.append(await _cost(one, edited))
    for one in opened:
        await one.client.close()
    return [statistics.quantiles(row, n=4)[0] for row in costs]


async def _cost(one: Opened, work: Callable[[], Awaitable[None]]) -> float:
    spent = one.client.cpu
    await work()
    await asyncio.sleep(0.3)
    return (one.client.cpu - spent) * 1000


async def _opened(
    command: list[str], env: dict[str, str], root: Path, chapter: Path, capabilities: dict[str, Any]
) -> Opened:
    client = await Client.start(command, env, root)
    await client.initialize(root, capabilities)
    client.notify("initialized", {})
    await client.command("inkwright.getBook", {"uri": chapter.as_uri()})
    text = chapter.read_text("utf-8")
    lines = text.split("\n")
    inner = range(len(lines) // 4, len(lines) * 3 // 4)
    line = min(inner, key=lambda i: (abs(len(lines[i]) - LENGTH), abs(i - len(lines) // 2)))
    opened = Opened(client, client.open(chapter, text), line)
    client.listeners.append(opened.listen)
    return opened

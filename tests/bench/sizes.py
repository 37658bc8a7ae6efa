"""The same sentence edited in a short chapter and in one of a megabyte, with every check on: what the diagnostics
cost after it, to a client that asks for them and to one that waits for them."""

from __future__ import annotations

import asyncio
import statistics
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from client import CAPABILITIES, Client

TIMES = 9
SENTENCE = "他走过渡口。"
QUIET = 1.5
"""Seconds after which what an edit sets off is done."""
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
    """Milliseconds of CPU: the first pull of a chapter, and the medians of a pull and of a push after one edited
    sentence."""

    first: float
    pulled: float
    pushed: float


async def measured(command: list[str], env: dict[str, str], root: Path, chapter: Path) -> Costs:
    first, pulled = await _pulled(command, env, root, chapter)
    return Costs(first, pulled, await _pushed(command, env, root, chapter))


async def _pulled(command: list[str], env: dict[str, str], root: Path, chapter: Path) -> tuple[float, float]:
    client, uri, line = await _opened(command, env, root, chapter, PULLING)
    await asyncio.sleep(QUIET)
    document: dict[str, Any] = {"textDocument": {"uri": uri}}

    async def pull() -> float:
        spent = client.cpu
        await client.request("textDocument/diagnostic", document)
        await asyncio.sleep(0.3)
        return (client.cpu - spent) * 1000

    first = await pull()
    edited = []
    for version in range(2, 2 + TIMES):
        client.change(uri, version, line, 2, SENTENCE)
        edited.append(await pull())
    await client.close()
    return first, statistics.median(edited)


async def _pushed(command: list[str], env: dict[str, str], root: Path, chapter: Path) -> float:
    client, uri, line = await _opened(command, env, root, chapter, CAPABILITIES)
    told = asyncio.Event()
    version = 1

    def listen(method: str, params: Any, _now: float) -> None:
        if method == "textDocument/publishDiagnostics" and params.get("version") == version:
            told.set()

    client.listeners.append(listen)
    await asyncio.wait_for(told.wait(), CALM)
    edited = []
    for version in range(2, 2 + TIMES):
        await asyncio.sleep(QUIET)
        told.clear()
        spent = client.cpu
        client.change(uri, version, line, 2, SENTENCE)
        await asyncio.wait_for(told.wait(), CALM)
        await asyncio.sleep(0.3)
        edited.append((client.cpu - spent) * 1000)
    await client.close()
    return statistics.median(edited)


async def _opened(
    command: list[str], env: dict[str, str], root: Path, chapter: Path, capabilities: dict[str, Any]
) -> tuple[Client, str, int]:
    """A server with the chapter open, and the line of the paragraph to edit: about in the middle."""
    client = await Client.start(command, env, root)
    await client.initialize(root, capabilities)
    client.notify("initialized", {})
    await client.command("inkwright.getBook", {"uri": chapter.as_uri()})
    text = chapter.read_text("utf-8")
    lines = text.split("\n")
    inner = range(len(lines) // 4, len(lines) * 3 // 4)
    line = min(inner, key=lambda i: (abs(len(lines[i]) - LENGTH), abs(i - len(lines) // 2)))
    return client, client.open(chapter, text), line

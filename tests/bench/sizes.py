"""The same key in a short chapter and in one of a megabyte: what it costs with every check on, and what a pull
of the diagnostics costs after one edited sentence."""

from __future__ import annotations

import asyncio
import statistics
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from client import CAPABILITIES, Client

PULLS = 7
QUIET = 1.5
"""Seconds after which what an edit sets off is done."""
PULLING = {
    **CAPABILITIES,
    "textDocument": {**CAPABILITIES["textDocument"], "diagnostic": {}},
    "workspace": {**CAPABILITIES["workspace"], "diagnostics": {}},
}


@dataclass(frozen=True)
class Pulls:
    """Milliseconds of CPU: the first pull of a chapter, and the median of those after one edited sentence."""

    first: float
    edited: float


async def pulls(command: list[str], env: dict[str, str], root: Path, chapter: Path) -> Pulls:
    client = await Client.start(command, env, root)
    await client.initialize(root, PULLING)
    client.notify("initialized", {})
    text = chapter.read_text("utf-8")
    await client.command("inkwright.getBook", {"uri": chapter.as_uri()})
    uri = client.open(chapter, text)
    await asyncio.sleep(QUIET)
    document: dict[str, Any] = {"textDocument": {"uri": uri}}
    line = text.count("\n") // 2

    async def pull() -> float:
        spent = client.cpu
        await client.request("textDocument/diagnostic", document)
        await asyncio.sleep(0.3)
        return (client.cpu - spent) * 1000

    first = await pull()
    edited = []
    for version in range(2, 2 + PULLS):
        client.change(uri, version, line, 2, "他走过渡口。")
        edited.append(await pull())
    await client.close()
    return Pulls(first, statistics.median(edited))

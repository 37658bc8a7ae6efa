"""What it costs to go about in a whole book: the references of a card, its rename, names by part and by pinyin."""

from __future__ import annotations

import statistics
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import book
from client import Client

TIMES = 5


@dataclass(frozen=True)
class Navigation:
    """Milliseconds of CPU of one answer."""

    references: float
    rename: float
    part: float
    pinyin: float


async def measured(client: Client, chapter: Path) -> Navigation:
    """The server must have read the book."""
    text = chapter.read_text("utf-8")
    uri = client.open(chapter, text)
    lines = text.split("\n")
    name, line = next((n, i) for i, row in enumerate(lines) for n, _ in book.names() if n in row)
    place = {"textDocument": {"uri": uri}, "position": {"line": line, "character": lines[line].index(name)}}
    wanted = {**place, "context": {"includeDeclaration": True}}
    return Navigation(
        await _cost(client, "textDocument/references", wanted),
        await _cost(client, "textDocument/rename", {**place, "newName": f"{name[0]}惊鸿"}, times=2),
        await _cost(client, "workspace/symbol", {"query": book.WORDS[1]}),
        await _cost(client, "workspace/symbol", {"query": "dukou"}),
    )


async def _cost(client: Client, method: str, params: Mapping[str, Any], times: int = TIMES) -> float:
    """The first answer loads what is needed for it; the median of the others."""
    await client.request(method, dict(params))
    out = []
    for _ in range(times):
        spent = client.cpu
        await client.request(method, dict(params))
        out.append((client.cpu - spent) * 1000)
    return statistics.median(out)

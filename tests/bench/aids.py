"""What the reading aids cost in a chapter of a book and in one of a megabyte: CPU of one answer."""

from __future__ import annotations

import statistics
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from client import Client

TIMES = 5
LINES = 40
"""Lines that an editor shows."""


@dataclass(frozen=True)
class Aids:
    """Milliseconds of CPU; `after_key` are the tokens that are different after one key, `visible` those of a screen."""

    tokens: float
    after_key: float
    visible: float
    hints: float
    lenses: float


async def measured(client: Client, chapter: Path) -> Aids:
    """The server must have read the book, and its settings must want inlay hints."""
    text = chapter.read_text("utf-8")
    uri = client.open(chapter, text)
    document: dict[str, Any] = {"textDocument": {"uri": uri}}
    middle = text.count("\n") // 2
    screen = {
        "start": {"line": middle, "character": 0},
        "end": {"line": middle + LINES, "character": 0},
    }
    known = (await client.request("textDocument/semanticTokens/full", document))["resultId"]
    rows: dict[str, list[float]] = {name: [] for name in Aids.__dataclass_fields__}

    async def cost(name: str, method: str, params: dict[str, Any]) -> Any:
        spent = client.cpu
        found = await client.request(f"textDocument/{method}", params)
        rows[name].append((client.cpu - spent) * 1000)
        return found

    for version in range(2, 2 + TIMES):
        client.change(uri, version, middle, 0, "字")
        await cost("visible", "semanticTokens/range", {**document, "range": screen})
        await cost("hints", "inlayHint", {**document, "range": screen})
        delta = {**document, "previousResultId": known}
        known = (await cost("after_key", "semanticTokens/full/delta", delta))["resultId"]
        await cost("lenses", "codeLens", document)
        known = (await cost("tokens", "semanticTokens/full", document))["resultId"]
    return Aids(**{name: statistics.median(times) for name, times in rows.items()})

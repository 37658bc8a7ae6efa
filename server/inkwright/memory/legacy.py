"""Memories brought over from TimeWrite: once, into a book that has none."""

from __future__ import annotations

import asyncio
import math
import time
import uuid
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Literal

from inkwright.domain.errors import InkwrightError
from inkwright.domain.memory import Memory
from inkwright.manuscript.folding import fold
from inkwright.memory.extract import clean
from inkwright.memory.keywords import keywords
from inkwright.memory.remember import ABILITY, CHARS, tidy
from inkwright.memory.words import TYPES
from inkwright.store import legacy_memories
from inkwright.store.legacy_memories import Legacy
from inkwright.store.memories import Memories
from inkwright.store.memory_pruning import LIMITS

Skipped = Literal["", "filled", "no_table", "nothing"]

_WORST, _BEST = 0.1, 10.0
_NAMED = 12


@dataclass(frozen=True, slots=True)
class Imported:
    """`skipped` says why nothing was looked at; `left` counts rows of the file that were not taken."""

    count: int = 0
    left: int = 0
    skipped: Skipped = ""


async def import_file(memories: Memories, path: Path, title: str = "", book: str = "") -> Imported:
    """Enters the memories of a TimeWrite database, in one transaction; a failure changes nothing.

    Of a file with several books those of `book`, else of the one with this `title`, are taken. Raises
    `StorageError`; `InkwrightError`: memories_import_which when it cannot be told, and what `read` raises.
    """
    await asyncio.to_thread(legacy_memories.regular, path)
    if await memories.list(limit=1):
        return Imported(skipped="filled")
    legacy = await asyncio.to_thread(legacy_memories.read, path)
    if legacy is None:
        return Imported(skipped="no_table")
    if not legacy.rows and not legacy.lost:
        return Imported(skipped="nothing")
    rows = _of_book(legacy, path, title, book)
    taken = await asyncio.to_thread(_memories, rows, time.time())
    if not await memories.fill(taken):
        return Imported(skipped="filled")
    await tidy(memories)
    return Imported(len(taken), len(legacy.rows) - len(taken) + legacy.lost)


def _of_book(legacy: Legacy, path: Path, title: str, book: str) -> Sequence[Mapping[str, object]]:
    counts = Counter(_ident(row) for row in legacy.rows)
    if book:
        chosen = [ident for ident in counts if book in (ident, legacy.titles.get(ident))]
    elif len(counts) <= 1:
        chosen = list(counts)
    else:
        chosen = [ident for ident in counts if title and legacy.titles.get(ident) == title]
    if len(chosen) != 1 and counts:
        known = ", ".join(
            f"{clean(legacy.titles.get(ident) or ident)[:ABILITY]} ({number})"
            for ident, number in counts.most_common(_NAMED)
        )
        raise InkwrightError("memories_import_which", path=str(path), books=known)
    return [row for row in legacy.rows if _ident(row) in chosen]


def _ident(row: Mapping[str, object]) -> str:
    found = row["book_id"]
    return str(found) if isinstance(found, str | int) else ""


def _memories(rows: Iterable[Mapping[str, object]], now: float) -> list[Memory]:
    """Those that can be used, the newest of equal ones, within the caps; a value of a wrong type has no say."""
    out: list[Memory] = []
    seen: set[tuple[str, str]] = set()
    per_ability: Counter[str] = Counter()
    for row in rows:
        memory = _memory(row, now)
        if memory is None or len(out) == LIMITS.per_book:
            continue
        key = (memory.type, fold(memory.content))
        if key in seen or per_ability[memory.ability] == LIMITS.per_ability:
            continue
        seen.add(key)
        per_ability[memory.ability] += 1
        out.append(memory)
    out.reverse()
    return out


def _memory(row: Mapping[str, object], now: float) -> Memory | None:
    kind, content, ability = row["memory_type"], row["content"], row["skill_type"]
    if kind not in TYPES or not isinstance(content, str):
        return None
    text = clean(content).strip()[:CHARS]
    if not text:
        return None
    name = clean(ability).strip() if isinstance(ability, str) else ""
    return Memory(
        id=uuid.uuid4().hex,
        ability=name if len(name) <= ABILITY and len(name.split()) <= 1 else "",
        type=kind,
        content=text,
        keywords=keywords(text),
        relevance=_number(row["relevance_score"]),
        created_at=_moment(row["created_at"], now) or now,
        # To be brought over is to be used: nothing goes at once for having lain there.
        updated_at=now,
        last_hit_at=_moment(row["last_hit_at"], now),
    )


def _number(value: object) -> float:
    if isinstance(value, int | float) and math.isfinite(value):
        return min(max(float(value), _WORST), _BEST)
    return 1.0


def _moment(value: object, now: float) -> float | None:
    """SQLite's local time as seconds since 1970; None for what is none, or lies ahead."""
    if not isinstance(value, str):
        return None
    try:
        seconds = datetime.fromisoformat(value).timestamp()
    except (ValueError, OverflowError, OSError):
        return None
    return seconds if 0 <= seconds <= now else None

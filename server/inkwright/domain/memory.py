"""What is remembered of a writer's wishes for a book."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

MemoryType = Literal["preference", "decision", "lesson"]


@dataclass(frozen=True, slots=True)
class Memory:
    """`ability` is the one it was made in, '' for all of them. Times in seconds since 1970; `last_hit_at`
    is when it last went along with a run, None for never. `revision` goes up with every change."""

    id: str
    ability: str
    type: MemoryType
    content: str
    keywords: tuple[str, ...] = ()
    relevance: float = 1.0
    pinned: bool = False
    revision: int = 0
    created_at: float = 0.0
    updated_at: float = 0.0
    last_hit_at: float | None = None

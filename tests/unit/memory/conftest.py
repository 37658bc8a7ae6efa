from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from inkwright.domain.memory import Memory, MemoryType
from inkwright.memory.keywords import keywords
from inkwright.store.memories import Memories
from inkwright.store.state import State


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A book that owns its data."""
    book = tmp_path / "雪夜"
    (book / ".inkwright").mkdir(parents=True)
    return book


@pytest.fixture
async def state(root: Path) -> AsyncIterator[State]:
    opened = await State.open(root)
    yield opened
    await asyncio.wait_for(opened.close(), 30)


@pytest.fixture
def memories(state: State) -> Memories:
    return state.memories


@pytest.fixture
def make() -> Callable[..., Memory]:
    """A memory as it could stand in the table."""

    def make(
        content: str,
        ident: str = "",
        *,
        ability: str = "polish",
        kind: MemoryType = "preference",
        at: float = 100.0,
        relevance: float = 1.0,
        pinned: bool = False,
    ) -> Memory:
        return Memory(
            ident or content,
            ability,
            kind,
            content,
            keywords(content),
            relevance,
            pinned,
            created_at=at,
            updated_at=at,
        )

    return make

"""What a run leaves behind, and what the writer enters by hand."""

from __future__ import annotations

import asyncio
import logging
import unicodedata
from collections.abc import Sequence
from typing import Any

from inkwright.domain.errors import InkwrightError, StorageError
from inkwright.domain.memory import Memory, MemoryType
from inkwright.memory.alike import merge
from inkwright.memory.extract import clean, extract
from inkwright.memory.keywords import keywords
from inkwright.memory.words import TYPES
from inkwright.store.memories import Memories

CHARS = 600
"""What the writer enters may be that long: it still goes along with a run."""
ABILITY = 64

_log = logging.getLogger(__name__)


async def remember(
    memories: Memories,
    ability: str,
    message: str,
    answer: str,
    *,
    completed: bool,
    material: Sequence[str] = (),
) -> tuple[Memory, ...]:
    """Keeps what a run leaves to remember; returns what is new, changed or said again.

    Nothing of a run that is not completed. `answer` is '' where the answer is manuscript: of edits and
    insertions. `material` is what the run saw of the manuscript: its sentences are nobody's. Raises
    `StorageError`; that nothing could be pruned is logged.
    """
    if not completed:
        return ()
    drafts = await asyncio.to_thread(extract, message, answer, ability, material)
    if not drafts:
        return ()
    kept = await memories.put(drafts, merge)
    await tidy(memories)
    return kept


async def tidy(memories: Memories) -> None:
    """Prunes; a failure is logged."""
    try:
        await memories.prune()
    except StorageError as error:
        _log.warning("memories were not pruned: %s", error.fault.code)


async def add(
    memories: Memories, content: str, *, kind: str = "preference", ability: str = "", pinned: bool = False
) -> Memory:
    """Enters what the writer says by hand; said before, the old one is renewed.

    Raises `InkwrightError`: memory_empty, memory_too_long, memory_type, memory_ability; `StorageError`.
    """
    content = _content(content)
    entered = Memory("", _ability(ability), known_type(kind), content, keywords(content), pinned=pinned)
    kept = await memories.put([entered], merge)
    await tidy(memories)
    return kept[-1]


async def edit(
    memories: Memories,
    memory_id: str,
    *,
    content: str | None = None,
    kind: str | None = None,
    ability: str | None = None,
    pinned: bool | None = None,
    revision: int | None = None,
) -> Memory:
    """Changes the fields that are given.

    Raises `InkwrightError` as `add` does, and memory_unknown, revision_conflict.
    """
    changes: dict[str, Any] = {}
    if content is not None:
        changes["content"] = _content(content)
        changes["keywords"] = keywords(changes["content"])
    if kind is not None:
        changes["type"] = known_type(kind)
    if ability is not None:
        changes["ability"] = _ability(ability)
    if pinned is not None:
        changes["pinned"] = pinned
    return await memories.update(memory_id, changes, revision)


def _content(given: str) -> str:
    text = clean(given).strip()
    if not any(unicodedata.category(letter)[0] in "LN" for letter in text):
        raise InkwrightError("memory_empty")
    if len(text) > CHARS:
        raise InkwrightError("memory_too_long", limit=CHARS, chars=len(text))
    return text


def known_type(given: str) -> MemoryType:
    """Raises `InkwrightError`: memory_type."""
    if given not in TYPES:
        raise InkwrightError("memory_type", type=given, types=", ".join(TYPES))
    return given


def _ability(given: str) -> str:
    text = clean(given).strip()
    if len(text) > ABILITY or len(text.split()) > 1:
        raise InkwrightError("memory_ability", ability=text[:ABILITY])
    return text

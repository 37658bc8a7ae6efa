"""Which memories go along with a run."""

from __future__ import annotations

import logging
import time
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from inkwright.domain.conversation import Locale
from inkwright.domain.errors import StorageError
from inkwright.domain.memory import Memory, MemoryType
from inkwright.domain.tokens import tokens, weigh
from inkwright.i18n import tr
from inkwright.manuscript.folding import fold
from inkwright.memory.alike import contrary, gist
from inkwright.memory.extract import lines_of
from inkwright.memory.keywords import keywords
from inkwright.memory.words import words
from inkwright.store.memories import Memories

MOST = 10
LESSONS = 3
"""Of a model's own advice no more than that."""
TOKENS = 600
OWN = 50
BOOK = 30
WEIGHTS: dict[MemoryType, float] = {"preference": 1.2, "decision": 1.0, "lesson": 0.8}
SHARED = 0.3

_HEAD = 30
"""Tokens of the line that introduces them."""
_MARK = 24
"""Tokens of the mark of a lesson, and more than any of them has."""

_log = logging.getLogger(__name__)


async def recall(
    memories: Memories,
    ability: str,
    message: str,
    now: float | None = None,
    *,
    stamp: bool = True,
    budget: int = TOKENS,
) -> tuple[Memory, ...]:
    """The memories that go along with a run, best first: at most MOST, within `budget` tokens.

    `stamp` notes that they went. Raises `StorageError` when they cannot be read; that they could not be
    stamped is logged.
    """
    asked = keywords(message)
    chosen = choose(await memories.candidates(ability, asked), ability, asked, budget)
    if chosen and stamp and not memories.readonly:
        try:
            await memories.hit([memory.id for memory in chosen], time.time() if now is None else now)
        except StorageError as error:
            _log.warning("memories that went along were not stamped: %s", error.fault.code)
    return chosen


def lines(memories: Iterable[Memory], locale: Locale) -> tuple[str, ...]:
    """Each as a prompt says it: a lesson as what an earlier answer advised, no word of the author's."""
    return tuple(_line(memory, locale) for memory in memories)


def score(memory: Memory, asked: Collection[str]) -> float:
    """relevance × (1 + 0.3 × shared keywords) × the type's weight"""
    return memory.relevance * (1 + SHARED * _shared(memory, asked)) * WEIGHTS[memory.type]


def choose(
    found: Sequence[Memory], ability: str, asked: Collection[str], budget: int = TOKENS
) -> tuple[Memory, ...]:
    """The best of the candidates, those of this ability before the rest of the book's.

    One that shares nothing with the message comes only as a preference for this ability, or pinned. Of
    two that deny each other the newer one comes, and a pinned one before either.
    """
    asked = frozenset(asked)
    ranked = sorted(
        (memory for memory in found if _fits(memory, ability, asked)),
        key=lambda memory: (-score(memory, asked), -memory.updated_at, memory.id),
    )
    own = [memory for memory in ranked if memory.ability in (ability, "") or memory.pinned][:OWN]
    others = [memory for memory in ranked if memory.ability not in (ability, "") and not memory.pinned]
    pool = own if len(own) >= MOST else [*own, *others[:BOOK]]
    # A pinned one has its place first; the order is the score's.
    taken = _take(sorted(pool, key=lambda memory: not memory.pinned), budget)
    return tuple(taken[memory.id] for memory in ranked if memory.id in taken)


def _take(pool: Sequence[Memory], budget: int) -> dict[str, Memory]:
    """Those that have room, by id; each without the sentences that a newer one denies."""
    denials = _denials(pool)
    taken: dict[str, Memory] = {}
    weight = 0
    lessons = 0
    for memory in pool:
        if len(taken) == MOST:
            break
        kept = denials.get(memory.id, memory)
        cost = _weight(kept)
        full = tokens(weight + cost) > budget - _HEAD
        if not kept.content or full or (memory.type == "lesson" and lessons == LESSONS):
            continue
        taken[memory.id] = kept
        weight += cost
        lessons += memory.type == "lesson"
    return taken


def _denials(pool: Sequence[Memory]) -> dict[str, Memory]:
    """What is left of those of which something is denied, by id."""
    # Of two that deny each other one has a negation, and both speak of the same.
    deniers = [memory for memory in pool if words().negation.search(fold(memory.content))]
    themes = {keyword for memory in deniers for keyword in memory.keywords}
    meanings = {
        memory.id: [(line, gist(line)) for line in lines_of(memory.content)]
        for memory in pool
        if not themes.isdisjoint(memory.keywords)
    }
    out: dict[str, Memory] = {}
    speaking = [memory for memory in pool if memory.id in meanings]
    for memory in speaking:
        against = [
            own
            for other in speaking
            if (other.pinned, other.updated_at) > (memory.pinned, memory.updated_at)
            for _, own in meanings[other.id]
        ]
        lines = meanings[memory.id]
        valid = [line for line, own in lines if not any(contrary(own, other) for other in against)]
        if len(valid) < len(lines):
            out[memory.id] = replace(memory, content="\n".join(valid))
    return out


def _fits(memory: Memory, ability: str, asked: Collection[str]) -> bool:
    if memory.pinned or _shared(memory, asked):
        return True
    return memory.type == "preference" and memory.ability in (ability, "")


def _shared(memory: Memory, asked: Collection[str]) -> int:
    return sum(keyword in asked for keyword in memory.keywords)


def _weight(memory: Memory) -> int:
    mark = 21 * _MARK if memory.type == "lesson" else 0
    return weigh(f"- {memory.content}\n") + mark


def _line(memory: Memory, locale: Locale) -> str:
    content = " ".join(memory.content.split())
    return tr("memory_lesson", locale, {"content": content}) if memory.type == "lesson" else content

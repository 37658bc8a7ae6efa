"""A memory as other programs see it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from inkwright.domain.memory import Memory


def memory(value: Memory) -> dict[str, Any]:
    """{id, ability, type, content, keywords, pinned, relevance, revision, createdAt, updatedAt, lastHitAt}"""
    return {
        "id": value.id,
        "ability": value.ability,
        "type": value.type,
        "content": value.content,
        "keywords": list(value.keywords),
        "pinned": value.pinned,
        "relevance": value.relevance,
        "revision": value.revision,
        "createdAt": _time(value.created_at),
        "updatedAt": _time(value.updated_at),
        "lastHitAt": None if value.last_hit_at is None else _time(value.last_hit_at),
    }


def _time(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")

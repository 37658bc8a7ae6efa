"""The memories of a book, and the short list from which those that go along with a run are taken."""

from __future__ import annotations

import json
import sqlite3
import time
import uuid
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from inkwright.domain.errors import InkwrightError
from inkwright.domain.memory import Memory
from inkwright.store import memory_pruning
from inkwright.store import memory_queries as queries
from inkwright.store.database import Database
from inkwright.store.values import pack, unpack

Merge = Callable[[Memory, Sequence[Memory]], tuple[Sequence[Memory], Memory | None]]
"""What a new memory means for those that are there: (the changed ones, what is to be added)."""


class Memories:
    """The memories of one book. Every method raises `StorageError`; none gives "empty" instead.

    What memories mean is not known here: keywords come with them, and `put` is told what is alike.
    """

    def __init__(self, database: Database, book_id: str) -> None:
        self._db = database
        self._book = book_id

    @property
    def readonly(self) -> bool:
        return self._db.readonly is not None

    async def list(
        self,
        limit: int = 50,
        before: tuple[float, str] | None = None,
        *,
        ability: str = "",
        kind: str = "",
    ) -> tuple[Memory, ...]:
        """Newest first; `before` is (created_at, id) of the last one of the page before.

        Those of all abilities are among those of any one.
        """
        created, ident = before or (float("inf"), "")
        asked = {
            "book": self._book,
            "ability": pack(ability),
            "type": kind,
            "created": created,
            "id": pack(ident),
            "limit": limit,
        }
        return await self._db.read(lambda conn: _rows(conn, queries.PAGE, asked))

    async def get(self, memory_id: str) -> Memory | None:
        return await self._db.read(lambda conn: _get(conn, self._book, memory_id))

    async def counts(self) -> dict[tuple[str, str], int]:
        """How many there are of each (ability, type)."""

        def work(conn: sqlite3.Connection) -> dict[tuple[str, str], int]:
            rows = conn.execute(
                "SELECT skill_type, memory_type, count(*) FROM memories WHERE book_id = ? GROUP BY 1, 2",
                (self._book,),
            )
            return {(unpack(ability), kind): number for ability, kind, number in rows}

        return await self._db.read(work)

    async def put(self, drafts: Sequence[Memory], merge: Merge) -> tuple[Memory, ...]:
        """Adds memories, or changes those that say the same: decided and done in one transaction.

        A draft's id, revision and times are given here. Returns what was added, changed, or said again:
        that is as good as new, but its revision stays.
        """

        def work(conn: sqlite3.Connection) -> tuple[Memory, ...]:
            out: dict[str, Memory] = {}
            for draft in drafts:
                now = time.time()
                known = _alike(conn, self._book, draft)
                changed, new = merge(draft, known)
                for memory in changed:
                    kept = replace(memory, revision=memory.revision + (memory not in known), updated_at=now)
                    _write(conn, kept)
                    out[kept.id] = kept
                if new is not None:
                    added = replace(new, id=uuid.uuid4().hex, revision=0, created_at=now, updated_at=now)
                    _insert(conn, self._book, [added])
                    out[added.id] = added
            return tuple(out.values())

        return await self._db.write(work)

    async def update(self, memory_id: str, changes: Mapping[str, Any], revision: int | None = None) -> Memory:
        """Sets fields of a `Memory` by their names; the revision goes up only when a value really changes.

        Raises `InkwrightError`: memory_unknown; revision_conflict when `revision` is not the stored one.
        """

        def work(conn: sqlite3.Connection) -> Memory:
            found = _known(conn, self._book, memory_id, revision)
            wanted = replace(found, **changes)
            if wanted == found:
                return found
            wanted = replace(wanted, revision=found.revision + 1, updated_at=time.time())
            _write(conn, wanted)
            return wanted

        return await self._db.write(work)

    async def delete(self, memory_id: str, revision: int | None = None) -> None:
        """Raises `InkwrightError`: memory_unknown, revision_conflict."""

        def work(conn: sqlite3.Connection) -> None:
            _known(conn, self._book, memory_id, revision)
            conn.execute("DELETE FROM memories WHERE id = ?", (pack(memory_id),))

        await self._db.write(work)

    async def clear(self, *, ability: str = "", kind: str = "") -> int:
        """Deletes them all, or those of an ability or a type, pinned ones too; returns how many."""
        asked = {"book": self._book, "ability": pack(ability), "type": kind}
        return await self._db.write(lambda conn: conn.execute(queries.CLEAR, asked).rowcount)

    async def candidates(self, ability: str, keywords: Collection[str]) -> tuple[Memory, ...]:
        """What may go along with a run: memories that share a keyword, the ability's preferences, pinned ones.

        Bounded however many there are; nothing is missed while no keyword stands in more than queries.MATCHES.
        """
        asked = {
            "book": self._book,
            "ability": pack(ability),
            "keywords": _json(keywords),
            "last": _last(keywords),
            "best": queries.BEST,
            "rare": queries.RARE,
            "standing": queries.STANDING,
        }
        return await self._db.read(lambda conn: _rows(conn, queries.CANDIDATES, asked))

    async def hit(self, ids: Iterable[str], at: float) -> None:
        """Notes that these went along with a run."""
        rows = [(at, pack(ident), self._book) for ident in ids]

        def work(conn: sqlite3.Connection) -> None:
            conn.executemany("UPDATE memories SET last_hit_at = ? WHERE id = ? AND book_id = ?", rows)

        await self._db.write(work)

    async def search(self, holds: Callable[[str], bool], limit: int = 50) -> tuple[Memory, ...]:
        """Those whose text `holds` says yes to, newest first. It is asked on the database's thread."""

        def work(conn: sqlite3.Connection) -> tuple[Memory, ...]:
            rows = conn.execute(queries.EVERY, {"book": self._book})
            return tuple(
                [_memory(row) for row in islice((r for r in rows if holds(unpack(r["content"]))), limit)]
            )

        return await self._db.read(work)

    async def fill(self, memories: Sequence[Memory]) -> bool:
        """Enters many memories as they are, ids and all, in one transaction; False when there are some already."""

        def work(conn: sqlite3.Connection) -> bool:
            if conn.execute("SELECT 1 FROM memories WHERE book_id = ? LIMIT 1", (self._book,)).fetchone():
                return False
            _insert(conn, self._book, memories)
            return True

        return await self._db.write(work)

    async def prune(
        self, now: float | None = None, limits: memory_pruning.Limits = memory_pruning.LIMITS
    ) -> int:
        """Deletes what is over the caps or long unused, never a pinned one; returns how many.

        Costs a read where nothing is due.
        """
        at = time.time() if now is None else now

        def due(conn: sqlite3.Connection) -> bool:
            return memory_pruning.due(conn, self._book, at, limits)

        def work(conn: sqlite3.Connection) -> int:
            return memory_pruning.prune(conn, self._book, at, limits)

        return await self._db.write(work) if await self._db.read(due) else 0


def _alike(conn: sqlite3.Connection, book: str, draft: Memory) -> tuple[Memory, ...]:
    asked = {
        "book": book,
        "type": draft.type,
        "keywords": _json(draft.keywords),
        "last": _last(draft.keywords),
        "known": queries.KNOWN,
    }
    return _rows(conn, queries.ALIKE if draft.keywords else queries.WORDLESS, asked)


def _last(keywords: Collection[str]) -> int:
    """Of each of so many keywords the number of the last memory that is looked at, from 0."""
    return min(queries.MATCHES, queries.LOOKED_AT // max(1, len(keywords))) - 1


def _known(conn: sqlite3.Connection, book: str, memory_id: str, revision: int | None) -> Memory:
    found = _get(conn, book, memory_id)
    if found is None:
        raise InkwrightError("memory_unknown", memory=memory_id)
    if revision is not None and revision != found.revision:
        raise InkwrightError("revision_conflict", revision=found.revision)
    return found


def _get(conn: sqlite3.Connection, book: str, memory_id: str) -> Memory | None:
    row = conn.execute(
        "SELECT * FROM memories WHERE id = ? AND book_id = ?", (pack(memory_id), book)
    ).fetchone()
    return _memory(row) if row else None


def _insert(conn: sqlite3.Connection, book: str, memories: Iterable[Memory]) -> None:
    conn.executemany(
        "INSERT INTO memories (id, book_id, skill_type, memory_type, content, keywords, relevance_score, pinned,"
        " revision, created_at, updated_at, last_hit_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            (
                pack(m.id),
                book,
                pack(m.ability),
                m.type,
                pack(m.content),
                " ".join(m.keywords),
                m.relevance,
                m.pinned,
                m.revision,
                m.created_at,
                m.updated_at,
                m.last_hit_at,
            )
            for m in memories
        ),
    )


def _write(conn: sqlite3.Connection, memory: Memory) -> None:
    conn.execute(
        "UPDATE memories SET skill_type = ?, memory_type = ?, content = ?, keywords = ?, relevance_score = ?,"
        " pinned = ?, revision = ?, updated_at = ? WHERE id = ?",
        (
            pack(memory.ability),
            memory.type,
            pack(memory.content),
            " ".join(memory.keywords),
            memory.relevance,
            memory.pinned,
            memory.revision,
            memory.updated_at,
            pack(memory.id),
        ),
    )


def _rows(conn: sqlite3.Connection, query: str, asked: Mapping[str, Any]) -> tuple[Memory, ...]:
    return tuple([_memory(row) for row in conn.execute(query, asked)])


def _json(keywords: Collection[str]) -> str:
    return json.dumps(list(keywords), ensure_ascii=False, separators=(",", ":"))


def _memory(row: sqlite3.Row) -> Memory:
    """Of a row with all columns, by their places: names would cost half as much again."""
    _, id_, _, ability, type_, content, words, relevance, pinned, revision, created, updated, hit = row
    keywords = tuple(unpack(words).split())
    return Memory(
        unpack(id_), unpack(ability), type_, unpack(content), keywords, relevance, bool(pinned), revision,
        created, updated, hit,
    )  # fmt: skip

"""A search of books as other programs see it: chapters, cards and what is remembered."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from inkwright.abilities import shapes
from inkwright.domain.manuscript import Hit
from inkwright.domain.memory import Memory
from inkwright.domain.text import Encoding, Lines
from inkwright.manuscript.query import Query, parse
from inkwright.workspace import OpenBook

MEMORIES = 500
"""So many of a book are given."""

JSON = dict[str, Any]
Uri = Callable[[OpenBook, str], str]


class _Row(NamedTuple):
    score: float
    book: OpenBook
    found: Hit | Memory


async def search(
    books: Sequence[OpenBook],
    query: str,
    *,
    limit: int = 0,
    offset: int = 0,
    encoding: Encoding = "utf-16",
    uri: Uri | None = None,
) -> JSON:
    """{query, total, exact, hits}: `limit` hits from `offset` on, best first; 0 gives all.

    A hit is {kind: chapter, card or memory, path, title, line, range, ranges, text, score}: `line` counts
    from 0, `range` is the first place of the words and `ranges` are all of them; with `uri` it has one too.
    A memory has id, ability and type, and its ranges lie in its text. `exact` false: nothing holds all that
    was asked for, and the hits hold most of it. Raises `InkwrightError`: query_too_long and what a book
    without a folder or a database raises.
    """
    asked = parse(query)
    rows: list[_Row] = []
    near: list[_Row] = []
    total = 0
    for book in books:
        found = await book.files.find(query, limit=limit and limit + offset)
        memories = await _memories(book, asked)
        if found.exact:
            total += found.total
        (rows if found.exact else near).extend(_Row(hit.score, book, hit) for hit in found.hits)
        total += len(memories)
        rows += [_Row(1.0, book, memory) for memory in memories]
    exact = bool(rows) or not near
    if not exact:
        rows, total = near, len(near)
    rows.sort(key=lambda row: -row.score)
    shown = rows[offset : offset + limit] if limit else rows[offset:]
    hits = [_shape(row, asked, encoding, uri) for row in shown]
    return {"query": query, "total": total, "exact": exact, "hits": hits}


async def _memories(book: OpenBook, asked: Query) -> tuple[Memory, ...]:
    needles = asked.needles
    every = (1 << len(needles.texts)) - 1
    if not every:
        return ()
    return await book.state.memories.search(lambda text: needles.mask(text) == every, MEMORIES)


def _shape(row: _Row, asked: Query, encoding: Encoding, uri: Uri | None) -> JSON:
    found = row.found
    if isinstance(found, Memory):
        return _memory(found, asked, encoding)
    lines = Lines(found.text)
    ranges = [shapes.range_(lines.range(span.shift(-found.start), encoding)) for span in found.spans]
    for place in ranges:
        place["start"]["line"] = place["end"]["line"] = found.line
    out: JSON = {
        "kind": found.kind,
        "path": found.path,
        "title": found.title,
        "line": found.line,
        "range": ranges[0],
        "ranges": ranges,
        "text": found.text,
        "score": round(found.score, 3),
    }
    return out if uri is None else {**out, "uri": uri(row.book, found.path)}


def _memory(memory: Memory, asked: Query, encoding: Encoding) -> JSON:
    text = memory.content
    lines = Lines(text)
    needles = asked.needles
    spans = [span for line in needles.lines(text, all_=False) for span in needles.spans(line)]
    ranges = [shapes.range_(lines.range(span, encoding)) for span in spans]
    return {
        "kind": "memory",
        "id": memory.id,
        "ability": memory.ability,
        "type": memory.type,
        "path": "",
        "title": "",
        "line": ranges[0]["start"]["line"] if ranges else 0,
        "range": ranges[0] if ranges else None,
        "ranges": ranges,
        "text": text,
        "score": 1.0,
    }

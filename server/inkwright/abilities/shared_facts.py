"""What was decided on facts goes with the book: a clone knows which were taken from where, and which nobody wants."""

from __future__ import annotations

import asyncio
import json
import logging
import uuid
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, fields
from typing import cast, get_args

from inkwright.domain.errors import InkwrightError
from inkwright.domain.facts import FactCandidate, FactState, NewFact
from inkwright.domain.text import SURROGATE
from inkwright.manuscript import decisions
from inkwright.workspace import OpenBook

_log = logging.getLogger(__name__)

KIND = "fact"
MAX_CHARS = 2_000
"""Of one thing that a line says: what is longer no run has written."""


async def tell(book: OpenBook, decided: Sequence[FactCandidate]) -> None:
    """Writes decisions down where they go with the book. One that cannot be written costs no decision."""
    lines = [_line(one) for one in decided if one.state != "pending"]
    if not lines or not await asyncio.to_thread(decisions.shared, book.root):
        return
    try:
        await asyncio.to_thread(decisions.add, book.root, lines)
    except InkwrightError as error:
        _log.warning("a decision on a fact is not shared: %s", error.fault.code)


async def heard(book: OpenBook) -> tuple[tuple[FactCandidate, ...], object]:
    """The decisions that came with the book, the latest first, and the state of their file and of the chapters;
    none for the state that was taken in last. Raises `InkwrightError`: what reading the file does."""
    stamp = await asyncio.to_thread(decisions.stamp, book.root)
    now = stamp, tuple(chapter.path for chapter in book.files.chapters())
    if book.state.database.readonly or now == book.state.facts.heard:
        return (), now
    lines = await asyncio.to_thread(decisions.lines, book.root)
    return tuple(_read(reversed(lines))), now


def _line(one: FactCandidate) -> str:
    said = {"kind": KIND, "state": one.state, "passage": one.passage, **asdict(one.fact)}
    plain = json.dumps(said, ensure_ascii=False)
    return json.dumps(said) if SURROGATE.search(plain) else plain


def _read(lines: Iterable[str]) -> Iterator[FactCandidate]:
    """What can be read; anybody may have written the file."""
    names = [field.name for field in fields(NewFact)]
    for line in lines:
        if f'"{KIND}"' not in line:
            continue
        try:
            said = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if not isinstance(said, dict) or said.get("kind") != KIND:
            continue
        parts = [said.get(name) for name in (*names, "passage")]
        state = cast("FactState", said.get("state"))
        texts = [part for part in parts if isinstance(part, str) and len(part) <= MAX_CHARS]
        if len(texts) == len(parts) and state in get_args(FactState) and state != "pending":
            yield FactCandidate(uuid.uuid4().hex, "", NewFact(*texts[:-1]), texts[-1], state)

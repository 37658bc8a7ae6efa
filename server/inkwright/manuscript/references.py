"""Where a book names a card: the index knows the chapters, their texts say the lines.

A file that has changed since the index read it is searched anew: the answer is true to what is on the disk.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from inkwright.domain.cards import Card
from inkwright.domain.errors import InkwrightError
from inkwright.domain.text import Encoding, Lines, Range, Span
from inkwright.manuscript import fieldnames, markdown, reading
from inkwright.manuscript.leaf import Found
from inkwright.manuscript.mentions import Dictionary
from inkwright.manuscript.stock import Stock
from inkwright.manuscript.worker import Worker

_SLICE = 0.05  # seconds


class Places(NamedTuple):
    """The places in one file, in order."""

    path: str
    ranges: list[Range]


@dataclass(frozen=True, slots=True)
class _Source:
    """A chapter to look up. `text` is the open document's, None for a file with `digest`; `found` its mentions.

    `fields`: its front matter names the card.
    """

    path: str
    text: str | None
    digest: bytes
    found: Found
    fields: bool


async def of(root: Path, stock: Stock, worker: Worker, card: Card, encoding: Encoding) -> list[Places]:
    """The mentions of a card by chapter in reading order, front matter first.

    Raises `InkwrightError`: book_closed.
    """
    todo = _sources(stock, card)
    dictionary = stock.catalogue.dictionary
    out: list[Places] = []
    at = 0
    while at < len(todo):
        if worker.closing.is_set():
            raise InkwrightError("book_closed", root=str(root))
        found = await worker.run(_slice, root, todo, at, card, dictionary, encoding, worker.closing)
        at += len(found)
        out += [places for places in found if places.ranges]
    return out


def _sources(stock: Stock, card: Card) -> list[_Source]:
    """The chapters that the index knows to name the card, as the open documents have it by now."""
    tally: Mapping[str, int] = stock.catalogue.tally(card.path)
    wanted = frozenset(card.names)
    out: list[_Source] = []
    for chapter in stock.catalogue.chapters():
        path = chapter.path
        fields = fieldnames.named(chapter.meta, wanted)
        if path not in tally and not fields:
            continue
        draft, disk = stock.drafts.get(path), stock.disk.get(path)
        text = draft.source() if draft is not None else None
        found = stock.catalogue.leaves[path].found
        out.append(_Source(path, text, disk.digest if disk else b"", found, fields))
    return out


def _slice(
    root: Path,
    sources: Sequence[_Source],
    start: int,
    card: Card,
    dictionary: Dictionary,
    encoding: Encoding,
    closing: threading.Event,
) -> list[Places]:
    """One entry for each that was looked up, empty for a file that is gone."""
    ends = time.monotonic() + _SLICE
    out: list[Places] = []
    for source in sources[start:]:
        out.append(Places(source.path, _ranges(root, source, card, dictionary, encoding)))
        if time.monotonic() > ends or closing.is_set():
            break
    return out


def _ranges(
    root: Path, source: _Source, card: Card, dictionary: Dictionary, encoding: Encoding
) -> list[Range]:
    text, spans = source.text, _spans(source.found, card.path)
    if text is None:
        read = reading.read_text(root, source.path)
        if read is None:
            return []
        text, digest = read
        if digest != source.digest:
            hits = dictionary.in_outline(text, markdown.outline(text))
            spans = [Span(start, end) for start, end, cards in hits if card.path in cards]
    if source.fields:
        spans = [*fieldnames.of_card(text, card), *spans]
    lines = Lines(text)
    return [lines.range(span, encoding) for span in spans]


def _spans(found: Found, card: str) -> list[Span]:
    """The mentions of one card."""
    if card not in found.cards:
        return []
    number, rows = found.cards.index(card), found.places
    return [
        Span(rows[at + 1], rows[at + 1] + rows[at + 2]) for at in range(0, len(rows), 3) if rows[at] == number
    ]

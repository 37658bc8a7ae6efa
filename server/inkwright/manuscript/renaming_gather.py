"""Looks through the files of a book for places that change, in slices on the index's thread."""

from __future__ import annotations

import threading
import time
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from inkwright.domain.errors import InkwrightError
from inkwright.domain.text import Encoding, Lines, Range, TextEdit, lone_cr
from inkwright.manuscript import encoding as encodings
from inkwright.manuscript import leaf, reading, walk
from inkwright.manuscript.leaf import Found
from inkwright.manuscript.mentions import Hit
from inkwright.manuscript.renaming import Change
from inkwright.manuscript.renaming_places import Place
from inkwright.manuscript.walk import Seen
from inkwright.manuscript.worker import Worker

_SLICE = 0.05  # seconds
_ATTEMPTS = 3
_REACH = 24
"""Characters of a line shown on either side of a place."""


@dataclass(frozen=True, slots=True)
class Edit:
    """One place of a file. `shown` is its line there, for one that is not sure."""

    where: Range
    edit: TextEdit
    change: Change | None
    sure: bool
    shown: str = ""


@dataclass(frozen=True, slots=True)
class Touched:
    """A file and its places in order. `readonly` says why it must not be written, else ''.

    `seen` is the file as it was when it was read, None for an open document. `lone_cr`: not every client counts
    its lines as we do.
    """

    path: str
    edits: tuple[Edit, ...]
    readonly: str = ""
    seen: Seen | None = None
    lone_cr: bool = False


@dataclass(frozen=True, slots=True)
class Source:
    """A file to look through. `text` is the open document's. `found` are the mentions that the index knows in the
    content with `digest`. `needed`: the file is left alone where no needle stands in it."""

    path: str
    card: bool = False
    text: str | None = None
    digest: bytes = b""
    found: Found | None = None
    needed: bool = False
    readonly: str = ""


Find = Callable[[Source, str, Sequence[Hit] | None], list[Place]]
"""The places of a text, by place and apart. The hits are None where they are not known."""


@dataclass(frozen=True, slots=True)
class _Work:
    root: Path
    find: Find
    needles: tuple[bytes, ...]
    encoding: Encoding
    closing: threading.Event


async def gather(
    root: Path,
    worker: Worker,
    sources: Callable[[], Sequence[Source]],
    find: Find,
    needles: tuple[bytes, ...],
    encoding: Encoding,
) -> list[Touched]:
    """The files in which `find` finds something, in the order of `sources`; anew when files changed meanwhile.

    Raises `InkwrightError`: rename_files_changed, book_closed.
    """
    work = _Work(root, find, needles, encoding, worker.closing)
    for _ in range(_ATTEMPTS):
        todo, out, at = sources(), list[Touched](), 0
        while at < len(todo):
            if worker.closing.is_set():
                raise InkwrightError("book_closed", root=str(root))
            found = await worker.run(_slice, work, todo, at)
            at += len(found)
            out += [one for one in found if one is not None]
        if await worker.run(_unchanged, root, out):
            return out
    raise InkwrightError("rename_files_changed")


def needles(words: Iterable[str]) -> tuple[bytes, ...]:
    """What stands in every file that has one of the words in a link, however it is spelled there."""
    forms = {unicodedata.normalize(form, word) for form in ("NFC", "NFD") for word in words}
    return tuple({w.encode() for form in forms for w in (form, quote(form), quote(form).lower())})


def _slice(work: _Work, sources: Sequence[Source], start: int) -> list[Touched | None]:
    """One entry for each file that was looked through, None for one without a place."""
    ends = time.monotonic() + _SLICE
    out: list[Touched | None] = []
    for source in sources[start:]:
        out.append(_look(work, source))
        if time.monotonic() > ends or work.closing.is_set():
            break
    return out


def _look(work: _Work, source: Source) -> Touched | None:
    text, seen, readonly = source.text, None, source.readonly
    hits: Sequence[Hit] | None = None
    if text is None:
        read = reading.raw(work.root, source.path)
        if read is None:
            return None
        data, seen = read
        if source.needed and not any(needle in data for needle in work.needles):
            return None
        decoded = encodings.decode(data)
        text, readonly = decoded.text, decoded.readonly or readonly
        if source.found is not None and source.digest == leaf.digest(data):
            hits = _hits(source.found)
    found = work.find(source, text, hits)
    if not found:
        return None
    lines = Lines(text)
    edits = [
        Edit(
            lines.range(place.span, work.encoding),
            TextEdit(place.span, place.new),
            place.change,
            place.sure,
            "" if place.sure else _shown(text, place),
        )
        for place in found
    ]
    return Touched(source.path, tuple(edits), readonly, seen, lone_cr(text))


def _hits(found: Found) -> list[Hit]:
    """The mentions of a chapter, all cards of a place together."""
    out: list[Hit] = []
    rows = iter(found.places)
    for card, start, length in zip(rows, rows, rows, strict=True):
        if out and out[-1][:2] == (start, start + length):
            out[-1] = (start, start + length, (*out[-1][2], found.cards[card]))
        else:
            out.append((start, start + length, (found.cards[card],)))
    return out


def _shown(text: str, place: Place) -> str:
    """What stands around a place in its line."""
    start, end = place.span.start, place.span.end
    before = text[max(0, start - _REACH) : start]
    after = text[end : end + _REACH]
    for eol in "\r\n":
        before, after = before.rpartition(eol)[2], after.partition(eol)[0]
    return f"{before}{text[start:end]}{after}".strip()


def _unchanged(root: Path, found: Sequence[Touched]) -> bool:
    """Whether every file is what was read."""
    return all(one.seen is None or walk.look(root, one.path) == one.seen for one in found)

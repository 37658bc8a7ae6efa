"""A rename over a whole book: which files it touches and where. Only files that may have something are read."""

from __future__ import annotations

import threading
import time
import unicodedata
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from inkwright.domain.cards import Card
from inkwright.domain.errors import InkwrightError
from inkwright.domain.manuscript import Chapter
from inkwright.domain.text import Encoding, Lines, Range, Span, TextEdit, apply
from inkwright.manuscript import (
    cards,
    frontmatter,
    leaf,
    markdown,
    reading,
    renaming,
    renaming_links,
    renaming_text,
    walk,
)
from inkwright.manuscript import encoding as encodings
from inkwright.manuscript.links import Targets
from inkwright.manuscript.mentions import Hit
from inkwright.manuscript.renaming import Change
from inkwright.manuscript.renaming_places import Place, Terms
from inkwright.manuscript.stock import Stock
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

    `seen` is the file as it was when it was read, None for an open document.
    """

    path: str
    edits: tuple[Edit, ...]
    readonly: str = ""
    seen: Seen | None = None


@dataclass(frozen=True, slots=True)
class Source:
    """A file to look through. `text` is the open document's. `hits` are what the index knows of the file with
    `digest`; with `linked` only links to the card's file are looked for, and only where a `needle` stands."""

    path: str
    card: bool
    text: str | None
    digest: bytes = b""
    hits: Sequence[Hit] = ()
    linked: bool = False
    readonly: str = ""


@dataclass(frozen=True, slots=True)
class _Work:
    """What is the same for all files."""

    root: Path
    terms: Terms
    cards: Sequence[Card]
    chapters: Sequence[Chapter]
    encoding: Encoding
    needles: tuple[bytes, ...]
    closing: threading.Event


async def touched(
    root: Path, stock: Stock, worker: Worker, terms: Terms, texts: Mapping[str, str], encoding: Encoding
) -> list[Touched]:
    """The files that a rename touches: the card's own first, then cards, chapters in order, other texts.

    `texts` are the open documents by path. Raises `InkwrightError`: rename_files_changed, book_closed.
    """
    work = _Work(
        root,
        terms,
        stock.catalogue.cards(),
        stock.catalogue.chapters(),
        encoding,
        needles(terms.wish.card.path) if terms.file else (),
        worker.closing,
    )
    for _ in range(_ATTEMPTS):
        todo, out, at = _sources(stock, terms, texts), list[Touched](), 0
        while at < len(todo):
            if worker.closing.is_set():
                raise InkwrightError("book_closed", root=str(root))
            found = await worker.run(_slice, work, todo, at)
            at += len(found)
            out += [one for one in found if one is not None]
        if await worker.run(_unchanged, root, out):
            return out
    raise InkwrightError("rename_files_changed")


def needles(path: str) -> tuple[bytes, ...]:
    """What stands in every text that links to the file at `path` by its name."""
    stem = renaming_links.stem(path)
    forms = {unicodedata.normalize(form, stem) for form in ("NFC", "NFD")}
    return tuple({word.encode() for form in forms for word in (form, quote(form), quote(form).lower())})


def _sources(stock: Stock, terms: Terms, texts: Mapping[str, str]) -> list[Source]:
    card = terms.wish.card
    cards = {c.path for c in stock.catalogue.cards()}
    chapters = [chapter.path for chapter in stock.catalogue.chapters()]
    rest = sorted({*stock.files, *stock.drafts, *texts} - {*chapters, card.path})
    tally = stock.catalogue.tally(card.path)
    words = [change.old for change in terms.wish.changes]

    def source(path: str, *, digest: bytes = b"", hits: Sequence[Hit] = (), linked: bool = False) -> Source:
        kept = stock.disk.get(path)
        readonly = kept.readonly if kept is not None else ""
        return Source(path, path in cards, texts.get(path), digest, hits, linked, readonly)

    out = [source(path) for path in (card.path, *(path for path in rest if path in cards))]
    for chapter in stock.catalogue.chapters():
        path = chapter.path
        if not (named := path in tally or _says(chapter.meta, words)) and not terms.file:
            continue
        kept = None if path in stock.drafts else stock.disk.get(path)
        known = tuple(_grouped(stock, path)) if named and kept is not None else ()
        digest = kept.digest if kept is not None else b""
        out.append(source(path, digest=digest, hits=known, linked=not named))
    return [*out, *(source(path) for path in rest if path not in cards)]


def _grouped(stock: Stock, path: str) -> Iterator[Hit]:
    """The mentions of a chapter with all cards of a place together."""
    start = end = -1
    cards: tuple[str, ...] = ()
    for mention in stock.catalogue.mentions(path):
        if (mention.span.start, mention.span.end) != (start, end):
            if cards:
                yield start, end, cards
            start, end, cards = mention.span.start, mention.span.end, ()
        cards = (*cards, mention.card)
    if cards:
        yield start, end, cards


def _says(value: object, words: Collection[str]) -> bool:
    """Whether a name stands somewhere in front matter."""
    if isinstance(value, str):
        folded = renaming.fold(value)
        return any(renaming.fold(word) in folded for word in words)
    if isinstance(value, Mapping):
        return any(_says(inner, words) for pair in value.items() for inner in pair)
    return isinstance(value, list | tuple) and any(_says(inner, words) for inner in value)


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
        if source.linked and not any(needle in data for needle in work.needles):
            return None
        decoded = encodings.decode(data)
        text, readonly = decoded.text, decoded.readonly or readonly
        if source.digest and source.digest == leaf.digest(data):
            hits = source.hits
    found = _places(work, source, text, hits)
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
    return Touched(source.path, tuple(edits), readonly, seen)


def _places(work: _Work, source: Source, text: str, hits: Sequence[Hit] | None) -> list[Place]:
    terms, path = work.terms, source.path
    targets = Targets(work.cards, work.chapters, path)
    out = renaming_text.places(text, path, terms, targets, card=source.card, hits=hits)
    if path == terms.wish.card.path and terms.wish.main and not terms.file:
        return _named_at_least(text, out, terms)
    if path == terms.wish.card.path and terms.file and renaming_links.stem(terms.file) != terms.wish.new:
        return _named_at_least(text, out, terms)
    return out


def _named_at_least(text: str, found: list[Place], terms: Terms) -> list[Place]:
    """The places in the card's own file; where none of them gives its name, the file gets a field that does."""
    new = terms.wish.new
    path = terms.file or terms.wish.card.path
    after = apply(text, [TextEdit(place.span, place.new) for place in found if place.sure])
    if cards.read(path, after, markdown.scan(after))[0].name == new:
        return found
    try:
        named = frontmatter.set_key(text, "name", new)
    except InkwrightError:
        return found
    at = next((i for i, (a, b) in enumerate(zip(text, named, strict=False)) if a != b), len(text))
    added = Place(Span(at, at), named[at : at + len(named) - len(text)], terms.wish.changes[0], sure=True)
    return sorted([*found, added], key=lambda place: place.span)


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

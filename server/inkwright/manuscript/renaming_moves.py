"""Files and folders that go from one path to another: the links that have to follow."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from inkwright.domain.cards import Card
from inkwright.domain.manuscript import Chapter
from inkwright.domain.text import Encoding, Span
from inkwright.manuscript import (
    cards,
    frontmatter,
    links,
    markdown,
    ordering,
    reading,
    renaming_links,
)
from inkwright.manuscript import encoding as encodings
from inkwright.manuscript.links import Link, Targets
from inkwright.manuscript.mentions import Hit
from inkwright.manuscript.renaming_gather import Source, Touched, gather, needles
from inkwright.manuscript.renaming_places import Place
from inkwright.manuscript.stock import Stock
from inkwright.manuscript.worker import Worker


class Moves:
    """Old paths of files or folders with their new ones. A folder takes along what is in it."""

    def __init__(self, pairs: Mapping[str, str]) -> None:
        self._pairs = dict(sorted(pairs.items(), key=lambda pair: -len(pair[0])))

    def follow(self, path: str) -> str:
        """The new path of what is at `path`; '' for what stays."""
        for old, new in self._pairs.items():
            if path == old:
                return new
            if path.startswith(f"{old}/"):
                return new + path[len(old) :]
        return ""

    @property
    def words(self) -> list[str]:
        """The names that a link to something that moves has in it."""
        return [renaming_links.stem(old) for old in self._pairs]


async def touched(
    root: Path,
    stock: Stock,
    worker: Worker,
    pairs: Mapping[str, str],
    texts: Mapping[str, str],
    encoding: Encoding,
) -> list[Touched]:
    """The files with links that follow, under their old paths. Raises as `gather` does."""
    moves = Moves(pairs)
    paths = sorted({*stock.files, *stock.drafts})
    before = Targets(stock.catalogue.cards(), stock.catalogue.chapters(), "")
    nameless = await worker.run(_nameless, root, stock.catalogue.cards(), moves, texts)
    after = Targets(
        [_moved_card(card, moves, nameless) for card in stock.catalogue.cards()],
        [_moved_chapter(stock, chapter, moves) for chapter in stock.catalogue.chapters()],
        "",
    )

    def sources() -> list[Source]:
        out: list[Source] = []
        for path in paths:
            if renaming_links.is_text(path):
                kept, place = stock.disk.get(path), stock.places.get(path)
                said = place.readonly if place is not None else ""
                readonly = (kept.readonly if kept is not None else "") or said
                needed = not moves.follow(path)
                out.append(Source(path, text=texts.get(path), needed=needed, readonly=readonly))
        return out

    def find(source: Source, text: str, _: Sequence[Hit] | None) -> list[Place]:
        return places(text, source.path, moves, before, after, known=lambda path: _there(root, path))

    return await gather(root, worker, sources, find, needles(moves.words), encoding)


def places(
    text: str, path: str, moves: Moves, before: Targets, after: Targets, known: Callable[[str], bool]
) -> list[Place]:
    """The parts of the links in the file at `path` that follow; `known` says whether there is a file."""
    out: list[Place] = []
    if "[[" in text or "](" in text or "]:" in text:
        for link in links.find(text, markdown.scan(text)):
            if link.kind == "path" and link.target:
                out += _path(text, path, link, moves, known)
            elif link.kind == "wiki" and link.target:
                out += _wiki(text, link, moves, before, after)
    if text.startswith(("---", "\ufeff---")):
        for scalar in frontmatter.scalars(text):
            if scalar.key == "source" and (new := moves.follow(scalar.value)):
                out.append(Place(scalar.span, new, None, sure=True))
    return sorted(out, key=lambda place: place.span)


def _path(text: str, path: str, link: Link, moves: Moves, known: Callable[[str], bool]) -> list[Place]:
    meant = Targets((), (), path).path(link)
    late = [one for one in reversed(meant) if moves.follow(one)]  # it may have been moved already
    target = next((one for one in (*filter(known, meant), *late)), "")
    here = moves.follow(path) or path
    if not target:
        return []
    goes = moves.follow(target)
    if not goes and (link.target.startswith("/") or posixpath.dirname(here) == posixpath.dirname(path)):
        return []
    start = link.span.start
    angled = text[start - 1 : start] == "<"
    new = renaming_links.relative(link.target, goes or target, here, angled=angled)
    if renaming_links.same(link.target, new):
        return []
    return [Place(Span(start, start + len(link.target)), new, None, sure=True)]


def _wiki(text: str, link: Link, moves: Moves, before: Targets, after: Targets) -> list[Place]:
    """A link by a file's name or path; one by a name that the file gives goes on leading there."""
    new = moves.follow(before.wiki(link))
    if not new or after.wiki(link) == new:
        return []
    at = text.find(link.target, link.span.start + 2, link.span.end)
    span = Span(at, at + len(link.target))
    return [Place(span, renaming_links.moved(link.target, new), None, sure=True)] if at >= 0 else []


def _nameless(root: Path, known: Sequence[Card], moves: Moves, texts: Mapping[str, str]) -> dict[str, Card]:
    """The moved cards that have their name from their file's, as they will be. Blocks."""
    out: dict[str, Card] = {}
    for card in known:
        new = "" if card.within else moves.follow(card.path)
        if not new or card.name != renaming_links.stem(card.path):
            continue
        text = texts.get(card.path)
        if text is None:
            read = reading.raw(root, card.path)
            text = "" if read is None else encodings.decode(read[0]).text
        found = cards.read(new, text, markdown.scan(text))[0]
        if found.name == renaming_links.stem(new):
            out[card.path] = found
    return out


def _moved_card(card: Card, moves: Moves, nameless: Mapping[str, Card]) -> Card:
    new = moves.follow(card.file)
    if not new:
        return card
    if card.within:
        return replace(card, within=new)
    return nameless.get(card.path) or replace(card, path=new)


def _moved_chapter(stock: Stock, chapter: Chapter, moves: Moves) -> Chapter:
    new = moves.follow(chapter.path)
    if not new:
        return chapter
    leaf = stock.catalogue.leaves[chapter.path]
    if leaf.heading or leaf.meta.get("title"):
        return replace(chapter, path=new)
    stem = renaming_links.stem(new)
    return replace(chapter, path=new, title=ordering.placed(stem, "", None).reading.title or stem)


def _there(root: Path, path: str) -> bool:
    try:
        return (root / path).exists()
    except (OSError, ValueError):
        return False

"""A rename over a whole book: which files may have a place, and what it is in each."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from inkwright.domain.errors import InkwrightError
from inkwright.domain.text import Encoding, Span, TextEdit, apply
from inkwright.manuscript import (
    cards,
    frontmatter_edits,
    markdown,
    renaming,
    renaming_links,
    renaming_text,
    walk,
)
from inkwright.manuscript.leaf import Found
from inkwright.manuscript.links import Targets
from inkwright.manuscript.mentions import Dictionary, Hit
from inkwright.manuscript.renaming import Wish
from inkwright.manuscript.renaming_gather import Source, Touched, gather, needles
from inkwright.manuscript.renaming_places import Place, Terms
from inkwright.manuscript.stock import Stock
from inkwright.manuscript.worker import Worker

_OURS = ("", "headings")
"""Forms of a text that are Markdown and nothing else: what another program keeps of a card is not ours to write."""


async def touched(
    root: Path,
    stock: Stock,
    worker: Worker,
    wish: Wish,
    dictionary: Dictionary,
    file: str,
    texts: Mapping[str, str],
    encoding: Encoding,
) -> list[Touched]:
    """The files that a rename touches: the card's own first, then cards, chapters in order, other texts.

    `file` is the new path of the card's file, '' where it keeps its own; `texts` are the open documents by
    path. Raises `InkwrightError`: rename_foreign, rename_files_changed, book_closed.
    """
    place = stock.places.get(wish.card.file)
    if not wish.card.file.lower().endswith(walk.SUFFIXES) or (
        place is not None and place.reader not in _OURS
    ):
        raise InkwrightError("rename_foreign", name=wish.card.name, path=wish.card.file)
    targets = Targets(stock.catalogue.cards(), stock.catalogue.chapters(), "")
    terms = Terms(wish, dictionary, targets, file)

    def find(source: Source, text: str, hits: Sequence[Hit] | None) -> list[Place]:
        found = renaming_text.places(text, source.path, terms, card=source.card, hits=hits)
        own = source.path == wish.card.path and wish.main
        nameless = own and (not file or renaming_links.stem(file) != wish.new)
        return _naming(text, found, terms) if nameless else found

    words = needles([renaming_links.stem(wish.card.path)] if file else [])
    return await gather(root, worker, lambda: _sources(stock, terms, texts), find, words, encoding)


def _sources(stock: Stock, terms: Terms, texts: Mapping[str, str]) -> list[Source]:
    card = terms.wish.card
    all_cards = {c.file for c in stock.catalogue.cards()}
    version = stock.catalogue.dictionary.version
    chapters = [chapter.path for chapter in stock.catalogue.chapters()]
    rest = sorted({*stock.files, *stock.drafts} - {*chapters, card.file})
    tally = stock.catalogue.tally(card.path)
    words = [renaming.fold(change.old) for change in terms.wish.changes]

    def source(path: str, *, digest: bytes = b"", found: Found | None = None, needed: bool = False) -> Source:
        kept, place = stock.disk.get(path), stock.places.get(path)
        readonly = (kept.readonly if kept is not None else "") or (
            place.readonly if place is not None else ""
        )
        return Source(path, path in all_cards, texts.get(path), digest, found, needed, readonly)

    out = [source(path) for path in (card.file, *(path for path in rest if path in all_cards))]
    for chapter in stock.catalogue.chapters():
        path = chapter.path
        if not (named := path in tally or _says(chapter.meta, words)) and not terms.file:
            continue
        kept = None if path in stock.drafts else stock.disk.get(path)
        found = kept.found if kept is not None and kept.found.version == version else None
        out.append(source(path, digest=kept.digest if kept else b"", found=found, needed=not named))
    return [*out, *(source(path) for path in rest if path not in all_cards and renaming_links.is_text(path))]


def _says(value: object, words: Collection[str]) -> bool:
    """Whether one of the folded `words` stands somewhere in front matter."""
    if isinstance(value, str):
        folded = renaming.fold(value)
        return any(word in folded for word in words)
    if isinstance(value, Mapping):
        return any(_says(inner, words) for pair in value.items() for inner in pair)
    return isinstance(value, list | tuple) and any(_says(inner, words) for inner in value)


def _naming(text: str, found: list[Place], terms: Terms) -> list[Place]:
    """The places in the card's own file; where none of them gives its name, the file gets a field that does."""
    new, path = terms.wish.new, terms.file or terms.wish.card.path
    after = apply(text, [TextEdit(place.span, place.new) for place in found if place.sure])
    if cards.read(path, after, markdown.scan(after))[0].name == new:
        return found
    try:
        named = frontmatter_edits.set_key(text, "name", new)
    except InkwrightError:
        return found
    at = next((i for i, (a, b) in enumerate(zip(text, named, strict=False)) if a != b), len(text))
    added = Place(Span(at, at), named[at : at + len(named) - len(text)], terms.wish.changes[0], sure=True)
    return sorted([*found, added], key=lambda place: place.span)

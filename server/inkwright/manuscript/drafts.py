"""Open documents: their leaf, worked out anew only where a paragraph changed."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass, field

from inkwright.domain.manuscript import Counts
from inkwright.domain.text import encodable
from inkwright.manuscript import cards, frontmatter, leaf, markdown
from inkwright.manuscript.counting import measure, visible
from inkwright.manuscript.inline import WikiLink
from inkwright.manuscript.layouts import Place
from inkwright.manuscript.leaf import Leaf
from inkwright.manuscript.markdown import Document, Paragraph
from inkwright.manuscript.mentions import Dictionary, Hit

Key = tuple[str, tuple[int, ...], tuple[int, ...]]
Pages = dict[Key, tuple[Counts, tuple[Hit, ...]]]
"""What was worked out of each paragraph, by its text and what of it is prose. Hits count from its start."""

Source = Callable[[], str]


@dataclass(slots=True)
class Draft:
    """One open document. `source` gives its text as it stands; `leaf` is of an older text while `dirty`."""

    path: str
    source: Source
    generation: int = 0
    dirty: bool = True
    leaf: Leaf | None = None
    pages: Pages = field(default_factory=dict)
    pages_version: str = ""


def read(path: str, text: str, place: Place, dictionary: Dictionary, pages: Pages) -> tuple[Leaf, Pages]:
    """The leaf of an open document and its paragraphs for the next time. The same as `leaf.from_text`.

    `pages` must have been made with the same dictionary.
    """
    head = frontmatter.read(text)
    role = cards.role(place, head.meta)
    if role == "other":
        return Leaf(path, role, place, b""), {}
    document = markdown.scan(text)
    if role == "card":
        return leaf.card_leaf(path, text, document, place, b"", ""), {}
    counts = Counts()
    hits: list[Hit] = []
    kept: Pages = {}
    links = _links(document)
    for paragraph in document.paragraphs:
        if not paragraph.prose:
            continue
        start = paragraph.span.start
        mine = links.get(start, ())
        key = _key(text, paragraph, mine)
        page = pages.get(key) or kept.get(key) or _page(text, paragraph, mine, dictionary)
        kept[key] = page
        counts += page[0]
        hits += [(a + start, b + start, paths) for a, b, paths in page[1]]
    found = leaf.pack(dictionary.version, hits)
    return leaf.chapter_leaf(path, document, place, counts, found, b"", ""), kept


def digest(text: str) -> bytes:
    """The digest of an open document, as of a file with this text in UTF-8."""
    return leaf.digest(encodable(text).encode())


def _key(text: str, paragraph: Paragraph, links: tuple[WikiLink, ...]) -> Key:
    start = paragraph.span.start
    pieces = [x - start for span in paragraph.prose for x in (span.start, span.end)]
    linked = [x - start for link in links for x in (link.target.start, link.target.end)]
    return paragraph.span.of(text), tuple(pieces), tuple(linked)


def _page(
    text: str, paragraph: Paragraph, links: tuple[WikiLink, ...], dictionary: Dictionary
) -> tuple[Counts, tuple[Hit, ...]]:
    start = paragraph.span.start
    hits = dictionary.with_links(text, dictionary.hits(text, paragraph.prose), links)
    return measure(visible(text, paragraph)), tuple((a - start, b - start, paths) for a, b, paths in hits)


def _links(document: Document) -> dict[int, tuple[WikiLink, ...]]:
    """The links that show something else than their target, by the start of their paragraph."""
    out: dict[int, tuple[WikiLink, ...]] = {}
    for link in document.wikilinks:
        if link.shown != link.target:
            start = document.paragraphs[_holding(document, link.span.start)].span.start
            out[start] = (*out.get(start, ()), link)
    return out


def _holding(document: Document, offset: int) -> int:
    """The index of the paragraph that begins last before `offset`."""
    return bisect_right(document.paragraphs, offset, key=lambda paragraph: paragraph.span.start) - 1

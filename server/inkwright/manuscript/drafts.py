"""Open documents: their leaf, worked out anew only where a paragraph changed."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass, field

from inkwright.domain.manuscript import Counts
from inkwright.domain.text import encodable
from inkwright.manuscript import frontmatter, leaf, markdown
from inkwright.manuscript.counting import measure, shown
from inkwright.manuscript.inline import WikiLink
from inkwright.manuscript.layouts import Place
from inkwright.manuscript.leaf import Leaf
from inkwright.manuscript.markdown import Outline, Part
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
    if place.role == "card" and place.reader:
        return leaf.listed_leaf(path, text, place, b"", ""), {}
    head = frontmatter.read(text)
    role = leaf.role_of(text, place, head.meta)
    if role == "other":
        return Leaf(path, role, place, b""), {}
    outline = markdown.outline(text, head)
    if role == "card":
        return leaf.card_leaf(path, text, outline.document(), place, b"", ""), {}
    counts = Counts()
    hits: list[Hit] = []
    kept: Pages = {}
    links = _links(outline)
    for part in outline.parts:
        start, prose = part[0], part[4]
        if not prose:
            continue
        mine = links.get(start, ())
        key = _key(text, part, mine)
        page = pages.get(key) or kept.get(key) or _page(text, part, mine, dictionary)
        kept[key] = page
        counts += page[0]
        hits += [(a + start, b + start, paths) for a, b, paths in page[1]]
    found = leaf.pack(dictionary.version, hits)
    return leaf.chapter_leaf(path, text, outline, place, counts, found, b"", ""), kept


def digest(text: str) -> bytes:
    """The digest of an open document, as of a file with this text in UTF-8."""
    return leaf.digest(encodable(text).encode())


def _key(text: str, part: Part, links: tuple[WikiLink, ...]) -> Key:
    start, end, _, _, prose = part
    pieces = tuple([x - start for piece in prose for x in piece])
    linked = [x - start for link in links for x in (link.target.start, link.target.end)]
    return text[start:end], pieces, tuple(linked)


def _page(
    text: str, part: Part, links: tuple[WikiLink, ...], dictionary: Dictionary
) -> tuple[Counts, tuple[Hit, ...]]:
    start, prose = part[0], part[4]
    hits = dictionary.within(text, [a for a, _ in prose], [b for _, b in prose])
    hits = dictionary.with_links(text, hits, links)
    return measure(shown(text, prose)), tuple((a - start, b - start, paths) for a, b, paths in hits)


def _links(outline: Outline) -> dict[int, tuple[WikiLink, ...]]:
    """The links that show something else than their target, by the start of their paragraph."""
    out: dict[int, tuple[WikiLink, ...]] = {}
    for link in outline.wikilinks:
        if link.shown != link.target:
            start = outline.parts[_holding(outline, link.span.start)][0]
            out[start] = (*out.get(start, ()), link)
    return out


def _holding(outline: Outline, offset: int) -> int:
    """The index of the paragraph that begins last before `offset`."""
    return bisect_right(outline.parts, offset, key=lambda part: part[0]) - 1

"""Open documents: their leaf, worked out anew only where a paragraph changed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from inkwright.domain.text import encodable
from inkwright.manuscript import cards, frontmatter, leaf, markdown
from inkwright.manuscript.ends import Ends
from inkwright.manuscript.layouts import Place
from inkwright.manuscript.leaf import Leaf
from inkwright.manuscript.mentions import Dictionary
from inkwright.manuscript.pages import Pages

Source = Callable[[], str]


@dataclass(slots=True)
class Draft:
    """One open document. `source` gives its text as it stands; `leaf` is of an older text while `dirty`. `ends` are those of
    the document."""

    path: str
    source: Source
    ends: Ends | None = None
    generation: int = 0
    dirty: bool = True
    leaf: Leaf | None = None
    pages: Pages = field(default_factory=Pages)
    pages_version: str = ""


def read(
    path: str, text: str, place: Place, dictionary: Dictionary, pages: Pages, ends: Ends | None = None
) -> tuple[Leaf, Pages]:
    """The leaf of an open document and its pages for the next time. The same as `leaf.from_text`.

    `pages` must have been made with the same dictionary, `ends` are those of the document.
    """
    if place.role == "card" and place.reader:
        return leaf.listed_leaf(path, text, place, b"", ""), Pages()
    head = frontmatter.read(text)
    role = cards.role(place, head.meta)
    if role == "other":
        return Leaf(path, role, place, b""), Pages()
    if role == "card":
        outline = markdown.outline(text, head)
        return leaf.card_leaf(path, text, outline.document(), place, b"", ""), Pages()
    broken = not head and text.startswith(("---", "\ufeff---"))
    pages = pages.follow(text, dictionary, apart=not broken, ends=ends)
    written = leaf.Written(head, *pages.contents, pages.comments)
    found = pages.found(dictionary.version)
    return leaf.chapter_leaf(path, text, written, place, pages.counts, found, b"", ""), pages


def digest(text: str) -> bytes:
    """The digest of an open document, as of a file with this text in UTF-8."""
    return leaf.digest(encodable(text).encode())

"""Links that lead nowhere: cards, chapters, files and headings that are not there."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator
from urllib.parse import unquote

from inkwright.checks.book import fixes
from inkwright.checks.book.nearest import nearest
from inkwright.checks.book.page import Page
from inkwright.domain.diagnostic import Diagnostic
from inkwright.domain.manuscript import Heading
from inkwright.domain.text import Span
from inkwright.manuscript import links, naming, renaming_links
from inkwright.manuscript.links import Link, Targets
from inkwright.manuscript.overview import Overview

CARD, PATH, ANCHOR, CHAPTER = (
    "link_card_missing",
    "link_path_missing",
    "link_anchor_missing",
    "link_chapter_missing",
)
CODES = frozenset({CARD, PATH, ANCHOR, CHAPTER})

_FILE = re.compile(r"\.(?!md\Z|markdown\Z|txt\Z)[A-Za-z0-9]{2,5}\Z", re.IGNORECASE)
"""The end of a target that is a picture or the like, which the book's index does not hold."""
_OTHER_BOOK = re.compile(r"[》」”][^。！？\r\n]{0,6}\Z")


def find(book: Overview, page: Page) -> Iterable[Diagnostic]:
    if not page.links:
        return
    targets = book.targets(page.path)
    named = [one.span for one in page.named] if page.chapter is not None else []
    for link in page.links:
        if any(link.span.start <= span.start < link.span.end for span in named):
            continue  # a name like others, which is looked for among the cards
        if link.kind == "wiki":
            yield from _wiki(book, page, targets, link)
        elif link.kind == "path":
            yield from _path(book, page, targets, link)
        elif link.kind == "chapter":
            yield from _chapter(book, page, targets, link)


def _wiki(book: Overview, page: Page, targets: Targets, link: Link) -> Iterator[Diagnostic]:
    embedded = page.text[link.span.start - 1 : link.span.start] == "!"
    if embedded or _FILE.search(link.target):
        return
    path = targets.wiki(link) or book.note(link.target)
    if path:
        yield from _anchor(book, page, link, path)
        return
    start = page.text.find(link.target, link.span.start)
    span = Span(start, start + len(link.target)) if 0 <= start < link.span.end else link.span
    near = nearest(link.target, (name for card in book.cards for name in card.names))
    fitting = [name for name in near if not re.search(r"[\[\]|#]", name)]
    better = fitting[0] if fitting else ""
    yield Diagnostic(
        span,
        "warning",
        CARD,
        {"name": link.target, "better": better},
        fixes=(*fixes.replaced(span, fitting), *fixes.create(link.target, "character")),
    )


def _path(book: Overview, page: Page, targets: Targets, link: Link) -> Iterator[Diagnostic]:
    candidates = targets.path(link)
    if not candidates:
        return
    found = next((path for path in candidates if book.exists(path)), "")
    if found:
        yield from _anchor(book, page, link, found)
        return
    span = Span(link.span.start, link.span.start + len(link.target))
    angled = page.text[link.span.start - 1 : link.span.start] == "<"
    near = _near_paths(book, page.path, unquote(link.target))
    written = [renaming_links.relative(link.target, path, page.path, angled=angled) for path in near]
    yield Diagnostic(
        span, "warning", PATH, {"path": unquote(link.target)}, fixes=fixes.replaced(span, written)
    )


def _near_paths(book: Overview, here: str, wanted: str) -> list[str]:
    """The texts of the book that have the same name elsewhere, else nearly the same name."""
    name = posixpath.basename(wanted)
    same = sorted(path for path in book.files if posixpath.basename(path).casefold() == name.casefold())
    if same:
        return [path for path in same if path != here][:3]
    by_name = {posixpath.basename(path): path for path in sorted(book.files, reverse=True)}
    return [by_name[near] for near in nearest(name, by_name) if by_name[near] != here]


def _anchor(book: Overview, page: Page, link: Link, path: str) -> Iterator[Diagnostic]:
    if not link.anchor or link.anchor.startswith("^") or path not in {page.path, *book.order}:
        return
    headings = _headings(book, page, path)
    if links.anchor(headings, link.anchor) is not None:
        return
    start = page.text.rfind(link.anchor, link.span.start, link.span.end)
    span = Span(start, start + len(link.anchor)) if start >= 0 else link.span
    titles = [heading.title for heading in headings] if link.kind == "wiki" else []
    near = [t for t in nearest(link.anchor, titles) if not re.search(r"[\[\]|#]", t)]
    params = {"anchor": unquote(link.anchor), "path": path}
    yield Diagnostic(span, "warning", ANCHOR, params, fixes=fixes.replaced(span, near))


def _headings(book: Overview, page: Page, path: str) -> tuple[Heading, ...]:
    if path == page.path:
        return page.headings
    nowhere = Span(0, 0)
    titles = [book.heading(path), *(title for _, level, title in book.marks(path) if level <= 6)]
    return tuple(Heading(1, title, nowhere, nowhere) for title in titles if title)


def _chapter(book: Overview, page: Page, targets: Targets, link: Link) -> Iterator[Diagnostic]:
    """A chapter that is spoken of in prose. Later ones than there are may be still to be written."""
    number = naming.parse(link.target).number
    if page.chapter is None or not number or targets.chapter(link) or not book.called_so(link.target[-1]):
        return
    if _OTHER_BOOK.search(page.text, max(0, link.span.start - 20), link.span.start):
        return
    last = max((c.number or 0 for c in book.numbered), default=0)
    if number < last:
        yield Diagnostic(link.span, "information", CHAPTER, {"chapter": link.target, "last": last})

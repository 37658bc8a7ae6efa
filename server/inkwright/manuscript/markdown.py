"""A manuscript's Markdown: headings, paragraphs, scene breaks, wiki links, and what of it is prose."""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass

from inkwright.domain.manuscript import Heading
from inkwright.domain.text import Span
from inkwright.manuscript import blocks, borders, frontmatter
from inkwright.manuscript.blocks import HEADING_MARK, ITEM, Kind
from inkwright.manuscript.frontmatter import FrontMatter
from inkwright.manuscript.inline import Hole, WikiLink, marks, triggers

__all__ = [
    "Document",
    "Kind",
    "Outline",
    "Paragraph",
    "Part",
    "WikiLink",
    "alone",
    "between",
    "near",
    "outline",
    "part",
    "scan",
]

Part = tuple[int, int, Kind, int, tuple[tuple[int, int], ...]]
"""Start, end, kind, level and prose of a paragraph: what `Paragraph` says, where there are very many."""

_QUOTE_MARKS = re.compile(r"((?: {0,3}>[ ]?)*)[^\r\n]*[\r\n]*")
_TASK = re.compile(r"\[[ xX]\](?=[ \t])")
_TABLE_RULE = re.compile(r"[ \t]*\|[ \t|:\-]*")
_BAR = re.compile(r"(?<!\\)\|")


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph without its last line end.

    `prose` are the pieces that count and that mentions and checks may touch, in order; empty for code,
    comments and definitions. `level` is a heading's, else 0.
    """

    span: Span
    kind: Kind
    level: int
    prose: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Document:
    """The parts of one text in order. Scene breaks are whole lines without their line end.

    Comments may cross paragraphs.
    """

    frontmatter: FrontMatter
    headings: tuple[Heading, ...]
    paragraphs: tuple[Paragraph, ...]
    scene_breaks: tuple[Span, ...]
    wikilinks: tuple[WikiLink, ...]
    comments: tuple[Span, ...] = ()

    @property
    def prose(self) -> tuple[Span, ...]:
        """All pieces of prose, in order."""
        return tuple([span for paragraph in self.paragraphs for span in paragraph.prose])

    def inside(self, span: Span) -> tuple[Paragraph, ...]:
        """The paragraphs that begin inside `span`."""
        first = bisect_left(self.paragraphs, span.start, key=_start)
        return self.paragraphs[first : bisect_left(self.paragraphs, span.end, first, key=_start)]


@dataclass(frozen=True, slots=True)
class Outline:
    """What `Document` says, in plain numbers: for whole books at a time."""

    frontmatter: FrontMatter
    headings: tuple[Heading, ...]
    parts: list[Part]
    scene_breaks: list[Span]
    wikilinks: list[WikiLink]
    comments: list[Span]

    def document(self) -> Document:
        paragraphs = [
            Paragraph(span := Span(start, end), kind, level, _spans(prose, span))
            for start, end, kind, level, prose in self.parts
        ]
        return Document(
            self.frontmatter,
            self.headings,
            tuple(paragraphs),
            tuple(self.scene_breaks),
            tuple(self.wikilinks),
            tuple(self.comments),
        )


def scan(text: str) -> Document:
    """The parts of a document. Linear in the text; never raises for anything in it."""
    return outline(text).document()


def outline(text: str, found: FrontMatter | None = None) -> Outline:
    """The same in numbers. `found` is what `frontmatter.read` says of the text."""
    found = frontmatter.read(text) if found is None else found
    return _scan(text, found, Span(found.body_start, len(text)))


def near(text: str, offset: int, *, plain: bool = False) -> Document:
    """The parts of the paragraph at `offset` and maybe of its neighbours, as `scan` finds them.

    The cost is that of the paragraph, but for texts with fences, comments or link definitions before it, and
    for the look for these, which a `plain` text is known to have none of.
    """
    return between(text, Span(offset, offset), plain=plain)


def between(text: str, where: Span, *, plain: bool = False) -> Document:
    """The same for all paragraphs that `where` touches."""
    found = frontmatter.read(text)
    parts = alone(text, where, found, plain=plain)
    return part(text, parts or Span(found.body_start, len(text)), found)


def alone(text: str, where: Span, found: FrontMatter, *, plain: bool = False) -> Span | None:
    """A stretch round `where` that can be read by itself; None where all has to be read. `found` is what
    `frontmatter.read` says of the text.

    Of a paragraph without end it is what stands near.
    """
    floor = found.body_start
    if where.start < floor or not (found or not text.startswith("---", floor)):
        return None
    first = borders.alone(text, where.start, floor, plain=plain)
    last = borders.alone(text, where.end, floor, plain=plain) if where.end > where.start else first
    if first is None or last is None:
        return None
    return borders.cut(text, Span(first.start, max(first.end, last.end)), where)


def part(text: str, where: Span, found: FrontMatter) -> Document:
    """The parts of a stretch that `alone` gives, or of the whole body."""
    return _scan(text, found, where).document()


def _scan(text: str, found: FrontMatter, where: Span) -> Outline:
    broken = not found and where.start == found.body_start and text.startswith("---", where.start)
    return _Assembly(text, found, where, blocks.read(text, where.start, where.end, broken)).outline()


class _Assembly:
    def __init__(self, text: str, found: FrontMatter, where: Span, read: blocks.Blocks) -> None:
        self.text = text
        self.found = found
        self.read = read
        self.places = triggers(text, where.start, where.end)
        self.links: list[WikiLink] = []

    def outline(self) -> Outline:
        headings: list[Heading] = []
        parts: list[Part] = []
        places = [*self.places, len(self.text)]
        commented = bool(self.read.comments)
        at = 0
        place = places[0]
        for start, end, kind, level in self.read.blocks:
            while place < start:
                at += 1
                place = places[at]
            if kind == "text" and place >= end and not (commented and self._comments(start, end)):
                parts.append((start, end, kind, 0, ((start, end),)))
            elif kind == "heading":
                title = self._title(start, end)
                prose = self._prose(title.start, title.end, [])
                parts.append((start, end, kind, level, prose))
                shown = "".join([self.text[a:b] for a, b in prose]).strip()
                if shown:
                    headings.append(Heading(level, shown, Span(start, end), title))
            elif kind in ("code", "comment", "meta"):
                parts.append((start, end, kind, 0, ()))
            else:
                prose = self._prose(start, end, self._block_marks(start, end, kind))
                hidden = not prose and bool(self._comments(start, end))
                parts.append((start, end, "comment" if hidden else kind, 0, prose))
        return Outline(self.found, tuple(headings), parts, self.read.breaks, self.links, self.read.comments)

    def _title(self, start: int, end: int) -> Span:
        """Where the text of a heading stands, without its marks and the white space around it."""
        text = self.text
        if start in self.read.titles:
            end = self.read.titles[start]
        else:
            mark = HEADING_MARK.match(text, start, end)
            start = mark.end() if mark else start
            raw = text[start:end].rstrip()
            bare = raw.rstrip("#")
            end = start + len(bare if not bare or bare[-1] in " \t\u3000" else raw)
        raw = text[start:end]
        return Span(
            start + len(raw) - len(raw.lstrip()), start + max(len(raw.rstrip()), len(raw) - len(raw.lstrip()))
        )

    def _block_marks(self, start: int, end: int, kind: Kind) -> list[Hole]:
        text = self.text
        if kind == "quote":
            return [m.span(1) for m in _QUOTE_MARKS.finditer(text, start, end) if m.end(1) > m.start(1)]
        if kind == "list":
            item = ITEM.match(text, start, end)
            after = item.end() if item else start
            task = _TASK.match(text, after, end)
            return [(start, task.end() if task else after)]
        if kind == "table":
            if _TABLE_RULE.fullmatch(text, start, end):
                return [(start, end)]
            return [m.span() for m in _BAR.finditer(text, start, end)]
        return []

    def _prose(self, start: int, end: int, holes: list[Hole]) -> tuple[tuple[int, int], ...]:
        comments = self._comments(start, end)
        first = bisect_left(self.places, start)
        places = self.places[first : bisect_left(self.places, end, first)]
        if comments or places:
            holes = sorted(
                holes + marks(self.text, start, end, places, self.read.labels, comments, self.links)
            )
        if not holes:
            return ((start, end),) if start < end else ()
        out = []
        at = start
        for hole_start, hole_end in holes:
            if hole_start > at:
                out.append((at, hole_start))
            at = max(at, hole_end)
        if at < end:
            out.append((at, end))
        return tuple(out) if any(not self.text[a:b].isspace() for a, b in out) else ()

    def _comments(self, start: int, end: int) -> list[Span]:
        """The comments that overlap `start`…`end`."""
        comments = self.read.comments
        if not comments:
            return []
        first = bisect_left(comments, start + 1, key=_end)
        out = []
        for comment in comments[first:]:
            if comment.start >= end:
                break
            out.append(comment)
        return out


def _spans(prose: tuple[tuple[int, int], ...], span: Span) -> tuple[Span, ...]:
    if len(prose) == 1 and prose[0] == (span.start, span.end):
        return (span,)
    return tuple([Span(start, end) for start, end in prose])


def _start(paragraph: Paragraph) -> int:
    return paragraph.span.start


def _end(span: Span) -> int:
    return span.end

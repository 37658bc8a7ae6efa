"""The structure of a chapter: its sections and its scenes, and the marks by which a whole book is gone through."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from itertools import chain
from operator import itemgetter
from typing import NamedTuple

from inkwright.domain.manuscript import Heading
from inkwright.domain.text import Span
from inkwright.manuscript.blocks import Kind
from inkwright.manuscript.markdown import Document, Outline

SCENE = 7
"""The level of a scene: below every heading."""
FIRST_WORDS = 30

Mark = tuple[int, int, str]
"""Zero-based line, level (1 to 6 for a heading, SCENE for a scene), title or first words."""

Contents = tuple[str, tuple[Mark, ...]]
"""The title that a heading gives a chapter, '' for none; and the other headings and the scenes, by line."""


class Shape(NamedTuple):
    """What a stretch of a chapter is made of: how many line ends it has, its headings, and how each of the pieces
    between its scene breaks opens, None for a piece without prose; lines count from its start.

    `first` is the kind of its first paragraph with prose.
    """

    lines: int
    headings: tuple[Mark, ...]
    openings: tuple[Mark | None, ...]
    first: Kind | None


class Scene(NamedTuple):
    """A scene that a break bounds. `first` is its first paragraph; both without the blank lines around."""

    span: Span
    first: Span


def sections(headings: Sequence[Heading], length: int) -> list[Span]:
    """For each heading what stands under it: up to the next one of its level or above."""
    ends = [length] * len(headings)
    open_: list[int] = []
    for number, heading in enumerate(headings):
        while open_ and headings[open_[-1]].level >= heading.level:
            ends[open_.pop()] = heading.span.start
        open_.append(number)
    return [Span(heading.span.start, end) for heading, end in zip(headings, ends, strict=True)]


def scenes(parsed: Document, length: int) -> list[Scene]:
    """The scenes of a chapter that has a break; of one that has none, none.

    A scene ends at the next heading too: it hangs below the heading that it begins under.
    """
    if not parsed.scene_breaks:
        return []
    paragraphs = [p.span for p in parsed.paragraphs if p.prose and p.kind != "heading"]
    starts = [paragraph.start for paragraph in paragraphs]
    titles = [heading.span.start for heading in parsed.headings]
    out: list[Scene] = []
    for start, end in _between(parsed.frontmatter.body_start, parsed.scene_breaks, length):
        at = bisect_left(starts, start)
        if at == len(starts) or starts[at] >= end:
            continue
        first = paragraphs[at]
        following = bisect_right(titles, first.start)
        border = min(end, titles[following]) if following < len(titles) else end
        last = paragraphs[bisect_left(starts, border) - 1]
        out.append(Scene(Span(first.start, max(first.end, last.end)), first))
    return out


def shape(text: str, outline: Outline) -> Shape:
    """The shape of a text."""
    headings = [(h.span.start, h.level, h.title) for h in outline.headings]
    openings = list(_openings(text, outline))
    lines = _lines(text, [start for start, _, _ in headings], [o[0] for o in openings if o is not None])
    first = next((kind for _, _, kind, _, prose in outline.parts if prose), None)
    return Shape(
        text.count("\n") + _lone(text, 0, len(text)),
        tuple([(lines[start], level, title) for start, level, title in headings]),
        tuple([None if o is None else (lines[o[0]], SCENE, o[1]) for o in openings]),
        first,
    )


def contents(shapes: Sequence[Shape]) -> Contents:
    """What a chapter holds; `shapes` are those of its stretches."""
    title = _title(shapes)
    scenic = any(len(shape.openings) > 1 for shape in shapes)
    out: list[Mark] = []
    line, untitled, opening = 0, True, scenic
    for shape in shapes:
        if not shape.headings and not opening and len(shape.openings) < 2:
            line += shape.lines
            continue
        found: list[Mark] = []
        for mark in shape.headings:
            if untitled and mark[2] == title:
                untitled = False
            else:
                found.append(mark)
        if scenic and (opening or len(shape.openings) > 1):
            for number, first in enumerate(shape.openings):
                opening |= number > 0
                if opening and first is not None:
                    found.append(first)
                    opening = False
            found.sort(key=itemgetter(0))
        for at, level, words in found:
            out.append((at + line, level, words))
        line += shape.lines
    return title, tuple(out)


def _title(shapes: Sequence[Shape]) -> str:
    """The first heading of level one, else one that stands before all prose."""
    for shape in shapes:
        for _, level, title in shape.headings:
            if level == 1:
                return title
    first = next((shape.first for shape in shapes if shape.first is not None), None)
    return next((h[2] for shape in shapes for h in shape.headings), "") if first == "heading" else ""


def _openings(text: str, outline: Outline) -> Iterable[tuple[int, str] | None]:
    """Where the paragraphs between the breaks begin, and the first words; at the cost of the scenes alone."""
    parts = outline.parts
    for start, end in _between(outline.frontmatter.body_start, outline.scene_breaks, len(text)):
        for at in range(bisect_left(parts, start, key=itemgetter(0)), len(parts)):
            first, last, kind, _, prose = parts[at]
            if first >= end:
                yield None
                break
            if prose and kind != "heading":
                words = text[first : min(last, first + FIRST_WORDS)]
                yield first, " ".join(words.split())
                break
        else:
            yield None


def _between(body: int, breaks: Sequence[Span], length: int) -> Iterable[tuple[int, int]]:
    return zip([body, *(b.end for b in breaks)], [*(b.start for b in breaks), length], strict=True)


def _lines(text: str, *places: Iterable[int]) -> dict[int, int]:
    """The zero-based lines of places."""
    out: dict[int, int] = {}
    line = at = 0
    returns = "\r" in text
    for offset in sorted(chain(*places)):
        line += text.count("\n", at, offset)
        if returns:
            line += _lone(text, at, offset)
        at = offset
        out[offset] = line
    return out


def _lone(text: str, start: int, end: int) -> int:
    """The line ends that are a CR alone."""
    returns = text.count("\r", start, end)
    return returns - text.count("\r\n", start, end) if returns else 0

"""The structure of a chapter: its sections and its scenes, and the marks by which a whole book is gone through."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from operator import itemgetter
from typing import NamedTuple

from inkwright.domain.manuscript import Heading
from inkwright.domain.text import Span
from inkwright.manuscript.markdown import Document, Outline

SCENE = 7
"""The level of a scene: below every heading."""
FIRST_WORDS = 30

Mark = tuple[int, int, str]
"""Zero-based line, level (1 to 6 for a heading, SCENE for a scene), title or first words."""


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


def marks(text: str, outline: Outline, title: str) -> tuple[Mark, ...]:
    """The headings but for the one that gives the chapter its `title`, and the scenes, by line."""
    found = [(h.span.start, h.level, h.title) for h in outline.headings]
    for number, (_, _, words) in enumerate(found):
        if words == title:
            del found[number]
            break
    if outline.scene_breaks:
        found += _openings(text, outline)
        found.sort()
    return tuple(_by_line(text, found))


def _openings(text: str, outline: Outline) -> Iterable[tuple[int, int, str]]:
    """Where each scene begins, and its first words; at the cost of the scenes, not of the paragraphs."""
    parts = outline.parts
    for start, end in _between(outline.frontmatter.body_start, outline.scene_breaks, len(text)):
        for at in range(bisect_left(parts, start, key=itemgetter(0)), len(parts)):
            first, last, kind, _, prose = parts[at]
            if first >= end:
                break
            if prose and kind != "heading":
                words = text[first : min(last, first + FIRST_WORDS)]
                yield first, SCENE, " ".join(words.split())
                break


def _between(body: int, breaks: Sequence[Span], length: int) -> Iterable[tuple[int, int]]:
    return zip([body, *(b.end for b in breaks)], [*(b.start for b in breaks), length], strict=True)


def _by_line(text: str, found: Iterable[tuple[int, int, str]]) -> Iterable[Mark]:
    line = at = 0
    for offset, level, title in found:
        line += text.count("\n", at, offset)
        if "\r" in text:
            line += text.count("\r", at, offset) - text.count("\r\n", at, offset)
        at = offset
        yield line, level, title

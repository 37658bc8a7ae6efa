"""What of a text can be folded away: front matter, sections, scenes, quotations, runs of dialogue, comments, code."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from inkwright.domain.text import Span
from inkwright.manuscript import structure
from inkwright.manuscript.markdown import Document, Paragraph

Kind = Literal["", "comment", "region"]
TALK = 3
"""Paragraphs of speech in a row that are worth a fold."""

_SPEECH = re.compile('[ \\t\\u3000]*(?:[“「『"«]|[—–-]{1,2}[ ]?(?=[^\\W\\d_]))')
_BLANK = " \t\u3000\r\n"


class Fold(NamedTuple):
    """From the line of the first character to the line of the last one."""

    span: Span
    kind: Kind = ""


def folds(text: str, parsed: Document) -> list[Fold]:
    """By place; the wider one first where two begin together. Some may lie in a single line."""
    out = [Fold(span) for span in structure.sections(parsed.headings, len(text))]
    out += (Fold(scene.span) for scene in structure.scenes(parsed, len(text)))
    if parsed.frontmatter:
        out.append(Fold(parsed.frontmatter.span, "region"))
    out += (Fold(comment, "comment") for comment in parsed.comments)
    out += _blocks(parsed)
    out += _talks(text, parsed)
    trimmed = [fold._replace(span=_trimmed(text, fold.span)) for fold in out]
    return sorted(trimmed, key=lambda fold: (fold.span.start, -fold.span.end))


def _blocks(parsed: Document) -> Iterator[Fold]:
    """Quotations and code; neighbours of one kind are one."""
    run: list[Paragraph] = []
    for paragraph in (*parsed.paragraphs, None):
        if run and (paragraph is None or paragraph.kind != run[0].kind):
            yield Fold(Span(run[0].span.start, run[-1].span.end))
            run = []
        if paragraph is not None and paragraph.kind in ("quote", "code"):
            run.append(paragraph)


def _talks(text: str, parsed: Document) -> Iterator[Fold]:
    """Paragraphs in a row that begin with speech."""
    breaks = [b.start for b in parsed.scene_breaks]
    run: list[Paragraph] = []
    for paragraph in (*parsed.paragraphs, None):
        speech = (
            paragraph is not None
            and paragraph.kind == "text"
            and _SPEECH.match(text, paragraph.span.start) is not None
        )
        broken = (
            run
            and paragraph is not None
            and any(run[-1].span.end <= b < paragraph.span.start for b in breaks)
        )
        if run and (not speech or broken):
            if len(run) >= TALK:
                yield Fold(Span(run[0].span.start, run[-1].span.end))
            run = []
        if speech and paragraph is not None:
            run.append(paragraph)


def _trimmed(text: str, span: Span) -> Span:
    """Without the blank lines at its end."""
    end = span.end
    while end > span.start and text[end - 1] in _BLANK:
        end -= 1
    return Span(span.start, end)

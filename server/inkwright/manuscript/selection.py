"""What a selection grows to: clause, sentence, dialogue, paragraph, scene, section, chapter. Pure."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from itertools import pairwise

from inkwright.domain.text import Span
from inkwright.manuscript import sentences, structure
from inkwright.manuscript.markdown import Document, Paragraph

_CLAUSE_END = re.compile(r"[，、；：—…]+|[,;:](?=\s|\Z)|\s[–—-]{1,2}\s")
_PAIRS = {"“": "”", "‘": "’", "「": "」", "『": "』", "«": "»"}
_QUOTES = re.compile('[“”‘’「」『』«»"]')
REACH = 20_000
"""Characters on either side of a place in which its sentence begins and ends."""
DEEPEST = 50
"""Quotations within each other that are followed."""
_BLANK = " \t\u3000\r\n"


def ladder(text: str, parsed: Document, offset: int) -> list[Span]:
    """The stretches round a place, each wider than the one before; the last is the whole text."""
    out: list[Span] = []
    for span in _steps(text, parsed, offset):
        here = span.start <= offset <= span.end and span.start < span.end
        if here and (not out or (_holds(span, out[-1]) and span != out[-1])):
            out.append(span)
    return out or [Span(offset, offset)]


def _holds(wide: Span, narrow: Span) -> bool:
    return wide.start <= narrow.start and narrow.end <= wide.end


def _steps(text: str, parsed: Document, offset: int) -> Iterator[Span]:
    front = parsed.frontmatter
    if offset < front.body_start and front:
        yield _line(text, offset)
        yield front.span
    elif (paragraph := _paragraph(parsed, offset)) is not None:
        if paragraph.prose:
            yield from _in_prose(text, paragraph.span, offset)
        yield paragraph.span
    if offset >= front.body_start:
        for scene in structure.scenes(parsed, len(text)):
            yield scene.span
        for section in reversed(structure.sections(parsed.headings, len(text))):
            yield _trimmed(text, section)
        yield _trimmed(text, Span(front.body_start, len(text)))
    yield Span(0, len(text))


def _paragraph(parsed: Document, offset: int) -> Paragraph | None:
    at = bisect_right(parsed.paragraphs, offset, key=lambda p: p.span.start) - 1
    found: Paragraph | None = parsed.paragraphs[at] if at >= 0 else None
    return found if found is not None and offset <= found.span.end else None


def _in_prose(text: str, paragraph: Span, offset: int) -> Iterator[Span]:
    """Clause and sentence where the place stands; then each quotation round it, and the sentence that quotes it."""
    around = [*_quotations(text, paragraph, offset), paragraph]
    inner = Span(around[0].start + 1, around[0].end - 1) if len(around) > 1 else paragraph
    sentence = _sentence(text, inner, Span(offset, offset))
    yield _clause(text, sentence, offset)
    yield sentence
    for quotation, wider in pairwise(around):
        yield Span(quotation.start + 1, quotation.end - 1)
        yield quotation
        outer = wider if wider == paragraph else Span(wider.start + 1, wider.end - 1)
        yield _sentence(text, outer, quotation)


def _quotations(text: str, paragraph: Span, offset: int) -> list[Span]:
    """The quotations round a place, the innermost first, marks included."""
    open_: list[tuple[str, int]] = []
    out: list[Span] = []
    for match in _QUOTES.finditer(text, paragraph.start, paragraph.end):
        mark, at = match[0], match.start()
        if mark in _PAIRS or (mark == '"' and not any(m == '"' for m, _ in open_)):
            open_.append((mark, at))
            del open_[:-DEEPEST]
            continue
        if (
            mark == "’"
            and text[at + 1 : at + 2].isalpha()
            and text[at - 1 : at].isalpha()
            and text[at - 1].isascii()
        ):
            continue  # an apostrophe
        opener = next(
            (n for n in range(len(open_) - 1, -1, -1) if _PAIRS.get(open_[n][0], '"') == mark), None
        )
        if opener is None:
            continue
        start = open_[opener][1]
        del open_[opener:]
        if start < offset <= at or (start == offset or offset == at + 1):
            out.append(Span(start, at + 1))
    inside = [span for span in out if span.start < offset < span.end]
    return sorted(inside, key=len)


def _sentence(text: str, inside: Span, what: Span) -> Span:
    """The sentences of a stretch that `what` touches, as one, without the blanks around."""
    if len(inside) > 2 * REACH + 2:
        first = _sentence(text, _near(inside, what.start), Span(what.start, what.start))
        last = _sentence(text, _near(inside, what.end), Span(max(what.start, what.end - 1), what.end))
        return Span(min(first.start, last.start), max(first.end, last.end))
    pieces = [span.shift(inside.start) for span in sentences.split(inside.of(text))]
    touched = [
        p for p in pieces if p.start <= what.start < p.end or (what.start < p.end and p.start < what.end)
    ]
    if not touched:
        touched = pieces[-1:] or [inside]
    return _trimmed(text, Span(touched[0].start, touched[-1].end))


def _near(inside: Span, at: int) -> Span:
    return Span(max(inside.start, at - REACH), min(inside.end, at + REACH))


def _clause(text: str, sentence: Span, offset: int) -> Span:
    start = sentence.start
    for match in _CLAUSE_END.finditer(text, sentence.start, sentence.end):
        if match.end() > offset:
            return _trimmed(text, Span(start, match.start() if match.start() >= offset else match.end()))
        start = match.end()
    return _trimmed(text, Span(start, sentence.end))


def _line(text: str, offset: int) -> Span:
    start = max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1
    ends = [end for mark in "\r\n" if (end := text.find(mark, offset)) >= 0]
    return Span(start, min(ends, default=len(text)))


def _trimmed(text: str, span: Span) -> Span:
    piece = span.of(text)
    start = span.start + len(piece) - len(piece.lstrip(_BLANK))
    return Span(min(start, span.end), max(start, span.start + len(piece.rstrip(_BLANK))))

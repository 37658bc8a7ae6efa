"""The sentences of a passage with their places, so that a quotation is the text itself."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass

from inkwright.domain.text import SURROGATE, Span
from inkwright.manuscript.counting import visible
from inkwright.manuscript.markdown import Document, Paragraph
from inkwright.manuscript.sentences import split

_SPACE = re.compile(r"\s+")
_QUOTE = re.compile(r"[“”「」『』\"]")
_ODD = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
# A full stop inside a sentence ends an abbreviation.
_CLAUSE = re.compile(r"[^，,；;：:。．！!？?]*[，,；;：:。．！!？?]+[”’」』\"']*|[^，,；;：:。．！!？?]+")


@dataclass(frozen=True, slots=True)
class Sentence:
    """`text` as a reader sees it on one line. `raw` is its text in the chapter to the letter, '' where
    marks stand between. `paragraph` and `place` count from 0; `last` is the last of its paragraph.
    `spoken`: it begins inside somebody's speech."""

    text: str
    raw: str
    span: Span
    paragraph: int
    place: int
    last: bool
    spoken: bool


@dataclass(frozen=True, slots=True)
class Block:
    """One paragraph of the passage: what a reader sees of it, and where it stands."""

    text: str
    kind: str
    span: Span


@dataclass(frozen=True, slots=True)
class Prose:
    blocks: tuple[Block, ...]
    sentences: tuple[Sentence, ...]

    @property
    def text(self) -> str:
        """The paragraphs, one a line."""
        return "\n".join(block.text for block in self.blocks)


def read(text: str, document: Document, span: Span) -> Prose:
    """The prose of `span`, headings and tables left out. Linear in the passage."""
    blocks: list[Block] = []
    sentences: list[Sentence] = []
    for paragraph in document.paragraphs:
        if not paragraph.prose or paragraph.kind in ("heading", "table"):
            continue
        if not paragraph.span.touches(span) or (part := clip(paragraph, span)) is None:
            continue
        prose = visible(text, part)
        if not prose.strip():
            continue
        starts, sources = _places(text, part, prose)
        pieces = [piece for piece in split(prose) if piece.of(prose).strip()]
        inside = False
        for place, piece in enumerate(pieces):
            spoken, inside = inside, _speech(piece.of(prose), inside)
            shown = piece.of(prose)
            low = piece.start + len(shown) - len(shown.lstrip())
            high = low + len(shown.strip())
            start, end = _source(starts, sources, low), _source(starts, sources, high - 1) + 1
            flat = _SPACE.sub(" ", shown).strip()
            raw = text[start:end]
            if _SPACE.sub(" ", raw) != flat or _ODD.search(raw) or SURROGATE.search(raw):
                raw = ""
            sentences.append(
                Sentence(flat, raw, Span(start, end), len(blocks), place, place == len(pieces) - 1, spoken)
            )
        blocks.append(Block(_SPACE.sub(" ", prose).strip(), part.kind, part.span))
    return Prose(tuple(blocks), tuple(sentences))


def _speech(text: str, inside: bool) -> bool:
    """Whether speech is open at the end of a sentence."""
    for mark in _QUOTE.findall(text):
        inside = not inside if mark == '"' else mark in "“「『"
    return inside


def clip(paragraph: Paragraph, span: Span) -> Paragraph | None:
    """The part of a paragraph inside `span`."""
    if span.start <= paragraph.span.start and paragraph.span.end <= span.end:
        return paragraph
    cut = (Span(max(p.start, span.start), min(p.end, span.end)) for p in paragraph.prose)
    prose = tuple(p for p in cut if p.start < p.end)
    whole = Span(max(paragraph.span.start, span.start), min(paragraph.span.end, span.end))
    return Paragraph(whole, paragraph.kind, paragraph.level, prose) if prose else None


def _places(text: str, paragraph: Paragraph, prose: str) -> tuple[list[int], list[int]]:
    """Where each piece of the paragraph begins in `prose` and in the text."""
    starts: list[int] = []
    at = 0
    for piece in paragraph.prose:
        found = prose.find(piece.of(text), at)
        starts.append(max(at, found))
        at = starts[-1] + len(piece)
    return starts, [piece.start for piece in paragraph.prose]


def _source(starts: list[int], sources: list[int], place: int) -> int:
    piece = max(0, bisect_right(starts, place) - 1)
    return sources[piece] + place - starts[piece]


def excerpt(raw: str, most: int, around: str = "") -> str:
    """A stretch of whole clauses of `raw`, at most `most` characters where its clauses allow: the one
    that holds `around`, or the first. It is a part of `raw` to the letter."""
    if len(raw) <= most:
        return raw
    clauses = [match.span() for match in _CLAUSE.finditer(raw)] or [(0, len(raw))]
    at = raw.find(around) if around else 0
    first = max(0, bisect_right([start for start, _ in clauses], max(0, at)) - 1)
    low = high = first
    while True:
        if high + 1 < len(clauses) and clauses[high + 1][1] - clauses[low][0] <= most:
            high += 1
        elif low > 0 and clauses[high][1] - clauses[low - 1][0] <= most:
            low -= 1
        else:
            break
    part = raw[clauses[low][0] : clauses[high][1]].strip()
    return part if len(part) <= most * 2 else part[:most].rstrip()

"""Notes as lines: each with its text in the chapter to the letter, formulas whole."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from inkwright.domain.text import EOL, SURROGATE, Span
from inkwright.manuscript.markdown import Document, Paragraph
from inkwright.manuscript.sentences import split
from inkwright.offline.notes.forms import begins, display
from inkwright.offline.notes.signs import sign

_COMMENT = re.compile(r"<!--[\s\S]*?(?:-->|\Z)|%%[\s\S]*?(?:%%|\Z)")
_MARK = re.compile(
    r"[ \t\u3000]*(?:[-*+•·][ \t]+|>[ \t]?|(?:\d{1,2}[.)、]|[（(]\d{1,2}[）)]|[①-⑳])[ \t]*(?!\d))*"
)
_BOLD = re.compile(r"(\*\*|__)(?=\S)(.+?)(?<=\S)\1")
_MARKED = re.compile(
    r"(?:an?\s+|the\s+)?(?P<mark>\*\*|__)(?=\S)(?P<term>[^*_\n]{1,48}?)(?<=\S)(?P=mark)"
    r"(?:(?<=[：:]..)|\s*[：:]|\s*(?:[-–—]+\s|是|指|即|就是|(?:is|are|means|denotes)\b))",
    re.IGNORECASE,
)
"""A term in bold, and the sign that it is going to be defined."""
_ODD = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
_SPACE = re.compile(r"[ \t\u3000]+")
WRAPPED = 56
"""A row that an editor broke is longer than this."""
LONGEST = 600
"""A longer line is no note of anything: its beginning is."""


@dataclass(frozen=True, slots=True)
class Line:
    """`text` without list marks, comments and emphasis; `raw` its text to the letter, '' where a comment
    stands inside. `level` is a heading's, else 0; `block` counts paragraphs; `code` for code; `head` for
    the first of its row; `marked` is the term in bold that the line begins with and goes on to define."""

    text: str
    raw: str
    block: int
    level: int = 0
    code: bool = False
    head: bool = True
    marked: str = ""


def lines(text: str, document: Document, span: Span) -> list[Line]:
    """The lines of a passage, each one sentence at most, but for formulas. Linear in the passage."""
    out: list[Line] = []
    for block, paragraph in enumerate(document.paragraphs):
        if paragraph.kind in ("comment", "meta") or not paragraph.span.touches(span):
            continue
        low, high = max(paragraph.span.start, span.start), min(paragraph.span.end, span.end)
        if low >= high:
            continue
        if paragraph.kind == "code":
            out.append(Line(text[low:high].strip(), text[low:high].strip(), block, code=True))
        elif paragraph.kind == "heading":
            out += _heading(text, paragraph, block)
        elif paragraph.kind != "table":
            out += _sentences(text[low:high], block)
    return [line for line in out if line.text]


def _heading(text: str, paragraph: Paragraph, block: int) -> Iterator[Line]:
    title = "".join(piece.of(text) for piece in paragraph.prose).strip()
    if title:
        yield Line(_clean(title), "", block, paragraph.level or 1)


def _sentences(text: str, block: int) -> Iterator[Line]:
    # A formula is one letter as far as sentences are concerned.
    masked = sign("math").sub(lambda m: "x" * len(m[0]), text)
    masked = _COMMENT.sub(lambda m: "x" * len(m[0]), masked)
    for start, end in _rows(text, masked):
        mark = _MARK.match(text, start, end)
        start = mark.end() if mark else start
        for piece in split(masked[start:end]):
            raw = text[start + piece.start : start + piece.end].strip()
            shown = _clean(_COMMENT.sub(" ", raw))
            odd = _COMMENT.search(raw) or _ODD.search(raw) or SURROGATE.search(raw)
            if shown:
                marked = _MARKED.match(raw) if piece.start == 0 else None
                yield Line(
                    shown[:LONGEST],
                    "" if odd else raw,
                    block,
                    head=piece.start == 0,
                    marked=_clean(marked["term"]).strip(" :：") if marked else "",
                )


def _rows(text: str, masked: str) -> Iterator[tuple[int, int]]:
    """The rows of a paragraph; one that an editor broke goes on, unless the next begins something."""
    start = last = 0
    for match in EOL.finditer(masked):
        before = masked[last : match.start()]
        broken = len(before) > WRAPPED and before.rstrip()[-1:] not in ".:;?!。：；？！"
        broken = broken and not display(text[last : match.start()].strip())
        last = match.end()
        if broken and masked[last : last + 1].islower() and not begins(_row(text, last), before):
            continue
        yield start, match.start()
        start = last
    yield start, len(text)


def _row(text: str, start: int) -> str:
    """The row that begins there, as far as its beginning tells what it is."""
    end = EOL.search(text, start)
    return text[start : min(end.start() if end else len(text), start + LONGEST)].strip()


def _clean(text: str) -> str:
    out = _BOLD.sub(r"\2", EOL.sub(" ", text)).replace("`", "")
    return _SPACE.sub(" ", out).strip()

"""The four named counting rules, the only place where words are counted."""

from __future__ import annotations

import re
from collections.abc import Iterable

from inkwright.domain.manuscript import Counts, Scene
from inkwright.domain.text import Span
from inkwright.manuscript.markdown import Document, Paragraph, scan
from inkwright.manuscript.script import CJK, CJK_PUNCTUATION, COMBINING, HAN, TYPOGRAPHIC

_CJK = re.compile(f"[{CJK}]+")
_NOT_HAN = re.compile(f"[^{HAN}]+")
_HAN = re.compile(f"[{HAN}]")
# A word keeps an apostrophe, a single hyphen and the points of a number inside it; a dash splits.
_WORD = re.compile(
    rf"[^\W_]+(?:[{COMBINING}]+[^\W_]*|['’ʼ\u00ad\u2010\u2011-][^\W_]+|(?<=\d)[.,:/．][0-9０-９]+)*"
)
_APOSTROPHE = re.compile(r"(?<=[^\W_])’(?=[^\W_])")
_MARK = re.compile(f"[{CJK_PUNCTUATION}{TYPOGRAPHIC}]+")
# Between two pieces of prose these alone are no border of a word: un**believ**able.
_JOINS = "*_~=\\"


def measure(prose: str) -> Counts:
    """The counts of text that is prose already: no Markdown is looked for."""
    nonspace = len("".join(prose.split()))
    if prose.isascii():
        words = len(_WORD.findall(prose))
        return Counts(mixed=words, word=words, nonspace=nonspace)
    rest, runs = _CJK.subn(" ", prose)
    cjk = len(prose) - len(rest) + runs
    han = cjk
    if cjk and len(_NOT_HAN.sub("", prose)) != cjk:
        han = len(_HAN.findall(prose))
    mixed = cjk + len(_WORD.findall(rest))
    marks = _APOSTROPHE.sub("'", rest) if "’" in rest else rest
    bare, removed = _MARK.subn("", marks)
    return Counts(mixed, han, mixed + (len(marks) - len(bare) if removed else 0), nonspace)


def visible(text: str, paragraph: Paragraph) -> str:
    """The prose of one paragraph as a reader sees it: pieces joined, what stood between them gone."""
    spans = paragraph.prose
    if len(spans) == 1:
        return spans[0].of(text)
    out: list[str] = []
    at = -1
    for span in spans:
        if at >= 0 and text[at : span.start].strip(_JOINS):
            out.append(" ")
        out.append(span.of(text))
        at = span.end
    return "".join(out)


def count(text: str, document: Document | None = None, span: Span | None = None) -> Counts:
    """The counts of the prose of a chapter, or of the paragraphs that begin inside `span`."""
    document = document or scan(text)
    return _sum(text, document.paragraphs if span is None else document.inside(span))


def scenes(text: str, document: Document | None = None) -> tuple[Scene, ...]:
    """The parts between scene breaks, in order; a chapter without a break is one scene."""
    document = document or scan(text)
    starts = [document.frontmatter.body_start, *(b.end for b in document.scene_breaks)]
    ends = [*(b.start for b in document.scene_breaks), len(text)]
    parts = (Span(a, b) for a, b in zip(starts, ends, strict=True))
    found = ((part, document.inside(part)) for part in parts)
    kept = [(part, inside) for part, inside in found if inside]
    return tuple(Scene(i, part, _sum(text, inside)) for i, (part, inside) in enumerate(kept))


def _sum(text: str, paragraphs: Iterable[Paragraph]) -> Counts:
    return measure("\n".join([visible(text, p) for p in paragraphs if p.prose]))

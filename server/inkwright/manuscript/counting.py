"""The four named counting rules, the only place where words are counted."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import cache

from inkwright.domain.manuscript import Counts, Scene
from inkwright.domain.text import Span
from inkwright.manuscript.markdown import Document, Paragraph, scan
from inkwright.manuscript.script import CJK, CJK_PUNCTUATION, COMBINING, HAN, TYPOGRAPHIC

# The block that nearly all Han text stands in; the rest is rare enough to be looked at by character.
_HAN_RUN = re.compile("[\u4e00-\u9fff]+")
_MARK = re.compile(f"[{CJK_PUNCTUATION}{TYPOGRAPHIC}]")
# An apostrophe or a single hyphen inside a word does not split it, nor a point inside a number; a dash does.
_WORD = re.compile(rf"[^\W_]+(?:(?:[{COMBINING}']|-(?!-))+[^\W_]*)*")
_NUMBER = re.compile(r"[0-9](?:[.,:/]?[0-9])*")
_APOSTROPHE = re.compile(r"’(?<=[^\W_]’)(?=[^\W_])")
_ASCII = {code: None if chr(code) in "'-" else " " for code in range(128) if not chr(code).isalnum()}
_ASCII_SPACE = {code: None for code in range(128) if chr(code).isspace()}
_COMMON_MARKS = "，。“”’‘、：；？！…—《》（）「」『』·–"
_AS_ASCII = {"’": "'", "ʼ": "'", "\u2010": "-", "\u2011": "-", "\u00ad": "", "．": "."}
# Between two pieces of prose these alone are no border of a word: un**believ**able.
_JOINS = "*_~=\\"


def measure(prose: str) -> Counts:
    """The counts of text that is prose already: no Markdown is looked for."""
    if prose.isascii():
        words = _words(prose)
        return Counts(mixed=words, word=words, nonspace=len(prose.translate(_ASCII_SPACE)))
    rest, runs = _HAN_RUN.subn(" ", prose)
    han = cjk = len(prose) - len(rest) + runs
    bare = "".join(rest.split())
    nonspace = cjk + len(bare)
    # Most texts have no other character beyond ASCII than these: counted in C, without a look at each.
    marks = sum(map(bare.count, _COMMON_MARKS))
    if marks == len(bare) - len(bare.encode("ascii", "ignore")):
        if "’" in bare:
            marks -= len(_APOSTROPHE.findall(rest))
            rest = rest.replace("’", "'")
        rest = rest.encode("ascii", "replace").decode("ascii")
    else:
        rest, marks, more, more_han = _others(rest, bare)
        cjk += more
        han += more_han
    mixed = cjk + _words(rest)
    return Counts(mixed, han, mixed + marks, nonspace)


def _others(rest: str, bare: str) -> tuple[str, int, int, int]:
    """Text with only words left in it; punctuation marks, CJK characters and Han that were in it."""
    marks = cjk = han = 0
    for char in set(bare):
        if char < "\x80":
            continue
        if _MARK.match(char):
            marks += bare.count(char)
            if char == "’":
                marks -= len(_APOSTROPHE.findall(rest))
        elif _class(CJK).match(char):
            found = bare.count(char)
            cjk += found
            han += found if _class(HAN).match(char) else 0
        elif (char.isalnum() and char not in _AS_ASCII) or unicodedata.category(char).startswith("M"):
            continue
        rest = rest.replace(char, _AS_ASCII.get(char, " "))
    return rest, marks, cjk, han


@cache
def _class(chars: str) -> re.Pattern[str]:
    """Compiled when a text first needs it: a class of all CJK takes long."""
    return re.compile(f"[{chars}]")


def _words(text: str) -> int:
    """Latin words and numbers of text without CJK and typographic marks."""
    if not text or text.isspace():
        return 0
    text = _NUMBER.sub("0", text)
    if text.isascii():
        return len(text.replace("--", " ").translate(_ASCII).split())
    return len(_WORD.findall(text))


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

"""The four named counting rules, the only place where words are counted."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import cache

from inkwright.domain.manuscript import Counts, Scene
from inkwright.domain.text import Span
from inkwright.manuscript.markdown import Document, Outline, Paragraph, scan
from inkwright.manuscript.script import CJK, CJK_PUNCTUATION, COMBINING, HAN, TYPOGRAPHIC

# The block that nearly all Han text stands in; the rest is rare enough to be looked at by character.
_HAN_RUN = re.compile("[\u4e00-\u9fff]+")
_HAN_HALVES = bytes(range(0x4E, 0xA0))  # the upper halves of that block in UTF-16
_MARK = re.compile(f"[{CJK_PUNCTUATION}{TYPOGRAPHIC}]")
# An apostrophe or a single hyphen inside a word does not split it, nor a point inside a number; a dash does.
_WORD = re.compile(rf"[^\W_]+(?:(?:[{COMBINING}']|-(?!-))+[^\W_]*)*")
_NUMBER = re.compile(r"[0-9](?:[.,:/]?[0-9])*")
_APOSTROPHE = re.compile(r"’(?<=[^\W_]’)(?=[^\W_])")
_ASCII_APOSTROPHE = re.compile(r"(?<=[0-9A-Za-z])’(?=[0-9A-Za-z])")
_ASCII_POINT = re.compile(rb"[0-9][.,:/][0-9]")
_ASCII_NUMBER = re.compile(rb"[0-9](?:[.,:/]?[0-9])*")
_ASCII_WORDS = bytes(code if chr(code).isalnum() else 32 for code in range(128)).ljust(256)
_ASCII_SPACE = bytes(code for code in range(128) if chr(code).isspace())
# Most texts have no other character beyond ASCII than these: counted in C, without a look at each.
_UNCOMMON = re.compile("[^\x00-\x7f\u3000\u4e00-\u9fff，。“”’‘、：；？！…—《》（）「」『』·–]")
_AS_ASCII = {"’": "'", "ʼ": "'", "\u2010": "-", "\u2011": "-", "\u00ad": "", "．": "."}
# Between two pieces of prose these alone are no border of a word: un**believ**able.
_JOINS = "*_~=\\"


def measure(prose: str) -> Counts:
    """The counts of text that is prose already: no Markdown is looked for."""
    if not _UNCOMMON.search(prose):
        return _common(prose)
    rest, runs = _HAN_RUN.subn(" ", prose)
    han = len(prose) - len(rest) + runs
    bare = "".join(rest.split())
    nonspace = han + len(bare)
    rest, marks, cjk, more_han = _others(rest, bare)
    mixed = han + cjk + _words(rest)
    return Counts(mixed, han + more_han, mixed + marks, nonspace)


def _common(prose: str) -> Counts:
    """The counts of text in which nothing is uncommon."""
    bare = prose.encode("ascii", "ignore")
    nonspace = len(bare.translate(None, _ASCII_SPACE))
    if len(bare) == len(prose):
        words = _ascii_words(bare)
        return Counts(mixed=words, word=words, nonspace=nonspace)
    halves = prose.encode("utf-16-le")[1::2]
    han = len(halves) - len(halves.translate(None, _HAN_HALVES))
    marks = len(prose) - len(bare) - prose.count("\u3000") - han
    nonspace += han + marks
    if "’" in prose:
        marks -= len(_ASCII_APOSTROPHE.findall(prose))
        prose = prose.replace("’", "'")
    mixed = han + _ascii_words(prose.encode("ascii", "replace"))
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
    if text.isascii():
        return _ascii_words(text.encode("ascii"))
    return len(_WORD.findall(_NUMBER.sub("0", text)))


def _ascii_words(text: bytes) -> int:
    if _ASCII_POINT.search(text):
        text = _ASCII_NUMBER.sub(b"0", text)
    return len(text.replace(b"--", b" ").translate(_ASCII_WORDS, b"'-").split())


def visible(text: str, paragraph: Paragraph) -> str:
    """The prose of one paragraph as a reader sees it: pieces joined, what stood between them gone."""
    return shown(text, [(span.start, span.end) for span in paragraph.prose])


def shown(text: str, pieces: Sequence[tuple[int, int]]) -> str:
    """The same of pieces of prose."""
    if len(pieces) == 1:
        return text[slice(*pieces[0])]
    out: list[str] = []
    at = -1
    for start, end in pieces:
        if at >= 0 and text[at:start].strip(_JOINS):
            out.append(" ")
        out.append(text[start:end])
        at = end
    return "".join(out)


def count(text: str, document: Document | None = None, span: Span | None = None) -> Counts:
    """The counts of the prose of a chapter, or of the paragraphs that begin inside `span`."""
    document = document or scan(text)
    return _sum(text, document.paragraphs if span is None else document.inside(span))


def whole(text: str, outline: Outline) -> Counts:
    """The same of a whole chapter."""
    pieces = [prose for *_, prose in outline.parts if prose]
    return measure("\n".join([text[p[0][0] : p[0][1]] if len(p) == 1 else shown(text, p) for p in pieces]))


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

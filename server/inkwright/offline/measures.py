"""Measures of prose: sentences and their lengths, dialogue, words and openings that come back."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import groupby, pairwise
from statistics import fmean, median

from inkwright.domain.text import Lines, Span
from inkwright.manuscript.counting import measure, visible
from inkwright.manuscript.markdown import Document, Paragraph
from inkwright.manuscript.script import CJK, HAN
from inkwright.manuscript.sentences import split

BUCKETS = (5, 10, 15, 20, 30, 50)
"""Upper bounds of the classes of sentence length, in words or characters; a last class lies above."""

_SPEECH = re.compile(r"“[^”]*(?:”|\Z)|「[^」]*(?:」|\Z)|『[^』]*(?:』|\Z)|\"[^\"]*(?:\"|\Z)")
_OPENING = re.compile(rf"[\s“”‘’「」『』\"'（(《—…*_]*([{HAN}]{{1,2}}|[A-Za-z]+(?:['’][A-Za-z]+)?)")
_HAN_RUN = re.compile(f"[{HAN}]{{2,}}")
_LATIN = re.compile(r"[A-Za-z]+(?:['’][A-Za-z]+)*")
_CJK = re.compile(f"[{CJK}]")


@dataclass(frozen=True, slots=True)
class Sentence:
    """`text` as a reader sees it, `size` by the mixed count, `line` of its paragraph (from 1)."""

    text: str
    size: int
    line: int
    paragraph: int


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph: its prose, where it stands, its sizes in characters that are no space."""

    text: str
    span: Span
    line: int
    size: int
    spoken: int


@dataclass(frozen=True, slots=True)
class Run:
    """Sentences in a row that are alike in something; `first` indexes the first of them."""

    first: int
    count: int
    what: str = ""


@dataclass(frozen=True, slots=True)
class Measures:
    blocks: tuple[Block, ...]
    sentences: tuple[Sentence, ...]

    @property
    def words(self) -> int:
        return sum(s.size for s in self.sentences)

    @property
    def mean(self) -> float:
        return fmean(s.size for s in self.sentences) if self.sentences else 0.0

    @property
    def middle(self) -> float:
        return median(s.size for s in self.sentences) if self.sentences else 0.0

    @property
    def short(self) -> float:
        """The share of sentences of at most the second bucket."""
        return sum(s.size <= BUCKETS[1] for s in self.sentences) / max(1, len(self.sentences))

    @property
    def dialogue(self) -> float:
        """The share of characters that stand in quotation marks."""
        return sum(b.spoken for b in self.blocks) / max(1, sum(b.size for b in self.blocks))

    @property
    def buckets(self) -> tuple[int, ...]:
        """How many sentences fall into each class of length."""
        out = [0] * (len(BUCKETS) + 1)
        for sentence in self.sentences:
            out[sum(sentence.size > bound for bound in BUCKETS)] += 1
        return tuple(out)


def take(text: str, document: Document, span: Span) -> Measures:
    """The measures of the prose of a passage; headings are no prose here. Linear in the passage."""
    lines = Lines(text)
    blocks: list[Block] = []
    sentences: list[Sentence] = []
    for paragraph in document.paragraphs:
        if not paragraph.prose or paragraph.kind == "heading" or not paragraph.span.touches(span):
            continue
        prose = visible(text, _clip(paragraph, span))
        if not prose.strip():
            continue
        line = lines.line_of(max(paragraph.span.start, span.start)) + 1
        size = measure(prose).nonspace
        spoken = sum(measure(m[0]).nonspace for m in _SPEECH.finditer(prose))
        for piece in split(prose):
            words = measure(piece.of(prose)).mixed
            if words:
                sentences.append(Sentence(piece.of(prose).strip(), words, line, len(blocks)))
        blocks.append(Block(prose.strip(), paragraph.span, line, size, min(size, spoken)))
    return Measures(tuple(blocks), tuple(sentences))


def _clip(paragraph: Paragraph, span: Span) -> Paragraph:
    if span.start <= paragraph.span.start and paragraph.span.end <= span.end:
        return paragraph
    cut = (Span(max(p.start, span.start), min(p.end, span.end)) for p in paragraph.prose)
    return Paragraph(
        paragraph.span, paragraph.kind, paragraph.level, tuple(p for p in cut if p.start < p.end)
    )


def even(sentences: Sequence[Sentence], least: int = 6, within: float = 0.2) -> tuple[Run, ...]:
    """Stretches of at least `least` sentences, each close in length to the one before."""
    return _runs(
        sentences, least, lambda a, b: a.size >= 4 and abs(a.size - b.size) <= within * max(a.size, b.size)
    )


def same_opening(sentences: Sequence[Sentence], least: int = 3) -> tuple[Run, ...]:
    """Stretches of at least `least` sentences that begin with the same word."""
    found = _runs(sentences, least, lambda a, b: bool(opening(a)) and opening(a) == opening(b))
    return tuple(Run(run.first, run.count, opening(sentences[run.first])) for run in found)


def openings(sentences: Iterable[Sentence]) -> Counter[str]:
    return Counter(word for s in sentences if (word := opening(s)))


def opening(sentence: Sentence) -> str:
    match = _OPENING.match(sentence.text)
    return match[1].lower() if match else ""


def _runs(sentences: Sequence[Sentence], least: int, alike: object) -> tuple[Run, ...]:
    out: list[Run] = []
    first = 0
    for i in range(1, len(sentences) + 1):
        if i < len(sentences) and alike(sentences[i - 1], sentences[i]):  # type: ignore[operator]
            continue
        if i - first >= least:
            out.append(Run(first, i - first))
        first = i
    return tuple(out)


@dataclass(frozen=True, slots=True)
class Repeat:
    """A word and how often it stands in the passage; `closest` sentences apart at the nearest."""

    word: str
    count: int
    sentence: int
    closest: int


def repeats(sentences: Sequence[Sentence], ignore: Iterable[str], most: int = 12) -> tuple[Repeat, ...]:
    """The words that come back most, in Han text the strings of two to four characters; names left out."""
    places: dict[str, list[int]] = {}
    for i, sentence in enumerate(sentences):
        for word in _words(sentence.text):
            places.setdefault(word, []).append(i)
    least = max(3, len(sentences) // 40)
    names = [name.lower() for name in ignore]
    found = {
        word: at
        for word, at in places.items()
        if len(at) >= least and not any(word in name or name in word for name in names)
    }
    kept: list[Repeat] = []
    for word, at in sorted(found.items(), key=lambda item: (-len(item[0]), -len(item[1]))):
        if not any(word in other.word and len(at) <= other.count * 1.3 for other in kept):
            closest = min((b - a for a, b in pairwise(at)), default=0)
            kept.append(Repeat(word, len(at), at[0], closest))
    kept.sort(key=lambda r: (-r.count * len(r.word), r.word))
    return tuple(kept[:most])


def _words(text: str) -> Iterable[str]:
    han, latin = stop_words()
    for run in _HAN_RUN.finditer(text):
        chars = run[0]
        for size in (2, 3, 4):
            for at in range(len(chars) - size + 1):
                word = chars[at : at + size]
                if han.isdisjoint(word):
                    yield word
    for match in _LATIN.finditer(text):
        word = match[0].lower()
        if len(word) > 3 and word not in latin:
            yield word


@cache
def stop_words() -> tuple[frozenset[str], frozenset[str]]:
    """Characters and words too common to be remarked on."""
    lines = (files("inkwright.offline") / "stop_words.txt").read_text("utf-8").splitlines()
    words = [word for line in lines if not line.startswith("#") for word in line.split()]
    return frozenset(w for w in words if _CJK.match(w)), frozenset(w for w in words if w.isascii())


def silences(blocks: Sequence[Block], least: int = 8) -> tuple[Run, ...]:
    """Stretches of at least `least` paragraphs without a spoken word, by index of the first."""
    out = []
    at = 0
    for spoken, group in groupby(blocks, key=lambda block: block.spoken > 0):
        count = len(list(group))
        if not spoken and count >= least:
            out.append(Run(at, count))
        at += count
    return tuple(out)

"""The sentences that say most of what a text is about, found by rule.

A sentence counts by its terms (pairs of characters and words that come back, but not everywhere), by its
place (first and last paragraph, first of its own) and by the names in it; speech counts less than what is
told. What was taken makes its terms count less, so that the next one says something else.
"""

from __future__ import annotations

import heapq
import math
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from inkwright.domain.text import EOL, Span
from inkwright.domain.tokens import estimate
from inkwright.manuscript import sentences
from inkwright.manuscript.bigrams import tokens
from inkwright.manuscript.markdown import Paragraph, scan
from inkwright.manuscript.script import BEYOND_LATIN, CLOSING, SENTENCE_END

_LONGEST = 200
"""Characters up to which sentences of one speech are kept together."""
_SHORT = 10
_TOKENS = 30
"""Lengths (estimates in tokens) below and above which a sentence's length counts against it."""
_KINDS = frozenset(("text", "quote", "list"))
_HIDDEN = re.compile(r"<!--|%%")
_PAIRS = ("“”", "「」", "『』", "（）", "()", "《》", "【】")
_SPEECH = re.compile(r"[“「『\"].*[”」』\"]\Z", re.DOTALL)
_ENDED = re.compile(rf"[{SENTENCE_END}.][{CLOSING}]*\Z")
_WRAP = re.compile(rf"(?<={BEYOND_LATIN})[ \t\u3000]*(?:\r\n|\r|\n)[ \t\u3000]*(?={BEYOND_LATIN})")
_KEPT = 0.25
"""What is left of a term's weight when a sentence with it was taken."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """`span` is its place, without white space at the borders; `text` what a reader sees, on one line."""

    span: Span
    text: str
    factor: float
    terms: tuple[int, ...]


def key_sentences(text: str, names: Collection[str] = (), most: int = 8) -> list[Span]:
    """The places of at most `most` sentences of a Markdown text, in its order; verbatim quotations all.

    `names` are people and things whose mention counts. Nothing of front matter, headings, code, tables or
    comments. Pure; about linear in the text, and takes CPU time.
    """
    taken = [sentence for sentence, _ in zip(ranked(text, names), range(max(0, most)), strict=False)]
    return sorted(sentence.span for sentence in taken)


def ranked(text: str, names: Collection[str] = ()) -> Iterator[Sentence]:
    """All sentences, the one that says most first, then the one that adds most to those before it.

    What stands twice to the letter comes once.
    """
    found, weights = _weighed(text, names)

    def score(sentence: Sentence) -> float:
        worth = sum([weights[term] for term in sentence.terms])
        return (0.1 + worth / math.sqrt(4 + len(sentence.terms))) * sentence.factor

    # Weights only fall: an old score is never too low, so the first that is up to date is the best.
    heap = [(-score(sentence), index) for index, sentence in enumerate(found)]
    said: set[str] = set()
    heapq.heapify(heap)
    while heap:
        old, index = heap[0]
        now = -score(found[index])
        if now > old:
            heapq.heapreplace(heap, (now, index))
            continue
        heapq.heappop(heap)
        if found[index].text in said:
            continue
        said.add(found[index].text)
        for term in found[index].terms:
            weights[term] *= _KEPT
        yield found[index]


def _weighed(text: str, names: Collection[str]) -> tuple[list[Sentence], list[float]]:
    """The sentences in order, and what each of their terms weighs."""
    ids: dict[str, int] = {}
    counts: Counter[int] = Counter()
    empty = _function_words()
    named = _Named(text, names)
    paragraphs = [p for p in scan(text).paragraphs if p.kind in _KINDS and p.prose]
    found: list[Sentence] = []
    for place, paragraph in enumerate(paragraphs):
        edge = 0.6 * (place == 0) + 0.25 * (place == len(paragraphs) - 1)
        for nth, span in enumerate(_units(text, paragraph)):
            said = _seen(text, paragraph, span)
            if not said or _HIDDEN.search(text, span.start, span.end):
                continue
            words = {word for word in tokens(said) if len(word) > 1 and not _empty(word, empty)}
            terms = tuple(sorted({ids.setdefault(word, len(ids)) for word in words}))
            counts.update(terms)
            factor = (1 + edge + 0.1 * (nth == 0)) * (1 + 0.25 * min(3, named.within(span)))
            found.append(Sentence(span, said, factor * _manner(said), terms))
    total = max(2, len(found))
    weights = [
        math.log(1 + count) * math.log(1 + total / count) - 0.5
        for count in map(counts.get, range(len(ids)))
        if count
    ]
    return found, [max(0.0, weight) for weight in weights]


def _manner(said: str) -> float:
    """Less for long ones and fragments, for what no sentence's end ends (titles, verse), for speech, and for questions."""
    size = estimate(said)
    out: float = min(1.0, size / _SHORT, (_TOKENS / (1 + size)) ** 0.7)
    if not _ENDED.search(said):
        out *= 0.4
    if _SPEECH.match(said):
        out *= 0.6
    return out * (0.8 if said.rstrip(CLOSING)[-1:] in "？?" else 1)


def _units(text: str, paragraph: Paragraph) -> Iterable[Span]:
    """The sentences of a paragraph; those of one speech together, as far as that is no long one."""
    start = paragraph.span.start
    group: list[Span] = []
    for piece in sentences.split(paragraph.span.of(text)):
        group.append(_bare(text, piece.shift(start)))
        whole = Span(group[0].start, group[-1].end)
        if balanced(whole.of(text)):
            yield whole
            group = []
        elif len(whole) > _LONGEST:
            yield from group
            group = []
    yield from group


def _bare(text: str, span: Span) -> Span:
    piece = span.of(text)
    start = span.start + len(piece) - len(piece.lstrip())
    return Span(start, start + len(piece.strip()))


def balanced(text: str) -> bool:
    """Whether every quotation and bracket in `text` that opens closes, and the other way round."""
    if text.count('"') % 2:
        return False
    return all(text.count(pair[0]) == text.count(pair[1]) for pair in _PAIRS)


def _seen(text: str, paragraph: Paragraph, span: Span) -> str:
    """What a reader sees of a stretch, without marks, on one line."""
    cuts = ((max(p.start, span.start), min(p.end, span.end)) for p in paragraph.prose)
    said = "".join([text[start:end] for start, end in cuts if start < end])
    return EOL.sub(" ", _WRAP.sub("", said)).strip()


class _Named:
    """Where the names stand in a text: looked for once each, not in every sentence."""

    def __init__(self, text: str, names: Collection[str]) -> None:
        places: list[tuple[int, str]] = []
        for name in {name for name in names if name.strip()}:
            at = text.find(name)
            while at >= 0:
                places.append((at, name))
                at = text.find(name, at + len(name))
        self._places = sorted(places)

    def within(self, span: Span) -> int:
        """How many different names begin inside a stretch."""
        if not self._places:
            return 0
        first = bisect_right(self._places, (span.start, ""))
        out = set()
        for at, name in self._places[first:]:
            if at >= span.end:
                break
            out.add(name)
        return len(out)


def _empty(word: str, words: frozenset[str]) -> bool:
    return word in words or (not word.isascii() and len(word) == 2 and (word[0] in words or word[1] in words))


@cache
def _function_words() -> frozenset[str]:
    lines = (files("inkwright.manuscript") / "function_words.txt").read_text("utf-8").split("\n")
    return frozenset(word for line in lines if not line.startswith("#") for word in line.split())

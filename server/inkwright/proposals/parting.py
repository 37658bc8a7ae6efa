"""Speech that is parted by who says it, or no longer: the same words in more quotations or in fewer.

Two quotations may be one only where one person speaks. Who that is stands between them and in the tag beside them: a
name, a pronoun, or whatever else a sentence there begins with.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from itertools import pairwise

from inkwright.domain.text import Span
from inkwright.proposals.quotes import quoted, silent
from inkwright.proposals.speakers import CLAUSE, PRONOUN, SENTENCE, Find, verbs

_GOES_ON = re.compile(r"[，,：:—-]\s*\Z")
"""A tag that ends so has more to come of the same speech."""
_ADDRESSED = re.compile(
    r"(?:[对對向朝冲衝跟望]着?|[看盯][着著了]|\b(?:to|at|towards?|told|tells|asked|asks|watched|watching|facing))\s*\Z"
)
_BEFORE = 12
"""Characters before a name in which the word stands that makes him the one who is spoken to."""
_WORD = re.compile(r"[^\W_]")
_HIS = re.compile(r"的|['’]s\b|[大小二三]?[爹娘爸妈哥姐弟妹舅叔姑]|父亲|母亲|丈夫|妻子|儿子|女儿")
"""Behind a name or a pronoun: somebody else is meant, who is told by it."""
_ARTICLES = frozenset(("the", "a", "an", "and", "then", "but", "so"))


def by_one(before: str, after: str, find: Find) -> bool:
    """Whether each quotation of `before` that is parted or joined in `after` is one person's in both.

    The words of all quotations have to be the same, one behind the other.
    """
    named = [_persons(text, find) for text in (before, after)]
    for old, new in _joined(_spoken(before), _spoken(after)):
        here, there = _who(before, old, named[0]), _who(after, new, named[1])
        if here is None or there is None or not _one(here + there):
            return False
    return True


def _persons(text: str, find: Find) -> list[tuple[Span, str]]:
    """Names and pronouns of persons, by place."""
    names = [(name.span, name.who) for name in find(text) if name.person]
    return sorted([*names, *((Span(*m.span()), m.group().lower()) for m in PRONOUN.finditer(text))])


_Place = tuple[list[Span], Span]
"""Quotations of one speech, and from where to where no other one stands."""


def _spoken(text: str) -> list[tuple[Span, int, Span]]:
    """Quotations with where their words end in all that is said, and where their surroundings begin and end."""
    spans = [span for span in quoted(text) if silent(span.of(text))]
    ends = [0, *(span.end for span in spans)]
    starts = [*(span.start for span in spans), len(text)]
    out, said = [], 0
    for number, span in enumerate(spans):
        said += len(silent(span.of(text)))
        out.append((span, said, Span(min(ends[number], span.start), max(starts[number + 1], span.end))))
    return out


def _joined(
    before: list[tuple[Span, int, Span]], after: list[tuple[Span, int, Span]]
) -> Iterator[tuple[_Place, _Place]]:
    """The places whose words stand in another number of quotations now."""
    common = {said for _, said, _ in before} & {said for _, said, _ in after}
    for old, new in zip(_places(before, common), _places(after, common), strict=True):
        if len(old[0]) != 1 or len(new[0]) != 1:
            yield old, new


def _places(spoken: list[tuple[Span, int, Span]], common: set[int]) -> Iterator[_Place]:
    spans: list[Span] = []
    start = 0
    for span, said, around in spoken:
        start = start if spans else around.start
        spans.append(span)
        if said in common:
            yield spans, Span(start, around.end)
            spans = []


def _who(text: str, place: _Place, named: list[tuple[Span, str]]) -> list[str] | None:
    """Who speaks at a place, as far as it is told; None where its quotations are parted by a line or by nothing."""
    spans, around = place
    out: list[str] = []
    goes_on = True
    for one, other in pairwise(spans):
        gap = Span(one.end, max(one.end, other.start))
        if not silent(gap.of(text)) or re.search(r"[\r\n]", gap.of(text)):
            return None
        goes_on = _GOES_ON.search(gap.of(text)) is not None
        for sentence in _sentences(text, gap):
            out += _subjects(text, sentence, named)
    head = _last(text, Span(around.start, spans[0].start))
    if _GOES_ON.search(head.of(text)):
        out += _subjects(text, head, named)
    tail = next(_sentences(text, Span(spans[-1].end, around.end)), None)
    if tail is not None and not re.match(r"\s*[\r\n]", text[tail.start - 1 : tail.end]):
        clause = _clauses(text, tail)[0]
        if verbs().search(clause.of(text)):
            out += _subjects(text, clause, named)
        elif not goes_on:
            out += _subjects(text, tail, named)
    return out


def _one(speakers: list[str]) -> bool:
    """Whether all are one: the same name or pronoun, or the same words for somebody with more or fewer about how."""
    first = min(speakers, key=len, default="")
    return all(other == first or _alike(first, other) for other in speakers)


def _alike(short: str, long: str) -> bool:
    if not short.startswith(" ") or not long.startswith(" "):
        return False
    return long.startswith(short) or (short.isascii() and set(short.split()) <= set(long.split()))


def _subjects(text: str, sentence: Span, named: list[tuple[Span, str]]) -> list[str]:
    """The persons who act in a sentence; where it names none, its words for somebody, behind a space."""
    out: list[str] = []
    said = sentence.of(text)
    first, behind = (bisect_left(named, (Span(at, 0), "")) for at in (sentence.start, sentence.end))
    for span, who in named[first:behind]:
        if not _ADDRESSED.search(
            text[max(sentence.start, span.start - _BEFORE) : span.start]
        ) and not _HIS.match(text, span.end):
            out.append(who)
    if out or not silent(said):
        return out
    verb = verbs().search(said)
    if verb and verb.group().isascii():
        words = f"{said[: verb.start()]} {said[verb.end() :]}"
    else:
        words = said[: verb.start()] if verb else said
    if not silent(words):
        return []
    if words.isascii():
        kept = (
            w for w in re.findall(r"[a-z'-]+", words.lower()) if w not in _ARTICLES and not w.endswith("ly")
        )
        return [" " + " ".join(kept)]
    return [" " + silent(words)]


def _sentences(text: str, span: Span) -> Iterator[Span]:
    at = span.start
    for stop in [*(m.end() for m in SENTENCE.finditer(text, span.start, span.end)), span.end]:
        if silent(text[at:stop]):
            yield Span(at, stop)
        at = stop


def _last(text: str, span: Span) -> Span:
    """The sentence that `span` ends in."""
    start = max((m.end() for m in SENTENCE.finditer(text, span.start, span.end)), default=span.start)
    return Span(start, span.end)


def _clauses(text: str, span: Span) -> list[Span]:
    """The clauses of a sentence; a comma at its head is of the speech."""
    head = _WORD.search(text, span.start, span.end)
    stops = [m.end() for m in CLAUSE.finditer(text, head.start() if head else span.end, span.end)]
    edges = [span.start, *stops, span.end]
    return [Span(a, b) for a, b in pairwise(edges) if silent(text[a:b])]

"""The quotations in a text, compared by their words alone, and the guard's judgement of them."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from inkwright.domain.proposal import Finding
from inkwright.domain.text import Span, TextEdit
from inkwright.proposals.change import Change, differences, listed

MARKS = re.compile(r"[“”「」『』\"]|(?<!\w)‘|’(?!\w)")

_QUOTED = re.compile(
    r"「[^「」]*」|『[^『』]*』|(?<!\w)‘[^‘’]*(?:\w’\w[^‘’]*)*’(?!\w)|(?<![\w])'[^'\r\n]*(?:\w'\w[^'\r\n]*)*[,.!?—]'(?!\w)"
)
_DOUBLE = re.compile(r"[“”\"\r\n]")
_SILENT = re.compile(r"[\W_]+")


def quoted(text: str) -> list[Span]:
    """Where quotations stand, marks included, in order.

    A straight mark opens or closes, whichever is due, so that a text and its repair with curly marks
    have the same quotations; one that it opened ends with its line.
    """
    return sorted([*_doubly(text), *(Span(*match.span()) for match in _QUOTED.finditer(text))])


def _doubly(text: str) -> Iterator[Span]:
    start = -1
    for match in _DOUBLE.finditer(text):
        mark = match.group()
        if mark in "\r\n":
            if start >= 0 and text[start] == '"':
                start = -1
        elif mark == "“" or (mark == '"' and start < 0):
            start = match.start()
        elif start >= 0:
            yield Span(start, match.end())
            start = -1


def quotations(text: str) -> list[str]:
    """What stands in quotation marks, without punctuation and white space; those with no words are left out."""
    return [words for span in quoted(text) if (words := silent(span.of(text)))]


def silent(text: str) -> str:
    """The words of a text without punctuation and white space."""
    return _SILENT.sub("", text)


def outside(text: str) -> str:
    """`text` without what is quoted in it."""
    out, at = [], 0
    for span in quoted(text):
        if span.start >= at:
            out.append(text[at : span.start])
            at = span.end
    return " ".join([*out, text[at:]])


def speaks(base: str, spans: Sequence[Span], edit: TextEdit) -> bool:
    """True when the edit of `base` changes words in one of its quotations at `spans`, or quotation marks."""
    before = edit.span.of(base)
    if MARKS.findall(before) != MARKS.findall(edit.new):
        return True
    at = bisect_left(spans, Span(edit.span.end, 0))
    inside = at > 0 and spans[at - 1].end > edit.span.start
    return inside and silent(before) != silent(edit.new)


def judged(change: Change, by_one: Callable[[str, str], bool]) -> Iterator[Finding]:
    """What is quoted is the same, in the same order; how it is marked and punctuated is not looked at.

    The same words may stand in more quotations, or in fewer, where `by_one` says of the lines that one speaks them.
    """
    old, new = (quotations(text) for text in change.line)
    lost, came = differences(old, new)
    if not lost and not came:
        if old != new:
            at = next(n for n, (a, b) in enumerate(zip(old, new, strict=True)) if a != b)
            shown = _spoken(change.line[0], Counter([old[at]])), _spoken(change.line[0], Counter([new[at]]))
            yield Finding("quote_order", {"before": listed(shown[0]), "after": listed(shown[1])})
        return
    if lost and came and "".join(old) == "".join(new) and by_one(*change.line):
        return
    if not lost and silent(change.old) == silent(change.new):  # a lost mark was mended
        return
    before, after = listed(_spoken(change.line[0], lost)), listed(_spoken(change.line[1], came))
    if lost and came:
        yield Finding("quote_changed", {"before": before, "after": after})
    elif lost:
        yield Finding("quote_lost", {"before": before})
    else:
        yield Finding("quote_added", {"after": after})


def _spoken(text: str, words: Counter[str]) -> Counter[str]:
    """Quotations, known by their words alone, as the text has them."""
    shown = {silent(span.of(text)): span.of(text) for span in quoted(text)}
    return Counter({shown.get(key, key): count for key, count in words.items()})

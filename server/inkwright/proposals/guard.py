"""What a hunk would lose or change: names, numbers, quotations, paragraphs.

A hunk is judged by itself, as if it were the only one accepted, and within the paragraphs that it
stands in: a quotation or a name that begins before it and ends in it is seen whole.
"""

from __future__ import annotations

from collections import Counter

from inkwright.domain.proposal import Finding
from inkwright.domain.text import EOL, TextEdit
from inkwright.proposals.blocks import lines
from inkwright.proposals.names import NameFinder
from inkwright.proposals.numbers import numbers
from inkwright.proposals.quotes import quotations

_REACH = 2_000
"""How far a paragraph is looked at on each side of a hunk."""
_SHOWN = 40


def findings(base: str, edit: TextEdit, find: NameFinder) -> tuple[Finding, ...]:
    """The findings on one edit of `base`; none means that it may be taken unseen."""
    start = _line_start(base, edit.span.start)
    end = _line_end(base, edit.span.end)
    head, tail = base[start : edit.span.start], base[edit.span.end : end]
    before, after = head + edit.span.of(base) + tail, head + edit.new + tail
    out: list[Finding] = []
    lost, added = _changes(list(find(before)), list(find(after)))
    out += [Finding("name_lost", {"name": name, "count": n}) for name, n in lost.items()]
    out += [Finding("name_added", {"name": name, "count": n}) for name, n in added.items()]
    for code, read in (("number_changed", numbers), ("quote_changed", quotations)):
        lost, added = _changes(read(before), read(after))
        if lost or added:
            out.append(Finding(code, {"before": _list(lost), "after": _list(added)}))
    paragraphs = _paragraphs(before), _paragraphs(after)
    if paragraphs[0] != paragraphs[1]:
        out.append(Finding("paragraphs_changed", {"before": paragraphs[0], "after": paragraphs[1]}))
    return tuple(out)


def _changes(before: list[str], after: list[str]) -> tuple[Counter[str], Counter[str]]:
    old, new = Counter(before), Counter(after)
    return old - new, new - old


def _list(items: Counter[str]) -> str:
    shown = "、".join(item if len(item) <= _SHOWN else item[:_SHOWN] + "…" for item in items.elements())
    return shown or "–"


def _paragraphs(text: str) -> int:
    """Lines with text in them, a run of lines of one paragraph counted line by line on both sides."""
    return sum(1 for a, b in lines(text) if text[a:b].strip())


def _line_start(text: str, at: int) -> int:
    low = max(0, at - _REACH)
    ends = [match.end() for match in EOL.finditer(text, low, at)]
    return ends[-1] if ends else low


def _line_end(text: str, at: int) -> int:
    match = EOL.search(text, at, min(len(text), at + _REACH))
    return match.start() if match else min(len(text), at + _REACH)

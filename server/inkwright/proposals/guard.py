"""What a hunk would lose or change: names, numbers, quotations, paragraphs, marks, the end of a sentence.

A hunk is judged by itself, as if it were the only one accepted, and with the text around it: a
quotation or a name that begins before it and ends in it is seen whole.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter

from inkwright.domain.proposal import Finding
from inkwright.domain.text import EOL, Span, TextEdit
from inkwright.proposals.blocks import lines
from inkwright.proposals.names import NameFinder
from inkwright.proposals.numbers import numbers
from inkwright.proposals.quotes import MARKS, quotations, quoted, silent

_NEAR = 40
"""Characters beside a hunk in which a name or a number may go on."""
_FAR = 2_000
"""How far a line is looked at on each side of a hunk for the ends of a quotation."""
_SHOWN = 40

_MARKUP = re.compile(r"\*+|~~|`+|==|\[\[|\]\]|\]\([^)\s]*\)")
"""Markdown that a reader does not see, and addresses."""
_CLOSERS = "”’」』）)】]》\"'*_~"
_ENDS = "。！？!?….．"
_GOES_ON = re.compile(r"[\w，、,]")


class Guard:
    """The judge of all hunks on one text."""

    def __init__(self, base: str, find: NameFinder) -> None:
        self._base = base
        self._find = find
        self._quoted = quoted(base)

    def findings(self, edit: TextEdit) -> tuple[Finding, ...]:
        """The findings on one edit; none means that it may be taken unseen."""
        out: list[Finding] = []
        before, after = self._around(edit, _NEAR)
        lost, added = _changes(list(self._find(before)), list(self._find(after)))
        out += [Finding("name_lost", {"name": name, "count": n}) for name, n in lost.items()]
        out += [Finding("name_added", {"name": name, "count": n}) for name, n in added.items()]
        lost, added = _changes(numbers(before), numbers(after))
        if lost or added:
            out.append(Finding("number_changed", {"before": _list(lost), "after": _list(added)}))
        if self._speaks(edit):
            old, new = self._around(edit, _FAR)
            lost, added = _changes(quotations(old), quotations(new))
            mended = not lost and silent(edit.span.of(self._base)) == silent(edit.new)
            if (lost or added) and not mended:
                said = {"before": _list(_spoken(old, lost)), "after": _list(_spoken(new, added))}
                out.append(Finding("quote_changed", said))
        if EOL.search(edit.new) or EOL.search(self._base, edit.span.start, edit.span.end):
            fore, aft = (_paragraphs(text) for text in self._around(edit, _NEAR))
            if fore != aft:
                out.append(Finding("paragraphs_changed", {"before": fore, "after": aft}))
        lost, added = _changes(_MARKUP.findall(edit.span.of(self._base)), _MARKUP.findall(edit.new))
        if lost or added:
            out.append(Finding("marks_changed", {"before": _list(lost), "after": _list(added)}))
        if self._breaks_off(edit):
            out.append(Finding("sentence_cut", {"after": edit.new.rstrip()[-_SHOWN // 2 :]}))
        return tuple(out)

    def _around(self, edit: TextEdit, reach: int) -> tuple[str, str]:
        """The text around an edit, within its lines: as it is, and with the edit made."""
        start, end = edit.span.start, edit.span.end
        head = self._base[max(0, start - reach) : start]
        tail = self._base[end : end + reach]
        head = head[max(head.rfind("\n"), head.rfind("\r")) + 1 :]
        stop = EOL.search(tail)
        tail = tail[: stop.start()] if stop else tail
        return head + edit.span.of(self._base) + tail, head + edit.new + tail

    def _breaks_off(self, edit: TextEdit) -> bool:
        """True when a whole sentence would become one that stops in the middle."""
        old, new = edit.span.of(self._base).rstrip(), edit.new.rstrip()
        if not new or not _GOES_ON.match(new[-1]) or old.rstrip(_CLOSERS)[-1:] not in _ENDS or not old:
            return False
        following = self._base[edit.span.end : edit.span.end + 1]
        return not following or following.isspace() or _GOES_ON.match(following) is not None

    def _speaks(self, edit: TextEdit) -> bool:
        """True when the edit changes words in a quotation, or quotation marks."""
        before = edit.span.of(self._base)
        if MARKS.findall(before) != MARKS.findall(edit.new):
            return True
        at = bisect_left(self._quoted, Span(edit.span.end, 0))
        inside = at > 0 and self._quoted[at - 1].end > edit.span.start
        return inside and silent(before) != silent(edit.new)


def _changes(before: list[str], after: list[str]) -> tuple[Counter[str], Counter[str]]:
    if before == after:
        return Counter(), Counter()
    old, new = Counter(before), Counter(after)
    return old - new, new - old


def _list(items: Counter[str]) -> str:
    shown = "、".join(item if len(item) <= _SHOWN else item[:_SHOWN] + "…" for item in items.elements())
    return shown or "–"


def _spoken(text: str, words: Counter[str]) -> Counter[str]:
    """Quotations, known by their words alone, as the text has them."""
    shown = {silent(span.of(text)): span.of(text) for span in quoted(text)}
    return Counter({shown.get(key, key): count for key, count in words.items()})


def _paragraphs(text: str) -> int:
    return sum(1 for a, b in lines(text) if text[a:b].strip())

"""Fixes that change where paragraphs begin and end, or what is prose, settled over the whole document.

A half-width full stop at the end of a line that becomes `。` ends a paragraph; a bracket may make a link.
So the repaired document is read again, and what its new paragraphs would still fix is folded in.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from inkwright.checks.chapter.marks import NOTHING, Noted
from inkwright.checks.closure import close
from inkwright.checks.hits import Hit
from inkwright.checks.piece import mask
from inkwright.domain import text as places
from inkwright.domain.text import Span, TextEdit
from inkwright.manuscript.markdown import scan
from inkwright.manuscript.overlong import pieces

Key = tuple[int, int]

# Characters that blocks, links and marks are made of: a fix that takes or sets one may move a border.
_MARKUP = re.compile(r"[()\[\]<>*_#=~|:\-]")
# What may stand between a place and the end of its line for the place to say whether the paragraph ends.
_LAST = re.compile(r"[^\w\s]*[ \t\u3000]*(?:([\r\n])|\Z)")
_ENDS = "。！？；：．｡”’」』）"
"""What ends a paragraph at the end of a line, whatever stands before it."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What the rules say of one masked paragraph: `closed` is the key of it with all fixes made,
    `moves` whether these fixes might change what is a paragraph, `noted` what it adds to its chapter."""

    hits: tuple[Hit, ...]
    closed: Key
    moves: bool
    noted: Noted = NOTHING


@dataclass(frozen=True, slots=True)
class Checked:
    """A paragraph of a document: where it begins, how long it is, what is said of it."""

    start: int
    masked: str
    seen: Seen


def key(masked: str) -> Key:
    return (len(masked), hash(masked))


def seen(masked: str, hits: tuple[Hit, ...], noted: Noted = NOTHING) -> Seen:
    edits = _edits(hits)
    if not edits:
        return Seen(hits, key(masked), moves=False, noted=noted)
    return Seen(hits, key(places.apply(masked, edits)), any(_moves(masked, edit) for edit in edits), noted)


def settle(text: str, checked: Sequence[Checked], look: Callable[[str], Seen]) -> list[Hit] | None:
    """The hits of the document by place, their fixes closed over it; None: they are so as they are.

    `look` says what the rules say of a masked paragraph. Fixes that never settle are taken back, with
    those of the paragraphs that they would change.
    """
    if not any(one.seen.moves for one in checked):
        return None
    news = _News(checked, look)
    edits = [TextEdit(e.span.shift(one.start), e.new) for one in checked for e in _edits(one.seen.hits)]
    if all(hit.fix is None for hit in news(places.apply(text, edits))):
        return None
    barred: set[int] = set()
    while True:
        hits = [
            _moved(hit, one.start, barred=i in barred)
            for i, one in enumerate(checked)
            for hit in one.seen.hits
        ]
        closed = close(text, hits, news)
        if closed is not None:
            return closed
        barred |= _blamed(checked, barred, news)
        news = _News(checked, look, barred)


class _News:
    """The hits of a repaired document's paragraphs, of those that were not closed already."""

    def __init__(
        self, checked: Sequence[Checked], look: Callable[[str], Seen], barred: Sequence[int] | set[int] = ()
    ) -> None:
        self.known = {key(one.masked) if i in barred else one.seen.closed for i, one in enumerate(checked)}
        self.look = look
        self.changed: list[Span] | None = None
        """The paragraphs of the first repaired text that the document did not have."""

    def __call__(self, repaired: str) -> list[Hit]:
        hits: list[Hit] = []
        changed: list[Span] = []
        for paragraph in scan(repaired).paragraphs:
            if not paragraph.prose:
                continue
            for span, prose in pieces(repaired, paragraph.span, paragraph.prose):
                masked = mask(repaired, span, prose)
                if key(masked) not in self.known:
                    changed.append(span)
                    hits += [_moved(hit, span.start) for hit in self.look(masked).hits]
        if self.changed is None:
            self.changed = changed
        return hits


def _edits(hits: Sequence[Hit]) -> list[TextEdit]:
    return [TextEdit(Span(*hit.replaced), hit.fix) for hit in hits if hit.fix is not None]


def _moves(masked: str, edit: TextEdit) -> bool:
    old = edit.span.of(masked)
    if _MARKUP.search(old + edit.new):
        return True
    last = _LAST.match(masked, edit.span.end)
    if last is None or (old[-1:].isalnum() and edit.new[-1:].isalnum()):
        return False
    return last[1] is not None or edit.new[-1:] not in _ENDS or edit.new == ""


def _moved(hit: Hit, by: int, *, barred: bool = False) -> Hit:
    if barred:
        hit = hit.unfixed()
    low, high = hit.replaced
    where = None if hit.fix is None else (low + by, high + by)
    return Hit(hit.start + by, hit.end + by, hit.rule, hit.severity, hit.fix, hit.params, where)


def _blamed(checked: Sequence[Checked], barred: set[int], news: _News) -> set[int]:
    """The paragraphs whose fixes are taken back: those that became other paragraphs; if none did, all."""
    able = [i for i, one in enumerate(checked) if i not in barred and _edits(one.seen.hits)]
    found: set[int] = set()
    moved = 0
    for i in able:
        one = checked[i]
        grown = one.seen.closed[0] - len(one.masked)
        span = Span(one.start + moved, one.start + moved + len(one.masked) + grown)
        moved += grown
        if any(span.touches(other) for other in news.changed or ()):
            found.add(i)
    return found or set(able)

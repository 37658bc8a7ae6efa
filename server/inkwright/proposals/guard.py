"""What a hunk would lose or change of what the writer counts on, so that nobody takes it unseen.

A hunk is judged by itself, as if it were the only one accepted, and with the lines around it: a quotation
or a name that begins before it and ends in it is seen whole, and only what the hunk does is held against it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from inkwright.domain.proposal import Finding, FindingCode
from inkwright.domain.text import EOL, Span, TextEdit
from inkwright.proposals import (
    marks,
    naming,
    negation,
    opposites,
    parting,
    person,
    quotes,
    scripts,
    speakers,
    times,
)
from inkwright.proposals import numbers as figures
from inkwright.proposals.blocks import is_wrapped, lines
from inkwright.proposals.change import Change, change, listed
from inkwright.proposals.likeness import LENGTH, words
from inkwright.proposals.names import COMMON, Named, Names, capitalised, with_capitals

_SHOWN = 20
_DROPS = 0.5
_ADDS = 2.0
_FEWER = 8
_MORE = 20
"""Words that a hunk may be shorter or longer than its bounds: in a short one they say little."""
_AROUND = 400

_CLOSERS = "”’」』）)】]》\"'*_~"
_ENDS = "。！？!?….．"
_GOES_ON = re.compile(r"[\w，、,]")


class Guard:
    """The judge of all hunks on one text.

    `after` is the text with all of them accepted. `length` are an edit's bounds, as in a profile, and
    `allows` the findings that the ability is for.
    """

    def __init__(
        self,
        base: str,
        names: Names,
        *,
        after: str = "",
        length: tuple[float, float] | None = None,
        allows: Collection[FindingCode] = (),
    ) -> None:
        self._base = base
        self._names = names
        self._capitals = capitalised(base)
        self._quoted = quotes.quoted(base)
        self._least, self._most = length or LENGTH
        self._drops, self._adds = self._least < _DROPS, self._most > _ADDS
        self._allows = frozenset(allows)
        self._lower: str | None = None
        self._wrapped: bool | None = None
        self._stays: frozenset[str] = frozenset()
        if self._drops or self._adds:
            self._stays = frozenset({n.who for n in self._find(base)} & {n.who for n in self._find(after)})

    def findings(self, edit: TextEdit) -> tuple[Finding, ...]:
        """The findings on one edit; none means that it may be taken unseen."""
        if edit.span.of(self._base) == edit.new:
            return ()
        return tuple(found for found in self._findings(edit) if found.code not in self._allows)

    def _findings(self, edit: TextEdit) -> Iterator[Finding]:
        this = change(self._base, edit)
        yield from naming.judged(this, self._find, self._stays, drops=self._drops, adds=self._adds)
        yield from naming.invented(this, self._knows)
        yield from _numbers(this)
        yield from times.judged(this)
        if quotes.speaks(self._base, self._quoted, edit):
            yield from quotes.judged(this, lambda old, new: parting.by_one(old, new, self._find))
        yield from speakers.judged(this, self._find)
        turned = list(opposites.judged(this))
        yield from turned or negation.judged(this)
        yield from person.judged(this)
        if EOL.search(edit.new) or EOL.search(self._base, edit.span.start, edit.span.end):
            yield from self._parts(this)
        yield from marks.judged(this)
        yield from self._lengths(this)
        yield from scripts.judged(
            this, self._base[max(0, edit.span.start - _AROUND) : edit.span.end + _AROUND]
        )
        if self._breaks_off(edit):
            yield Finding("sentence_cut", {"after": edit.new.rstrip()[-_SHOWN:]})

    def _find(self, text: str) -> list[Named]:
        return with_capitals(text, self._names.find(text), self._capitals)

    def _knows(self, word: str) -> bool:
        """Whether a word is the book's: it stands in the text, or in a name of a card."""
        if self._lower is None:
            self._lower = self._base.lower()
        return word.lower() in self._lower or bool(self._names.find(word)) or word in COMMON

    def _parts(self, this: Change) -> Iterator[Finding]:
        """Paragraphs and scenes, by the lines that the hunk goes over."""
        if self._wrapped is None:
            self._wrapped = is_wrapped(self._base)
        (fore, breaks), (aft, breaks_after) = (_parts(text, wrapped=self._wrapped) for text in this.near)
        if breaks != breaks_after:
            yield Finding("scene_changed", {"before": breaks, "after": breaks_after})
        if fore != aft:
            code = "paragraphs_lost" if fore > aft else "paragraphs_added"
            yield Finding(code, {"before": fore, "after": aft})

    def _lengths(self, this: Change) -> Iterator[Finding]:
        """An ability that may halve a text drops sentences, one that may double it adds some: it is bounded as a whole."""
        old, new = len(words(this.old)), len(words(this.new))
        counts = {"before": old, "after": new}
        if not self._drops and new < self._least * old - _FEWER:
            yield Finding("length_less", counts)
        elif not self._adds and new > self._most * old + _MORE:
            yield Finding("length_more", counts)

    def _breaks_off(self, edit: TextEdit) -> bool:
        """True when a whole sentence would become one that stops in the middle."""
        old, new = edit.span.of(self._base).rstrip(), edit.new.rstrip()
        if not new or not _GOES_ON.match(new[-1]) or old.rstrip(_CLOSERS)[-1:] not in _ENDS or not old:
            return False
        following = self._base[edit.span.end : edit.span.end + 1]
        return not following or following.isspace() or _GOES_ON.match(following) is not None


def inserted(base: str, at: int, new: str) -> tuple[Finding, ...]:
    """The findings on a text that is put in at `at`: it takes nothing away, but has to be written as the book is."""
    this = change(base, TextEdit(Span(at, at), new))
    around = base[max(0, at - _AROUND) : at + _AROUND]
    return tuple(found for found in scripts.judged(this, around) if found.code == "script_changed")


def _numbers(this: Change) -> Iterator[Finding]:
    before, after = figures.in_one_measure(*(figures.read(text) for text in this.near))
    lost, came = figures.changed(before, after)
    lost, came = figures.as_written(lost, before), figures.as_written(came, after)
    if lost and came:
        yield Finding("number_changed", {"before": listed(lost), "after": listed(came)})
    elif lost:
        yield Finding("number_lost", {"before": listed(lost)})
    elif came:
        yield Finding("number_added", {"after": listed(came)})
    else:
        old, new = figures.units_changed(before, after)
        if old:
            yield Finding("unit_changed", {"before": listed(old), "after": listed(new)})


def _parts(text: str, *, wrapped: bool) -> tuple[int, int]:
    """Paragraphs and scene breaks. In hard-wrapped prose a paragraph is a run of lines."""
    paragraphs = breaks = 0
    inside = False
    for start, end in lines(text):
        line = text[start:end]
        if marks.is_break(line) and line.strip():
            breaks += 1
            inside = False
        elif not line.strip():
            inside = False
        else:
            paragraphs += not (wrapped and inside)
            inside = True
    return paragraphs, breaks

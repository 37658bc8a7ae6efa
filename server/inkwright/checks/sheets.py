"""A document as a row of stretches that stand alone: an edit costs the stretch that it touched.

A stretch is read, checked and settled as if it were a whole document, which it is where no fence, comment
or link definition reaches over its ends: it ends where a plain line begins a paragraph afresh.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from inkwright.checks.chapter.marks import Mark, Run, Tally, joined
from inkwright.checks.continued import Edges
from inkwright.checks.piece import mask
from inkwright.checks.settle import Checked, Key, Seen
from inkwright.domain.diagnostic import Diagnostic
from inkwright.domain.text import EOL
from inkwright.manuscript import blocks, frontmatter
from inkwright.manuscript.markdown import scan

SIZE = 6_000
"""Characters of a stretch before it ends at the next place where it may."""

_REACHING = re.compile(r"<!--|-->|%%|```|~~~|\]:")
"""What may reach beyond the stretch that it stands in."""

Known = dict[Key, Seen]
Look = Callable[[str, Known, Known], Seen]
"""What the rules say of a masked paragraph; it is put into the first table, and may stand in the second."""
Say = Callable[[str, Sequence[Checked], Callable[[str], Seen]], list[Diagnostic]]


@dataclass(slots=True)
class Sheet:
    """One stretch. `said` are its diagnostics, `edges` its quotations, by places in `text`; `known` what was said
    of its paragraphs. `reaches`: something in it may reach beyond it."""

    text: str
    reaches: bool
    said: list[Diagnostic]
    edges: Edges
    tally: Tally
    known: Known = field(repr=False)
    begin: int = 0
    """Where it stands in the document."""
    shown: tuple[int, list[Diagnostic]] | None = None
    """The diagnostics as they last stood in the document, with where the sheet began."""


class Sheets:
    """The sheets of one document in order, and the sums of their tallies. Not safe for two threads at once."""

    def __init__(self, look: Look, say: Say, size: int = SIZE) -> None:
        self.sheets: list[Sheet] = []
        self.script = ""
        self._look = look
        self._say = say
        self._size = size
        self._amounts: dict[str, int] = {}
        self._forms: dict[str, dict[int, int]] = {}
        self._holders: dict[tuple[str, int], dict[int, Sheet]] = {}

    def clear(self) -> None:
        self._replace(0, len(self.sheets), [])

    def follow(self, text: str) -> None:
        """Become the sheets of `text`; those that stand as they stood are kept."""
        front, back, at, end = self._kept(text)
        if front == back and at == end and self.sheets:
            return
        part, old = text[at:end], self.sheets[front:back]
        if self.sheets and self._alone(text, part, old, at):
            self._replace(front, back, self._made(part, _known(old)))
        else:
            self._replace(0, len(self.sheets), self._made(text, _known(self.sheets)))

    def groups(self) -> list[str]:
        return list(self._forms)

    def forms(self, group: str) -> dict[int, int]:
        return self._forms.get(group, {})

    def amount(self, name: str) -> int:
        return self._amounts.get(name, 0)

    def marks(self, group: str, form: int) -> Iterator[Mark]:
        key = group, form
        for sheet in sorted(self._holders.get(key, {}).values(), key=lambda sheet: sheet.begin):
            for mark in sheet.tally.marks[key]:
                yield mark._replace(start=mark.start + sheet.begin, end=mark.end + sheet.begin)

    def runs(self) -> list[Run]:
        return joined((sheet.begin, sheet.tally) for sheet in self.sheets)

    def _kept(self, text: str) -> tuple[int, int, int, int]:
        """The sheets `front`…`back` that changed, and what stands there now, `at`…`end`."""
        sheets = self.sheets
        front = at = 0
        while front < len(sheets) and text.startswith(sheets[front].text, at):
            at += len(sheets[front].text)
            front += 1
        back, end = len(sheets), len(text)
        while back > front:
            length = len(sheets[back - 1].text)
            if end - length < at or not text.startswith(sheets[back - 1].text, end - length):
                break
            end -= length
            back -= 1
        # A border holds only while both its sides say so.
        while front and not _border(text, at):
            front -= 1
            at -= len(sheets[front].text)
        while back < len(sheets) and not _border(text, end):
            end += len(sheets[back].text)
            back += 1
        return front, back, at, end

    def _alone(self, text: str, part: str, old: Sequence[Sheet], at: int) -> bool:
        """Whether the rest of the document is what it was whatever `part` is, and the other way round."""
        if _REACHING.search(part) or any(sheet.reaches for sheet in old):
            return False
        if at == 0 and text.startswith(("---", "\ufeff---")) and not frontmatter.read(part):
            return False
        return "[" not in part or "]:" not in text

    def _replace(self, front: int, back: int, made: list[Sheet]) -> None:
        for sheet in self.sheets[front:back]:
            self._count(sheet, -1)
        for sheet in made:
            self._count(sheet, 1)
        self.sheets[front:back] = made
        at = 0
        for sheet in self.sheets:
            sheet.begin = at
            at += len(sheet.text)

    def _count(self, sheet: Sheet, sign: int) -> None:
        for name, amount in sheet.tally.amounts.items():
            self._amounts[name] = self._amounts.get(name, 0) + sign * amount
        for (group, form), marks in sheet.tally.marks.items():
            forms = self._forms.setdefault(group, {})
            forms[form] = forms.get(form, 0) + sign * sum(mark.times for mark in marks)
            if not forms[form]:
                del forms[form]
            if not forms:
                del self._forms[group]
            holders = self._holders.setdefault((group, form), {})
            if sign > 0:
                holders[id(sheet)] = sheet
            else:
                del holders[id(sheet)]

    def _made(self, text: str, known: Known) -> list[Sheet]:
        borders = [0, *_borders(text, self._size), len(text)]
        return [self._sheet(text[a:b], known) for a, b in pairwise(borders)]

    def _sheet(self, text: str, known: Known) -> Sheet:
        """The sheet of a stretch; paragraphs that are `known` are not looked at again."""
        own: Known = {}
        checked: list[Checked] = []
        tally, edges = Tally(), Edges()
        for paragraph in scan(text).paragraphs:
            if paragraph.prose:
                start = paragraph.span.start
                masked = mask(text, paragraph.span, paragraph.prose)
                seen = self._look(masked, own, known)
                checked.append(Checked(start, masked, seen))
                tally.add(start, seen.noted)
                edges.add(start, masked, seen)
        said = self._say(text, checked, lambda masked: self._look(masked, own, known))
        return Sheet(text, _REACHING.search(text) is not None, said, edges, tally, own)


def _known(sheets: Sequence[Sheet]) -> Known:
    return {place: seen for sheet in sheets for place, seen in sheet.known.items()}


def _border(text: str, at: int) -> bool:
    return at in (0, len(text)) or blocks.begins_alone(text, at)


def _borders(text: str, size: int) -> Iterator[int]:
    """Where the stretches of a text end, the end of the text excepted."""
    if text.startswith("%%~") or "]:" in text:
        return
    body = frontmatter.read(text).body_start if text.startswith(("---", "\ufeff---")) else 0
    if _REACHING.search(text):
        document = scan(text)
        whole = [p.span for p in document.paragraphs if p.kind in ("code", "comment")]
        held = sorted([*document.comments, *whole])
    else:
        held = []
    at = body if body else size
    while (ends := EOL.search(text, at)) is not None and ends.end() < len(text):
        line = ends.end()
        inside = next((span.end for span in held if span.start < line < span.end), 0)
        if inside:
            at = inside
        elif blocks.begins_alone(text, line):
            yield line
            at = line + size
        else:
            at = line

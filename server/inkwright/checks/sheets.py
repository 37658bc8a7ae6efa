"""The stretches of a document as the rules see them: checked and settled each by itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from inkwright.checks import throughout
from inkwright.checks.chapter.marks import Mark, Run, Tally, joined
from inkwright.checks.continued import Edges
from inkwright.checks.piece import mask
from inkwright.checks.settle import Checked, Key, Seen
from inkwright.domain.diagnostic import Diagnostic
from inkwright.domain.text import line_starts
from inkwright.manuscript.borders import reaching
from inkwright.manuscript.ends import Ends
from inkwright.manuscript.markdown import scan
from inkwright.manuscript.overlong import pieces
from inkwright.manuscript.stretches import SIZE, Stretches

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
    breaks: int
    """Its line ends."""
    begin: int = 0
    line: int = 0
    """Where it stands in the document, and in which line it begins."""
    _rest: tuple[frozenset[str], list[Diagnostic]] | None = None

    def without(self, codes: frozenset[str]) -> list[Diagnostic]:
        """What is said of it but for these; while they are the same, the very same list."""
        if not codes:
            return self.said
        if self._rest is None or self._rest[0] != codes:
            rest = [one for one in self.said if one.code not in codes]
            self._rest = codes, self.said if len(rest) == len(self.said) else rest
        return self._rest[1]


class Sheets(Stretches[Sheet]):
    """The sheets of one document in order, and the sums of their tallies. Not safe for two threads at once."""

    def __init__(self, look: Look, say: Say, size: int = SIZE, ends: Ends | None = None) -> None:
        super().__init__(size, ends)
        self.script = ""
        self._look = look
        self._say = say
        self._amounts: dict[str, int] = {}
        self._forms: dict[str, dict[int, int]] = {}
        self._holders: dict[tuple[str, int], dict[int, Sheet]] = {}
        self._runs: list[Run] | None = None

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
        if self._runs is None:
            self._runs = joined((sheet.begin, sheet.tally) for sheet in self.row)
        return self._runs

    def put(self, front: int, back: int, made: list[Sheet]) -> None:
        old = self.row[front:back]
        if self._runs or _openings(old) != _openings(made):  # where there is none, none has moved
            self._runs = None
        for sheet in old:
            self._count(sheet, -1)
        for sheet in made:
            self._count(sheet, 1)
        super().put(front, back, made)
        at, line = 0, 0
        if front:
            last = self.row[front - 1]
            at, line = last.begin + len(last.text), last.line + last.breaks
        for sheet in self.row[front:]:
            sheet.begin, sheet.line = at, line
            at += len(sheet.text)
            line += sheet.breaks

    def _count(self, sheet: Sheet, sign: int) -> None:
        for name, amount in sheet.tally.amounts.items():
            self._amounts[name] = self._amounts.get(name, 0) + sign * amount
            if not self._amounts[name]:
                del self._amounts[name]
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
            if not holders:
                del self._holders[group, form]

    def made(self, texts: Iterable[str], old: Sequence[Sheet]) -> list[Sheet]:
        known = {place: seen for sheet in old for place, seen in sheet.known.items()}
        return [self._sheet(text, known) for text in texts]

    def _sheet(self, text: str, known: Known) -> Sheet:
        """The sheet of a stretch; paragraphs that are `known` are not looked at again."""
        own: Known = {}
        checked: list[Checked] = []
        tally, edges = Tally(), Edges()
        for paragraph in scan(text).paragraphs:
            if not paragraph.prose:
                continue
            for span, prose in pieces(text, paragraph.span, paragraph.prose):
                masked = mask(text, span, prose)
                seen = self._look(masked, own, known)
                checked.append(Checked(span.start, masked, seen))
                # What a long paragraph was cut into opens no paragraph.
                first = span.start == paragraph.span.start
                tally.add(span.start, seen.noted if first else seen.noted._replace(opening=""))
                edges.add(span.start, masked, seen)
        said = self._say(text, checked, lambda masked: self._look(masked, own, known))
        for name, amount in throughout.note(text, said):
            tally.amounts[name] = amount
        return Sheet(text, reaching(text), said, edges, tally, own, len(line_starts(text)) - 1)


def _openings(sheets: Iterable[Sheet]) -> list[tuple[str, int]]:
    return [(run.opening, run.length) for sheet in sheets for run in sheet.tally.runs]

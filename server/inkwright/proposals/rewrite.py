"""A passage and its new text → the fewest edits that make the one from the other.

Paragraphs are aligned first, then the sentences of those that changed. White space at the borders
of paragraphs, indentation, block marks and line ends stay the base's own. Edits come ordered and
never overlap; where paragraphs pair off, none crosses a paragraph's border.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import pairwise

from rapidfuzz.fuzz import ratio

from inkwright.domain.text import EOL, Span, TextEdit
from inkwright.proposals.align import Step, align
from inkwright.proposals.blocks import Block, is_wrapped, read
from inkwright.proposals.pieces import BLANK, collapsed, sentences

_PARAGRAPHS_ALIKE = 0.4
_SENTENCES_ALIKE = 0.5


def edits(base: str, new: str) -> list[TextEdit]:
    """The edits on `base`, by place. A paragraph that `new` lacks is a deletion: judge it first."""
    return _Rewrite(base, new).edits()


@dataclass(frozen=True, slots=True)
class _Group:
    """Steps that belong together: one paragraph each, or paragraphs that were joined or split."""

    i1: int
    i2: int
    j1: int
    j2: int


class _Rewrite:
    def __init__(self, base: str, new: str) -> None:
        self.base, self.new = base, new
        self.wrapped = is_wrapped(base)
        self.old_blocks = read(base, wrapped=self.wrapped)
        self.new_blocks = read(new, wrapped=self.wrapped)
        first = EOL.search(base)
        self.eol = first.group() if first else "\n"

    def edits(self) -> list[TextEdit]:
        old, new = self._keys(self.base, self.old_blocks), self._keys(self.new, self.new_blocks)
        steps = align(old, new, _PARAGRAPHS_ALIKE)
        self.kept = {step.i1: step.j1 for step in steps if step.i1 < step.i2 and step.j1 < step.j2}
        out: list[TextEdit] = []
        insertions: list[tuple[int, int, int]] = []
        for group in _grouped(steps, old, new):
            if group.i1 == group.i2:
                insertions.append((group.i1, group.j1, group.j2))
            elif group.j1 == group.j2:
                out += [self._deletion(i) for i in range(group.i1, group.i2)]
            else:
                out += self._sentences(group)
        for i, j1, j2 in insertions:
            edit, above = self._insertion(i, j1, j2, out)
            out = [*out, edit] if above else [edit, *out]
        return untouching(sorted(out, key=lambda edit: (edit.span.start, edit.span.end)))

    def _keys(self, text: str, blocks: list[Block]) -> list[str]:
        cores = [block.span.of(text) for block in blocks]
        return [collapsed(core) for core in cores] if self.wrapped else cores

    # -- within a paragraph ------------------------------------------------------------------

    def _sentences(self, group: _Group) -> list[TextEdit]:
        start = self.old_blocks[group.i1].span.start
        old = self.base[start : self.old_blocks[group.i2 - 1].span.end]
        new = self._joined(group.j1, group.j2)
        old_pieces, new_pieces = sentences(old), sentences(new)
        steps = align(
            [collapsed(piece.of(old)) for piece in old_pieces],
            [collapsed(piece.of(new)) for piece in new_pieces],
            _SENTENCES_ALIKE,
        )
        whole = group.i2 - group.i1 == group.j2 - group.j1 == 1
        out = _piece_edits(old, old_pieces, new, new_pieces, steps, gaps=not whole)
        return [TextEdit(edit.span.shift(start), edit.new) for edit in out]

    def _joined(self, j1: int, j2: int) -> str:
        """New paragraphs as one text, with the base's own breaks between them."""
        parts: list[str] = []
        for j in range(j1, j2):
            if parts:
                parts.append(self._breaks() + self._lead(j, None))
            parts.append(self._core(j))
        return "".join(parts)

    def _core(self, j: int) -> str:
        return EOL.sub(lambda _: self.eol, self.new_blocks[j].span.of(self.new))

    # -- whole paragraphs --------------------------------------------------------------------

    def _deletion(self, i: int) -> TextEdit:
        """With the break above it; where nothing above stays, with the break below."""
        blocks = self.old_blocks
        if self.kept and min(self.kept) < i:
            return TextEdit(Span(blocks[i - 1].span.end, blocks[i].span.end), "")
        end = self._head(i + 1) if i + 1 < len(blocks) else blocks[i].span.end
        return TextEdit(Span(self._head(i), end), "")

    def _head(self, i: int) -> int:
        """Where a paragraph begins with its lead; a byte order mark is before everything."""
        block = self.old_blocks[i]
        return block.span.start - len(block.lead.removeprefix("\ufeff"))

    def _insertion(self, i: int, j1: int, j2: int, taken: list[TextEdit]) -> tuple[TextEdit, bool]:
        """New paragraphs before old paragraph `i`: after the one above (True), unless that end is taken."""
        blocks = self.old_blocks
        if not blocks:
            return TextEdit(Span(len(self.base), len(self.base)), self._joined(j1, j2)), True
        breaks = self._breaks(i)
        above = i - 1 if i > 0 else None
        if above is not None:
            place = blocks[above].span.end
            if not self._busy(place, taken) or i == len(blocks) or self._busy(self._head(i), taken):
                text = "".join(breaks + self._lead(j, above) + self._core(j) for j in range(j1, j2))
                return TextEdit(Span(place, place), text), True
        place = self._head(i)
        text = "".join(self._lead(j, i) + self._core(j) + breaks for j in range(j1, j2))
        return TextEdit(Span(place, place), text), False

    def _busy(self, place: int, taken: list[TextEdit]) -> bool:
        return any(edit.span.start <= place <= edit.span.end for edit in taken)

    def _breaks(self, i: int | None = None) -> str:
        """The line ends between two paragraphs here: those most usual between prose, else nearby."""
        usual = Counter(
            self._ends(k)
            for k in range(1, len(self.old_blocks))
            if self.old_blocks[k - 1].plain and self.old_blocks[k].plain
        )
        if usual:
            return usual.most_common(1)[0][0]
        if i is not None and 0 < i < len(self.old_blocks):
            return self._ends(i)
        return self.eol * 2

    def _ends(self, i: int) -> str:
        between = self.base[self.old_blocks[i - 1].span.end : self.old_blocks[i].span.start]
        return "".join(EOL.findall(between))

    def _lead(self, j: int, neighbour: int | None) -> str:
        """What stands before a new paragraph: its own marks, else the indentation of its neighbours."""
        lead = self.new_blocks[j].lead
        if lead.strip(BLANK):
            return lead
        kept = self.kept.get(neighbour) if neighbour is not None else None
        if neighbour is not None and kept is not None:
            theirs = self.old_blocks[neighbour].lead
            if self.new_blocks[kept].lead == theirs and lead:
                return lead
        usual = Counter(block.lead for block in self.old_blocks if block.plain and _prose(block, self.base))
        return usual.most_common(1)[0][0].strip("\ufeff") if usual else lead


def _prose(block: Block, base: str) -> bool:
    return any(ch.isalnum() for ch in block.span.of(base))


def _grouped(steps: list[Step], old: list[str], new: list[str]) -> list[_Group]:
    """Joins a paragraph that went, or came, to a changed neighbour whose text it went to, or came from."""
    out: list[tuple[_Group, bool]] = []
    for step in steps:
        here = _Group(step.i1, step.i2, step.j1, step.j2)
        changed = not step.equal
        if out and changed and out[-1][1]:
            before = out[-1][0]
            both = _Group(before.i1, here.i2, before.j1, here.j2)
            lone = [group.i1 == group.i2 or group.j1 == group.j2 for group in (before, here)]
            if sum(lone) == 1 and _belongs(before, here, both, old, new):
                out[-1] = (both, True)
                continue
        out.append((here, changed))
    return [group for group, changed in out if changed]


def _belongs(before: _Group, here: _Group, both: _Group, old: list[str], new: list[str]) -> bool:
    pair = here if before.i1 == before.i2 or before.j1 == before.j2 else before
    alone = ratio("".join(old[pair.i1 : pair.i2]), "".join(new[pair.j1 : pair.j2]))
    together = ratio("".join(old[both.i1 : both.i2]), "".join(new[both.j1 : both.j2]))
    return together > max(alone + 5, 50)


def _piece_edits(
    old: str, a: list[Span], new: str, b: list[Span], steps: list[Step], *, gaps: bool
) -> list[TextEdit]:
    """The edits between two lists of sentences; with `gaps`, breaks that came or went count too."""

    def gap(i: int, j: int) -> tuple[Span, str, bool]:
        """Between the sentences before `i` and `j` and those: old place, new text, and whether a break differs."""
        span = Span(a[i - 1].end, a[i].start)
        text = new[b[j - 1].end : b[j].start]
        return span, text, gaps and bool(EOL.search(span.of(old))) != bool(EOL.search(text))

    out: list[TextEdit] = []
    runs = _runs(steps)
    for run in runs:
        i1, i2, j1, j2 = run.i1, run.i2, run.j1, run.j2
        below = run.lone and 0 < i2 < len(a) and 0 < j2 < len(b) and gap(i2, j2)[2]
        if i1 == i2 and i1 > 0:
            place = Span(a[i1 - 1].end, a[i1].start if below else a[i1 - 1].end)
            out.append(TextEdit(place, new[b[j1 - 1].end : b[j2].start if below else b[j2 - 1].end]))
        elif i1 == i2:
            out.append(TextEdit(Span(a[0].start, a[0].start), new[b[0].start : b[j2].start]))
        elif j1 == j2 and i1 > 0:
            place = Span(a[i1 - 1].end, a[i2].start if below else a[i2 - 1].end)
            out.append(TextEdit(place, gap(i2, j2)[1] if below else ""))
        elif j1 == j2:
            out.append(TextEdit(Span(a[0].start, a[i2].start), ""))
        elif not run.equal:
            out.append(TextEdit(Span(a[i1].start, a[i2 - 1].end), new[b[j1].start : b[j2 - 1].end]))
    for before, here in pairwise(runs):
        if not before.lone and not here.lone and gap(here.i1, here.j1)[2]:
            out.append(TextEdit(*gap(here.i1, here.j1)[:2]))
    return out


def _runs(steps: list[Step]) -> list[Step]:
    """The steps, what has no counterpart of its own taken into a changed neighbour."""
    out: list[Step] = []
    for step in steps:
        loose = step.lone or not step.alike
        if out and not step.equal and not out[-1].equal and (loose or not out[-1].alike):
            out[-1] = Step(out[-1].i1, step.i2, out[-1].j1, step.j2, alike=not loose)
        else:
            out.append(Step(step.i1, step.i2, step.j1, step.j2, equal=step.equal, alike=not loose))
    return out


def untouching(ordered: list[TextEdit]) -> list[TextEdit]:
    """An insertion that stands at the border of another edit becomes part of it."""
    out: list[TextEdit] = []
    for edit in ordered:
        if out and out[-1].span.end == edit.span.start and (not len(out[-1].span) or not len(edit.span)):
            out[-1] = TextEdit(Span(out[-1].span.start, edit.span.end), out[-1].new + edit.new)
        else:
            out.append(edit)
    return out

"""Which piece of a new text stands for which piece of the old one: two lists, aligned in order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from rapidfuzz.fuzz import ratio

_CELLS = 40_000  # a larger table of comparisons is not worth its time: such blocks pair off in order


@dataclass(frozen=True, slots=True)
class Step:
    """`old[i1:i2]` became `new[j1:j2]`, one by one but for insertions (i1 == i2) and deletions.

    `alike` is False where two pieces pair off only because both are left over.
    """

    i1: int
    i2: int
    j1: int
    j2: int
    equal: bool = False
    alike: bool = True

    @property
    def lone(self) -> bool:
        return self.i1 == self.i2 or self.j1 == self.j2


def align(old: Sequence[str], new: Sequence[str], likeness: float) -> list[Step]:
    """Steps that cover both lists in order.

    Within a changed block, pieces at least `likeness` alike (0 to 1) pair off; what is left over
    between two pairs pairs off in order, and only then are there insertions or deletions.
    """
    out: list[Step] = []
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            out += [Step(i1 + k, i1 + k + 1, j1 + k, j1 + k + 1, equal=True) for k in range(i2 - i1)]
            continue
        i, j = i1, j1
        for a, b in [*_pairs(old, new, (i1, i2, j1, j2), likeness), (i2, j2)]:
            out += _between(i, a, j, b)
            if a < i2:
                out.append(Step(a, a + 1, b, b + 1, equal=old[a] == new[b]))
            i, j = a + 1, b + 1
    return out


def _between(i1: int, i2: int, j1: int, j2: int) -> list[Step]:
    both = min(i2 - i1, j2 - j1)
    out = [Step(i1 + k, i1 + k + 1, j1 + k, j1 + k + 1, alike=False) for k in range(both)]
    out += [Step(i, i + 1, j2, j2) for i in range(i1 + both, i2)]
    if j1 + both < j2:
        out.append(Step(i2, i2, j1 + both, j2))
    return out


def _pairs(
    old: Sequence[str], new: Sequence[str], block: tuple[int, int, int, int], likeness: float
) -> list[tuple[int, int]]:
    """The pairs of one block that make the largest sum of likeness, none of them crossing."""
    i1, i2, j1, j2 = block
    rows, cols = i2 - i1, j2 - j1
    if not rows or not cols or rows * cols > _CELLS:
        return []
    if rows == cols == 1:
        return [(i1, j1)]
    cut = likeness * 100
    scores = [[ratio(old[i], new[j], score_cutoff=cut) for j in range(j1, j2)] for i in range(i1, i2)]
    best = [[0.0] * (cols + 1) for _ in range(rows + 1)]
    for r in range(rows - 1, -1, -1):
        row, below, score = best[r], best[r + 1], scores[r]
        for c in range(cols - 1, -1, -1):
            value = max(below[c], row[c + 1])
            if score[c]:
                value = max(value, score[c] + below[c + 1])
            row[c] = value
    out: list[tuple[int, int]] = []
    r = c = 0
    while r < rows and c < cols:
        if scores[r][c] and best[r][c] == scores[r][c] + best[r + 1][c + 1]:
            out.append((i1 + r, j1 + c))
            r, c = r + 1, c + 1
        elif best[r][c] == best[r + 1][c]:
            r += 1
        else:
            c += 1
    return out

"""Names that are nearly another: what was probably meant."""

from __future__ import annotations

from collections.abc import Iterable

_CLOSE = {1: 0, 2: 1, 3: 1, 4: 1}
_FAR = 2


def distance(a: str, b: str, limit: int) -> int:
    """Letters to put in, take out, change or swap with a neighbour; `limit` + 1 for any more than that."""
    if abs(len(a) - len(b)) > limit:
        return limit + 1
    before: list[int] = []
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        now = [i]
        for j, y in enumerate(b, 1):
            best = min(row[j] + 1, now[j - 1] + 1, row[j - 1] + (x != y))
            if i > 1 and j > 1 and x == b[j - 2] and a[i - 2] == y:
                best = min(best, before[j - 2] + 1)
            now.append(best)
        if min(now) > limit:
            return limit + 1
        before, row = row, now
    return min(row[-1], limit + 1)


def nearest(name: str, among: Iterable[str], most: int = 3) -> tuple[str, ...]:
    """The names that are so near that they may have been meant, the nearest first."""
    wanted = name.casefold()
    limit = _CLOSE.get(len(name), _FAR) if name.isascii() else min(1, len(name) - 1)
    if limit < 1:
        return ()
    found = {other: distance(wanted, other.casefold(), limit) for other in among if other != name}
    near = sorted((far, other) for other, far in found.items() if far <= limit)
    return tuple(other for _, other in near[:most])

"""Fixes that leave nothing to fix.

The fixes that a pass finds are applied, the result is looked at again, and what the next pass would
still fix is folded back into the fixes of the first text: so applying them all is the end of it.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from inkwright.checks.hits import Hit

ROUNDS = 8


@dataclass(slots=True)
class _Fix:
    """`start`, `end` lie in the first text, `low`, `high` in the text as repaired so far; `owner` indexes hits."""

    start: int
    end: int
    new: str
    owner: int
    low: int = 0
    high: int = 0


def close(text: str, hits: Sequence[Hit], look: Callable[[str], Sequence[Hit]]) -> list[Hit] | None:
    """`hits` with fixes that are closed under `look`, by place; None if they never settle.

    `look` gives the hits of a repaired text (places in it), as many of them as could be news.
    """
    found = list(hits)
    fixes = [_Fix(*hit.replaced, hit.fix, i) for i, hit in enumerate(found) if hit.fix is not None]
    fixes.sort(key=lambda fix: fix.start)
    for _ in range(ROUNDS):
        repaired = _apply(text, fixes)
        more = [hit for hit in look(repaired) if hit.fix is not None]
        if not more:
            break
        fixes = _fold(repaired, fixes, more, found)
    else:
        return None
    by_owner = {fix.owner: fix for fix in fixes if fix.new != text[fix.start : fix.end]}
    out = []
    for i, hit in enumerate(found):
        fix = by_owner.get(i)
        if fix is not None and (fix.new != hit.fix or (fix.start, fix.end) != hit.replaced):
            where = (fix.start, fix.end)
            params = hit.params if where == hit.replaced else hit.told
            out.append(replace(hit, fix=fix.new, where=where, params=params))
        elif fix is not None or (hit.fix is None and i < len(hits)):
            out.append(hit)
        elif i < len(hits):
            out.append(hit.unfixed())
    out.sort(key=lambda hit: (hit.start, hit.end))
    return out


def _apply(text: str, fixes: list[_Fix]) -> str:
    parts: list[str] = []
    at = length = 0
    for fix in fixes:
        kept = text[at : fix.start]
        parts += (kept, fix.new)
        fix.low = length + len(kept)
        fix.high = length = fix.low + len(fix.new)
        at = fix.end
    parts.append(text[at:])
    return "".join(parts)


def _fold(repaired: str, fixes: list[_Fix], more: list[Hit], found: list[Hit]) -> list[_Fix]:
    folded: set[int] = set()
    added: list[_Fix] = []
    gone: set[int] = set()
    lows, highs = [fix.low for fix in fixes], [fix.high for fix in fixes]

    def back(place: int) -> int:
        """A place of the repaired text, in no fix, as a place of the first text."""
        before = bisect_right(highs, place)
        return place + (fixes[before - 1].end - highs[before - 1] if before else 0)

    for hit in more:
        low, high = hit.replaced
        touching = fixes[bisect_left(highs, low) : bisect_right(lows, high)]
        if any(id(fix) in folded for fix in touching):
            # Folded once in this round: its places have moved; the next round sees the rest.
            continue
        start, end = back(low), back(high)
        new = hit.fix or ""
        if touching:
            first, last = touching[0], touching[-1]
            new = repaired[min(first.low, low) : low] + new + repaired[high : max(last.high, high)]
            start = first.start if first.low <= low else start
            end = last.end if last.high >= high else end
            owner = first.owner
            gone.update(id(fix) for fix in touching)
        else:
            owner = len(found)
            found.append(replace(hit, start=start, end=end, where=None))
        fix = _Fix(start, end, new, owner, low, high)
        folded.update(id(f) for f in touching)
        added.append(fix)
    kept = [fix for fix in fixes if id(fix) not in gone]
    return sorted(kept + added, key=lambda fix: (fix.start, fix.end))

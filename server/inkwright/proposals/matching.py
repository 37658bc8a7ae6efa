"""Where the pieces of an old text stand in a new one: what surely stayed, in order.

Lines and sentences that stand once in both texts are anchors (patience); between anchors, what two
stretches have in common at their borders is taken. A stretch that could as well be another copy of
itself is no match: `place` says where a span stands only if there is one reading.
"""

from __future__ import annotations

import itertools
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from inkwright.domain.text import EOL, Span
from inkwright.proposals.pieces import sentences

_REACHES = (16, 64, 256, 1024, 8192)
"""Characters on each side of a place that may be needed to tell it from another."""
_COSTLY = 100_000_000
_TELLTALE = 96
_LARGE = 200_000
"""In a stretch of more characters the anchors are the places asked for, with what is around them."""
_AROUND = 40
_TELLING = 3
"""A text of fewer characters says too little to be known by itself."""


@dataclass(frozen=True, slots=True)
class Region:
    """A stretch of the old text and the stretch of the new one that it became."""

    old: Span
    new: Span


class Matching:
    """An alignment of two texts; `spans` are places in the old one that will be asked for."""

    def __init__(self, old: str, new: str, spans: Iterable[Span]) -> None:
        self.old, self.new = old, new
        self._placed: dict[Span, Span] = {}
        wanted = sorted(set(spans))
        self._match(Region(Span(0, len(old)), Span(0, len(new))), wanted, 0)

    def place(self, span: Span) -> Span | None:
        """Where `span`, unchanged, stands now; None when it changed or could stand in two places."""
        return self._placed.get(span)

    # -- regions -----------------------------------------------------------------------------

    def _match(self, region: Region, wanted: Sequence[Span], level: int) -> None:
        """Places what lies in one region: by its borders, then by anchors, level after level."""
        if not wanted:
            return
        old, new = self.old, self.new
        a, b, c, d = region.old.start, region.old.end, region.new.start, region.new.end
        if old[a:b] == new[c:d]:
            for span in wanted:
                self._placed[span] = span.shift(c - a)
            return
        size = min(b - a, d - c)
        prefix = _common_prefix(old, a, b, new, c, d)
        suffix = _common_suffix(old, a, b, new, c, d)
        head, tail = prefix, suffix
        if prefix + suffix > size:  # an edit that could stand anywhere in between
            head, tail = size - suffix, size - prefix
        one_edit = prefix + suffix >= size  # nothing but an insertion, or nothing but a deletion
        inner: list[Span] = []
        border: list[tuple[Span, Span, int]] = []
        for span in wanted:
            seen = _witness(span, len(old))
            if seen.end <= a + head:
                border.append((span, Span(a, a + head), c - a))
            elif seen.start >= b - tail:
                border.append((span, Span(b - tail, b), d - b))
            elif seen.start >= a and seen.end <= b:
                inner.append(span)
        sure = {span for span, _, _ in border} if one_edit else self._known(border, region)
        for span, _, shift in border:
            if span in sure:
                self._placed[span] = span.shift(shift)
        if inner and one_edit:
            self._by_own_text(region, inner)
        elif inner:
            rest = Region(Span(a + head, b - tail), Span(c + head, d - tail))
            self._anchor(rest, region, inner, level)

    def _known(self, border: Sequence[tuple[Span, Span, int]], region: Region) -> set[Span]:
        """Those of the spans in a common border that are known by the text around them there."""
        if len(border) * len(region.old) > _COSTLY:
            return self._known_at_once(border, region)
        known: set[Span] = set()
        left = [(span, _witness(span, len(self.old)), same) for span, same, _ in border]
        for reach in _REACHES:
            texts = {span: self._near(seen, same, reach) for span, seen, same in left}
            known |= {span for span, text in texts.items() if self._once(text, region)}
            left = [(s, seen, same) for s, seen, same in left if s not in known and len(texts[s]) < len(same)]
        return known

    def _known_at_once(self, border: Sequence[tuple[Span, Span, int]], region: Region) -> set[Span]:
        """The same for many spans in a long text: one pass over it, with what follows each span's start."""
        texts: dict[Span, str] = {}
        for span, same, _ in border:
            start = max(same.start, min(span.start, same.end - _TELLTALE))
            texts[span] = self.old[start : min(same.end, start + _TELLTALE)]
        wanted = {text for text in texts.values() if len(text) == _TELLTALE}
        for whole, within in ((self.old, region.old), (self.new, region.new)):
            counts = dict.fromkeys(wanted, 0)
            for at in range(within.start, within.end - _TELLTALE + 1):
                if (text := whole[at : at + _TELLTALE]) in counts:
                    counts[text] += 1
            wanted = {text for text, n in counts.items() if n == 1}
        return {span for span, text in texts.items() if text in wanted}

    def _near(self, seen: Span, same: Span, reach: int) -> str:
        return self.old[max(same.start, seen.start - reach) : min(same.end, seen.end + reach)]

    def _once(self, text: str, region: Region) -> bool:
        return _single(text, self.old, region.old) and _single(text, self.new, region.new)

    def _anchor(self, rest: Region, region: Region, wanted: Sequence[Span], level: int) -> None:
        """Cuts a region at its anchors and matches what lies between them.

        Anchors are whole lines and sentences, so they are sought in all of it; `rest`, without the
        borders that are equal, could begin or end within one.
        """
        if region.old.end - region.old.start > _LARGE:
            near = self._chain(rest, [_widened(span, rest.old) for span in wanted])
            if near:
                self._between(region, self._merged(near), wanted, level)
                return
        for depth in range(level, len(_LEVELS)):
            anchors = self._anchors(region, _LEVELS[depth])
            if anchors:
                self._between(region, anchors, wanted, depth)
                return
        self._by_own_text(region, wanted)

    def _by_own_text(self, region: Region, wanted: Sequence[Span]) -> None:
        for found in self._chain(region, [span for span in wanted if len(span) >= _TELLING]):
            self._placed[found.old] = found.new

    def _anchors(self, region: Region, cut: Callable[[str, Span], list[Span]]) -> list[Region]:
        mine, theirs = cut(self.old, region.old), cut(self.new, region.new)
        first = _unique(self.old, mine)
        second = _unique(self.new, theirs)
        return self._merged(
            _longest_chain([Region(span, second[key]) for key, span in first.items() if key in second])
        )

    def _merged(self, chain: list[Region]) -> list[Region]:
        """Anchors with nothing changed between them as one; those that overlap only in one text are left out."""
        out: list[Region] = []
        for pair in chain:
            if out:
                last = out[-1]
                if pair.old.start < last.old.end or pair.new.start < last.new.end:
                    if pair.old.start - last.old.start == pair.new.start - last.new.start:
                        out[-1] = Region(
                            Span(last.old.start, max(last.old.end, pair.old.end)),
                            Span(last.new.start, max(last.new.end, pair.new.end)),
                        )
                    continue
                gap = Span(last.old.end, pair.old.start), Span(last.new.end, pair.new.start)
                if gap[0].of(self.old) == gap[1].of(self.new):
                    out[-1] = Region(Span(last.old.start, pair.old.end), Span(last.new.start, pair.new.end))
                    continue
            out.append(pair)
        return out

    def _chain(self, region: Region, spans: Sequence[Span]) -> list[Region]:
        """Spans whose own text stands once in both stretches."""
        found: list[Region] = []
        for span in spans:
            text = span.of(self.old)
            if _single(text, self.old, region.old) and _single(text, self.new, region.new):
                at = self.new.find(text, region.new.start, region.new.end)
                found.append(Region(span, Span(at, at + len(text))))
        return _longest_chain(found)

    def _between(self, region: Region, anchors: list[Region], wanted: Sequence[Span], level: int) -> None:
        """Matches the stretches from each anchor to the next, the anchors belonging to both."""
        for anchor in anchors:
            for span in wanted:
                seen = _witness(span, len(self.old))
                if anchor.old.start <= seen.start and seen.end <= anchor.old.end:
                    self._placed[span] = span.shift(anchor.new.start - anchor.old.start)
        rest = [span for span in wanted if span not in self._placed]
        edges = [
            Region(Span(region.old.start, region.old.start), Span(region.new.start, region.new.start)),
            *anchors,
        ]
        edges.append(Region(Span(region.old.end, region.old.end), Span(region.new.end, region.new.end)))
        starts = [span.start for span in rest]
        for left, right in itertools.pairwise(edges):
            low = bisect_left(starts, left.old.start)
            high = bisect_left(starts, right.old.end + 1)
            gap = Region(Span(left.old.start, right.old.end), Span(left.new.start, right.new.end))
            inside = [span for span in rest[low:high] if span.end <= right.old.end]
            if inside and gap != region:
                self._match(gap, inside, level)
            elif inside:
                self._match(gap, inside, level + 1)


def _widened(span: Span, within: Span) -> Span:
    start, end = max(within.start, span.start - _AROUND), min(within.end, span.end + _AROUND)
    return Span(min(start, end), end)


def _witness(span: Span, length: int) -> Span:
    """What must be unchanged for a span to stand: itself; for a mere place, the characters beside it."""
    if len(span):
        return span
    return Span(max(0, span.start - 1), min(length, span.end + 1))


def _single(text: str, whole: str, within: Span) -> bool:
    at = whole.find(text, within.start, within.end)
    return at >= 0 and whole.find(text, at + 1, within.end) < 0


def _unique(text: str, spans: list[Span]) -> dict[str, Span]:
    keys = [span.of(text) for span in spans]
    counts = Counter(keys)
    return {key: span for key, span in zip(keys, spans, strict=True) if counts[key] == 1}


def _longest_chain(pairs: list[Region]) -> list[Region]:
    """The longest run of pairs whose order is the same in both texts."""
    pairs = sorted(pairs, key=lambda pair: pair.old)
    tails: list[int] = []
    ends: list[int] = []
    back: list[int] = []
    for at, pair in enumerate(pairs):
        k = bisect_left(ends, pair.new.start)
        back.append(tails[k - 1] if k else -1)
        if k == len(tails):
            tails.append(at)
            ends.append(pair.new.start)
        else:
            tails[k], ends[k] = at, pair.new.start
    out: list[Region] = []
    at = tails[-1] if tails else -1
    while at >= 0:
        out.append(pairs[at])
        at = back[at]
    return out[::-1]


def _lines(text: str, within: Span) -> list[Span]:
    out: list[Span] = []
    at = within.start
    for match in EOL.finditer(text, within.start, within.end):
        if match.start() > at:
            out.append(Span(at, match.start()))
        at = match.end()
    if within.end > at:
        out.append(Span(at, within.end))
    return out


def _sentences(text: str, within: Span) -> list[Span]:
    return [span.shift(within.start) for span in sentences(within.of(text))]


_LEVELS: tuple[Callable[[str, Span], list[Span]], ...] = (_lines, _sentences)


def _common_prefix(a: str, a1: int, a2: int, b: str, b1: int, b2: int) -> int:
    """The length of the common beginning of `a[a1:a2]` and `b[b1:b2]`, by halving."""
    low, high = 0, min(a2 - a1, b2 - b1)
    step = 64
    while low < high:
        size = min(step, high - low)
        if a[a1 + low : a1 + low + size] == b[b1 + low : b1 + low + size]:
            low += size
            step *= 2
        elif size == 1:
            break
        else:
            high, step = low + size - 1, max(1, size // 2)
    return low


def _common_suffix(a: str, a1: int, a2: int, b: str, b1: int, b2: int) -> int:
    low, high = 0, min(a2 - a1, b2 - b1)
    step = 64
    while low < high:
        size = min(step, high - low)
        if a[a2 - low - size : a2 - low] == b[b2 - low - size : b2 - low]:
            low += size
            step *= 2
        elif size == 1:
            break
        else:
            high, step = low + size - 1, max(1, size // 2)
    return low

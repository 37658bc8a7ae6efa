"""Which hunks a text has already: between texts that no hunk changes only one reading of it may be left. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from inkwright.domain.proposal import Hunk
from inkwright.domain.text import Span
from inkwright.proposals.matching import Matching

_BESIDE = 16
"""Characters beside a hunk by which its place is known."""
_LARGE = 200_000
"""In a longer text that something else was typed in too, what is beside each hunk is not sought: it takes seconds."""


def taken(old: str, new: str, hunks: Sequence[Hunk], spans: Sequence[Span]) -> set[int]:
    """Those of `hunks` whose new text stands in `new`, where all between what is known to have stayed is spelled by
    their old and new texts. `old` has none of them, and `spans` are where they stand in it.
    """
    ends = [*(span.start for span in spans[1:]), len(old)]
    gaps = [old[span.end : end] for span, end in zip(spans, ends, strict=True)]
    if new.startswith(front := old[: spans[0].start]):  # nothing else may have been typed
        whole = _spelling(hunks, gaps, new[len(front) :])
        if whole is not None:
            return whole
    out: set[int] = set()
    if len(old) > _LARGE:
        return out
    for first, last, start, end in _groups(old, new, spans):
        found = _spelling(hunks[first : last + 1], [*gaps[first:last], ""], new[start:end])
        out |= found or set()
    return out


def _groups(old: str, new: str, spans: Sequence[Span]) -> Iterator[tuple[int, int, int, int]]:
    """The first and the last of hunks that stand together, and where in `new` that begins and ends which was them."""
    ends = [span.end for span in spans]
    gaps = [Span(a, b.start) for a, b in zip([0, *ends], [*spans, Span(len(old), len(old))], strict=True)]
    heads = [Span(gap.start, min(gap.end, gap.start + _BESIDE)) for gap in gaps]
    tails = [Span(max(gap.start, gap.end - _BESIDE), gap.end) for gap in gaps]
    matching = Matching(old, new, [side for side in (*heads, *tails) if len(side)])
    first, start = 0, 0 if not len(gaps[0]) else _end(matching.place(tails[0]))
    for k in range(len(spans)):
        head, tail = matching.place(heads[k + 1]), matching.place(tails[k + 1])
        last = k == len(spans) - 1
        if last and not len(gaps[-1]):
            end: int | None = len(new)
        else:
            end = None if head is None else head.start
        if end is not None and start is not None and start <= end:
            yield first, k, start, end
        if tail is not None:
            first, start = k + 1, tail.end
        elif end is not None:
            first, start = k + 1, None


def _end(place: Span | None) -> int | None:
    return None if place is None else place.end


def _spelling(hunks: Sequence[Hunk], gaps: Sequence[str], text: str) -> set[int] | None:
    """The fewest of the hunks with which they, and what is between them, spell the text; None if nothing does."""
    reached: dict[int, tuple[int, ...]] = {0: ()}
    for hunk, gap in zip(hunks, gaps, strict=True):
        further: dict[int, tuple[int, ...]] = {}
        for at, those in reached.items():
            for word, now in ((hunk.before, those), (hunk.after, (*those, hunk.index))):
                end = at + len(word) + len(gap)
                if text.startswith(word + gap, at) and (end not in further or len(now) < len(further[end])):
                    further[end] = now
        reached = further
    found = reached.get(len(text))
    return None if found is None else set(found)

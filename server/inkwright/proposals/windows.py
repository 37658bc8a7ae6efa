"""A long passage cut into windows that go to the model one by one, so that none can be dropped."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass

from inkwright.domain.run import Window
from inkwright.domain.text import EOL, Span
from inkwright.manuscript import frontmatter
from inkwright.proposals.pieces import BLANK, sentences

_BLANK = BLANK + "\r\n"
_JOINERS = "\u200d\ufe0e\ufe0f"


def windows(text: str, span: Span, max_chars: int) -> tuple[Window, ...]:
    """Windows that put together are `span` without the front matter; none longer than `max_chars`.

    (White space at its borders not counted.) They end where a paragraph ends; only a paragraph that is
    too long by itself is cut, between sentences where it has them. Empty when there is no prose.
    """
    if max_chars < 1:
        raise ValueError("max_chars must be positive")
    start = max(span.start, min(frontmatter.read(text).body_start, span.end))
    if not _solid(text, start, span.end):
        return ()
    end = span.end
    while text[end - 1] in _BLANK:
        end -= 1
    borders = _borders(text, start, end)
    fences = _fences(text, start, end)
    cuts = [start]
    while end - (words := _words(text, cuts[-1])) > max_chars:
        cuts.append(_cut(text, words, end, max_chars, borders, fences))
    ends = [*cuts[1:], span.end]
    return tuple(
        Window(index, len(cuts), Span(a, b), text[a:b])
        for index, (a, b) in enumerate(zip(cuts, ends, strict=True))
    )


@dataclass(frozen=True, slots=True)
class _Borders:
    """Where lines with text begin; the better places are those after a blank line."""

    lines: list[int]
    after_blank: list[int]


def _borders(text: str, start: int, end: int) -> _Borders:
    found, after_blank = [], []
    at, blank = start, False
    for match in EOL.finditer(text, start, end):
        if at > start and _solid(text, at, match.start()):
            found.append(at)
            if blank:
                after_blank.append(at)
            blank = False
        elif at > start or not _solid(text, at, match.start()):
            blank = True
        at = match.end()
    if at > start and _solid(text, at, end):
        found.append(at)
        if blank:
            after_blank.append(at)
    return _Borders(found, after_blank)


def _fences(text: str, start: int, end: int) -> list[Span]:
    """Fenced code, which is better not cut."""
    out: list[Span] = []
    at, opened, mark = start, -1, ""
    for stop in [*(match.end() for match in EOL.finditer(text, start, end)), end]:
        head = text[at : min(stop, at + 8)].lstrip(" ")
        if opened < 0 and head.startswith(("```", "~~~")):
            opened, mark = at, head[:3]
        elif opened >= 0 and head.startswith(mark):
            out.append(Span(opened, stop))
            opened = -1
        at = stop
    return out


def _cut(text: str, start: int, end: int, limit: int, borders: _Borders, fences: list[Span]) -> int:
    """Where the window ends whose words begin at `start`."""
    rest = end - start
    count = -(-rest // limit)
    even = start + rest // count  # windows of like size rather than full ones and a crumb
    last = start + limit
    for places in (borders.after_blank, borders.lines):
        fitting = places[bisect_right(places, start) : bisect_right(places, last)]
        open_air = [place for place in fitting if not _inside(place, fences)] or fitting
        if open_air:
            best = min(open_air, key=lambda place: abs(place - even))
            if best - start >= limit // 4 or not _giant(best, end, limit, borders):
                return best
    pieces = sentences(text[start:last])
    if len(pieces) > 1:
        place = start + pieces[-1].start
        if place > start:
            return place
    spaces = [text.rfind(mark, start + limit // 2, last) for mark in " ，,；;、\u3000"]
    place = _safe(text, start, max(max(spaces) + 1, 0) or last)
    while place < end and text[place] in _BLANK:
        place += 1
    return place


def _giant(place: int, end: int, limit: int, borders: _Borders) -> bool:
    """True when the paragraph that begins at `place` must be cut anyway."""
    at = bisect_right(borders.lines, place)
    following = borders.lines[at] if at < len(borders.lines) else end
    return following - place > limit


def _inside(place: int, fences: list[Span]) -> bool:
    at = bisect_left(fences, Span(place, place)) - 1
    return at >= 0 and fences[at].start < place < fences[at].end


def _safe(text: str, start: int, place: int) -> int:
    """`place`, moved left so that it divides no character from what is drawn upon it."""
    at = place
    while at > start + 1 and (_joins(text[at : at + 1]) or text[at - 1] == "\u200d" or _crlf(text, at)):
        at -= 1
    return at if at > start + 1 else place


def _joins(char: str) -> bool:
    return char != "" and (
        char in _JOINERS or "\u0300" <= char <= "\u036f" or "\U0001f3fb" <= char <= "\U0001f3ff"
    )


def _crlf(text: str, at: int) -> bool:
    return text[at - 1 : at + 1] == "\r\n"


def _words(text: str, at: int) -> int:
    """The first place from `at` on that is no white space; there is one."""
    while text[at] in _BLANK:
        at += 1
    return at


def _solid(text: str, start: int, end: int) -> bool:
    at = start
    while at < end and text[at] in _BLANK:
        at += 1
    return at < end

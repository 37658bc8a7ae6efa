"""Names that hold marks of Markdown: how they may be written, and where a mark is the text's own and not the name's."""

from __future__ import annotations

import re
import string
from collections.abc import Sequence
from dataclasses import dataclass

from inkwright.manuscript.inline import Inline, triggers

MARKS = "*_~=[]\\"
"""What Markdown takes for marks in names that hold it: a name is literal text, with a backslash before them or not."""
MARK = re.compile(rf"[{re.escape(MARKS)}]")
_MARKED = re.compile(rf"[{re.escape(MARKS)}]*")
_MOST_MARKS = 3
"""Of a name with more, all are escaped or none."""
_BORDER = re.compile(
    r"(?:\r\n|\r|\n)(?=[ \t]*(?:[\r\n]|(?:[-+*]|\d{1,9}[.)]|#{1,6})[ \t]))"  # before a blank line, an item, a heading
)
_APART = re.compile(r"[^`<!%\r\n]*[\r\n]")
"""What stands between two paragraphs, rather than code, a tag, a picture or a comment of several lines."""
_PUNCTUATION = frozenset(string.punctuation)


def written(name: str) -> list[str]:
    """A name as it may stand in Markdown: with a backslash before each of its marks, or before some, or none."""
    places = [match.start() for match in MARK.finditer(name)]
    if len(places) > _MOST_MARKS:
        return [name, MARK.sub(r"\\\g<0>", name)]
    out = [name]
    for place in reversed(places):
        out += [f"{one[:place]}\\{one[place:]}" for one in out]
    return out


def widened(text: str, start: int, end: int) -> tuple[int, int]:
    """A stretch with the marks that touch it."""
    last = _MARKED.match(text, end)
    while start and text[start - 1] in MARKS:
        start -= 1
    return start, last.end() if last else end


def bridged(text: str, start: int, end: int, starts: Sequence[int], ends: Sequence[int], piece: int) -> bool:
    """Whether nothing but marks stands between the pieces of prose that a hit touches, the first of them `piece`.

    The words of a link are not in brackets, and a mark that goes on is another one.
    """
    if text[end - 1] == "]" and text[end : end + 1] in ("(", "["):
        return False
    if text[start - 1 : start] == text[start] in MARKS and not _escaped(text, start - 1):
        return False
    if text[end - 1] == text[end : end + 1] in MARKS and not _escaped(text, end - 1):
        return False
    at = start
    while at < end and piece < len(ends) and starts[piece] < end:
        if starts[piece] > at and _MARKED.fullmatch(text, at, starts[piece]) is None:
            return False
        at = ends[piece]
        piece += 1
    return at > start and (at >= end or _MARKED.fullmatch(text, at, end) is not None)


class Pairs:
    """The marks of a text that belong together, read by paragraph as hits in them are asked for, in order.

    The pieces of prose from each of `starts` to each of `ends` say where paragraphs end.
    """

    def __init__(self, text: str, starts: Sequence[int], ends: Sequence[int]) -> None:
        self._text = text
        self._starts = starts
        self._ends = ends
        self._from = self._to = -1
        self._marks = _Marks("", 0, 0)

    def halved(self, start: int, end: int, piece: int) -> bool:
        """Whether a hit that begins in `piece` or in the marks before it has one mark of a pair and not the other."""
        if not self._from <= start < end <= self._to:
            self._read(start, end, piece)
        text, marks = self._text, self._marks
        at = piece
        for place in range(start, end):
            char = text[place]
            if char not in MARKS:
                continue
            partner = marks.emphasis.get(place)
            if partner is None and char in "[]\\":
                while at < len(self._ends) and self._ends[at] <= place:
                    at += 1
                if at == len(self._ends) or place < self._starts[at]:
                    partner = place + 1 if char == "\\" else marks.linked.get(place, -1)
            if partner is not None and not start <= partner < end:
                return True
        return False

    def _read(self, start: int, end: int, piece: int) -> None:
        """The paragraph of a hit."""
        text, starts, ends = self._text, self._starts, self._ends
        first = last = piece
        while first and not _APART.match(text, ends[first - 1], starts[first]):
            first -= 1
        while last + 1 < len(starts) and not _APART.match(text, ends[last], starts[last + 1]):
            last += 1
        low, high = min(start, starts[first]), max(end, ends[last])
        while low and text[low - 1] not in "\r\n":
            low -= 1
        while high < len(text) and text[high] not in "\r\n":
            high += 1
        if low <= self._to <= start:
            low = self._to
        for border in _BORDER.finditer(text, low, high):
            if border.start() >= end:
                high = border.start()
                break
            if border.end() <= start:
                low = border.end()
        self._from, self._to = low, high
        self._marks = _Marks(text, low, high)
        self._marks.run(triggers(text, low, high), ())
        self._marks.pair()


class _Marks(Inline):
    """Reads a paragraph for what belongs together: `emphasis` by the rules of CommonMark, `linked` what is in
    brackets.

    Beside punctuation beyond ASCII, which writers of scripts without spaces set close, it is as beside a letter.
    """

    def __init__(self, text: str, start: int, end: int) -> None:
        super().__init__(text, start, end, (), [])
        self.emphasis: dict[int, int] = {}
        self.linked: dict[int, int] = {}
        self._found: list[_Run] = []

    def _close(self, _mark: str, at: int) -> None:
        if self.brackets:
            opened = self.brackets.pop()
            self.linked[opened] = at
            self.linked[at] = opened

    def _run(self, run: str, at: int) -> None:
        char, end = run[0], at + len(run)
        before = self.text[at - 1] if at > self.start else " "
        after = self.text[end] if end < self.end else " "
        left = not after.isspace() and (after not in _PUNCTUATION or _loose(before))
        right = not before.isspace() and (before not in _PUNCTUATION or _loose(after))
        if char in "~=" and len(run) != 2:
            return
        opens, closes = left, right
        if char == "_":
            opens = left and (not right or before in _PUNCTUATION)
            closes = right and (not left or after in _PUNCTUATION)
        self._found.append(_Run(char, at, end, opens, closes))

    def pair(self) -> None:
        """Each run that closes goes with the nearest that opens; what stands open between the two opens nothing."""
        waiting: list[tuple[_Run, int, int]] = []  # with what is left of it
        kinds: dict[_Kind, int] = {}  # how many of each wait
        for run in self._found:
            place = run.start
            while run.closes and place < run.end and any(n and run.ends(kind) for kind, n in kinds.items()):
                opener, begin, stop = waiting.pop()
                kinds[opener.kind] -= 1
                if not run.ends(opener.kind):
                    continue
                used = min(2, stop - begin, run.end - place)
                for n in range(used):
                    self.emphasis[stop - 1 - n] = place + n
                    self.emphasis[place + n] = stop - 1 - n
                place += used
                if stop - used > begin:
                    waiting.append((opener, begin, stop - used))
                    kinds[opener.kind] += 1
            if run.opens and place < run.end:
                waiting.append((run, place, run.end))
                kinds[run.kind] = kinds.get(run.kind, 0) + 1


_Kind = tuple[str, bool, int]
"""A mark, whether a run of it that opens could close as well, and its length modulo three."""


@dataclass(frozen=True, slots=True)
class _Run:
    char: str
    start: int
    end: int
    opens: bool
    closes: bool

    @property
    def kind(self) -> _Kind:
        return self.char, self.closes, (self.end - self.start) % 3

    def ends(self, kind: _Kind) -> bool:
        """Whether it closes what a run of that kind opens; of two that could be both not all lengths fit."""
        char, both, size = kind
        own = (self.end - self.start) % 3
        return self.char == char and (not (both or self.opens) or (own + size) % 3 != 0 or own == size == 0)


def _loose(char: str) -> bool:
    return char.isspace() or char in _PUNCTUATION


def _escaped(text: str, place: int) -> bool:
    """Whether a backslash before it takes a mark's meaning."""
    at = place
    while at and text[at - 1] == "\\":
        at -= 1
    return (place - at) % 2 == 1

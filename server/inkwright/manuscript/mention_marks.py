"""Names that hold marks of Markdown: how they may be written, and where a mark is the text's own and not the name's."""

from __future__ import annotations

import re
import string
import unicodedata
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from inkwright.manuscript.inline import Inline, triggers

MARKS = "*_~=[]\\"
"""What Markdown takes for marks in names that hold it: a name is literal text, with a backslash before them or not."""
MARK = re.compile(rf"[{re.escape(MARKS)}]")
_MARKED = re.compile(rf"[{re.escape(MARKS)}]*")
_REACH = 1000
"""How far emphasis is looked for round a place where all lines may belong to one paragraph."""
_MOST_MARKS = 3
"""Of a name with more, all are escaped or none."""
_BORDER = re.compile(
    r"(?:\r\n|\r|\n)(?=[ \t]*(?:[\r\n]|(?:[-+*]|\d{1,9}[.)]|#{1,6})[ \t]))"  # before a blank line, an item, a heading
)
_APART = re.compile(r"(?:[^`<!%\r\n]|`+[^`\r\n]+`+|<[^<>\r\n]*>|!\[[^\[\]\r\n]*\])*[\r\n]")
"""What stands between two paragraphs, rather than code, a tag, a picture or a comment of several lines."""
_LINE_END = re.compile(r"[\r\n]")
_BLANK = re.compile(r"(?:\r\n|\r|\n)(?=[ \t]*[\r\n])")
_QUOTED = re.compile(r"\A[ \t>]*")
_OTHER = re.compile(r"[`<>%!)\]]")


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
    if _goes_on(text, start, end, MARKS):
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
        self._pieces = range(0)
        self._from = self._to = -1
        self._marks = _Marks("", 0, 0)

    def halved(self, start: int, end: int, piece: int) -> bool:
        """Whether a hit that begins in `piece` or in the marks before it has one mark of a pair and not the other."""
        if piece not in self._pieces or not self._from <= start < end <= self._to:
            self._read(start, end, piece)
        text, marks = self._text, self._marks
        if _goes_on(text, start, end, "*_~="):
            return True
        at = piece
        for place in range(start, end):
            char = text[place]
            if char not in MARKS:
                continue
            partners = [pairs[place] for pairs in marks.emphasis if place in pairs]
            if char in "[]\\":
                while at < len(self._ends) and self._ends[at] <= place:
                    at += 1
                if at == len(self._ends) or place < self._starts[at]:
                    partners = [place + 1 if char == "\\" else marks.linked.get(place, -1)]
            if any(not start <= partner < end for partner in partners):
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
        low, high = _lines(text, low, high)
        if piece in self._pieces and low <= self._to <= start:
            low = self._to
        self._pieces = range(first, last + 1)
        for border in _BORDER.finditer(text, low, high):
            if border.start() >= end:
                high = border.start()
                break
            if border.end() <= start:
                low = border.end()
        self._from, self._to = low, high
        self._marks = _Marks(text, low, high)


def outlived(text: str, start: int, end: int, new: str) -> bool:
    """Whether the emphasis outside of a piece of text is the same once `new` stands for it, as far as it can be seen
    from there."""
    low, high = _block(text, start, end)
    low, high = max(low, start - _REACH), min(high, end + _REACH)
    before, after = text[low:high], f"{text[low:start]}{new}{text[end:high]}"
    moved = len(new) - (end - start)

    def pairs(of: str, stop: int, by: int) -> list[set[tuple[int, int]]]:
        marks = _Marks(of, 0, len(of))
        return [
            {
                (a - by * (a >= stop), b - by * (b >= stop))
                for a, b in one.items()
                if not start - low <= a < stop
            }
            for one in marks.emphasis
        ]

    return pairs(before, end - low, 0) == pairs(after, end - low + moved, moved)


def _goes_on(text: str, start: int, end: int, marks: str) -> bool:
    """Whether a mark at an end of a hit is one of several of the same."""
    return (text[start - 1 : start] == text[start] in marks and not _escaped(text, start - 1)) or (
        text[end - 1] == text[end : end + 1] in marks and not _escaped(text, end - 1)
    )


def _lines(text: str, start: int, end: int) -> tuple[int, int]:
    """The lines of what a paragraph has of prose: all down from a blank line or to one where they begin or end with
    something else, which other lines may belong to."""
    low = _line(text, start)
    ending = _LINE_END.search(text, end)
    high = ending.start() if ending else len(text)
    if _OTHER.search(_QUOTED.sub("", text[low:start], count=1)):
        low = _block(text, start, end)[0]
    return low, _block(text, start, end)[1] if _OTHER.search(text, end, high) else high


def _block(text: str, start: int, end: int) -> tuple[int, int]:
    """All lines between two blank ones, or what of them is near."""
    low = _line(text, start)
    above = _above(text, low)
    while start - low < _REACH and text[above:low].strip():
        low, above = above, _above(text, above)
    blank = _BLANK.search(text, end, end + _REACH)
    return low, blank.start() if blank else min(len(text), end + _REACH)


def _above(text: str, start: int) -> int:
    """Where the line before the one at `start` begins."""
    return _line(text, max(0, start - (2 if text.endswith("\r\n", 0, start) else 1)))


def _line(text: str, at: int) -> int:
    """Where the line of a place begins."""
    after = text.rfind("\n", 0, at) + 1
    return max(after, text.rfind("\r", after, at) + 1)


class _Marks(Inline):
    """Reads a paragraph for what belongs together: `emphasis` by the rules of CommonMark, `linked` what is in
    brackets.

    Emphasis is read twice: with all punctuation as such, and with that beyond ASCII, which scripts without spaces
    set close, as letters.
    """

    def __init__(self, text: str, start: int, end: int) -> None:
        super().__init__(text, start, end, (), [])
        self.linked: dict[int, int] = {}
        self._found: list[tuple[int, int]] = []
        self._shut: list[list[tuple[int, int]]] = []
        self.run(triggers(text, start, end), ())
        self.emphasis = tuple(
            {
                one: other
                for group in (*self._shut, self._found)
                for one, other in _pairs([self._flanked(*place, loose) for place in group])
            }
            for loose in (_loose, _loose_in_ascii)
        )

    def _close(self, mark: str, at: int) -> None:
        if self.brackets:
            opened = self.brackets.pop()
            self.linked[opened] = at
            self.linked[at] = opened
            if mark[1:2] == "(":  # no emphasis leaves the words of a link
                first = bisect_left(self._found, (opened, 0))
                self._shut.append(self._found[first:])
                del self._found[first:]

    def _run(self, run: str, at: int) -> None:
        if run[0] in "*_" or len(run) == 2:
            self._found.append((at, at + len(run)))

    def _flanked(self, start: int, end: int, loose: Callable[[str], bool]) -> _Run:
        char = self.text[start]
        before = self.text[start - 1] if start > self.start else " "
        after = self.text[end] if end < self.end else " "
        left = not after.isspace() and (not loose(after) or loose(before))
        right = not before.isspace() and (not loose(before) or loose(after))
        opens, closes = left, right
        if char == "_":
            opens = left and (not right or loose(before))
            closes = right and (not left or loose(after))
        return _Run(char, start, end, opens, closes)


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


def _pairs(runs: Iterable[_Run]) -> Iterator[tuple[int, int]]:
    """Each mark with its partner. A run that closes goes with the nearest that opens; what stands open between the
    two opens nothing."""
    waiting: list[tuple[_Run, int, int]] = []  # with what is left of it
    kinds: dict[_Kind, int] = {}  # how many of each wait
    for run in runs:
        place = run.start
        while run.closes and place < run.end and any(n and run.ends(kind) for kind, n in kinds.items()):
            opener, begin, stop = waiting.pop()
            kinds[opener.kind] -= 1
            if not run.ends(opener.kind):
                continue
            used = min(2, stop - begin, run.end - place)
            for n in range(used):
                yield stop - 1 - n, place + n
                yield place + n, stop - 1 - n
            place += used
            if stop - used > begin:
                waiting.append((opener, begin, stop - used))
                kinds[opener.kind] += 1
        if run.opens and place < run.end:
            waiting.append((run, place, run.end))
            kinds[run.kind] = kinds.get(run.kind, 0) + 1


def _loose(char: str) -> bool:
    return char.isspace() or unicodedata.category(char)[0] in "PS"


def _loose_in_ascii(char: str) -> bool:
    return char.isspace() or char in string.punctuation


def _escaped(text: str, place: int) -> bool:
    """Whether a backslash before it takes a mark's meaning."""
    at = place
    while at and text[at - 1] == "\\":
        at -= 1
    return (place - at) % 2 == 1

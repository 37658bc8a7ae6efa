"""An open document: LSP edits and positions at the cost of the lines they touch.

The text is kept as lines with their line ends, in blocks of some dozens. The sums of the blocks are
counted on demand, up to where they are asked for, and forgotten from an edit on.

The text never holds a split pair: a high surrogate and the low one after it are always one character,
also when they came in two edits.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate, pairwise

from inkwright.domain.text import (
    Encoding,
    Position,
    Range,
    Span,
    TextEdit,
    from_units,
    joined,
    line_starts,
    to_units,
)
from inkwright.manuscript.borders import reaching
from inkwright.manuscript.ends import Ends

BLOCK = 64


class Buffer:
    """A text that changes. Positions are clamped, never refused: LSP clients send what they like."""

    def __init__(self, text: str = "") -> None:
        self.ends = Ends()
        self._text: str | None = None
        self._size = 0
        self._stands: tuple[int, int] = 0, 0
        """So much at its beginning and at its end, at least, stands since `ends` were told of a text."""
        self._reaches: bool | None = None
        self._blocks: list[_Block] = []
        # _ends[i] and _numbers[i]: code points and lines up to the end of block i, as far as counted.
        self._ends: list[int] = []
        self._numbers: list[int] = []
        self._set(text)

    @property
    def size(self) -> int:
        """The length in code points."""
        return self._size

    @property
    def line_count(self) -> int:
        """Never 0: a text that ends in a line end has an empty last line."""
        self._number(len(self._blocks) - 1)
        return self._numbers[-1]

    def text(self) -> str:
        """The whole text; put together once after an edit, by block."""
        if self._text is None:
            self._text = "".join([block.text() for block in self._blocks])
            self.ends.typed(self._text, *self._stands)
            self._stands = self._size, self._size
        return self._text

    @property
    def reaches(self) -> bool:
        """Whether something in the text may reach beyond its paragraph, as `borders.reaching` says."""
        if self._reaches is None:
            self._reaches = any(block.reaches() for block in self._blocks)
        return self._reaches

    def line(self, number: int) -> str:
        """A line without its line end; IndexError past the last."""
        return _content(self._raw(number))

    def apply(self, where: Range | None, text: str, encoding: Encoding = "utf-16") -> TextEdit:
        """Replace a range, or the whole text when it is None; returns the edit that this was.

        The edit's span lies in the text before; a reversed range is turned round.
        """
        if where is None:
            before = Span(0, self.size)
            self._set(text)
            return TextEdit(before, self.text())
        first, last = self._clamp(where.start, encoding), self._clamp(where.end, encoding)
        if last < first:
            first, last = last, first
        edit = TextEdit(Span(self._start(first[0]) + first[1], self._start(last[0]) + last[1]), text)
        self._touch(edit.span)
        self._replace(first, last, text)
        return edit

    def edit(self, edit: TextEdit) -> None:
        """Replace a span of code points."""
        self._touch(edit.span)
        self._replace(self._place(edit.span.start), self._place(edit.span.end), edit.new)

    def position(self, offset: int, encoding: Encoding = "utf-16") -> Position:
        """The position of a code point offset; inside a CRLF it is the end of the line."""
        block, index, column = self._within(offset)
        line = _content(self._blocks[block].lines[index])
        return Position(self._first_line(block) + index, to_units(line, column, encoding))

    def offset(self, position: Position, encoding: Encoding = "utf-16") -> int:
        """The code point offset; past the end of a line is its end, past the last line the end of text."""
        number, column = self._clamp(position, encoding)
        return self._start(number) + column

    def range(self, span: Span, encoding: Encoding = "utf-16") -> Range:
        return Range(self.position(span.start, encoding), self.position(span.end, encoding))

    def span(self, where: Range, encoding: Encoding = "utf-16") -> Span:
        """The span of a range; a reversed one is turned round."""
        a, b = self.offset(where.start, encoding), self.offset(where.end, encoding)
        return Span(min(a, b), max(a, b))

    def _touch(self, span: Span) -> None:
        """A span is about to be replaced. The characters at its sides may become one with what comes."""
        head, tail = self._stands
        self._stands = max(0, min(head, span.start - 1)), max(0, min(tail, self._size - span.end - 1))

    def _set(self, text: str) -> None:
        self._text = joined(text)
        self.ends.typed(self._text, 0, 0)
        self._size = len(self._text)
        self._stands = self._size, self._size
        self._reaches = None
        self._blocks = _blocks(_split(self._text))
        self._ends = []
        self._numbers = []

    def _clamp(self, position: Position, encoding: Encoding) -> tuple[int, int]:
        """Line and code point column of an LSP position."""
        if position.line < 0:
            return 0, 0
        block, index = self._find_line(position.line)
        if index < 0:
            number = self.line_count - 1
            return number, len(self.line(number))
        return position.line, from_units(
            _content(self._blocks[block].lines[index]), position.character, encoding
        )

    def _place(self, offset: int) -> tuple[int, int]:
        """Line and column of a code point offset, clamped; the column may stand inside a CRLF."""
        block, index, column = self._within(offset)
        return self._first_line(block) + index, column

    def _within(self, offset: int) -> tuple[int, int, int]:
        """The same as block, line in it and column."""
        offset = max(0, offset)
        block = bisect_right(self._ends, offset)
        while block == len(self._ends) and block < len(self._blocks):
            self._measure(block)
            block += offset >= self._ends[block]
        if block == len(self._blocks):
            block -= 1
            offset = min(offset, self._ends[block])
        index, column = self._blocks[block].place(offset - (self._ends[block - 1] if block else 0))
        return block, index, column

    def _find_line(self, number: int) -> tuple[int, int]:
        """Block and index in it; index -1 past the last line."""
        block = bisect_right(self._numbers, number)
        while block == len(self._numbers) and block < len(self._blocks):
            self._number(block)
            block += number >= self._numbers[block]
        if block == len(self._blocks):
            return block - 1, -1
        return block, number - self._first_line(block)

    def _is_last(self, number: int) -> bool:
        block, index = self._find_line(number)
        return block == len(self._blocks) - 1 and index == len(self._blocks[block].lines) - 1

    def _raw(self, number: int) -> str:
        block, index = self._find_line(number) if number >= 0 else (0, -1)
        if index < 0:
            raise IndexError(number)
        return self._blocks[block].lines[index]

    def _start(self, number: int) -> int:
        """The offset of the first code point of a line that exists."""
        block, index = self._find_line(number)
        self._measure(block - 1)
        return (self._ends[block - 1] if block else 0) + self._blocks[block].starts()[index]

    def _first_line(self, block: int) -> int:
        if block:
            self._number(block - 1)
        return self._numbers[block - 1] if block else 0

    def _measure(self, block: int) -> None:
        """Count code points up to the end of `block`."""
        for i in range(len(self._ends), block + 1):
            self._ends.append((self._ends[-1] if i else 0) + self._blocks[i].size)

    def _number(self, block: int) -> None:
        """Count lines up to the end of `block`."""
        for i in range(len(self._numbers), block + 1):
            self._numbers.append((self._numbers[-1] if i else 0) + len(self._blocks[i].lines))

    def _replace(self, first: tuple[int, int], last: tuple[int, int], text: str) -> None:
        head, tail = self._raw(first[0])[: first[1]], self._raw(last[0])[last[1] :]
        start, end = first[0], last[0] + 1
        # A CR that ends the line before and an LF that the edit puts first are one line end.
        new = joined(head + text + tail)
        if start and new[:1] == "\n" and self._raw(start - 1)[-1:] == "\r":
            start -= 1
            new = self._raw(start) + new
        lines = _split(new)
        if not self._is_last(last[0]):
            # Lines follow, so the empty rest after the last line end is no line of its own.
            lines.pop()
        self._splice(start, end, lines)
        self._text = self._reaches = None

    def _splice(self, start: int, end: int, lines: list[str]) -> None:
        """Lines `start`…`end` become `lines`."""
        first, at = self._find_line(start)
        last, until = self._find_line(end - 1)
        block, blocks = self._blocks[first], len(self._blocks)
        self._size -= sum([one.size for one in self._blocks[first : last + 1]])
        if first == last:
            counted = len(lines) == end - start
            block.replace(at, until + 1, lines)
        else:
            counted = False
            rest = self._blocks[last].lines[until + 1 :]
            block.replace(at, len(block.lines), lines + rest)
            del self._blocks[first + 1 : last + 1]
        if not block.lines or len(block.lines) > 2 * BLOCK:
            counted = False
            self._blocks[first : first + 1] = _blocks(block.lines)
        stop = last + 1 + len(self._blocks) - blocks
        self._size += sum([one.size for one in self._blocks[first:stop]])
        del self._ends[first:]
        if not counted:
            del self._numbers[first:]


class _Block:
    __slots__ = ("_reaches", "_starts", "_text", "lines", "size")

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.size = sum(map(len, lines))
        self._starts: list[int] | None = None
        self._text: str | None = None
        self._reaches: bool | None = None

    def replace(self, start: int, end: int, lines: list[str]) -> None:
        self.size += sum(map(len, lines)) - sum(map(len, self.lines[start:end]))
        self.lines[start:end] = lines
        self._starts = self._text = self._reaches = None

    def text(self) -> str:
        if self._text is None:
            self._text = "".join(self.lines)
        return self._text

    def reaches(self) -> bool:
        if self._reaches is None:
            self._reaches = reaching(self.text())
        return self._reaches

    def starts(self) -> list[int]:
        if self._starts is None:
            self._starts = [0, *accumulate(map(len, self.lines))]
        return self._starts

    def place(self, offset: int) -> tuple[int, int]:
        starts = self.starts()
        index = min(bisect_right(starts, offset), len(self.lines)) - 1
        return index, offset - starts[index]


def _blocks(lines: list[str]) -> list[_Block]:
    return [_Block(lines[i : i + BLOCK]) for i in range(0, len(lines), BLOCK)]


def _split(text: str) -> list[str]:
    """The lines with their line ends; the last has none and may be empty."""
    if "\n" not in text and "\r" not in text:
        return [text]
    starts = line_starts(text)
    out = [text[a:b] for a, b in pairwise(starts)]
    out.append(text[starts[-1] :])
    return out


def _content(line: str) -> str:
    if line.endswith("\n"):
        line = line[:-1]
    return line.removesuffix("\r")

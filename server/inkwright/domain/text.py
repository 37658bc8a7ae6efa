"""Places in text.

Inside the house a place is an offset in **code points** from the start of the decoded text, and a
stretch is a half-open `Span`. Lines and columns exist only at the border: a `Position` counts its
column in the units of an `Encoding`. `Lines` converts between the two.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from itertools import accumulate
from typing import Literal

Encoding = Literal["utf-8", "utf-16", "utf-32"]

ENCODINGS: tuple[Encoding, ...] = ("utf-8", "utf-16", "utf-32")

# LSP knows three line ends. str.splitlines knows ten: never use it on a manuscript.
EOL = re.compile(r"\r\n|\n|\r")

SURROGATE = re.compile("[\ud800-\udfff]")
SPLIT_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")

_CODEC: dict[Encoding, str] = {"utf-8": "utf-8", "utf-16": "utf-16-le", "utf-32": "utf-32-le"}
_WIDTH: dict[Encoding, int] = {"utf-8": 1, "utf-16": 2, "utf-32": 4}


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A stretch of text, `start` included, `end` excluded; code points."""

    start: int
    end: int

    def __len__(self) -> int:
        return self.end - self.start

    def of(self, text: str) -> str:
        return text[self.start : self.end]

    def shift(self, by: int) -> Span:
        return Span(self.start + by, self.end + by)

    def touches(self, other: Span) -> bool:
        """True when the two share a code point, or when an empty one stands inside or at a border."""
        if self.start == self.end or other.start == other.end:
            return self.start <= other.end and other.start <= self.end
        return self.start < other.end and other.start < self.end


@dataclass(frozen=True, slots=True, order=True)
class Position:
    """A place as LSP writes it: zero-based line, `character` in units of the agreed encoding."""

    line: int
    character: int


@dataclass(frozen=True, slots=True, order=True)
class Range:
    """Two LSP positions, end excluded."""

    start: Position
    end: Position


@dataclass(frozen=True, slots=True)
class TextEdit:
    """Replace `span` of a known text by `new`."""

    span: Span
    new: str

    def shift(self, by: int) -> TextEdit:
        return TextEdit(self.span.shift(by), self.new)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A document as it stood at one moment.

    `uri` is the client's own spelling. `path` is relative to the book's root with `/` (empty for a
    document without a file). `version` is the client's, None for a file that is not open.
    `readonly` is a reason code when the file must not be written (`encoding`, `binary`), else ''.
    """

    uri: str
    path: str
    version: int | None
    text: str
    readonly: str = ""


def units(text: str, encoding: Encoding) -> int:
    """The length of `text` in units of `encoding`; a lone surrogate counts as its own code unit."""
    if encoding == "utf-32" or text.isascii():
        return len(text)
    return len(text.encode(_CODEC[encoding], "surrogatepass")) // _WIDTH[encoding]


def to_units(line: str, column: int, encoding: Encoding) -> int:
    """The column of code point `column` of `line` (no line end in it), clamped to the line."""
    return units(line[: max(0, column)], encoding)


def from_units(line: str, character: int, encoding: Encoding) -> int:
    """The code point column of `character`; clamped to the line, down to the start of a cut character."""
    if character <= 0:
        return 0
    if encoding == "utf-32" or line.isascii():
        return min(character, len(line))
    codec = _CODEC[encoding]
    line = line[:character]  # no character is less than a unit wide
    try:
        data = line.encode(codec)
    except UnicodeEncodeError:
        # U+FFFF is as wide as a surrogate in both encodings, and two of them never make one character.
        data = SURROGATE.sub("\uffff", line).encode(codec)
    return len(data[: character * _WIDTH[encoding]].decode(codec, "ignore"))


def joined(text: str) -> str:
    """`text` with every high surrogate that a low one follows made into the one character they mean."""
    try:
        text.encode()  # of a long text a tenth of a look for pairs
    except UnicodeEncodeError:
        if SPLIT_PAIR.search(text) is None:
            return text
    else:
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def encodable(text: str) -> str:
    """`text` for a border that takes valid Unicode only: each lone surrogate becomes U+FFFD."""
    return SURROGATE.sub("\ufffd", joined(text))


def line_starts(text: str, *, cr: bool = True) -> list[int]:
    """Where each line begins; an empty last line after a final line end is a line too. Without `cr` a CR alone
    ends none."""
    if cr and "\r" in text:
        return [0, *(m.end() for m in EOL.finditer(text))]
    return [0, *accumulate(len(line) + 1 for line in text.split("\n")[:-1])]


def lone_cr(text: str) -> bool:
    """Whether a CR that no LF follows stands in it: a line end for LSP, none for some editors."""
    return "\r" in text and text.count("\r") != text.count("\r\n")


class Lines:
    """The line table of one text: built once in O(n), then each conversion costs the line alone.

    Positions asked for in the order of the text cost what lies between them: many in one endless line
    are no more work than the line.
    """

    __slots__ = ("_last", "starts", "text")

    def __init__(self, text: str, *, cr: bool = True) -> None:
        self.text = text
        self.starts = line_starts(text, cr=cr)
        self._last: tuple[int, int, Encoding] = (0, 0, "utf-16")
        """An offset, its column in units, and the encoding: where the next one is counted from."""

    def __len__(self) -> int:
        return len(self.starts)

    def line_of(self, offset: int) -> int:
        """The zero-based line of a code point offset, clamped."""
        return bisect_right(self.starts, max(0, min(offset, len(self.text)))) - 1

    def line(self, number: int) -> str:
        """The text of a line without its line end."""
        return self.text[self.starts[number] : self.end(number)]

    def position(self, offset: int, encoding: Encoding = "utf-16") -> Position:
        number = self.line_of(offset)
        start = self.starts[number]
        offset = max(start, min(offset, self.end(number)))
        near, column, counted = self._last
        if (
            counted != encoding
            or not start <= near <= self.end(number)
            or offset - start < abs(offset - near)
        ):
            near, column = start, 0
        between = units(self.text[min(near, offset) : max(near, offset)], encoding)
        column += between if near <= offset else -between
        self._last = (offset, column, encoding)
        return Position(number, column)

    def offset(self, position: Position, encoding: Encoding = "utf-16") -> int:
        """The code point offset; past the end of a line is its end, past the last line the end of text."""
        if position.line >= len(self.starts):
            return len(self.text)
        if position.line < 0:
            return 0
        line = self.line(position.line)
        return self.starts[position.line] + from_units(line, position.character, encoding)

    def end(self, number: int) -> int:
        """Where the text of a line ends: before its line end."""
        start = self.starts[number]
        end = self.starts[number + 1] if number + 1 < len(self.starts) else len(self.text)
        if end > start and self.text[end - 1] == "\n":
            end -= 1
        if end > start and self.text[end - 1] == "\r":
            end -= 1
        return end

    def range(self, span: Span, encoding: Encoding = "utf-16") -> Range:
        return Range(self.position(span.start, encoding), self.position(span.end, encoding))

    def span(self, where: Range, encoding: Encoding = "utf-16") -> Span:
        """The span of a range; a reversed one is turned round."""
        a, b = self.offset(where.start, encoding), self.offset(where.end, encoding)
        return Span(min(a, b), max(a, b))


def apply(text: str, edits: list[TextEdit]) -> str:
    """`text` with edits applied that do not overlap; they may come in any order."""
    out: list[str] = []
    at = 0
    for edit in sorted(edits, key=lambda e: (e.span.start, e.span.end)):
        if edit.span.start < at:
            raise ValueError("edits overlap")
        out += (text[at : edit.span.start], edit.new)
        at = edit.span.end
    out.append(text[at:])
    return "".join(out)

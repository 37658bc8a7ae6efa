"""Where blocks begin and end whatever stands before and after them: what can be told from near by."""

from __future__ import annotations

import re

from inkwright.domain.text import Span
from inkwright.manuscript import headers
from inkwright.manuscript.blocks import CJK_TEXT, END_OF_PARAGRAPH, LINE, SPECIAL

_FENCED = re.compile(r"(?:\A\ufeff?|[\r\n])[ \t\u3000]*(?:```|~~~)")
WIDE = 50_000
"""Characters of a paragraph that are read as one; of a longer one what stands near is enough."""
_PLAIN = re.compile(rf"[^{SPECIAL}\s]")
_REACHING = ("<!--", "-->", "%%", "```", "~~~")
_DEFINES = re.compile(r"(?:\A\ufeff?|[\r\n]) {0,3}\[(?!\^)[^\[\]\r\n]+\]:")
"""What may define a link label: a line by itself can tell. A footnote's text is none: no other place hangs on it."""


def reaching(text: str) -> bool:
    """Whether something in a text may reach beyond the paragraph that it stands in."""
    # One character is found much faster than two, and most texts have none of these.
    return any(mark[0] in text and mark in text for mark in _REACHING) or defines(text)


def defines(text: str) -> bool:
    """Whether a line of a text may define a link label for all of it."""
    return "]:" in text and _DEFINES.search(text) is not None


def alone(text: str, offset: int, floor: int, *, plain: bool = False) -> Span | None:
    """A stretch round `offset` whose blocks are the same whatever stands before and after it.

    None where that cannot be told from near by: a fence or a comment may reach into it, a link label be
    defined elsewhere, a list go on. The stretch begins at `floor` at the earliest. `plain`: it is known that
    nothing in the text is `reaching`. More than WIDE characters from `offset` nobody looks: what reaches so far
    is to be `cut`.
    """
    start, end = _line_bounds(text, offset, floor)
    while start > max(floor, offset - WIDE) and not _begins_afresh(text, start, floor):
        start = _line_bounds(text, start - 1, floor)[0]
    while end < min(len(text), offset + WIDE) and not _begins_afresh(text, end, floor):
        end = _line_bounds(text, end, floor)[1]
    if not plain and _reached(text, start, end):
        return None
    if text[start : start + 1] in (" ", "\t"):
        first = LINE.match(text, start)
        if not first or first.lastindex == 4 or not CJK_TEXT.search(text, start, first.end()):
            return None
    return Span(start, end)


def cut(text: str, stretch: Span, where: Span) -> Span:
    """`stretch`, or of one that is longer than WIDE what of it is near `where`; it begins as no block but text does."""
    if len(stretch) <= WIDE + len(where):
        return stretch
    start, end = max(stretch.start, where.start - WIDE // 2), min(stretch.end, where.end + WIDE // 2)
    if start > stretch.start and (found := _PLAIN.search(text, start, where.start)) is not None:
        start = found.start()
    return Span(start, end)


def _reached(text: str, start: int, end: int) -> bool:
    """Whether something may reach into or out of a stretch of lines, or a link label be defined anywhere."""
    if "%" in text and (opened := text.find("%%", 0, end)) >= 0 and text.find("%%", opened + 2) >= 0:
        return True
    if "<" in text and (_commented(text, 0, start) or _commented(text, start, end)):
        return True
    if text.find("[", start, end) >= 0 and defines(text):
        return True
    return ("`" in text or "~" in text) and _FENCED.search(text, 0, end) is not None


def _commented(text: str, start: int, end: int) -> bool:
    """Whether a comment that opens in a stretch may end behind it. One that nothing closes is none."""
    opened = text.rfind("<!--", start, end)
    return opened >= 0 and text.find("-->", opened + 4) > end - 3


def begins_alone(text: str, at: int) -> bool:
    """True when a plain line at `at` begins a paragraph whatever stands before it, but for fences and comments."""
    line = LINE.match(text, at)
    if line is None or line.lastindex not in (1, 2) or text[at] in " \t\ufeff":
        return False  # what a byte order mark is depends on whether a text begins with it
    if headers.begins(text, at):
        return False
    return _begins_afresh(text, at, 0)


def _begins_afresh(text: str, at: int, floor: int) -> bool:
    """True when the line at `at` belongs to no block that began before it."""
    start, end = _line_bounds(text, at - 1, floor)
    before = text[start:end]
    if not before.strip(" \t\u3000\r\n"):
        return True
    plain = text[at : at + 1] not in (" ", "\t") and LINE.match(text, at)
    return bool(plain and plain.lastindex in (1, 2) and END_OF_PARAGRAPH.search(before.rstrip("\r\n")[-12:]))


def _line_bounds(text: str, offset: int, floor: int) -> tuple[int, int]:
    """Where the line of `offset` begins and where the next one does."""
    offset = min(offset, len(text))
    # Inside a CRLF the LF belongs to the line before it.
    inside = text[offset - 1 : offset + 1] == "\r\n"
    start = max(_last(text, "\n", floor, offset - inside), _last(text, "\r", floor, offset - inside), floor)
    return start, _line_end(text, max(start, offset - inside))


def _line_end(text: str, at: int) -> int:
    """Where the line after that of `at` begins, looked for in steps so that one kind of line end costs no look for
    another through the whole text."""
    step = 1_000
    while at < len(text):
        high = min(len(text), at + step)
        feed = text.find("\n", at, high)
        lone = text.find("\r", at, high if feed < 0 else feed)
        if lone >= 0:
            return lone + 1 + text.startswith("\n", lone + 1)
        if feed >= 0:
            return feed + 1
        at, step = high, step * 8
    return len(text)


def _last(text: str, char: str, floor: int, offset: int) -> int:
    """The place after the last `char` before `offset`, looked for in steps so that its absence is cheap."""
    step = 1_000
    while offset > floor:
        low = max(floor, offset - step)
        found = text.rfind(char, low, offset)
        if found >= 0:
            return found + 1
        offset, step = low, step * 8
    return floor

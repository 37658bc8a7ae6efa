"""A passage as paragraphs: cores with what stands before them, so that a rewrite never touches that.

A paragraph is a line, as Chinese novels have it; in hard-wrapped prose it is a run of lines. Its
`lead` is the indentation and the Markdown block marks (`# `, `> `, `- `, `1. `): they belong to the
writer, and a model that dropped or changed them has changed nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from unicodedata import east_asian_width

from inkwright.domain.text import EOL, Span
from inkwright.proposals.pieces import BLANK

_LEAD = re.compile(rf"[{BLANK}]*(?:(?:>|[-+*](?=[ \t])|\d{{1,9}}[.)](?=[ \t])|#{{1,6}}(?=[ \t]))[{BLANK}]*)*")
_CLOSED = re.compile(r"[。！？!?….．：:；;”\"」』’）)\]*_~—|-]$")
_WRAP_WIDTH = 40


@dataclass(frozen=True, slots=True)
class Block:
    """One paragraph: `span` of its core in the text it was read from, `lead` before it on its line."""

    span: Span
    lead: str

    @property
    def plain(self) -> bool:
        """True for prose: no Markdown mark before it."""
        return not self.lead.strip(BLANK)


def lines(text: str) -> Iterator[tuple[int, int]]:
    """Start and end of each line, line end excluded."""
    at = 0
    for match in EOL.finditer(text):
        yield at, match.start()
        at = match.end()
    yield at, len(text)


def read(text: str, *, wrapped: bool) -> list[Block]:
    """The paragraphs of `text` in order; blank lines are nobody's."""
    out: list[Block] = []
    joins = False
    for start, end in lines(text):
        block = _line(text, start, end)
        if block is None:
            joins = False
            continue
        if wrapped and joins and not block.lead:
            out[-1] = Block(Span(out[-1].span.start, block.span.end), out[-1].lead)
        else:
            out.append(block)
        joins = block.plain
    return out


def _line(text: str, start: int, end: int) -> Block | None:
    while end > start and text[end - 1] in BLANK:
        end -= 1
    match = _LEAD.match(text, start, end)
    core = match.end() if match else start
    if core >= end:  # marks alone (`-`, `* * *` is not) are text of their own
        core = start
        while core < end and text[core] in BLANK:
            core += 1
        if core >= end:
            return None
    return Block(Span(core, end), text[start:core])


def is_wrapped(text: str) -> bool:
    """True when the lines of `text` are the lines of a page rather than paragraphs."""
    inner: list[str] = []
    previous: Block | None = None
    for start, end in lines(text):
        block = _line(text, start, end)
        if previous is not None and block is not None and previous.plain and not block.lead:
            inner.append(previous.span.of(text))
        previous = block
    if not inner:
        return False
    open_ended = sum(1 for line in inner if not _CLOSED.search(line))
    width = sum(_width(line) for line in inner) / len(inner)
    return open_ended >= 0.6 * len(inner) and width >= _WRAP_WIDTH


def _width(line: str) -> int:
    return len(line) if line.isascii() else sum(2 if east_asian_width(ch) in "WF" else 1 for ch in line)

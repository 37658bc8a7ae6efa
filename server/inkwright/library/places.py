"""Where the keys and values of a library file's front matter stand, in the text as it is written."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass

import yaml

from inkwright.domain.text import Lines, Span
from inkwright.library.header import Header, compose

Where = tuple[int | str, ...]


@dataclass(frozen=True, slots=True)
class _Spot:
    """`key` is the node of the key itself, None for an item of a list."""

    key: yaml.Node | None
    value: yaml.Node


class Places:
    """Spans of one line each, in code points of the text: line ends and a BOM count as they stand there."""

    def __init__(self, text: str, header: Header | None = None) -> None:
        self._lines = Lines(text)
        self._bom = int(text.startswith("\ufeff"))
        self._root = None if header is None else compose(header.source)
        source = "" if header is None else header.source
        # The front matter begins on the text's second line; in it, line ends are LF alone.
        self._starts = [0, *(at + 1 for at, ch in enumerate(source) if ch == "\n")]

    def line(self, number: int) -> Span:
        """A line without its line end, clamped; the first one without a BOM."""
        number = max(0, min(number, len(self._lines) - 1))
        return Span(self._lines.starts[number] + (0 if number else self._bom), self._lines.end(number))

    def key(self, where: Where) -> Span:
        """The last key on the way, or its item where it leads to one; the first line where it leads nowhere."""
        spot = self._spot(where)
        if spot is None:
            return self.line(0)
        return self._span(spot.value if spot.key is None else spot.key)

    def value(self, where: Where) -> Span:
        """What stands there; its key where that takes several lines."""
        spot = self._spot(where)
        if spot is None:
            return self.line(0)
        lines = spot.value.end_mark.line > spot.value.start_mark.line
        if lines and spot.key is not None:
            return self._span(spot.key)
        return self._span(spot.value)

    def _spot(self, where: Where) -> _Spot | None:
        found: _Spot | None = None
        node = self._root
        for step in where:
            if isinstance(node, yaml.MappingNode):
                entry = next(((k, v) for k, v in node.value if k.value == step), None)
                if entry is None:
                    return found
                found, node = _Spot(*entry), entry[1]
            elif isinstance(node, yaml.SequenceNode) and isinstance(step, int) and step < len(node.value):
                node = node.value[step]
                found = _Spot(None, node)
            else:
                return found
        return found

    def _span(self, node: yaml.Node) -> Span:
        start, end = self._at(node.start_mark.index), self._at(node.end_mark.index)
        limit = self._lines.end(self._lines.line_of(start))
        return Span(start, max(start, min(end, limit)))

    def _at(self, index: int) -> int:
        row = bisect_right(self._starts, index) - 1
        number = min(row + 1, len(self._lines) - 1)
        return min(self._lines.starts[number] + index - self._starts[row], self._lines.end(number))

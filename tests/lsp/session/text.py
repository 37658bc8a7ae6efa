"""A text as an editor keeps it, counted in the units of the agreed encoding. It knows nothing of the server."""

from __future__ import annotations

import re
from functools import cached_property
from itertools import pairwise
from typing import Any

Place = dict[str, int]
Where = dict[str, Place]

_END = re.compile(r"\r\n|\r|\n")


def width(char: str, encoding: str) -> int:
    """Units of one code point; a surrogate that stands alone is as wide as any of its rank."""
    code = ord(char)
    if encoding == "utf-32":
        return 1
    if encoding == "utf-16":
        return 2 if code > 0xFFFF else 1
    return 1 if code < 0x80 else 2 if code < 0x800 else 3 if code < 0x10000 else 4


def whole(text: str) -> str:
    """Two halves of a pair that have come together are one character."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


class Text:
    """One state of a document; never changed."""

    def __init__(self, text: str, encoding: str) -> None:
        self.text = whole(text)
        self.encoding = encoding

    @cached_property
    def lines(self) -> list[tuple[int, int]]:
        """Start and end of each line, its line end left out."""
        out, at = [], 0
        for match in _END.finditer(self.text):
            out.append((at, match.start()))
            at = match.end()
        return [*out, (at, len(self.text))]

    def units(self, start: int, end: int) -> int:
        return sum(width(char, self.encoding) for char in self.text[start:end])

    def place(self, offset: int) -> Place:
        number = max(n for n, (start, _) in enumerate(self.lines) if start <= offset)
        start, end = self.lines[number]
        return {"line": number, "character": self.units(start, min(offset, end))}

    def where(self, start: int, end: int) -> Where:
        return {"start": self.place(start), "end": self.place(end)}

    @property
    def end(self) -> Place:
        return self.place(len(self.text))

    def exact(self, place: Place) -> int | None:
        """The offset of a place that there is; None beyond a line's or the text's end, or in a character."""
        if not 0 <= place["line"] < len(self.lines):
            return None
        start, end = self.lines[place["line"]]
        left = place["character"]
        while left > 0 and start < end:
            left -= width(self.text[start], self.encoding)
            start += 1
        return start if left == 0 else None

    def clamped(self, place: Place) -> int:
        """The offset that a server makes of any place: back to the line's end, to the text's, before a character."""
        if place["line"] >= len(self.lines):
            return len(self.text)
        at, end = self.lines[place["line"]]
        left = place["character"]
        while at < end and left >= width(self.text[at], self.encoding):
            left -= width(self.text[at], self.encoding)
            at += 1
        return at

    def covered(self, where: Where) -> str | None:
        """The text of a range; None where the range is not in the text."""
        start, end = self.exact(where["start"]), self.exact(where["end"])
        return None if start is None or end is None or start > end else self.text[start:end]

    def replaced(self, where: Where | None, new: str) -> Text:
        """The next state. A reversed range is the same one turned round."""
        if where is None:
            return Text(new, self.encoding)
        a, b = sorted((self.clamped(where["start"]), self.clamped(where["end"])))
        return Text(self.text[:a] + new + self.text[b:], self.encoding)

    def edited(self, edits: list[dict[str, Any]]) -> tuple[Text, list[dict[str, Any]]]:
        """All of a WorkspaceEdit's edits made, and the changes in an order in which one may follow the other.

        Raises `ValueError` for a range that is not in the text and for edits that overlap.
        """
        rows = []
        for number, edit in enumerate(edits):
            start, end = self.exact(edit["range"]["start"]), self.exact(edit["range"]["end"])
            if start is None or end is None or start > end:
                raise ValueError(f"an edit beyond the text: {edit}")
            rows.append((start, end, number, edit))
        rows.sort(key=lambda row: row[:3])
        for (_, end, _, _), (start, _, _, edit) in pairwise(rows):
            if start < end:
                raise ValueError(f"edits that overlap: {edit}")
        out, changes = self, []
        for _, _, _, edit in reversed(rows):
            out = out.replaced(edit["range"], edit["newText"])
            changes.append({"range": edit["range"], "text": edit["newText"]})
        return out, changes

"""A document as a row of stretches that stand alone: an edit costs the stretch that it touched.

A stretch is read as if it were a whole document, which it is where no fence, comment or link definition
reaches over its ends: it ends where a plain line begins a paragraph afresh.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from itertools import accumulate, pairwise
from typing import Any, Generic, Protocol, TypeVar

from inkwright.domain.text import EOL
from inkwright.manuscript import borders, frontmatter
from inkwright.manuscript.borders import reaching
from inkwright.manuscript.ends import Ends
from inkwright.manuscript.markdown import scan

SIZE = 3_000
"""Characters of a stretch before it ends at the next place where it may."""

_COMMENT = re.compile(r"<!--.*-->|%%.*%%", re.DOTALL)
_FENCED = re.compile(r"[ \t\u3000]*((?>([`~])\2{2,})).*[\r\n][ \t]*\1\2*[ \t]*", re.DOTALL)


class Stretch(Protocol):
    """One stretch. `reaches`: something in it may reach beyond it, as `borders.reaching` says."""

    @property
    def text(self) -> str: ...
    @property
    def reaches(self) -> bool: ...


S = TypeVar("S", bound=Stretch)
T = TypeVar("T")


class Stretches(ABC, Generic[S]):
    """The stretches of one document in order. Not safe for two threads at once."""

    def __init__(self, size: int = SIZE, ends: Ends | None = None) -> None:
        """`ends`: those of the document that is followed, where it is typed in."""
        self.row: list[S] = []
        self.text = ""
        self.mark = 0
        self._size = size
        self._ends = ends or Ends()
        self._begins = array("Q", (0,))
        """Where the stretches begin, and where the last one ends; never changed, but replaced."""
        self._few: dict[str, tuple[Hashable, _Few]] = {}

    @abstractmethod
    def made(self, texts: Iterable[str], old: Sequence[S]) -> list[S]:
        """The stretches of texts; `old` are those that stood there, of which they may use what they know."""

    def put(self, front: int, back: int, made: list[S]) -> None:
        """Sets `made` in the place of the stretches `front`…`back`."""
        begins = self._begins
        ends = array("Q", accumulate([len(one.text) for one in made], initial=begins[front]))
        by, rest = ends[-1] - begins[back], begins[back + 1 :]
        self._begins = begins[:front] + ends + (array("Q", [at + by for at in rest]) if by else rest)
        self.row[front:back] = made
        for _, few in self._few.values():
            few.put(front, back, len(made))

    def clear(self) -> None:
        self.put(0, len(self.row), [])
        self.text = ""

    def follow(self, text: str) -> None:
        """Become the stretches of `text`; those that stand as they stood are kept."""
        front, back, at, end = self._kept(text)
        if front != back or at != end or not self.row:
            part, old = text[at:end], self.row[front:back]
            if not self.row or not self._alone(text, part, old, at):
                front, back, part, old = 0, len(self.row), text, self.row
            self.put(front, back, self.made(self._parts(part), old))
        # Last: a text that cannot be read leaves the stretches those of the one before.
        self.text, self.mark = text, self._ends.mark(text)

    def starts(self) -> Iterator[tuple[int, S]]:
        """The stretches with where they begin."""
        return zip(self._begins, self.row, strict=False)

    def few(self, name: str, on: Hashable, make: Callable[[S], T | None]) -> list[tuple[int, T]]:
        """What `make` gives for each stretch, where it is anything, with where that stretch begins; `on` is all that
        it hangs on beside the stretch. Asked again, the stretches that stand are not even looked at."""
        known = self._few.get(name)
        if known is None or known[0] != on:
            known = self._few[name] = on, _Few(len(self.row))
        few = known[1]
        few.look(lambda number: make(self.row[number]))
        return [(self._begins[number], value) for number, value in zip(few.numbers, few.values, strict=True)]

    def _kept(self, text: str) -> tuple[int, int, int, int]:
        """The stretches `front`…`back` that changed, and what stands there now, `at`…`end`."""
        row, begins = self.row, self._begins
        head, tail = self._ends.common(self.text, self.mark, text)
        front = bisect_right(begins, head) - 1
        back = max(front, bisect_left(begins, begins[-1] - tail))
        at, end = begins[front], len(text) - (begins[-1] - begins[back])
        # A border holds only while both its sides say so; at the end of a text none had to be.
        while front and ((front == len(row) and at < end) or not _border(text, at)):
            front -= 1
            at -= len(row[front].text)
        while back < len(row) and not _border(text, end):
            end += len(row[back].text)
            back += 1
        return front, back, at, end

    def _alone(self, text: str, part: str, old: Sequence[S], at: int) -> bool:
        """Whether the rest of the document is what it was whatever `part` is, and the other way round."""
        if reaching(part) or any(stretch.reaches for stretch in old):
            # What one stretch leaves open another one may close.
            unclosed = self.few("unclosed", None, lambda stretch: stretch.reaches and _unclosed(stretch.text))
            if unclosed or _unclosed(part):
                return False
        if at == 0 and text.startswith(("---", "\ufeff---")) and not frontmatter.read(part):
            return False
        return "[" not in part or not borders.defines(text)

    def _parts(self, text: str) -> Iterator[str]:
        borders = [0, *_borders(text, self._size), len(text)]
        return (text[a:b] for a, b in pairwise(borders))


class _Few:
    """What was made of stretches, by their numbers, where it is anything; and which are new."""

    def __init__(self, count: int) -> None:
        self.numbers: list[int] = []
        self.values: list[Any] = []
        self._new = list(range(count))

    def put(self, front: int, back: int, count: int) -> None:
        """`count` stretches have come in the place of `front`…`back`."""
        numbers, by = self.numbers, front + count - back
        low, high = bisect_left(numbers, front), bisect_left(numbers, back)
        del self.values[low:high]
        numbers[low:] = [number + by for number in numbers[high:]] if by else numbers[high:]
        before = [number for number in self._new if number < front]
        behind = [number + by for number in self._new if number >= back]
        self._new = [*before, *range(front, front + count), *behind]

    def look(self, make: Callable[[int], Any]) -> None:
        """Makes what is missing."""
        while self._new:
            value = make(self._new[-1])
            number = self._new.pop()
            if value:
                at = bisect_left(self.numbers, number)
                self.numbers.insert(at, number)
                self.values.insert(at, value)


def _unclosed(text: str) -> bool:
    """Whether something in a text that is read by itself reaches beyond it, or may: no fence or comment that is
    opened and closed in it does."""
    if borders.defines(text):
        return True
    document = scan(text)
    held = [span for span in document.comments if _COMMENT.fullmatch(text, span.start, span.end)]
    code = [p.span for p in document.paragraphs if p.kind == "code"]
    held += [span for span in code if _FENCED.fullmatch(text, span.start, span.end)]
    at, rest = 0, []
    for span in sorted(held):
        rest.append(text[at : span.start])
        at = max(at, span.end)
    return any(map(reaching, [*rest, text[at:]]))


def _border(text: str, at: int) -> bool:
    if at in (0, len(text)):
        return True
    begins = text[at - 1] == "\n" or (text[at - 1] == "\r" and text[at] != "\n")
    return begins and borders.begins_alone(text, at)


def _borders(text: str, size: int) -> Iterator[int]:
    """Where the stretches of a text end, the end of the text excepted."""
    if text.startswith("%%~") or borders.defines(text):
        return
    body = frontmatter.read(text).body_start if text.startswith(("---", "\ufeff---")) else 0
    if reaching(text):
        document = scan(text)
        whole = [p.span for p in document.paragraphs if p.kind in ("code", "comment")]
        held = sorted([*document.comments, *whole])
    else:
        held = []
    at = body if body else size
    number = 0
    while (ends := EOL.search(text, at)) is not None and ends.end() < len(text):
        line = ends.end()
        while number < len(held) and held[number].end <= line:
            number += 1
        inside = held[number].end if number < len(held) and held[number].start < line else 0
        if inside:
            at = inside
        elif borders.begins_alone(text, line):
            yield line
            at = line + size
        else:
            at = line

"""What a writer searches for, and the lines of a text that hold it. Pure.

Words are parted by white space; each must stand in the line as it is written, case and full width apart,
also inside a longer word. What stands between straight double quotes is one word, spaces included. There
are no operators: every other character is searched for.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from inkwright.domain.errors import InkwrightError
from inkwright.domain.text import EOL, Span, line_starts
from inkwright.manuscript import bigrams
from inkwright.manuscript.folding import fold, folded
from inkwright.manuscript.script import CJK, COMBINING

WORD = 4
"""Characters of what is looked for as it stands and no other way."""
LONGEST = 2000
"""Characters of a query."""

_WORD = re.compile(r'"([^"]+)"(?!\S)|\S+')
_PLAIN = re.compile(f"[{CJK}]+")
_LETTER = re.compile(rf"[^\W_{CJK}]|[{COMBINING}]")
_NO_LETTER_BEFORE = rf"(?<![^\W_{CJK}])(?<![{COMBINING}])"
_NO_LETTER_AFTER = rf"(?![^\W_{CJK}]|[{COMBINING}])"


class Line(NamedTuple):
    """One line that was found, without its line end. `start` is its offset in the text.

    `mask` has bit n set when the n-th needle stands there. `whole` is False when one does so only inside
    a longer word of letters.
    """

    number: int
    start: int
    text: str
    mask: int
    whole: bool


@dataclass(frozen=True)
class Needles:
    """Folded strings to look for, without line ends."""

    texts: tuple[str, ...]

    @cached_property
    def _plain(self) -> bool:
        """Whether folding a composed text changes nothing that could be found."""
        return all(_PLAIN.fullmatch(text) for text in self.texts)

    @cached_property
    def _words(self) -> tuple[re.Pattern[str], ...]:
        """Those that begin or end with a letter, as words of their own."""
        out: list[re.Pattern[str]] = []
        for text in self.texts:
            left, right = _LETTER.match(text[0]), _LETTER.match(text[-1])
            if left or right:
                out.append(
                    re.compile(
                        (_NO_LETTER_BEFORE if left else "")
                        + re.escape(text)
                        + (_NO_LETTER_AFTER if right else "")
                    )
                )
        return tuple(out)

    @cached_property
    def _keys(self) -> tuple[tuple[str, ...], ...]:
        """A text has a key where the key stands in it: neither parts a run."""
        return tuple([tuple(set[str]().union(*bigrams.keys_of(text))) for text in self.texts])

    def mask(self, text: str) -> int:
        """Which of them stand in a text."""
        text = self._spelled(text)
        return sum(1 << bit for bit, needle in enumerate(self.texts) if needle in text)

    def likely(self, text: str) -> int:
        """Which of them a text has the keys of: what the full-text index would say of it."""
        text = self._spelled(text)
        return sum(1 << bit for bit, keys in enumerate(self._keys) if all(key in text for key in keys))

    def lines(self, text: str, *, all_: bool = True) -> list[Line]:
        """The lines that hold all of them, or at least one, in order."""
        spelled = self._spelled(text)
        present = [needle for needle in self.texts if needle in spelled]
        if not present or (all_ and len(present) < len(self.texts)):
            return []
        rows = _split(spelled)
        raw, starts = (rows if spelled is text else _split(text)), line_starts(text)
        if all_:
            found = list(range(len(rows)))
            for needle in self.texts:
                found = [number for number in found if needle in rows[number]]
            every = (1 << len(self.texts)) - 1
            return [Line(n, starts[n], raw[n], every, self._whole(rows[n])) for n in found]
        masks = ((n, self.mask(row)) for n, row in enumerate(rows))
        return [Line(n, starts[n], raw[n], mask, self._whole(rows[n])) for n, mask in masks if mask]

    def spans(self, line: Line) -> tuple[Span, ...]:
        """Where they stand in the text that a line is of, in order; those that meet are one."""
        spelled, places = folded(line.text)
        found: list[tuple[int, int]] = []
        for needle in self.texts:
            at = spelled.find(needle)
            while at >= 0:
                end = at + len(needle)
                found.append((at, end) if places is None else (places[at], places[end]))
                at = spelled.find(needle, end)
        return _merged(found, line.start)

    def _spelled(self, text: str) -> str:
        return text if self._plain and unicodedata.is_normalized("NFC", text) else fold(text)

    def _whole(self, row: str) -> bool:
        return all(word.search(row) for word in self._words)


@dataclass(frozen=True)
class Query:
    """A query as it is understood: its words, and what of them must stand in a line."""

    words: tuple[str, ...]
    needles: Needles

    @property
    def one_word(self) -> bool:
        """Whether it asks for a single word: where that is not, nothing comes near it."""
        return len(self.words) == 1 and len(self.words[0]) <= WORD

    @cached_property
    def loose(self) -> Needles:
        """Its words and pairs, for when no line holds it all."""
        grams: dict[str, None] = {}
        for text in self.needles.texts:
            grams.update(dict.fromkeys(t for t in bigrams.tokens(text) if t in bigrams.grams(text)))
        return Needles(tuple(grams))

    @cached_property
    def together(self) -> tuple[str, ...]:
        """The needles side by side, for a line that holds them so; empty for a single one."""
        texts = self.needles.texts
        return (" ".join(texts), "".join(texts)) if len(texts) > 1 else ()


def parse(query: str) -> Query:
    """Any string. Raises `InkwrightError`: query_too_long."""
    if len(query) > LONGEST:
        raise InkwrightError("query_too_long", limit=LONGEST, length=len(query))
    found = [match[1] or match[0] for match in _WORD.finditer(EOL.sub(" ", query))]
    words = tuple(word for word in found if not word.isspace())
    return Query(words, Needles(tuple(dict.fromkeys(map(fold, words)))))


def _split(text: str) -> list[str]:
    """The lines as `line_starts` counts them, without their line ends."""
    return EOL.split(text) if "\r" in text else text.split("\n")


def _merged(found: list[tuple[int, int]], by: int) -> tuple[Span, ...]:
    out: list[tuple[int, int]] = []
    for start, end in sorted(found):
        if out and start <= out[-1][1]:
            out[-1] = (out[-1][0], max(end, out[-1][1]))
        else:
            out.append((start, end))
    return tuple(Span(start + by, end + by) for start, end in out)

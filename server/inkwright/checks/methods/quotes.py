"""Quotation marks of a paragraph, read from left to right.

Chinese: a straight mark that closes a curly one is repaired, straight pairs around Han become curly,
and what does not pair is pointed at. A quotation may stay open to the next paragraph in fiction, so a
mark without a partner at the edge of its paragraph is a hint; one in the middle is a fault.
English: straight marks are sound; only a straight mark that answers a curly one is repaired.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from inkwright.checks.hits import Hit
from inkwright.checks.piece import Piece
from inkwright.checks.rules import Family, Rule
from inkwright.manuscript.script import HAN

_DOUBLE = re.compile(r'["“”]')
_NESTED = re.compile(r"[‘’「」『』]")
_HAN = re.compile(f"[{HAN}]")
_PARTNER = {"‘": "’", "「": "」", "『": "』"}
# What may stand before a mark that closes a quotation.
_ENDS = "。！？…．—～.!?~，,；;、）)》】”’」』"
_SPACE = " \t\u3000\r\n"


@dataclass(frozen=True, slots=True)
class Mark:
    at: int
    char: str


def finders(family: Family) -> tuple[Quotes, ...]:
    return (Quotes({rule.id: rule for rule in family.rules}, frozenset('"“”‘’「」『』')),)


@dataclass(slots=True)
class Quotes:
    rules: dict[str, Rule]
    triggers: frozenset[str]
    scope: str = "any"

    def find(self, piece: Piece) -> Iterable[Hit]:
        text = piece.text
        if '"' not in piece.chars and piece.chars.isdisjoint("‘’「」『』") and _sound(text):
            return
        marks = [
            Mark(m.start(), m[0])
            for m in _DOUBLE.finditer(text)
            if not (
                m[0] == '"'
                and text[m.start() - 1 : m.start()].isdigit()
                and not _closes_later(text, m.start())
            )
        ]
        if piece.zh:
            if not piece.chars.isdisjoint('"“”'):
                yield from self._chinese(text, marks)
            if not piece.chars.isdisjoint("‘「」『』"):
                yield from self._nested(text)
        elif not piece.chars.isdisjoint("“”"):
            yield from self._english(marks)
        elif len(marks) % 2:
            yield self._hit("en-quote-open", marks[-1])

    def _hit(self, rule: str, mark: Mark, fix: str | None = None, partner: Mark | None = None) -> Hit:
        params = {"partner": partner.at - mark.at} if partner else None
        return Hit(mark.at, mark.at + 1, rule, self.rules[rule].severity, fix, params)

    def _chinese(self, text: str, marks: list[Mark]) -> Iterator[Hit]:
        opened: Mark | None = None
        pairs: list[tuple[Mark, Mark]] = []
        seen = False
        doubtful = False
        index = 0
        while index < len(marks):
            mark = marks[index]
            index += 1
            if mark.char == "“":
                if opened is not None:
                    yield self._hit("zh-quote-reopened", mark)
                    doubtful = True
                opened = mark
            elif opened is None and mark.char == '"':
                opened = mark
            elif opened is None:
                yield self._hit("zh-quote-unopened" if seen else "zh-quote-edge", mark)
                seen = True
            elif mark.char == "”":
                if opened.char == '"':
                    yield self._hit("zh-quote-mixed", opened, "“", mark)
                opened, seen = None, True
            elif mark.at == opened.at + 1:
                yield self._hit("zh-quote-nested", mark)
            elif opened.char == "“" and (inner := _inner(text, marks, index - 1)):
                yield self._hit("zh-quote-nested", mark)
                index = inner
            else:
                if opened.char == "“":
                    yield self._hit("zh-quote-mixed", mark, "”", opened)
                else:
                    pairs.append((opened, mark))
                opened, seen = None, True
        if opened is not None:
            yield self._hit("zh-quote-edge", opened)
            doubtful = True
        sure = not doubtful
        for first, last in pairs:
            inside = text[first.at + 1 : last.at]
            fits = sure and inside[:1] not in _SPACE and inside[-1:] not in _SPACE and "「" not in text
            if _HAN.search(inside):
                yield self._hit("zh-quote-straight", first, "“" if fits else None, last)
                yield self._hit("zh-quote-straight", last, "”" if fits else None, first)

    def _nested(self, text: str) -> Iterator[Hit]:
        stack: list[Mark] = []
        for match in _NESTED.finditer(text):
            mark = Mark(match.start(), match[0])
            if mark.char in _PARTNER:
                stack.append(mark)
            elif stack and _PARTNER[stack[-1].char] == mark.char:
                stack.pop()
            elif mark.char != "’" or not text[mark.at - 1 : mark.at].isascii():
                yield self._hit("zh-quote-edge", mark)
        for mark in stack:
            yield self._hit("zh-quote-edge", mark)

    def _english(self, marks: list[Mark]) -> Iterator[Hit]:
        opened: Mark | None = None
        for mark in marks:
            if mark.char == "“" or (mark.char == '"' and opened is None):
                if opened is not None:
                    yield self._hit("en-quote-open", opened)
                opened = mark
            elif opened is None:
                yield self._hit("en-quote-open", mark)
            else:
                if opened.char != mark.char and '"' in (opened.char, mark.char):
                    wrong, right = (mark, "”") if mark.char == '"' else (opened, "“")
                    yield self._hit("en-quote-mixed", wrong, right, opened if wrong is mark else mark)
                opened = None
        if opened is not None:
            yield self._hit("en-quote-open", opened)


def _sound(text: str) -> bool:
    """Whether the curly marks open and close in turn; most paragraphs are told so in C."""
    marks = "".join(_DOUBLE.findall(text))
    return marks == "“”" * (len(marks) // 2)


def _inner(text: str, marks: list[Mark], index: int) -> int:
    """Where to go on when the straight mark at `index` opens a pair inside a curly quotation; else 0."""
    if text[marks[index].at - 1] in _ENDS:
        return 0
    end = index
    while end < len(marks) and marks[end].char == '"':
        end += 1
    even = (end - index) % 2 == 0
    return index + 2 if even and end < len(marks) and marks[end].char == "”" else 0


def _closes_later(text: str, at: int) -> bool:
    """A straight mark right after a digit is a sign of inches or seconds, unless prose goes on as after speech."""
    return bool(_HAN.search(text)) or (
        text[at + 1 : at + 2] in ("", ",", ".", ";", " ") and text.count('"') % 2 == 0
    )

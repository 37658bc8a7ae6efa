"""Brackets of a Chinese paragraph: pairs, halves of two widths, and halves without a partner."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from inkwright.checks.hits import Hit
from inkwright.checks.piece import Piece
from inkwright.checks.rules import Family, Rule
from inkwright.manuscript.script import HAN

_BRACKETS = re.compile(r"[()（）《》〈〉【】〔〕]|>>")
_PARTNER = {"）": "（", ")": "(", "》": "《", "〉": "〈", "】": "【", "〕": "〔"}
_OPENERS = frozenset(_PARTNER.values())
_WIDE = {"(": "（", ")": "）"}
_HAN = re.compile(f"[{HAN}]")
# `1）` and `一)` begin an item; they close nothing.
_ITEM = re.compile(r"(?:^|[\s，。；：、])[0-9０-９a-zA-Z一二三四五六七八九十]{1,3}\Z")


def finders(family: Family) -> tuple[Brackets, ...]:
    return (Brackets({rule.id: rule for rule in family.rules}, frozenset("()（）《》〈〉【】〔〕")),)


@dataclass(slots=True)
class Brackets:
    rules: dict[str, Rule]
    triggers: frozenset[str]
    scope: str = "zh"

    def find(self, piece: Piece) -> Iterable[Hit]:
        text = piece.text
        stack: list[tuple[int, str]] = []
        for match in _BRACKETS.finditer(text):
            at, char = match.start(), match[0]
            if char in _OPENERS:
                stack.append((at, char))
                continue
            if char == ">>":
                # A slip for 》, which a rule of its own names.
                if stack and stack[-1][1] == "《":
                    stack.pop()
                continue
            if stack and _same(stack[-1][1], char):
                start, opener = stack.pop()
                yield from self._pair(text, start, opener, at, char)
            elif char != ")" and not _ITEM.search(text[max(0, at - 4) : at]):
                yield self._hit("zh-bracket-unpaired", at)
        for at, char in stack:
            if char == "【":
                yield self._hit("zh-bracket-open", at)
            elif char != "(":
                yield self._hit("zh-bracket-unpaired", at)

    def _pair(self, text: str, start: int, opener: str, end: int, closer: str) -> Iterable[Hit]:
        if opener == "(" and closer == ")":
            if _HAN.search(text, start, end):
                yield self._hit("zh-bracket-narrow", start, "（", end)
                yield self._hit("zh-bracket-narrow", end, "）", start)
        elif opener == "(":
            yield self._hit("zh-bracket-mixed", start, "（", end)
        elif closer == ")":
            yield self._hit("zh-bracket-mixed", end, "）", start)

    def _hit(self, rule: str, at: int, fix: str | None = None, partner: int | None = None) -> Hit:
        params = None if partner is None else {"partner": partner - at}
        return Hit(at, at + 1, rule, self.rules[rule].severity, fix, params)


def _same(opener: str, closer: str) -> bool:
    return _WIDE.get(opener, opener) == _WIDE.get(_PARTNER[closer], _PARTNER[closer])

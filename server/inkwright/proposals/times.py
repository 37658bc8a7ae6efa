"""The guard's judgement of words for times: weekdays, months, yesterday and tomorrow, parts of the day, seasons."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from inkwright.domain.proposal import Finding
from inkwright.proposals.change import Change, listed
from inkwright.proposals.tables import table

_MAY = r"(?:(?<=in )|(?<=of )|(?<=last )|(?<=next )|(?<=since )|(?<=until )|(?<=by )|(?<=early )|(?<=late ))May\b|\bMay(?= \d)"


@dataclass(frozen=True, slots=True)
class _Class:
    pattern: re.Pattern[str]
    group: dict[str, int]
    fixed: bool
    near: frozenset[tuple[int, int]]


def judged(change: Change) -> Iterator[Finding]:
    """A word that went while another of its class came; a weekday or a month that went, too."""
    for kind in _classes():
        before, after = (_found(kind, text) for text in change.near)
        lost, came = _by_group(kind, before, after), _by_group(kind, after, before)
        if not lost and not (came and kind.fixed):
            continue
        if not came and not kind.fixed:
            continue
        yield Finding("date_changed", {"before": listed(lost), "after": listed(came)})


def _found(kind: _Class, text: str) -> list[str]:
    return [match.group() for match in kind.pattern.finditer(text)]


def _by_group(kind: _Class, words: list[str], others: list[str]) -> Counter[str]:
    """The words whose group, and no group near it, stands among `others`."""
    there = {kind.group[word] for word in others}

    def meets(word: str) -> bool:
        mine = kind.group[word]
        return mine in there or any((mine, g) in kind.near or (g, mine) in kind.near for g in there)

    return Counter(word for word in words if not meets(word))


@cache
def _classes() -> tuple[_Class, ...]:
    return tuple(_class(row) for row in table("times")["class"])


def _class(row: dict[str, object]) -> _Class:
    groups: list[list[str]] = row["groups"]  # type: ignore[assignment]
    near: list[tuple[int, int]] = row.get("near", [])  # type: ignore[assignment]
    group = {word: number for number, words in enumerate(groups) for word in words}
    longest = sorted(group, key=len, reverse=True)
    return _Class(
        re.compile("|".join(map(_pattern, longest))),
        group,
        bool(row.get("fixed")),
        frozenset((a, b) for a, b in near),
    )


def _pattern(word: str) -> str:
    if word == "May":
        return _MAY
    if word.isascii():
        return rf"\b{re.escape(word)}(?!\w)"
    return rf"(?<![一二三四五六七八九十两几每]){word}(?![次回个趟年月天])" if word[0] == "周" else word

"""All rules over one paragraph."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from inkwright.checks.chapter import watchers
from inkwright.checks.chapter.marks import Noted
from inkwright.checks.classes import MASK
from inkwright.checks.closure import close
from inkwright.checks.hits import Finder, Hit
from inkwright.checks.methods.phrases import Phrases, Turns
from inkwright.checks.methods.registry import METHODS
from inkwright.checks.methods.words import HanWords, standing
from inkwright.checks.names import Names
from inkwright.checks.piece import Piece, look
from inkwright.checks.rules import families

MANY = 500
"""Hits without a fix of one rule that one paragraph has at the most: a client shows no more in all."""


class Tool(NamedTuple):
    """A finder; the paragraph must have one of the characters of `triggers`, if there are any, and one of the plain
    `words`, if that is not None."""

    finder: Finder
    triggers: frozenset[str]
    words: frozenset[str] | None


@dataclass(frozen=True, slots=True)
class Toolset:
    """The finders of all families, in order of precedence."""

    damage: tuple[Tool, ...]
    zh: tuple[Tool, ...]
    en: tuple[Tool, ...]
    stands: Callable[[str], frozenset[str]]
    """The plain words that the finders and the watchers of Chinese look for, of those that stand in a text."""


@cache
def toolset() -> Toolset:
    made = [(family, METHODS[family.method](family)) for family in families() if family.method in METHODS]
    rest = [f for family, finders in made if family.method != "damage" for f in finders]
    zh = [f for f in rest if f.scope in ("zh", "any")]
    words = watchers.words().union(*(f.words for f in zh if isinstance(f, (Phrases, Turns, HanWords))))
    return Toolset(
        tuple(_tool(f) for family, finders in made if family.method == "damage" for f in finders),
        tuple(map(_tool, zh)),
        tuple(_tool(f) for f in rest if f.scope in ("en", "any")),
        standing(words),
    )


def _tool(finder: Finder) -> Tool:
    # Turns of English are looked for in the text: they are more than a word.
    if isinstance(finder, (Phrases, HanWords)) or (isinstance(finder, Turns) and finder.scope == "zh"):
        return Tool(finder, finder.triggers, frozenset(finder.words))
    return Tool(finder, finder.triggers, None)


class Engine:
    """The rules that are on, for one language and one set of names."""

    def __init__(self, language: str, names: Names, disabled: Collection[str] = ()) -> None:
        self.language = language
        self.names = names
        self.disabled = frozenset(disabled)
        self._tools = toolset()
        self.watch = watchers.watch(self.disabled)
        self._last: Piece | None = None

    def hits(self, masked: str) -> tuple[Hit, ...]:
        """The hits of one masked paragraph by place. Their fixes don't overlap, and all of them leave none."""
        found = _few(self._pass(masked))
        if any(hit.fix is not None for hit in found):
            closed = close(masked, found, self._pass)
            found = [hit.unfixed() for hit in found] if closed is None else closed
        return tuple(found)

    def note(self, masked: str) -> Noted:
        """What the paragraph adds to the sums of its chapter."""
        return self.watch.note(self._piece(masked), self.names)

    def _piece(self, masked: str) -> Piece:
        if self._last is None or self._last.text != masked:
            piece = look(masked, self.language)
            if piece.zh:
                piece = Piece(masked, piece.chars, zh=True, en=False, stands=self._tools.stands(masked))
            self._last = piece
        return self._last

    def _pass(self, masked: str) -> list[Hit]:
        piece = self._piece(masked)
        if piece.zh:
            damage = self._allowed(self._tools.damage, piece)
            if damage:
                return damage
        elif not piece.en:
            return []
        return _apart(self._allowed(self._tools.zh if piece.zh else self._tools.en, piece))

    def _allowed(self, tools: Sequence[Tool], piece: Piece) -> list[Hit]:
        chars, plain = piece.chars, piece.stands if piece.zh else piece.vocabulary
        hits: list[Hit] = []
        for finder, triggers, words in tools:
            if (triggers and triggers.isdisjoint(chars)) or (words is not None and words.isdisjoint(plain)):
                continue
            hits += finder.find(piece)
        if not hits or (not self.disabled and not self.names.given and MASK not in chars):
            return hits
        return [
            hit
            for hit in hits
            if hit.rule not in self.disabled
            and MASK not in piece.text[hit.start : hit.end]
            and not self.names.touch(piece.text, hit.start, hit.end)
        ]


def _few(hits: Sequence[Hit]) -> list[Hit]:
    """All that have a fix, and of each rule the first others."""
    if len(hits) <= MANY:
        return list(hits)
    told: Counter[str] = Counter()
    kept: list[Hit] = []
    for hit in hits:
        if hit.fix is None:
            told[hit.rule] += 1
            if told[hit.rule] > MANY:
                continue
        kept.append(hit)
    return kept


def _apart(hits: Sequence[Hit]) -> list[Hit]:
    """Of hits that share a character only the one of the earlier rule; by place."""
    if len(hits) < 2:
        return list(hits)
    kept: list[int] = []
    for i in sorted(range(len(hits)), key=lambda i: (hits[i].start, hits[i].end)):
        while kept and hits[kept[-1]].end > hits[i].start:
            if kept[-1] < i:
                break
            kept.pop()
        else:
            kept.append(i)
    return [hits[i] for i in kept]

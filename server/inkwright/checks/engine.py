"""All rules over one paragraph."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cache

from inkwright.checks.chapter.marks import Noted
from inkwright.checks.chapter.watchers import watch
from inkwright.checks.classes import MASK
from inkwright.checks.closure import close
from inkwright.checks.hits import Finder, Hit
from inkwright.checks.methods import METHODS
from inkwright.checks.names import Names
from inkwright.checks.piece import Piece, look
from inkwright.checks.rules import families


@dataclass(frozen=True, slots=True)
class Toolset:
    """The finders of all families, in order of precedence."""

    damage: tuple[Finder, ...]
    zh: tuple[Finder, ...]
    en: tuple[Finder, ...]


@cache
def toolset() -> Toolset:
    made = [(family, METHODS[family.method](family)) for family in families() if family.method in METHODS]
    rest = [f for family, finders in made if family.method != "damage" for f in finders]
    return Toolset(
        tuple(f for family, finders in made if family.method == "damage" for f in finders),
        tuple(f for f in rest if f.scope in ("zh", "any")),
        tuple(f for f in rest if f.scope in ("en", "any")),
    )


class Engine:
    """The rules that are on, for one language and one set of names."""

    def __init__(self, language: str, names: Names, disabled: Collection[str] = ()) -> None:
        self.language = language
        self.names = names
        self.disabled = frozenset(disabled)
        self._tools = toolset()
        self.watch = watch(self.disabled)
        self._last: Piece | None = None

    def hits(self, masked: str) -> tuple[Hit, ...]:
        """The hits of one masked paragraph by place. Their fixes don't overlap, and all of them leave none."""
        found = self._pass(masked)
        if any(hit.fix is not None for hit in found):
            closed = close(masked, found, self._pass)
            found = [replace(hit, fix=None, where=None) for hit in found] if closed is None else closed
        return tuple(found)

    def note(self, masked: str) -> Noted:
        """What the paragraph adds to the sums of its chapter."""
        return self.watch.note(self._piece(masked), self.names)

    def _piece(self, masked: str) -> Piece:
        if self._last is None or self._last.text != masked:
            self._last = look(masked, self.language)
        return self._last

    def _pass(self, masked: str) -> list[Hit]:
        piece = self._piece(masked)
        if piece.zh:
            for finder in self._tools.damage:
                damage = self._allowed(finder, piece)
                if damage:
                    return damage
        elif not piece.en:
            return []
        found: list[Hit] = []
        for finder in self._tools.zh if piece.zh else self._tools.en:
            if not finder.triggers or not finder.triggers.isdisjoint(piece.chars):
                found += self._allowed(finder, piece)
        return _apart(found)

    def _allowed(self, finder: Finder, piece: Piece) -> list[Hit]:
        if finder.triggers and finder.triggers.isdisjoint(piece.chars):
            return []
        hits = finder.find(piece)
        if not self.disabled and not self.names.given and MASK not in piece.chars:
            return list(hits)
        return [
            hit
            for hit in hits
            if hit.rule not in self.disabled
            and MASK not in piece.text[hit.start : hit.end]
            and not self.names.touch(piece.text, hit.start, hit.end)
        ]


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

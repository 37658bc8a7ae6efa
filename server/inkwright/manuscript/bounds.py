"""What in a book's folder is not the book's: what is ignored, and what belongs to another book."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path

from inkwright import intake
from inkwright.manuscript import encoding, ignoring
from inkwright.manuscript.ignoring import Rule


@dataclass(slots=True)
class Bounds:
    """As a walk found them; paths are relative to the book's root.

    `apart` are folders that somebody else says are books, `inner` those that say so themselves, `rules`
    the ignore rules by the folder that they stand in.
    """

    apart: Collection[str] = frozenset()
    inner: list[str] = field(default_factory=list)
    rules: dict[str, tuple[Rule, ...]] = field(default_factory=dict)
    ignored: bool = False
    """Whether a rule has kept anything away."""

    def read(self, root: Path, folder: str, names: Collection[str]) -> None:
        """Takes the ignore files among the names in a folder. Blocks."""
        found: list[Rule] = []
        for name in ignoring.NAMES:
            if name not in names:
                continue
            try:
                data = intake.read(root / folder / name, ignoring.MAX_SIZE)
            except (OSError, ValueError):
                continue
            found += ignoring.rules(encoding.decode(data).text)
        if found:
            self.rules[folder] = tuple(found)

    def hides(self, path: str, *, folder: bool) -> bool:
        """Whether this very file or folder is left out; whether one that it lies in is, is another question."""
        if folder and (path in self.apart or path in self.inner):
            return True
        if not self.rules:
            return False
        names = unicodedata.normalize("NFC", path).split("/")
        holder = path
        for depth in range(len(names) - 1, -1, -1):
            holder = holder.rpartition("/")[0]
            for rule in reversed(self.rules.get(holder, ())):
                if (folder or not rule.folders) and rule.matches(names[depth:]):
                    self.ignored |= not rule.kept
                    return not rule.kept
        return False

    def outside(self, path: str) -> bool:
        """Whether a file is none of the book's, by its own name or that of a folder on the way to it."""
        if not (self.rules or self.inner or self.apart):
            return False
        parts = path.split("/")
        ways = ("/".join(parts[:depth]) for depth in range(1, len(parts)))
        return any(self.hides(way, folder=True) for way in ways) or self.hides(path, folder=False)

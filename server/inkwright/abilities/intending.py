"""What writers called intended: read once per state of the file, added, listed and taken back."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from pathlib import Path

from inkwright.checks import intended
from inkwright.checks.intended import Decided, Intended
from inkwright.domain.diagnostic import Diagnostic
from inkwright.domain.errors import Fault, InkwrightError
from inkwright.domain.manuscript import Problem
from inkwright.manuscript import decisions

Read = tuple[tuple[Intended, ...], tuple[Problem, ...]]


class Intentions:
    """The decisions of the books in use. A file that cannot be read has none, and a problem."""

    def __init__(self) -> None:
        self._known: dict[Path, tuple[decisions.Stamp, Read, Decided]] = {}
        self._told: dict[Path, decisions.Stamp] = {}

    async def of(self, root: Path) -> Read:
        """The decisions of the book at `root`, and what is wrong with their file."""
        return (await asyncio.to_thread(self._read, root))[1]

    async def answering(self, root: Path) -> Decided:
        """The same decisions, to be held against what checks find."""
        return (await asyncio.to_thread(self._read, root))[2]

    def untold(self, root: Path) -> tuple[Fault, ...]:
        """What was wrong with the file when it was read last, the first of each kind: for whoever tells the writer.
        Once per state of the file."""
        known = self._known.get(root)
        if known is None or self._told.get(root) == known[0]:
            return ()
        self._told[root] = known[0]
        first = {problem.code: problem for problem in reversed(known[1][1])}
        return tuple(Fault(problem.code, dict(problem.params)) for problem in first.values())

    async def add(
        self, root: Path, text: str, path: str, diagnostic: Diagnostic, *, everywhere: bool
    ) -> Intended:
        """Remembers that what a diagnostic says is intended. Raises `InkwrightError`: decisions_unreadable, decisions_too_large,
        decisions_unwritable."""
        decision = intended.of(diagnostic, text, path, everywhere=everywhere)
        await asyncio.to_thread(decisions.add, root, [intended.line(decision)])
        return decision

    async def remove(self, root: Path, ids: Collection[str]) -> int:
        """Takes decisions back by their ids; how many there were. Raises as `add` does."""
        found, _ = await self.of(root)
        gone = {one.id for one in found if one.id in ids}
        if not gone:
            return 0
        await asyncio.to_thread(self._remove, root, gone)
        return len(gone)

    def _read(self, root: Path) -> tuple[decisions.Stamp, Read, Decided]:
        stamp = decisions.stamp(root)
        known = self._known.get(root)
        if known is not None and known[0] == stamp:
            return known
        try:
            found = intended.read(decisions.lines(root), decisions.NAME)
        except InkwrightError as error:
            found = ((), (Problem(decisions.NAME, 0, error.fault.code, error.fault.params),))
        known = self._known[root] = (stamp, found, Decided(found[0]))
        return known

    def _remove(self, root: Path, gone: Collection[str]) -> None:
        """The lines that say the same, however they are spelled."""
        lines = [
            line
            for line in decisions.lines(root)
            if any(one.id in gone for one in intended.read([line], decisions.NAME)[0])
        ]
        decisions.remove(root, frozenset(lines))

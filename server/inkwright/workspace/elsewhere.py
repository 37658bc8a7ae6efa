"""What other programs do to an open book beside its files: the command line, another editor."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from inkwright.manuscript import decisions
from inkwright.store.state import State
from inkwright.store.witness import Witness


class Elsewhere:
    """Kinds: runs, proposals, candidates (cards and facts that wait), memories, decisions."""

    def __init__(self, root: Path, state: State) -> None:
        self._root = root
        self._witness = Witness(state.database, state.book_id)
        self._decided: decisions.Stamp | None = None

    async def look(self) -> frozenset[str]:
        """What changed elsewhere since the last look; the first one finds nothing. Raises `StorageError`."""
        now = await asyncio.to_thread(decisions.stamp, self._root)
        found = await self._witness.look()
        before, self._decided = self._decided, now
        return found if before is None or before == now else found | {"decisions"}

    @asynccontextmanager
    async def deciding(self) -> AsyncIterator[None]:
        """Round a decision that is written here: it did not come from elsewhere."""
        quiet = self._decided == await asyncio.to_thread(decisions.stamp, self._root)
        yield
        if quiet:
            self._decided = await asyncio.to_thread(decisions.stamp, self._root)

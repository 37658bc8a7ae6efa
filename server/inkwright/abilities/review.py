"""Reviewing proposals: what waits, where its hunks stand now, and what the writer decides."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING

from inkwright.abilities.asks import Verdict
from inkwright.domain.errors import InkwrightError
from inkwright.domain.proposal import Proposal
from inkwright.workspace import OpenBook, Workspace

if TYPE_CHECKING:
    from inkwright.proposals.decide import Decision
    from inkwright.proposals.rebase import Rebased


class Review:
    """Nothing here edits a document: a presenter applies a decision's edits, then records it."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    async def pending(self, book: OpenBook, path: str | None = None) -> tuple[Proposal, ...]:
        """The proposals of a book (or of one chapter) with a hunk that waits, oldest first."""
        return await book.state.proposals.pending(path=path)

    async def find(self, proposal_id: str) -> Proposal:
        """A proposal of any open book. Raises `InkwrightError`: proposal_unknown."""
        return (await self._find(proposal_id))[1]

    async def placed(self, proposal: Proposal, text: str) -> Rebased:
        """Where the hunks that wait stand in the text of now."""

        def work() -> Rebased:
            from inkwright.proposals.rebase import rebase

            return rebase(proposal, text)

        return await asyncio.to_thread(work)

    async def accept(self, proposal: Proposal, hunks: Sequence[int] | None, text: str) -> Decision:
        """The decision to accept (None: the hunks without findings), with its edits of `text`.

        Raises `InkwrightError`: hunk_unknown. Record it once the edits are in the document.
        """

        def work() -> Decision:
            from inkwright.proposals.decide import accept

            return accept(proposal, text, hunks)

        return await asyncio.to_thread(work)

    async def reject(self, proposal: Proposal, hunks: Sequence[int] | None) -> Verdict:
        """Rejects hunks (None: those without findings). Raises `InkwrightError`: hunk_unknown."""
        from inkwright.proposals.decide import reject

        return await self.record(reject(proposal, hunks))

    async def record(self, decision: Decision) -> Verdict:
        """Writes a decision down. A hunk that was decided meanwhile keeps its first state."""
        asked = {*decision.applied, *decision.stale, *decision.rejected}
        states = {h.index: h.state for h in decision.proposal.hunks if h.index in asked}
        book, _ = await self._find(decision.proposal.id)
        after = await book.state.proposals.decide(decision.proposal.id, states)

        def having(state: str) -> tuple[int, ...]:
            return tuple(h.index for h in after.hunks if h.index in asked and h.state == state)

        return Verdict(having("accepted"), having("stale"), having("rejected"))

    async def _find(self, proposal_id: str) -> tuple[OpenBook, Proposal]:
        for book in self._workspace.open_books():
            if (proposal := await book.state.proposals.get(proposal_id)) is not None:
                return book, proposal
        raise InkwrightError("proposal_unknown", proposal=proposal_id)

"""Reviewing proposals: what waits, where its hunks stand now, and what the writer decides."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from inkwright import proposals
from inkwright.abilities.asks import Binding, Verdict
from inkwright.domain.errors import InkwrightError
from inkwright.domain.proposal import HunkState, Proposal
from inkwright.domain.text import TextEdit
from inkwright.workspace import OpenBook, Workspace


class Review:
    """Nothing here edits a document: a presenter applies a binding's edits, then records what came of it."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    async def pending(self, book: OpenBook, path: str | None = None) -> tuple[Proposal, ...]:
        """The proposals of a book (or of one chapter) with a hunk that waits, oldest first."""
        return await book.state.proposals.pending(path=path)

    async def find(self, proposal_id: str) -> tuple[OpenBook, Proposal]:
        """A proposal of any open book. Raises `InkwrightError`: proposal_unknown."""
        for book in self._workspace.open_books():
            if (proposal := await book.state.proposals.get(proposal_id)) is not None:
                return book, proposal
        raise InkwrightError("proposal_unknown", proposal=proposal_id)

    async def bind(self, proposal: Proposal, chosen: Sequence[int] | None, text: str) -> Binding:
        """The chosen hunks that wait (None: those without findings) as edits of `text`.

        Raises `InkwrightError`: hunk_unknown.
        """
        wanted = _chosen(proposal, chosen)
        placed = await asyncio.to_thread(proposals.rebase, proposal, text)
        edits, indices, stale = [], [], []
        for hunk in proposal.hunks:
            if hunk.index not in wanted or hunk.state != "pending":
                continue
            if (span := placed.placed.get(hunk.index)) is None:
                stale.append(hunk.index)
            else:
                edits.append(TextEdit(span, hunk.after))
                indices.append(hunk.index)
        return Binding(proposal, text, tuple(edits), tuple(indices), tuple(stale))

    async def record(self, binding: Binding, chosen: Sequence[int] | None) -> Verdict:
        """Writes a binding down whose edits were applied; the verdict names every chosen hunk."""
        states: dict[int, HunkState] = dict.fromkeys(binding.indices, "accepted")
        states |= dict.fromkeys(binding.stale, "stale")
        return await self._decide(binding.proposal, states, chosen)

    async def reject(self, proposal: Proposal, chosen: Sequence[int] | None) -> Verdict:
        """Rejects the chosen hunks that wait (None: all that wait)."""
        wanted = {hunk.index for hunk in proposal.hunks} if chosen is None else _chosen(proposal, chosen)
        states: dict[int, HunkState] = {
            hunk.index: "rejected"
            for hunk in proposal.hunks
            if hunk.index in wanted and hunk.state == "pending"
        }
        return await self._decide(proposal, states, sorted(wanted))

    async def verdict(self, proposal: Proposal, chosen: Sequence[int] | None) -> Verdict:
        """What became of the chosen hunks so far."""
        wanted = _chosen(proposal, chosen)

        def of(state: HunkState) -> tuple[int, ...]:
            return tuple(h.index for h in proposal.hunks if h.index in wanted and h.state == state)

        return Verdict(of("accepted"), of("stale"), of("rejected"))

    async def _decide(
        self, proposal: Proposal, states: dict[int, HunkState], chosen: Sequence[int] | None
    ) -> Verdict:
        if states:
            book, _ = await self.find(proposal.id)
            proposal = await book.state.proposals.decide(proposal.id, states)
        return await self.verdict(proposal, chosen)


def _chosen(proposal: Proposal, chosen: Sequence[int] | None) -> set[int]:
    if chosen is None:
        return {hunk.index for hunk in proposal.hunks if not hunk.findings}
    known = {hunk.index for hunk in proposal.hunks}
    for index in chosen:
        if index not in known:
            raise InkwrightError("hunk_unknown", proposal=proposal.id, hunk=index)
    return set(chosen)

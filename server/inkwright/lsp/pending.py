"""Hunks that wait for the writer, and where they stand in a document as it is now."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from inkwright.domain.proposal import Hunk, Proposal
    from inkwright.domain.text import Span
    from inkwright.lsp.session import Session
    from inkwright.lsp.still import Still


@dataclass(frozen=True, slots=True)
class Waiting:
    """One pending hunk. `span` lies in the document as it stands; None when its text is not there."""

    proposal: Proposal
    hunk: Hunk
    span: Span | None


class Pending:
    """The pending proposals of a session's documents; asked again only after something was decided."""

    def __init__(self, ls: Session) -> None:
        self._ls = ls
        self._proposals: dict[tuple[str, str], tuple[Proposal, ...]] = {}
        self._placed: dict[str, tuple[str, tuple[Waiting, ...]]] = {}

    async def of(self, still: Still) -> tuple[Waiting, ...]:
        """In the order of the proposals and their hunks."""
        proposals = await self.proposals(still)
        if not proposals:
            return ()
        known = self._placed.get(still.uri)
        if known is not None and known[0] is still.text:
            return known[1]
        review = (await self._ls.studio()).review
        out: list[Waiting] = []
        for proposal in proposals:
            placed = (await review.placed(proposal, still.text)).placed
            out += [
                Waiting(proposal, hunk, placed.get(hunk.index))
                for hunk in proposal.hunks
                if hunk.state == "pending"
            ]
        self._placed[still.uri] = (still.text, tuple(out))
        return tuple(out)

    async def proposals(self, still: Still) -> tuple[Proposal, ...]:
        book = await self._ls.books.of(still.path)
        path = None if still.path is None else book.relative(still.path)
        key = (str(book.root), path if path is not None else still.uri)
        if key not in self._proposals:
            self._proposals[key] = await book.state.proposals.pending(
                path=path, uri=still.uri if path is None else None
            )
        return self._proposals[key]

    def changed(self) -> None:
        """A proposal was made or decided: forget, and let the client ask for its lenses again."""
        self._proposals.clear()
        self._placed.clear()
        self._ls.spawn(self._ls.client.refresh_lenses())


SHOWN = 30


def titled(ls: Session, code: str, hunk: Hunk) -> str:
    """A title that shows what a hunk changes, and what the guard found in it."""
    from inkwright.i18n import tr

    title = ls.tr(code, before=_short(hunk.before), after=_short(hunk.after))
    if hunk.findings:
        told = "; ".join(tr(f.code, ls.locale, f.params) for f in hunk.findings)
        title = ls.tr("hunk_with_findings", title=title, findings=told)
    return title


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= SHOWN else line[:SHOWN] + "…"

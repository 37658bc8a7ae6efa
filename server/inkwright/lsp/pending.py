"""Hunks that wait for the writer, and where they stand in a document as it is now."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

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
        self._made_by: dict[str, str] = {}

    async def of(self, still: Still) -> tuple[Waiting, ...]:
        """In the order of the proposals and their hunks."""
        await self._ls.undone.settled()
        proposals = await self.proposals(still)
        if not proposals:
            return ()
        known = self._placed.get(still.uri)
        if known is not None and known[0] is still.text:
            return known[1]
        review = (await self._ls.studio()).review
        out: list[Waiting] = []
        for proposal in proposals:
            where = await review.placed(proposal, still.text)
            out += [
                Waiting(proposal, hunk, where.placed.get(hunk.index))
                for hunk in proposal.hunks
                if hunk.state == "pending" and hunk.index not in where.standing
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

    async def told_apart(self, still: Still, proposals: Sequence[Proposal]) -> dict[str, dict[str, Any]]:
        """What a title needs to tell each of several proposals: label, when, and a number where two have both
        alike. Empty for one proposal: there is nothing to mistake it for."""
        if len(proposals) < 2:
            return {}
        book = await self._ls.books.of(still.path)
        library = await (await self._ls.studio()).library(book)
        out: dict[str, dict[str, Any]] = {}
        for proposal in proposals:
            if proposal.id not in self._made_by:
                run = await book.state.runs.get(proposal.run_id)
                self._made_by[proposal.id] = run.ability if run is not None else ""
            ability = self._made_by[proposal.id]
            profile = library.ability(ability)
            label = profile.label[self._ls.locale] if profile is not None else ability
            out[proposal.id] = {"label": label or proposal.id[:8], "when": _when(proposal.created_at)}
        alike = Counter((told["label"], told["when"]) for told in out.values())
        numbers: Counter[tuple[str, str]] = Counter()
        for told in out.values():
            key = (told["label"], told["when"])
            if alike[key] > 1:
                numbers[key] += 1
                told["number"] = numbers[key]
        return out

    def changed(self) -> None:
        """A proposal was made or decided: forget, and let the client ask for its lenses again."""
        self._proposals.clear()
        self._placed.clear()
        self._made_by.clear()
        self._ls.spawn(self._ls.client.refresh_lenses())


SHOWN = 30


def _when(seconds: float) -> str:
    """The time of day here, with the date unless it is today's."""
    made = datetime.fromtimestamp(seconds)
    return made.strftime("%H:%M" if made.date() == datetime.now().date() else "%Y-%m-%d %H:%M")


def titled(ls: Session, code: str, hunk: Hunk) -> str:
    """A title that shows what a hunk changes, and what the guard found in it."""
    from inkwright.i18n import tr

    title = ls.tr(code, before=_short(hunk.before), after=_short(hunk.after))
    if hunk.findings:
        told = "; ".join(tr(f.code, ls.locale, f.params) for f in hunk.findings)
        title = ls.tr("hunk_with_findings", title=title, findings=told)
    return title


def _short(text: str) -> str:
    """One line, never empty: ∅ stands for nothing, ␣ for blanks alone."""
    line = " ".join(text.split()) or ("␣" if text else "∅")
    return line if len(line) <= SHOWN else line[:SHOWN] + "…"

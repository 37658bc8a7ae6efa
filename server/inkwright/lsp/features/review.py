"""Proposals: listing, accepting and rejecting, through the client's own edit."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from inkwright.lsp.arguments import Arguments

if TYPE_CHECKING:
    from inkwright.abilities.asks import Verdict
    from inkwright.domain.proposal import Proposal
    from inkwright.domain.text import TextEdit
    from inkwright.lsp.session import Session
    from inkwright.lsp.still import Still
    from inkwright.workspace import OpenBook

ATTEMPTS = 3
"""How often an edit is made anew because the writer typed while it was on its way."""

Given = Mapping[str, Any]


def register(ls: Session) -> None:
    ls.command("inkwright.listProposals")(list_proposals)
    ls.command("inkwright.acceptProposal")(accept_proposal)
    ls.command("inkwright.rejectProposal")(reject_proposal)


async def list_proposals(ls: Session, given: Given, _token: object) -> list[dict[str, Any]]:
    """{uri?, known?} → pending proposals with the hunks that wait.

    Where a document is open, or can be read, a hunk's range is where its text stands now; one whose
    text is not there carries `stale`. An acceptance that an undo took back waits again.

    `known` are ids of proposals whose hunks the client has from an earlier answer: of these no text is sent, but
    {id, uri, version, places, stale} (`_placed`). Their texts never change.
    """
    args = Arguments("inkwright.listProposals", given)
    uri, known = args.maybe("uri"), args.ids("known")
    books = [await ls.books.at(uri)] if uri else await ls.books.everywhere()
    studio = await ls.studio()
    await ls.undone.settled()
    out: list[dict[str, Any]] = []
    for book in books:
        for proposal in await studio.review.pending(book):
            if uri and not _same(ls, book, proposal, uri):
                continue
            shown = await _shown(ls, book, proposal)
            out.append(_placed(shown) if proposal.id in known else shown)
    return out


def _placed(shown: dict[str, Any]) -> dict[str, Any]:
    """A proposal without its texts: `places` has five numbers for each hunk whose text is there: its index, by how many
    lines its start is below the start of the hunk before, the start's character, over how many lines it goes on, and the
    end's character. `stale` are the indices of the others."""
    places: list[int] = []
    stale: list[int] = []
    above = 0
    for hunk in shown["hunks"]:
        if hunk.get("stale"):
            stale.append(hunk["index"])
            continue
        start, end = hunk["range"]["start"], hunk["range"]["end"]
        lines = end["line"] - start["line"]
        places += (hunk["index"], start["line"] - above, start["character"], lines, end["character"])
        above = start["line"]
    return {name: shown[name] for name in ("id", "uri", "version")} | {"places": places, "stale": stale}


def _same(ls: Session, book: OpenBook, proposal: Proposal, uri: str) -> bool:
    from inkwright.lsp import uris

    return uris.key(uri) == uris.key(_uri(ls, book, proposal))


def _uri(ls: Session, book: OpenBook, proposal: Proposal) -> str:
    """The document's URI as the client spells it now; the one that it had when it has no file."""
    if not proposal.path or book.index is None:
        return proposal.uri
    return ls.documents.uri(book.root / proposal.path)


async def _shown(ls: Session, book: OpenBook, proposal: Proposal) -> dict[str, Any]:
    from inkwright.abilities import run_shapes
    from inkwright.domain.errors import InkwrightError
    from inkwright.lsp.convert import plain

    wire = run_shapes.proposal(proposal, ls.encoding, ls.locale, pending=True)
    wire["uri"] = _uri(ls, book, proposal)
    try:
        still = await _still(ls, book, proposal)
    except InkwrightError:
        return wire
    where = await (await ls.studio()).review.placed(proposal, still.text)
    wire["version"] = still.version
    wire["hunks"] = [hunk for hunk in wire["hunks"] if hunk["index"] not in where.standing]
    for hunk in wire["hunks"]:
        span = where.placed.get(hunk["index"])
        if span is None:
            hunk["stale"] = True
        else:
            hunk["range"] = plain(still.lines.range(span, ls.encoding))
    return wire


async def _still(ls: Session, book: OpenBook, proposal: Proposal) -> Still:
    """The document of a proposal as it stands now. Raises `InkwrightError` when there is none."""
    from inkwright.domain.errors import InkwrightError
    from inkwright.lsp import uris
    from inkwright.lsp.still import Still

    uri = _uri(ls, book, proposal)
    if (document := ls.documents.get(uri)) is not None:
        return document.still()
    path = uris.path(uri)
    if path is None:
        raise uris.closed(uri)
    _, snapshot = await (await ls.studio()).workspace.snapshot(path, uri)
    if snapshot.readonly:
        raise InkwrightError("readonly_document", path=snapshot.path)
    return Still(uri, path, None, snapshot.text)


def accept_proposal(ls: Session, given: Given, _token: object) -> Awaitable[dict[str, Any]]:
    args = Arguments("inkwright.acceptProposal", given)
    work = _accept(ls, args.text("proposalId"), args.indices("hunks"), applied=args.flag("applied"))
    # An edit that is on its way to the client cannot be called back: its outcome must be written down.
    return asyncio.shield(ls.spawn(work, told=True))


async def _accept(
    ls: Session, proposal_id: str, hunks: tuple[int, ...] | None, *, applied: bool
) -> dict[str, Any]:
    from inkwright.abilities import run_shapes
    from inkwright.abilities.asks import Verdict
    from inkwright.domain.errors import InkwrightError
    from inkwright.domain.text import apply

    await ls.undone.settled()
    async with ls.review_lock(proposal_id):
        if applied:
            return run_shapes.verdict(await _note(ls, proposal_id, hunks))
        for _ in range(ATTEMPTS):
            book, proposal = await _find(ls, proposal_id)
            still = await _still(ls, book, proposal)
            review = (await ls.studio()).review
            still.editable(ls.client.can)
            decision = await review.accept(proposal, hunks, still.text)
            # A client that does not say that it takes edits is asked all the same: without literal actions
            # nothing else is left to it.
            if decision.edits and not (
                await _apply(ls, still, decision.edits) or _landed(ls, still, decision.edits)
            ):
                if _moved(ls, still):
                    continue
                if not ls.client.can.apply_edit:
                    literal = ls.client.can.action_literals
                    raise InkwrightError("client_cannot_edit" if literal else "client_takes_no_edit")
                return run_shapes.verdict(Verdict())  # refused: everything waits as before
            verdict = await review.record(decision)
            ls.pending.changed()
            after = apply(still.text, list(decision.edits))
            ls.undone.accepted(still.uri, proposal.id, verdict.applied, still.text, after, proposal.base)
            return run_shapes.verdict(verdict)
    return run_shapes.verdict(Verdict())


async def _apply(ls: Session, still: Still, edits: Any) -> bool:
    from inkwright.lsp.edits import workspace_edit

    if _moved(ls, still):
        return False
    label = ls.tr("edit_accept", count=len(edits))
    return await ls.client.apply(label, workspace_edit(still, edits, ls.encoding, ls.client.can, label))


def _moved(ls: Session, still: Still) -> bool:
    """Whether the document is another one than that which the edits were made for."""
    document = ls.documents.get(still.uri)
    if document is None:
        return still.version is not None
    return document.text() != still.text


def _landed(ls: Session, still: Still, edits: Sequence[TextEdit]) -> bool:
    """Whether an edit stands in the open document although the client did not say so, or not in time."""
    from inkwright.proposals import decide

    document = ls.documents.get(still.uri)
    return document is not None and _moved(ls, still) and decide.landed(still.text, edits, document.text())


async def _note(ls: Session, proposal_id: str, hunks: tuple[int, ...] | None) -> Verdict:
    """Writes down hunks whose edits the client has made by itself."""
    from inkwright.proposals import decide

    book, proposal = await _find(ls, proposal_id)
    chosen = decide.clean(proposal) if hunks is None else hunks
    review = (await ls.studio()).review
    decision = await review.accept(proposal, chosen, proposal.base)
    verdict = await review.record(decision)
    ls.pending.changed()
    if (document := ls.documents.get(_uri(ls, book, proposal))) is not None:
        after = document.text()
        before = await asyncio.to_thread(decide.before, decision.proposal, verdict.applied, after)
        if before is not None:
            ls.undone.accepted(document.uri, proposal.id, verdict.applied, before, after, proposal.base)
    return verdict


async def reject_proposal(ls: Session, given: Given, _token: object) -> dict[str, Any]:
    from inkwright.abilities import run_shapes

    args = Arguments("inkwright.rejectProposal", given)
    proposal_id, hunks = args.text("proposalId"), args.indices("hunks")
    await ls.undone.settled()
    async with ls.review_lock(proposal_id):
        _, proposal = await _find(ls, proposal_id)
        verdict = await (await ls.studio()).review.reject(proposal, hunks)
    ls.pending.changed()
    return run_shapes.verdict(verdict)


async def _find(ls: Session, proposal_id: str) -> tuple[OpenBook, Proposal]:
    """A proposal of any book at hand, one of an earlier session included. Raises proposal_unknown."""
    from inkwright.domain.errors import InkwrightError

    studio = await ls.studio()
    for books in (list(studio.workspace.open_books()), await ls.books.everywhere()):
        for book in books:
            if (proposal := await book.state.proposals.get(proposal_id)) is not None:
                return book, proposal
    raise InkwrightError("proposal_unknown", proposal=proposal_id)

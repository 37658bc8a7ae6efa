"""Code lenses: on the hunks that wait (accept and reject, each and all), on a summary that is out of date, on chapters
and scenes."""

from __future__ import annotations

from collections.abc import Awaitable
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING, Any

from lsprotocol import types as t

if TYPE_CHECKING:
    from inkwright.lsp.session import Session
    from inkwright.lsp.still import Still

LIMIT = 200


def register(ls: Session) -> None:
    ls.feature(t.TEXT_DOCUMENT_CODE_LENS, t.CodeLensOptions(resolve_provider=True))(lenses)


def lenses(ls: Session, params: t.CodeLensParams) -> Awaitable[list[dict[str, Any]]] | None:
    document = ls.documents.get(params.text_document.uri)
    if document is None or not document.prose or document.page:
        return None
    return _lenses(ls, document.still())


async def _lenses(ls: Session, still: Still) -> list[dict[str, Any]]:
    from inkwright.lsp.convert import plain
    from inkwright.lsp.features import chapter_lenses, thread_lenses
    from inkwright.lsp.pending import titled
    from inkwright.proposals.differing import differing

    studio = await ls.studio()
    if not studio.settings.code_lens:
        return []
    studio.load_soon()
    out: list[dict[str, Any]] = await _summary(ls, still)
    waiting = [w for w in await ls.pending.of(still) if w.span is not None]
    for proposal, group in groupby(waiting, key=lambda w: w.proposal):
        hunks = list(group)
        if len(out) + 2 > LIMIT:
            break
        sound = [w for w in hunks if not w.hunk.findings]
        first = hunks[0].span
        assert first is not None
        head = plain(still.range(first, ls.encoding))
        if sound:
            title = ls.tr("lens_accept_all", count=len(sound))
            named = {"proposalId": proposal.id, "hunks": [w.hunk.index for w in sound]}
            out.append(_lens(head, title, "inkwright.acceptProposal", named))
        title = ls.tr("lens_reject_all", count=len(hunks))
        everything = {"proposalId": proposal.id, "hunks": [w.hunk.index for w in hunks]}
        out.append(_lens(head, title, "inkwright.rejectProposal", everything))
        for w in hunks[: (LIMIT - len(out)) // 2]:
            assert w.span is not None
            where = plain(still.range(w.span, ls.encoding))
            argument = {"proposalId": proposal.id, "hunks": [w.hunk.index]}
            # Several may stand in one row, which ends at the edge of the window: what differs is enough.
            old, new = differing(w.hunk.before, w.hunk.after)
            title = titled(ls, "lens_accept", replace(w.hunk, before=old, after=new))
            out.append(_lens(where, title, "inkwright.acceptProposal", argument))
            out.append(_lens(where, ls.tr("lens_reject"), "inkwright.rejectProposal", argument))
    out += await thread_lenses.lenses(ls, still)
    return out + await chapter_lenses.lenses(ls, still, LIMIT - len(out))


async def _summary(ls: Session, still: Still) -> list[dict[str, Any]]:
    """Nothing for a chapter that was never summed up, or whose summary holds, as far as that is known."""
    from inkwright.domain.errors import StorageError

    book = await ls.books.of(still.path)
    if still.path is None or book.index is None:
        return []
    path = book.relative(still.path)
    try:
        found = await book.state.summaries.summary(path)
    except StorageError:
        return []
    if found is None or book.index.digest(path) in ("", found.digest):
        return []
    start = {"line": 0, "character": 0}
    argument = {"ability": "summary", "uri": still.uri, "show": True}
    return [
        _lens({"start": start, "end": start}, ls.tr("lens_summary_stale"), "inkwright.runAbility", argument)
    ]


def _lens(where: dict[str, Any], title: str, command: str, argument: dict[str, Any]) -> dict[str, Any]:
    return {"range": where, "command": {"title": title, "command": command, "arguments": [argument]}}

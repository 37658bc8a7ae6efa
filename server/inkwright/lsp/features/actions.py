"""Code actions: fixes as literal edits, the hunks that wait, every ability and its quick actions."""

from __future__ import annotations

import unicodedata
from collections.abc import Awaitable, Iterator, Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any

from lsprotocol import types as t

if TYPE_CHECKING:
    from inkwright.domain.proposal import Proposal
    from inkwright.domain.text import Encoding, Span, TextEdit
    from inkwright.lsp.pending import Waiting
    from inkwright.lsp.session import Session
    from inkwright.lsp.still import Still
    from inkwright.workspace import OpenBook

QUICK_FIX = "quickfix"
FIX_ALL = "source.fixAll.inkwright"
REWRITE = "refactor.rewrite.inkwright"
KINDS = (QUICK_FIX, REWRITE, FIX_ALL)

LIMIT = 100
"""How many fixes, and how many hunks, a selection offers: nobody reads a longer menu."""

JOINER = "\u200d"
MARKS = ("Mn", "Mc", "Me", "Sk")

Action = dict[str, Any]


def register(ls: Session) -> None:
    options = t.CodeActionOptions(code_action_kinds=list(KINDS), resolve_provider=False)
    ls.feature(t.TEXT_DOCUMENT_CODE_ACTION, options)(actions)


def actions(ls: Session, params: t.CodeActionParams) -> Awaitable[list[Action]] | None:
    from inkwright.domain.text import Span
    from inkwright.lsp.convert import position_in

    document = ls.documents.get(params.text_document.uri)
    if document is None or not document.checked:
        return None
    a = document.buffer.offset(position_in(params.range.start), ls.encoding)
    b = document.buffer.offset(position_in(params.range.end), ls.encoding)
    only = [getattr(kind, "value", kind) for kind in params.context.only or ()]
    unasked = params.context.trigger_kind == t.CodeActionTriggerKind.Automatic
    span = Span(min(a, b), max(a, b))
    return _actions(ls, document.key, document.still(), span, only, unasked=unasked)


async def _actions(
    ls: Session, key: str, still: Still, span: Span, only: list[str], *, unasked: bool
) -> list[Action]:
    from inkwright.domain.text import Span
    from inkwright.lsp.features import waiting

    fixes = await _fixes(ls, key, still, span) if _wanted(QUICK_FIX, only) else []
    out = list(fixes)
    if _wanted(REWRITE, only) and not (still.path is not None and still.path.name == "book.toml"):
        pending = await ls.pending.of(still)
        proposals = list({w.proposal.id: w.proposal for w in pending}.values())
        told = await ls.pending.told_apart(still, proposals)
        out += _stops(ls, still)
        out += _hunks(ls, still, span, pending, told)
        selects = not (ls.client.can.block_cursor and one_character(span.of(still.text)))
        out += await _abilities(ls, still, span if selects else Span(span.start, span.start))
        out += _picture(ls, still, span)
        for title, command, argument in await waiting.offers(ls, still, await _book(ls, still), span):
            out.append(_command(title, f"{REWRITE}.candidates", command, argument))
    # Costs all faults of the document: not for every place that the cursor passes.
    if _wanted(FIX_ALL, only) and (only or (fixes and not unasked)):
        out += await _fix_all(ls, key, still)
    out = [action for action in out if _wanted(action["kind"], only)]
    if ls.client.can.action_literals:
        return out
    return [action["command"] for action in out if "command" in action]


def one_character(text: str) -> bool:
    """Whether a text is what a cursor stands on: one sign with the marks and joined signs that belong to it."""
    joined = True
    for ch in text if text != "\r\n" else "\n":
        if not (joined or ch == JOINER or unicodedata.category(ch) in MARKS):
            return False
        joined = ch == JOINER
    return text != ""


def _wanted(kind: str, only: list[str]) -> bool:
    """Whether a kind is asked for: itself, one above it or one below it."""
    return not only or any(
        f"{kind}.".startswith(f"{asked}.") or f"{asked}.".startswith(f"{kind}.") for asked in only if asked
    )


async def _fixes(ls: Session, key: str, still: Still, span: Span) -> list[Action]:
    from inkwright.lsp.features import intended
    from inkwright.lsp.fixing import Fixing

    found = [one for one in (await ls.checks.of(key, still)).placed if one.span.touches(span)]
    if not found:
        return []
    book = await _book(ls, still)
    fixes = await Fixing(ls, still, book).of(found, LIMIT)
    return [*fixes, *await intended.offers(ls, still, book, found)]


async def _fix_all(ls: Session, key: str, still: Still) -> list[Action]:
    from inkwright.checks import checking
    from inkwright.lsp.fixing import Fixing

    doubtful = checking.hints()
    found = await ls.checks.of(key, still)
    fixes = [d.fix for d in found.placed if d.fix is not None and d.code not in doubtful]
    if not fixes or Fixing(ls, still, await _book(ls, still)).locked:
        return []
    title = ls.tr("action_fix_all", count=len(fixes))
    return [{"title": title, "kind": FIX_ALL, "edit": _edit(ls, still, fixes, title)}]


def _hunks(
    ls: Session, still: Still, span: Span, waiting: tuple[Waiting, ...], told: Mapping[str, Action]
) -> Iterator[Action]:
    """Accept and reject for the hunks that the selection touches, and for all of each proposal.

    `told` is what tells several proposals apart, by their ids.
    """
    from inkwright.domain.text import TextEdit
    from inkwright.lsp.pending import titled

    def of(proposal: Proposal, title: str) -> str:
        known = told.get(proposal.id)
        if known is None:
            return title
        return ls.tr("proposal_numbered" if "number" in known else "proposal_named", title=title, **known)

    touched = (w for w in waiting if w.span is not None and w.span.touches(span))
    for w in islice(touched, LIMIT):
        assert w.span is not None
        argument = {"proposalId": w.proposal.id, "hunks": [w.hunk.index]}
        edit = TextEdit(w.span, w.hunk.after)
        yield _accept(ls, still, of(w.proposal, titled(ls, "action_accept", w.hunk)), argument, [edit])
        title = of(w.proposal, titled(ls, "action_reject", w.hunk))
        yield _command(title, REWRITE, "inkwright.rejectProposal", argument)
    for proposal in {w.proposal.id: w.proposal for w in waiting}.values():
        mine = [w for w in waiting if w.proposal.id == proposal.id]
        sound = [w for w in mine if not w.hunk.findings and w.span is not None]
        if sound:
            edits = [TextEdit(w.span, w.hunk.after) for w in sound if w.span is not None]
            title = of(proposal, ls.tr("action_accept_all", count=len(sound)))
            named = {"proposalId": proposal.id, "hunks": [w.hunk.index for w in sound]}
            yield _accept(ls, still, title, named, edits)
        title = of(proposal, ls.tr("action_reject_all", count=len(mine)))
        everything = {"proposalId": proposal.id, "hunks": [w.hunk.index for w in mine]}
        yield _command(title, REWRITE, "inkwright.rejectProposal", everything)


def _stops(ls: Session, still: Still) -> Iterator[Action]:
    """One for each run of the document that was taken from a menu: its editor need not show that it runs."""
    for request_id, same in ls.running.items():
        if same and same[0].shown and same[0].uri == still.uri:
            title = ls.tr("action_stop", title=same[0].title)
            yield _command(title, f"{REWRITE}.stop", "inkwright.cancelRun", {"requestId": request_id})


def _accept(ls: Session, still: Still, title: str, argument: dict[str, Any], edits: list[TextEdit]) -> Action:
    """Through the server where the client takes edits from it; else the edit itself, and word of it."""
    can = ls.client.can
    if can.apply_edit or not can.action_literals or not can.can_edit(still.text):
        return _command(title, REWRITE, "inkwright.acceptProposal", argument)
    action = _command(title, REWRITE, "inkwright.acceptProposal", {**argument, "applied": True})
    return {**action, "edit": _edit(ls, still, edits, title)}


async def _abilities(ls: Session, still: Still, span: Span) -> list[Action]:
    from inkwright.lsp.convert import plain

    book = await _book(ls, still)
    studio = await ls.studio()
    studio.load_soon()
    library = await studio.library(book)
    selected = span.start < span.end
    out: list[Action] = []
    quick: list[Action] = []
    # What changes the text first, as the menu's heading says; the quick actions after the abilities themselves.
    for profile in sorted(library.abilities(), key=lambda one: one.output not in ("edit", "insert")):
        # One turn on a passage needs a passage.
        narrow = profile.mode == "single" and profile.scope == "selection" and profile.output == "edit"
        if narrow and not selected:
            continue
        argument: dict[str, Any] = {"uri": still.uri}
        where = "action_chapter"
        if (selected and profile.output != "summary") or profile.output == "insert":
            argument["range"] = plain(still.range(span, ls.encoding))
            where = "action_selection" if selected else "action_cursor"
        kind = f"{REWRITE}.{profile.id}"
        asked = {"ability": profile.id, **argument}
        label = profile.label[ls.locale]
        out.append(_run(ls.tr(where, label=label), kind, "inkwright.runAbility", asked))
        for one in profile.quick_actions:
            told = {**asked, "message": one.message[ls.locale]}
            title = ls.tr(where, label=f"{label} · {one.label[ls.locale]}")
            quick.append(_run(title, kind, "inkwright.runAbility", told))
    out += quick
    domain = library.domain(book.book.type) if book is not None and book.index is not None else None
    if domain is not None and (pipeline := library.pipeline(domain.pipeline)) is not None:
        title = ls.tr("action_pipeline", label=pipeline.label[ls.locale])
        out.append(_run(title, f"{REWRITE}.pipeline", "inkwright.runPipeline", {"uri": still.uri}))
    return out


def _picture(ls: Session, still: Still, span: Span) -> Iterator[Action]:
    """A picture under the cursor may be described: a model gets it when this is taken, never before."""
    from inkwright.lsp.convert import plain
    from inkwright.manuscript import pictures

    if "](" in still.text and (picture := pictures.at(still.text, span)) is not None:
        argument = {"uri": still.uri, "range": plain(still.range(picture.span, ls.encoding))}
        yield _run(ls.tr("action_image"), f"{REWRITE}.image", "inkwright.describeImage", argument)


async def _book(ls: Session, still: Still) -> OpenBook | None:
    """None for one that cannot be opened: what needs no book is offered all the same."""
    from inkwright.domain.errors import InkwrightError

    try:
        return await ls.books.of(still.path)
    except InkwrightError:
        return None


def _command(title: str, kind: str, command: str, argument: dict[str, Any]) -> Action:
    return {
        "title": title,
        "kind": kind,
        "command": {"title": title, "command": command, "arguments": [argument]},
    }


def _run(title: str, kind: str, command: str, argument: dict[str, Any]) -> Action:
    """A run that somebody takes from a menu; an editor that knows nothing of ours shows nothing of its end."""
    return _command(title, kind, command, {**argument, "show": True})


def _edit(ls: Session, still: Still, edits: list[TextEdit], label: str) -> dict[str, Any]:
    from inkwright.lsp.edits import workspace_edit

    encoding: Encoding = ls.encoding
    return workspace_edit(still, edits, encoding, ls.client.can, label)

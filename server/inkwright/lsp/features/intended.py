"""Intended, not a fault: an action on every diagnostic; intend, listIntended, unintend."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from inkwright.lsp.arguments import Arguments

if TYPE_CHECKING:
    from inkwright.domain.diagnostic import Diagnostic
    from inkwright.lsp.session import Session
    from inkwright.lsp.still import Still
    from inkwright.workspace import OpenBook

INTEND = "inkwright.intend"
KIND = "quickfix.intended"
LIMIT = 10
"""How many diagnostics under a selection are offered to be called intended."""
SHOWN = 24
OURS = ("profile_", "pipeline_")
"""What is said of files that are for us, not for readers: nobody means that."""

Given = Mapping[str, Any]
Action = dict[str, Any]


def register(ls: Session) -> None:
    ls.command(INTEND)(intend)
    ls.command("inkwright.listIntended")(list_intended)
    ls.command("inkwright.unintend")(unintend)


async def offers(
    ls: Session, still: Still, book: OpenBook | None, found: Sequence[Diagnostic]
) -> list[Action]:
    """Two actions for each diagnostic: intended here, and everywhere in the book. A key is never intended.

    A title says what stands there, and what is said of it where that is not one thing.
    """
    from inkwright.checks import keys
    from inkwright.checks.checking import message
    from inkwright.lsp.diagnosed import wire
    from inkwright.lsp.naming_places import around

    if book is None or book.index is None:
        return []
    out: list[Action] = []
    asked = [one for one in found if one.code not in keys.CODES and not one.code.startswith(OURS)][:LIMIT]
    words = [_short(one.span.of(still.text).join(around(still.text, one.span))) for one in asked]
    codes = {
        shown: {one.code for one, its in zip(asked, words, strict=True) if its == shown} for shown in words
    }
    for one, shown in zip(asked, words, strict=True):
        told = await wire(ls, still, (one,), book)
        for code, everywhere in (("action_intended", False), ("action_intended_everywhere", True)):
            title = ls.tr(code, text=shown)
            if len(codes[shown]) > 1:
                said = _short(message(one, ls.locale))
                title = ls.tr("action_intended_which", title=title, said=said)
            argument = {
                "uri": still.uri,
                "code": one.code,
                "range": told[0]["range"],
                "everywhere": everywhere,
            }
            out.append(
                {
                    "title": title,
                    "kind": KIND,
                    "isPreferred": False,
                    "diagnostics": told,
                    "command": {"title": title, "command": INTEND, "arguments": [argument]},
                }
            )
    return out


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= SHOWN else f"{line[:SHOWN]}…"


async def intend(ls: Session, given: Given, _token: object) -> dict[str, Any]:
    """{uri, code, range, everywhere?} → {id, everywhere, shared}: what stands there is intended from now on.

    `shared` says whether the decision goes with the book.
    """
    from inkwright.checks import keys
    from inkwright.domain.errors import Fault, InkwrightError
    from inkwright.manuscript import decisions

    args = Arguments(INTEND, given)
    uri, code = args.text("uri"), args.text("code")
    book = await ls.books.at(uri)
    document = ls.documents.get(uri)
    where = args.range("range")
    if document is None or where is None or code in keys.CODES:
        raise InkwrightError("intended_nothing")
    root = book.files.root
    still = document.still()
    span = still.span(where, ls.encoding)
    told = await ls.checks.of(document.key, still)
    found = [one for one in told.placed if one.code == code and one.span.touches(span)]
    if not found:
        raise InkwrightError("intended_nothing")
    exact = [one for one in found if one.span == span]
    assert still.path is not None
    studio = await ls.studio()
    async with ls.others.deciding(book):
        decision = await studio.findings.intentions.add(
            root,
            still.text,
            book.relative(still.path),
            (exact or found)[0],
            everywhere=args.flag("everywhere"),
        )
    ls.checks.again()
    shared = decisions.shared(root)
    if not shared:
        ls.notice(Fault("decisions_private"))
    return {"id": decision.id, "everywhere": decision.everywhere, "shared": shared}


async def list_intended(ls: Session, given: Given, _token: object) -> dict[str, Any]:
    """{uri} → {intended: [{id, code, text, path, everywhere}], problems}, in the order of the file."""
    from inkwright.abilities import shapes

    args = Arguments("inkwright.listIntended", given)
    book = await ls.books.at(args.text("uri"))
    found, problems = await (await ls.studio()).findings.intentions.of(book.files.root)
    return {
        "intended": [shapes.intended(one) for one in found],
        "problems": [shapes.problem(one, ls.locale) for one in problems],
    }


async def unintend(ls: Session, given: Given, _token: object) -> dict[str, int]:
    """{uri, ids} → {removed}: decisions taken back."""
    args = Arguments("inkwright.unintend", given)
    book = await ls.books.at(args.text("uri"))
    ids, studio = args.texts("ids"), await ls.studio()
    async with ls.others.deciding(book):
        removed = await studio.findings.intentions.remove(book.files.root, ids)
    if removed:
        ls.checks.again()
    return {"removed": removed}

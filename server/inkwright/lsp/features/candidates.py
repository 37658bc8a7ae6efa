"""Cards that wait for the writer: listCandidates, acceptCandidates, rejectCandidates."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from inkwright.lsp.arguments import Arguments

if TYPE_CHECKING:
    from inkwright.lsp.session import Session

Given = Mapping[str, Any]


def register(ls: Session) -> None:
    ls.command("inkwright.listCandidates")(list_candidates)
    ls.command("inkwright.acceptCandidates")(accept_candidates)
    ls.command("inkwright.rejectCandidates")(reject_candidates)


async def list_candidates(ls: Session, given: Given, _token: object) -> list[dict[str, Any]]:
    """{uri} → those that wait, oldest first."""
    from inkwright.abilities import shapes

    args = Arguments("inkwright.listCandidates", given)
    book = await ls.books.at(args.text("uri"))
    return [shapes.candidate(one) for one in await book.state.candidates.list()]


async def accept_candidates(ls: Session, given: Given, _token: object) -> list[dict[str, Any]]:
    """{uri, ids} → the candidates with the paths and URIs of their files."""
    from inkwright.abilities import cards, shapes

    args = Arguments("inkwright.acceptCandidates", given)
    book = await ls.books.at(args.text("uri"))
    await book.ready()
    done = await cards.accept(book, args.texts("ids"))
    ls.checks.again()
    # Without a path: somebody else put it aside at this moment.
    return [
        {**shapes.candidate(one), "uri": ls.documents.uri(book.root / one.path) if one.path else None}
        for one in done
    ]


async def reject_candidates(ls: Session, given: Given, _token: object) -> list[dict[str, Any]]:
    """{uri, ids} → the candidates, put aside."""
    from inkwright.abilities import cards, shapes

    args = Arguments("inkwright.rejectCandidates", given)
    book = await ls.books.at(args.text("uri"))
    return [shapes.candidate(one) for one in await cards.reject(book, args.texts("ids"))]

"""Money: what models used for the books that are open, and what it cost."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from inkwright.lsp.arguments import Arguments

if TYPE_CHECKING:
    from inkwright.lsp.session import Session


def register(ls: Session) -> None:
    ls.command("inkwright.usage")(usage)


async def usage(ls: Session, given: Mapping[str, Any], _token: object) -> dict[str, Any]:
    """{uri?, days?} → {since, rows, days, totals}: of one book or of all; 30 days, 0 for all there are."""
    from inkwright.abilities import spent

    args = Arguments("inkwright.usage", given)
    uri, days = args.maybe("uri"), args.whole("days")
    books = [await ls.books.at(uri)] if uri else await ls.books.everywhere()
    return await spent.report(books, spent.DAYS if days is None else days)

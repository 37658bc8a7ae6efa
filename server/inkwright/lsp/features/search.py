"""Words in chapters, cards and memories: search."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from inkwright.lsp.arguments import Arguments

if TYPE_CHECKING:
    from inkwright.lsp.session import Session
    from inkwright.workspace import OpenBook

PAGE = 100
MAX_PAGE = 1000


def register(ls: Session) -> None:
    ls.command("inkwright.search")(search)


async def search(ls: Session, given: Mapping[str, Any], _token: object) -> dict[str, Any]:
    """{query, uri?, limit?, cursor?} → {query, total, exact, hits, next}: `next` is null after the last page.

    Without `uri` all books of the workspace are searched.
    """
    from inkwright.abilities import finding

    args = Arguments("inkwright.search", given)
    query, uri = args.text("query"), args.maybe("uri")
    limit = max(1, min(args.whole("limit") or PAGE, MAX_PAGE))
    offset = args.place("cursor")
    books = [await ls.books.at(uri)] if uri else await ls.books.everywhere()
    books = [book for book in books if uri or book.index is not None]
    for book in books:
        await book.ready()

    def uri_of(book: OpenBook, path: str) -> str:
        return ls.documents.uri(book.root / path)

    value = await finding.search(books, query, limit=limit, offset=offset, encoding=ls.encoding, uri=uri_of)
    more = offset + len(value["hits"]) < value["total"] and value["hits"]
    return {**value, "next": str(offset + limit) if more else None}

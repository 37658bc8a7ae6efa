"""What a chapter is about, as it was summed up last: getSummary. A new one is made by the ability `summary`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from inkwright.lsp.arguments import Arguments

if TYPE_CHECKING:
    from inkwright.lsp.session import Session


def register(ls: Session) -> None:
    ls.command("inkwright.getSummary")(get_summary)


async def get_summary(ls: Session, given: Mapping[str, Any], _token: object) -> dict[str, Any]:
    """{uri} → {path, synopsis, summary: null or {text, model, stale, madeAt}}"""
    from inkwright.abilities import shapes
    from inkwright.lsp import uris

    args = Arguments("inkwright.getSummary", given)
    uri = args.text("uri")
    book = await ls.books.at(uri)
    await book.ready()
    file = uris.path(uri)
    path = "" if file is None else book.relative(file)
    chapter = None if book.index is None else book.index.chapter(path)
    found = await book.state.summaries.summary(path)
    digest = "" if book.index is None else book.index.digest(path)
    return {
        "path": path,
        "synopsis": str(chapter.meta.get("synopsis") or "") if chapter is not None else "",
        "summary": None if found is None else shapes.summary(found, digest),
    }

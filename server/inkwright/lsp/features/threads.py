"""Call hierarchy on the threads in front matter: from the chapter that sets one up to the one that pays it off."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import TYPE_CHECKING, Any

from lsprotocol import types as t

from inkwright.lsp import uris

if TYPE_CHECKING:
    from inkwright.domain.manuscript import Chapter
    from inkwright.lsp.session import Session
    from inkwright.lsp.still import Still
    from inkwright.manuscript.threads import State
    from inkwright.workspace import OpenBook

Item = dict[str, Any]


def register(ls: Session) -> None:
    ls.feature(t.TEXT_DOCUMENT_PREPARE_CALL_HIERARCHY)(prepare)
    ls.feature(t.CALL_HIERARCHY_INCOMING_CALLS)(incoming)
    ls.feature(t.CALL_HIERARCHY_OUTGOING_CALLS)(outgoing)


def prepare(ls: Session, params: t.CallHierarchyPrepareParams) -> Awaitable[list[Item] | None] | None:
    from inkwright.lsp.convert import position_in

    document = ls.documents.get(params.text_document.uri)
    if document is None or not document.prose or document.path is None:
        return None
    offset = document.buffer.offset(position_in(params.position), ls.encoding)
    return _prepare(ls, document.still(), offset)


async def _prepare(ls: Session, still: Still, offset: int) -> list[Item] | None:
    from inkwright.manuscript import threads

    book = await ls.books.of(still.path)
    if book.index is None or still.path is None:
        return None
    await book.ready()
    path = book.relative(still.path)
    found = (name for name, span in threads.places(still.text) if span.start <= offset <= span.end)
    name = next(found, None)
    if name is None:
        return None
    return [
        await _item(ls, book, name, chapter, state)
        for chapter, state in threads.course(book.index.chapters(), name)
        if chapter.path == path
    ] or None


async def incoming(ls: Session, params: t.CallHierarchyIncomingCallsParams) -> list[Item]:
    """From the chapter before."""
    before, here, _ = await _around(ls, params.item)
    return [{"from": before, "fromRanges": [before["selectionRange"]]}] if before and here else []


async def outgoing(ls: Session, params: t.CallHierarchyOutgoingCallsParams) -> list[Item]:
    """To the next chapter."""
    _, here, after = await _around(ls, params.item)
    return [{"to": after, "fromRanges": [here["selectionRange"]]}] if here and after else []


async def _around(ls: Session, item: t.CallHierarchyItem) -> tuple[Item | None, Item | None, Item | None]:
    """The thread in the chapter before, in this one and in the next: as the book is now."""
    from inkwright.manuscript import threads

    nothing = (None, None, None)
    path = uris.path(item.uri)
    data = item.data if isinstance(item.data, dict) else {}
    name = data.get("thread", item.name)
    if path is None or not isinstance(name, str):
        return nothing
    book = await ls.books.of(path)
    if book.index is None:
        return nothing
    await book.ready()
    course = threads.course(book.index.chapters(), name)
    here = book.index.spelled(book.relative(path))
    at = next((n for n, (chapter, _) in enumerate(course) if chapter.path == here), None)
    if at is None:
        return nothing

    async def item_at(number: int) -> Item | None:
        return await _item(ls, book, name, *course[number]) if 0 <= number < len(course) else None

    return await item_at(at - 1), await item_at(at), await item_at(at + 1)


async def _item(ls: Session, book: OpenBook, name: str, chapter: Chapter, state: State) -> Item:
    from inkwright.domain.errors import InkwrightError
    from inkwright.domain.text import Lines, Span
    from inkwright.lsp.convert import plain
    from inkwright.manuscript import threads

    try:
        text = await book.files.text(chapter.path)
    except InkwrightError:  # gone since
        text = ""
    span = next((span for found, span in threads.places(text) if found == name), Span(0, 0))
    where = plain(Lines(text).range(span, ls.encoding))
    said = ls.tr(f"thread_{state}")
    return {
        "name": name,
        "kind": t.SymbolKind.Event.value,
        "detail": f"{chapter.title} · {said}",
        "uri": ls.documents.uri(book.root / chapter.path),
        "range": where,
        "selectionRange": where,
        "data": {"thread": name},
    }

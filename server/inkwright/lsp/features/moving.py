"""moveChapter: another place in the reading order, where that order is the writer's own `order:`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from inkwright.lsp.arguments import Arguments

if TYPE_CHECKING:
    from inkwright.lsp.changes import Row
    from inkwright.lsp.session import Session
    from inkwright.workspace import OpenBook

COMMAND = "inkwright.moveChapter"


def register(ls: Session) -> None:
    ls.command(COMMAND)(move)


async def move(ls: Session, given: Mapping[str, Any], _token: object) -> dict[str, Any]:
    """{uri, after? | before? | index?} → {applied, edit?, changed: [{uri, order}]}

    `after` and `before` are URIs, `index` is a place in the book from 0. The client makes the edit, so that it can be
    undone; `edit` is there for one that takes none from a server. Nothing is changed where names or another
    program make the order: an error says what does.
    """
    from inkwright.domain.errors import InkwrightError
    from inkwright.lsp.changes import Changes
    from inkwright.manuscript import moving

    args = Arguments(COMMAND, given)
    book = await ls.books.at(args.text("uri"))
    index = book.files
    await book.ready()
    path, after, before = (_path(book, args.maybe(name)) for name in ("uri", "after", "before"))
    place = args.whole("index")
    if index.layout != "plain":
        raise InkwrightError("move_other_layout", layout=index.layout)
    chapters = index.chapters()
    at = moving.target(chapters, path, after=after, before=before, index=-1 if place is None else place)
    orders = moving.orders(chapters, path, at)
    rows: dict[str, list[Row]] = {}
    versions: dict[str, int | None] = {}
    for one, order in orders.items():
        uri, row, version = await _row(ls, book, one, order)
        rows[uri], versions[uri] = [row], version
    changed = [{"uri": uri, "order": order} for uri, order in zip(rows, orders.values(), strict=True)]
    if not rows:
        return {"applied": True, "changed": []}
    label = ls.tr("move_label", title=next(c.title for c in chapters if c.path == path))
    wire = Changes(rows, versions).wire(ls.client.can, label, "")
    if not ls.client.can.apply_edit:
        return {"applied": False, "edit": wire, "changed": changed}
    return {"applied": await ls.client.apply(label, wire), "changed": changed}


def _path(book: OpenBook, uri: str) -> str:
    """The path in the book that a URI names; '' for none. Raises `InkwrightError`: move_no_chapter."""
    from inkwright.domain.errors import InkwrightError
    from inkwright.lsp import uris

    if not uri:
        return ""
    path = uris.path(uri)
    if path is None or not path.is_relative_to(book.root):
        raise InkwrightError("move_no_chapter", path=uri if path is None else path.name)
    found = book.relative(path)
    return book.files.spelled(found) or found


async def _row(ls: Session, book: OpenBook, path: str, order: str) -> tuple[str, Row, int | None]:
    """The URI of a chapter, its edit, and the version that the edit is for: None for one that is not open."""
    from inkwright.domain.errors import InkwrightError
    from inkwright.domain.text import Lines
    from inkwright.lsp.changes import Row
    from inkwright.manuscript import moving

    if book.files.readonly(path) or book.files.locked(path):
        raise InkwrightError("move_readonly", path=path)
    document = ls.documents.at(book.root / path)
    text = await book.files.text(path) if document is None else document.text()
    if not ls.client.can.can_edit(text):
        raise InkwrightError("lone_cr", path=path)
    version = None if document is None else document.version
    change = moving.edit(text, order)
    if change is None:
        raise InkwrightError("move_unwritable", path=path)
    where = Lines(text).range(change.span, ls.encoding)
    return ls.documents.uri(book.root / path), Row(where, change.new), version

"""Rename: a card's name or alias, across the book. What is sure is changed, the rest waits for the writer."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from lsprotocol import types as t

if TYPE_CHECKING:
    from inkwright.domain.cards import Card
    from inkwright.domain.text import Span
    from inkwright.lsp.session import Session
    from inkwright.lsp.still import Still
    from inkwright.manuscript.renaming import Wish
    from inkwright.manuscript.renaming_gather import Edit, Touched
    from inkwright.workspace import OpenBook

ATTEMPTS = 3
"""How often a rename is worked out anew because the writer typed meanwhile."""
NAMED = 5
"""Files that a message names."""
CONTENT_MODIFIED = -32801


class Mark(NamedTuple):
    """What is to be renamed: a name of a card, and where it stands in the document."""

    book: OpenBook
    card: Card
    name: str
    span: Span


def register(ls: Session) -> None:
    ls.feature(t.TEXT_DOCUMENT_PREPARE_RENAME)(prepare)
    ls.feature(t.TEXT_DOCUMENT_RENAME, t.RenameOptions(prepare_provider=True))(rename)


def prepare(ls: Session, params: t.PrepareRenameParams) -> Awaitable[dict[str, Any]]:
    return _prepare(ls, *_at(ls, params))


def rename(ls: Session, params: t.RenameParams) -> Awaitable[dict[str, Any]]:
    return _rename(ls, *_at(ls, params), params.new_name)


def _at(ls: Session, params: t.PrepareRenameParams | t.RenameParams) -> tuple[Still, int]:
    from inkwright.domain.errors import InkwrightError
    from inkwright.lsp.convert import position_in

    document = ls.documents.get(params.text_document.uri)
    if document is None or not document.prose:
        raise InkwrightError("rename_nothing_here")
    document.still().editable(ls.client.can)
    return document.still(), document.buffer.offset(position_in(params.position), ls.encoding)


async def _prepare(ls: Session, still: Still, offset: int) -> dict[str, Any]:
    from inkwright.lsp.convert import plain

    mark = await _mark(ls, still, offset)
    return {"range": plain(still.range(mark.span, ls.encoding)), "placeholder": mark.name}


async def _mark(ls: Session, still: Still, offset: int) -> Mark:
    """What stands at a place. Raises `InkwrightError`: rename_nothing_here, rename_ambiguous."""
    from inkwright.domain.errors import InkwrightError
    from inkwright.lsp import pointing
    from inkwright.manuscript import renaming

    book = await ls.books.of(still.path)
    found = await pointing.at(book, still, offset)
    if found is None:
        return await _linked(book, still, offset)
    written = found.span.of(still.text)
    here = "" if still.path is None else book.relative(still.path)
    card = next((card for card in found.cards if card.file == here), found.cards[0])
    if len(found.cards) > 1 and card.file != here:
        raise InkwrightError(
            "rename_ambiguous", name=written, cards=", ".join(f"{c.name} ({c.path})" for c in found.cards)
        )
    return Mark(book, card, renaming.named(card, written), found.span)


async def _linked(book: OpenBook, still: Still, offset: int) -> Mark:
    """The card that a `[[link]]` at a place leads to, be it by its file. Raises rename_nothing_here."""
    from inkwright.domain.errors import InkwrightError
    from inkwright.domain.text import Span
    from inkwright.lsp import aside
    from inkwright.manuscript import links, renaming

    index = book.index
    await aside.part(still, Span(offset, offset))
    link = links.at(still.text, still.near(offset), offset) if index is not None else None
    if index is None or link is None or link.kind != "wiki":
        raise InkwrightError("rename_nothing_here")
    here = "" if still.path is None else book.relative(still.path)
    path = links.Targets(index.cards(), (), here).wiki(link)
    card = next((card for card in index.cards() if path and card.file == path), None)
    if card is None:
        raise InkwrightError("rename_nothing_here")
    return Mark(book, card, renaming.named(card, link.target), link.span)


async def _rename(ls: Session, still: Still, offset: int, new: str) -> dict[str, Any]:
    from inkwright.domain.errors import InkwrightError
    from inkwright.manuscript import renaming

    mark = await _mark(ls, still, offset)
    book, index = mark.book, mark.book.files
    wish = renaming.wish(mark.card, mark.name, new, index.cards())
    if wish.new == wish.old:
        return {"documentChanges": []} if ls.client.can.document_changes else {"changes": {}}
    file, kept = await _file(ls, book, wish)
    found, stills = await _touched(ls, book, wish, file)
    odd = [one.path for one in found if one.lone_cr and not one.readonly] if ls.client.can.cr_in_lines else []
    if wish.card.file in odd:
        raise InkwrightError("lone_cr", path=wish.card.file)
    touched = [one for one in found if one.path not in odd]
    own = next((one for one in touched if one.path == wish.card.file), None)
    if index.readonly(wish.card.file) or (own.readonly if own is not None else not file):
        raise InkwrightError("rename_readonly_card", path=wish.card.file)
    await _tell(ls, book, wish, touched, kept, odd)
    # A name in every chapter of a long book is a long edit: it is written beside the loop.
    return await asyncio.to_thread(_edit, ls, book, wish, touched, stills, file)


async def _file(ls: Session, book: OpenBook, wish: Wish) -> tuple[str, str]:
    """The new path of the card's file, '' where it keeps its own; and the name that another file has already."""
    from inkwright.manuscript import renaming_file

    if not (ls.client.can.rename_files and ls.client.can.document_changes and wish.main):
        return "", ""
    path = renaming_file.target(wish)
    if not path or path == wish.card.file:
        return "", ""
    free = await asyncio.to_thread(renaming_file.free, book.root, wish.card.file, path)
    if free and ls.documents.at(book.root / path) is None:
        return path, ""
    return "", path


async def _touched(
    ls: Session, book: OpenBook, wish: Wish, file: str
) -> tuple[list[Touched], dict[str, Still]]:
    """The places of the rename in the documents as they stand, with these, and in the files on the disk."""
    from pygls.exceptions import JsonRpcException

    index = book.files
    for _ in range(ATTEMPTS):
        stills = {
            path: document.still()
            for document in ls.documents
            if document.path is not None and (path := index.spelled(book.relative(document.path)))
        }
        texts = {path: still.text for path, still in stills.items()}
        found = await index.renaming(wish, file, texts, ls.encoding)
        now = {book.relative(d.path) for d in ls.documents if d.path is not None}
        paths = {one.path for one in found}
        if all(stills[path].current for path in paths & stills.keys()) and not (paths - stills.keys()) & now:
            return found, stills
    raise JsonRpcException(ls.tr("rename_typing"), CONTENT_MODIFIED)


def _edit(
    ls: Session,
    book: OpenBook,
    wish: Wish,
    touched: Sequence[Touched],
    stills: Mapping[str, Still],
    file: str,
) -> dict[str, Any]:
    """The edit. Blocks."""
    from inkwright.lsp import uris
    from inkwright.lsp.changes import Changes, Row

    def uri(path: str) -> str:
        return stills[path].uri if path in stills else uris.from_path(book.root / path)

    rows: dict[str, list[Row]] = {}
    for one in touched:
        if not one.readonly:
            groups = ["" if edit.sure else _group(ls, wish, edit) for edit in one.edits]
            pairs = zip(one.edits, groups, strict=True)
            rows[uri(one.path)] = [Row(edit.where, edit.edit.new, group) for edit, group in pairs]
    versions = {still.uri: still.version for still in stills.values()}
    moved: list[tuple[str, str]] = []
    if file:
        old, new = uri(wish.card.file), uris.from_path(book.root / file)
        moved.append((old, new))
        ls.expected[uris.key(new)] = book.root / wish.card.file, book.root / file
    label = ls.tr("rename_label", old=wish.old, new=wish.new)
    return Changes(rows, versions, moved).wire(ls.client.can, label, ls.tr("rename_review_why"))


def _group(ls: Session, wish: Wish, edit: Edit) -> str:
    change = edit.change or wish.changes[0]
    return ls.tr("rename_review", old=change.old, new=change.new)


async def _tell(
    ls: Session, book: OpenBook, wish: Wish, touched: Sequence[Touched], kept: str, odd: Sequence[str]
) -> None:
    """What the edit does not say: what was left out, and what waits where the client cannot ask."""
    locked = [one.path for one in touched if one.readonly]
    for code, paths in (("rename_left_out", locked), ("rename_lone_cr", odd)):
        if paths:
            names = ", ".join(paths[:NAMED]) + (" …" if len(paths) > NAMED else "")
            ls.client.show(ls.tr(code, count=len(paths), files=names))
    if kept:
        ls.client.show(ls.tr("rename_file_kept", path=wish.card.file, other=kept))
    writable = [one for one in touched if not one.readonly]
    waiting = sum(not edit.sure for one in writable for edit in one.edits)
    if waiting and not ls.client.can.annotations:
        sure = sum(edit.sure for one in writable for edit in one.edits)
        uri = await _page(ls, book, wish, writable, waiting)
        ls.client.show(ls.tr("rename_waiting", sure=sure, count=waiting, page=uri), t.MessageType.Info)
        if ls.client.can.show_document:
            ls.spawn(ls.client.ask(t.WINDOW_SHOW_DOCUMENT, {"uri": uri, "takeFocus": False}))


async def _page(ls: Session, book: OpenBook, wish: Wish, touched: Sequence[Touched], waiting: int) -> str:
    """The URI of a read-only page that lists what waits."""
    from inkwright.abilities import pages
    from inkwright.lsp import uris
    from inkwright.manuscript import renaming_page

    text = renaming_page.render(
        touched,
        ls.tr("rename_page_title", old=wish.old, new=wish.new, count=waiting),
        ls.tr("rename_page_lead"),
        lambda count: ls.tr("rename_page_more", count=count),
        lambda path: uris.from_path(book.root / path),
    )
    key = f"rename {book.root} {wish.card.path} {wish.old} {wish.new}"
    return uris.from_path(await asyncio.to_thread(pages.keep, key, text))

"""Files that are renamed or moved in the editor: links follow before, and what is kept of them after."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Coroutine, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from lsprotocol import types as t

from inkwright.lsp import uris

if TYPE_CHECKING:
    from inkwright.lsp.documents import Document, Event
    from inkwright.lsp.session import Session
    from inkwright.workspace import OpenBook

Pair = tuple[Path, Path]
R = TypeVar("R")

FILTERS = t.FileOperationRegistrationOptions(
    filters=[
        t.FileOperationFilter(t.FileOperationPattern("**/*"), scheme="file"),
    ]
)


def register(ls: Session) -> None:
    # One after the other: what moves next is asked of a book that knows where the last one went.
    turn = asyncio.Lock()

    def will_rename(ls: Session, params: t.RenameFilesParams) -> Awaitable[dict[str, Any] | None] | None:
        pairs = _pairs(params.files)
        return _in_turn(turn, _will_rename(ls, pairs)) if pairs else None

    def did_rename(ls: Session, params: t.RenameFilesParams) -> Awaitable[None]:
        return _in_turn(turn, _follow(ls, _pairs(params.files)))

    ls.feature(t.WORKSPACE_WILL_RENAME_FILES, FILTERS)(will_rename)
    ls.feature(t.WORKSPACE_DID_RENAME_FILES, FILTERS)(did_rename)
    ls.documents.listen(lambda document, event: _opened(ls, document, event))


async def _in_turn(turn: asyncio.Lock, work: Coroutine[Any, Any, R]) -> R:
    async with turn:
        return await work


def _pairs(files: Sequence[t.FileRename]) -> list[Pair]:
    found = [(uris.path(file.old_uri), uris.path(file.new_uri)) for file in files]
    return [(old, new) for old, new in found if old is not None and new is not None and old != new]


def _opened(ls: Session, document: Document, event: Event) -> None:
    """A client that does not tell of a rename opens the file under its new name all the same."""
    if event == "opened" and (pair := ls.expected.get(document.key)) is not None:
        ls.spawn(_follow_if_gone(ls, pair))


async def _follow_if_gone(ls: Session, pair: Pair) -> None:
    if not await asyncio.to_thread(pair[0].exists):
        await _follow(ls, [pair])


async def _will_rename(ls: Session, pairs: Sequence[Pair]) -> dict[str, Any] | None:
    """The edit of the links; None where none has to follow."""
    from inkwright.lsp.changes import Changes, Row

    rows: dict[str, list[Row]] = {}
    left: list[str] = []
    odd: list[str] = []
    for book, moves in await _by_book(ls, pairs):
        if book.index is None:
            continue
        await book.ready()
        texts = {
            path: document.text()
            for document in ls.documents
            if document.path is not None and (path := book.index.spelled(book.relative(document.path)))
        }
        for one in await book.index.moving(moves, texts, ls.encoding):
            if one.readonly:
                left.append(one.path)
            elif one.lone_cr and ls.client.can.cr_in_lines:
                odd.append(one.path)
            else:
                uri = ls.documents.uri(book.root / one.path)
                rows[uri] = [Row(edit.where, edit.edit.new) for edit in one.edits]
    for code, paths in (("rename_links_left_out", left), ("rename_links_lone_cr", odd)):
        if paths:
            ls.client.show(ls.tr(code, count=len(paths), files=", ".join(paths[:5])))
    if not rows:
        return None
    versions = {uri: document.version for uri in rows if (document := ls.documents.get(uri)) is not None}
    label = ls.tr("rename_links_label")
    return Changes(rows, versions).wire(ls.client.can, label, "")


async def _by_book(ls: Session, pairs: Sequence[Pair]) -> list[tuple[OpenBook, dict[str, str]]]:
    """The moves inside of each book, as paths relative to it; a book that cannot be opened is told of."""
    from inkwright.domain.errors import InkwrightError

    out: dict[Path, tuple[OpenBook, dict[str, str]]] = {}
    for old, new in pairs:
        try:
            book = await ls.books.of(old)
        except InkwrightError as error:
            ls.notice(error.fault)
            continue
        if old.is_relative_to(book.root) and new.is_relative_to(book.root):
            moves = out.setdefault(book.root, (book, {}))[1]
            moves[book.relative(old)] = book.relative(new)
    return list(out.values())


async def _follow(ls: Session, pairs: Sequence[Pair]) -> None:
    """The index looks at the files, and what is kept of chapters and cards goes along."""
    from inkwright.manuscript import bookfile
    from inkwright.manuscript.cardfile import card_digest
    from inkwright.store.moves import Moves

    inside = await _by_book(ls, pairs)
    for old, new in pairs:
        ls.expected.pop(uris.key(uris.from_path(new)), None)
        ls.checks.clear(uris.key(uris.from_path(old)))
        for path in (old, new):
            book = await ls.books.of(path)
            if book.index is not None and path.is_relative_to(book.root):
                await book.index.files_changed([book.relative(path)])
    for book, moves in inside:
        await book.ready()
        files = {
            before: (path, ls.documents.uri(book.root / path))
            for path in (*(c.path for c in book.files.chapters()), *(c.path for c in book.files.cards()))
            if (before := _before(path, moves))
        }
        made = await _made(book, files)
        await Moves(book.state.database, book.state.book_id).follow(files, made, card_digest)
    if any(path.name == bookfile.NAME or not path.suffix for pair in pairs for path in pair):
        ls.books.forget()
    ls.pending.changed()
    ls.checks.again()


async def _made(book: OpenBook, files: Mapping[str, tuple[str, str]]) -> dict[str, str]:
    """The digests of the cards that runs made of the moved chapters, each with the one that it has from now on."""
    from inkwright.domain.errors import InkwrightError
    from inkwright.manuscript import renaming_notes
    from inkwright.manuscript.cardfile import card_digest

    moved = {**{old: old for old in files}, **{new: old for old, (new, _) in files.items()}}
    out: dict[str, str] = {}
    for card in book.files.cards():
        old = moved.get(str(card.fields.get("source", "")))
        if old is None:
            continue
        try:
            text = await book.files.text(card.path)
        except InkwrightError:
            continue
        before, after = (renaming_notes.wish(text, path) for path in (old, files[old][0]))
        out[card_digest(before)] = card_digest(after)
    return out


def _before(path: str, moves: dict[str, str]) -> str:
    """The path that a file had; '' for one that has not moved."""
    for old, new in moves.items():
        if path == new:
            return old
        if path.startswith(f"{new}/"):
            return old + path[len(new) :]
    return ""

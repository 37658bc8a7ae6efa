"""Files that change outside the editor, through the client's watcher or, without one, at every save."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types as t

from inkwright.lsp import uris

if TYPE_CHECKING:
    from pathlib import Path

    from inkwright.lsp.session import Session
    from inkwright.workspace import OpenBook

GLOBS = (
    "**/*.md",
    "**/*.markdown",
    "**/*.txt",
    "**/book.toml",
    "**/*.{nwd,nwx,json5,opml}",
    "**/{inkos,book,index,state,manifest,characters,debts,character-state}.json",
    "**/chapters.jsonl",
    "**/{.active-book,.write.lock}",
)
"""Narrow on purpose: `**/*` freezes editors on large folders."""


def register(ls: Session) -> None:
    ls.feature(t.TEXT_DOCUMENT_DID_SAVE, t.SaveOptions(include_text=True))(did_save)
    ls.feature(t.WORKSPACE_DID_CHANGE_WATCHED_FILES)(did_change_files)
    ls.when_open(watch)


async def watch(ls: Session) -> None:
    """Asks the client to watch, and opens the books of its folders, so that they are ready when asked for."""
    if ls.client.can.watch_files:
        watchers = [{"globPattern": glob} for glob in GLOBS]
        ls.spawn(ls.client.register(t.WORKSPACE_DID_CHANGE_WATCHED_FILES, {"watchers": watchers}))
    await ls.books.everywhere()


def did_save(ls: Session, params: t.DidSaveTextDocumentParams) -> None:
    ls.documents.saved(params.text_document.uri, params.text)
    if not ls.client.can.watch_files:
        ls.spawn(_rescan(ls))


async def _rescan(ls: Session) -> None:
    studio = await ls.studio()
    for book in list(studio.workspace.open_books()):
        if book.index is not None:
            await book.index.rescan()
    ls.checks.again()


def did_change_files(ls: Session, params: t.DidChangeWatchedFilesParams) -> Any:
    return _changed(ls, [(event.uri, event.type) for event in params.changes])


async def _changed(ls: Session, events: list[tuple[str, t.FileChangeType]]) -> None:
    from inkwright.domain.errors import InkwrightError
    from inkwright.manuscript import bookfile

    if any(uri.rpartition("/")[2] == bookfile.NAME for uri, _ in events):
        ls.books.forget()
    changed: dict[Path, tuple[OpenBook, list[str]]] = {}
    for uri, kind in events:
        if kind == t.FileChangeType.Deleted:
            ls.checks.clear(uris.key(uri))
        if (path := uris.path(uri)) is None:
            continue
        try:
            book = await ls.books.of(path)
        except InkwrightError as error:  # one book that cannot be opened holds up no other
            ls.notice(error.fault)
            continue
        if book.index is not None:
            changed.setdefault(book.root, (book, []))[1].append(book.relative(path))
    for book, paths in changed.values():
        if bookfile.NAME in paths:
            await book.refresh()
        await book.files.files_changed([path for path in paths if path != bookfile.NAME])
    ls.checks.again()

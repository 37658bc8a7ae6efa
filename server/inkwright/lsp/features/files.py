"""Files that change outside the editor: through the client's watcher or, without one, seen at an opening or a save."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from lsprotocol import types as t

from inkwright.lsp import elsewhere, uris
from inkwright.lsp.features import profiles

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from inkwright.lsp.documents import Document, Event
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
    "**/{.gitignore,.ignore,.inkwrightignore,.inkwright}",
)
"""Narrow on purpose: `**/*` freezes editors on large folders."""


def register(ls: Session) -> None:
    ls.outside = Outside(ls)
    ls.feature(t.TEXT_DOCUMENT_DID_SAVE, t.SaveOptions(include_text=True))(did_save)
    ls.feature(t.WORKSPACE_DID_CHANGE_WATCHED_FILES)(did_change_files)
    ls.documents.listen(ls.outside.follow)
    ls.when_open(watch)


async def watch(ls: Session) -> None:
    """Asks the client to watch, and opens the books of its folders, so that they are ready when asked for."""
    if ls.client.can.watch_files:
        watchers: list[dict[str, Any]] = [{"globPattern": glob} for glob in GLOBS]
        studio = await ls.studio()
        file = None if studio.source is None else studio.source.path
        for folder, pattern in (
            (studio.libraries.folder(None), "**/*.md"),
            (None if file is None else file.parent, "" if file is None else file.name),
        ):
            if ls.client.can.watch_outside and folder is not None and await asyncio.to_thread(folder.is_dir):
                watchers.append({"globPattern": {"baseUri": uris.from_path(folder), "pattern": pattern}})
        ls.spawn(ls.client.register(t.WORKSPACE_DID_CHANGE_WATCHED_FILES, {"watchers": watchers}))
    await ls.books.everywhere()
    await ls.books.open_inner()


def did_save(ls: Session, params: t.DidSaveTextDocumentParams) -> None:
    ls.documents.saved(params.text_document.uri, params.text)


def did_change_files(ls: Session, params: t.DidChangeWatchedFilesParams) -> None:
    ls.outside.tell(params.changes)


class Outside:
    """One look at a time: what is told meanwhile is looked at in one go after it."""

    def __init__(self, ls: Session) -> None:
        self._ls = ls
        self._events: dict[str, tuple[str, t.FileChangeType]] = {}
        self._everything = False
        self._looking = False

    def tell(self, events: Iterable[t.FileEvent]) -> None:
        """What the client's watcher saw."""
        events = list(events)
        for event in events:
            if event.uri.endswith("/config.toml"):  # the user's: no book has a file of that name
                self._ls.spawn(self._ls.reconfigure(if_changed=True))
            else:
                self._events[event.uri] = (event.uri, event.type)
        if any("/profiles/" in event.uri for event in events):
            self._ls.spawn(profiles.look(self._ls))
        self._look()

    def follow(self, _document: Document, event: Event) -> None:
        """Files are looked at when a document is opened or saved."""
        if event in ("opened", "saved"):
            self.again()

    def again(self) -> None:
        """Looks at all files where nobody watches them."""
        if not self._ls.client.can.sees_others:
            self._everything = True
            self._look()

    def _look(self) -> None:
        if not self._looking and (self._events or self._everything):
            self._looking = True
            self._ls.spawn(self._work())

    async def _work(self) -> None:
        try:
            studio = await self._ls.studio()
            while self._events or self._everything:
                events, self._events = list(self._events.values()), {}
                everything, self._everything = self._everything, False
                before = {book.root: _revision(book) for book in studio.workspace.open_books()}
                if everything:
                    await _rescan(self._ls)
                await _changed(self._ls, events)
                after = {book.root: _revision(book) for book in studio.workspace.open_books()}
                for book in studio.workspace.open_books():
                    if before.get(book.root, 0) != after.get(book.root, 0):
                        elsewhere.tell(self._ls, book, {"files"})
                if events or before != after:
                    self._ls.checks.again()
        finally:
            self._looking = False


def _revision(book: OpenBook) -> int:
    return 0 if book.index is None else book.index.revision


async def _rescan(ls: Session) -> None:
    studio = await ls.studio()
    for book in list(studio.workspace.open_books()):
        if book.index is not None:
            await book.index.rescan()
            await studio.workspace.remark(book)


async def _changed(ls: Session, events: list[tuple[str, t.FileChangeType]]) -> None:
    from inkwright.domain.errors import InkwrightError
    from inkwright.manuscript import bookfile, ignoring

    if any(uri.rpartition("/")[2] in bookfile.MARKS for uri, _ in events):
        ls.books.forget()
    changed: dict[Path, tuple[OpenBook, list[str]]] = {}
    bounds = False
    for uri, kind in events:
        if kind == t.FileChangeType.Deleted:
            ls.checks.clear(uris.key(uri))
        if (path := uris.path(uri)) is None:
            continue
        try:
            # One question for all files of a folder: a checkout tells of hundreds.
            book = await ls.books.of(path.with_name(bookfile.NAME))
        except InkwrightError as error:  # one book that cannot be opened holds up no other
            ls.notice(error.fault)
            continue
        books = [book]
        if path.name in (*bookfile.MARKS, *ignoring.NAMES):
            bounds = True
            books += ls.books.around(path)
        for one in books:
            if one.index is not None:
                changed.setdefault(one.root, (one, []))[1].append(one.relative(path))
    for book, paths in changed.values():
        if bookfile.NAME in paths:
            await book.refresh()
        await book.files.files_changed([path for path in paths if path != bookfile.NAME])
        if bounds:
            await (await ls.studio()).workspace.remark(book)
    if bounds:
        ls.books.forget()
        await ls.books.open_inner()

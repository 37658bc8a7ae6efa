"""The books of a session: which one a document belongs to, and what the index knows of open buffers."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from inkwright.lsp import uris

if TYPE_CHECKING:
    from inkwright.domain.text import Snapshot
    from inkwright.lsp.documents import Document, Event
    from inkwright.lsp.session import Session
    from inkwright.lsp.still import Still
    from inkwright.workspace import OpenBook


class Books:
    """Finds books once per file, and hands open buffers to their indexes."""

    def __init__(self, ls: Session) -> None:
        self._ls = ls
        self._found: dict[str, OpenBook] = {}
        ls.documents.listen(self._follow)

    async def of(self, path: Path | None) -> OpenBook:
        """The book of a file, None for a document without one. Raises `StorageError`."""
        key = "" if path is None else uris.key(uris.from_path(path))
        if (book := self._found.get(key)) is None:
            studio = await self._ls.studio()
            book = self._found[key] = await studio.workspace.book(path)
        return book

    def known(self, path: Path | None) -> OpenBook | None:
        """The same without waiting: None when it has not been looked for yet."""
        return self._found.get("" if path is None else uris.key(uris.from_path(path)))

    async def at(self, uri: str) -> OpenBook:
        """The book of a URI that a command names."""
        return await self.of(uris.path(uri))

    async def everywhere(self) -> list[OpenBook]:
        """The books of all workspace folders and open documents.

        A book that cannot be opened is told of once and left out.
        """
        from inkwright.domain.errors import InkwrightError

        studio = await self._ls.studio()
        places = [folder / "book.toml" for folder in self._ls.folders]
        for path in [*places, *(document.path for document in self._ls.documents)]:
            try:
                await self.of(path)
            except InkwrightError as error:
                self._ls.notice(error.fault)
        return list(studio.workspace.open_books())

    async def snapshot(self, still: Still, readonly: str = "") -> Snapshot:
        from inkwright.domain.text import Snapshot

        book = await self.of(still.path)
        path = "" if still.path is None else book.relative(still.path)
        return Snapshot(still.uri, path, still.version, still.text, readonly)

    def forget(self) -> None:
        """Folders or book files have changed: every file's book is looked for again."""
        before, self._found = self._found, {}
        for document in self._ls.documents:
            self._ls.spawn(self._moved(document, before.get(document.key)))

    def _follow(self, document: Document, event: Event) -> None:
        if document.path is None:
            return
        if event == "closed":
            self._ls.spawn(self._closed(document.path))
        elif (book := self.known(document.path)) is not None:
            self._show(book, document)
        elif event == "opened":
            self._ls.spawn(self._opened(document))

    def _show(self, book: OpenBook, document: Document) -> None:
        if book.index is not None and document.path is not None:
            book.index.set_buffer(book.relative(document.path), document.text)

    async def _opened(self, document: Document) -> None:
        book = await self.of(document.path)
        if self._ls.documents.get(document.uri) is document:
            self._show(book, document)

    async def _moved(self, document: Document, before: OpenBook | None) -> None:
        book = await self.of(document.path)
        if before is not None and before is not book and before.index is not None and document.path:
            before.index.clear_buffer(before.relative(document.path))
        if self._ls.documents.get(document.uri) is document:
            self._show(book, document)

    async def _closed(self, path: Path) -> None:
        book = await self.of(path)
        if book.index is not None and self._ls.documents.at(path) is None:
            book.index.clear_buffer(book.relative(path))

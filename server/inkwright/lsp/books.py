"""The books of a session: which one a document belongs to, and what the index knows of open buffers."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from inkwright.lsp import uris

if TYPE_CHECKING:
    from inkwright.domain.text import Snapshot
    from inkwright.lsp.documents import Document, Event
    from inkwright.lsp.session import Session
    from inkwright.lsp.still import Still
    from inkwright.workspace import OpenBook


MOST_INNER = 16
"""Books in one folder of the workspace that are opened before one of their files is."""


class Books:
    """Finds books once per file, and hands open buffers to their indexes."""

    def __init__(self, ls: Session) -> None:
        self._ls = ls
        self._found: dict[str, OpenBook] = {}
        self._shown: set[str] = set()
        """Open documents that their books have been handed, by key."""
        ls.documents.listen(self._follow)

    async def of(self, path: Path | None) -> OpenBook:
        """The book of a file, None for a document without one. Raises `StorageError`."""
        key = "" if path is None else uris.key(uris.from_path(path))
        while (book := self._found.get(key)) is None:
            studio, found = await self._ls.studio(), self._found
            found[key] = await studio.workspace.book(path)  # forgotten meanwhile, it is looked for once more
        return book

    def known(self, path: Path | None) -> OpenBook | None:
        """The same without waiting: None when it has not been looked for yet."""
        return self._found.get("" if path is None else uris.key(uris.from_path(path)))

    async def at(self, uri: str) -> OpenBook:
        """The book of a URI that a command names."""
        return await self.of(uris.path(uri))

    async def everywhere(self) -> list[OpenBook]:
        """The books of all workspace folders and open documents, and no others.

        A book that cannot be opened is told of once and left out.
        """
        from inkwright.domain.errors import InkwrightError

        await self._ls.studio()
        found: dict[Path, OpenBook] = {}
        waiting: list[Path | None] = [folder / "book.toml" for folder in self._ls.folders]
        waiting += [document.path for document in self._ls.documents]
        for path in waiting:
            try:
                book = await self.of(path)
            except InkwrightError as error:
                self._ls.notice(error.fault)
                continue
            for document in self._ls.documents:
                if document.key not in self._shown and self.known(document.path) is book:
                    self._show(book, document)  # one that was opened in the same breath counts
            if book.root not in found:
                found[book.root] = book
                waiting += self._inner(book)
        return list(found.values())

    def _inner(self, book: OpenBook) -> list[Path]:
        """The books in a folder of the workspace that is none itself, as far as its files have been looked at."""
        if book.index is None or book.book.owned or book.index.fields.given:
            return []
        return [book.root / path / "book.toml" for path in book.index.inner[:MOST_INNER]]

    async def open_inner(self) -> None:
        """Opens the books that lie in the workspace's folders, once these have been looked at."""
        from inkwright.domain.errors import InkwrightError

        for book in await self.everywhere():
            with suppress(InkwrightError):  # told of when it was read
                await book.ready()
        await self.everywhere()

    def around(self, path: Path) -> list[OpenBook]:
        """The open books whose folder holds the folder of a file: those that its own book may lie in."""
        studio = self._ls.ready_studio
        books = () if studio is None else studio.workspace.open_books()
        return [book for book in books if book.root in path.parent.parents]

    async def snapshot(self, still: Still, readonly: str = "") -> Snapshot:
        from inkwright.domain.text import Snapshot

        book = await self.of(still.path)
        path = "" if still.path is None else book.relative(still.path)
        return Snapshot(still.uri, path, still.version, still.text, readonly)

    def forget(self) -> None:
        """Folders or book files have changed: every file's book is looked for again."""
        before, self._found = self._found, {}
        self._shown.clear()
        for document in self._ls.documents:
            self._ls.spawn(self._moved(document, before.get(document.key)))

    def _follow(self, document: Document, event: Event) -> None:
        if document.path is None:
            return
        if event == "closed":
            self._shown.discard(document.key)
            self._ls.spawn(self._closed(document.path))
        elif (book := self.known(document.path)) is not None:
            self._show(book, document)
        elif event == "opened":
            self._ls.spawn(self._opened(document))

    def _show(self, book: OpenBook, document: Document) -> None:
        if book.index is not None and document.path is not None:
            book.index.set_buffer(book.relative(document.path), document.text, document.buffer.ends)
            self._shown.add(document.key)

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

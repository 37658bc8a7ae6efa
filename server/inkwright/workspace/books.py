"""The books of one process, opened when first needed and shared by all callers."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from inkwright.domain.errors import Fault, InkwrightError
from inkwright.domain.manuscript import BOOK_FIELDS, CountRule
from inkwright.domain.text import Snapshot
from inkwright.manuscript import bookfile, encoding
from inkwright.manuscript.index import BookIndex
from inkwright.store import locations
from inkwright.store.index_store import IndexStore
from inkwright.store.state import State
from inkwright.workspace.disk import absolute, leads_outside, read_bytes
from inkwright.workspace.opened import OpenBook

Notify = Callable[[Fault], None]
Progress = Callable[[int, int], None]
"""Files done, files in all."""

UNTITLED = "untitled"
_ANSWERS = 0.5
"""Seconds after the first scan of a book that belong to those who waited for it."""
REMARKS = bookfile.UNUSED | {"book_inside", "walk_cut", "folder_ignored"}
"""Problems of a book that its writer is told of, wherever they look."""

_log = logging.getLogger(__name__)


class Workspace:
    """All books of one process. `folders` are the client's workspace folders, absolute.

    `notify` gets what the writer should know and no call can return: a salvaged database, a newer
    schema. `progress` gets the first scan of a book. Close it before the loop ends.
    """

    def __init__(
        self,
        folders: Sequence[Path],
        notify: Notify = lambda _: None,
        progress: Callable[[Path], Progress] = lambda _: lambda _done, _all: None,
    ) -> None:
        self.folders = list(folders)
        self._notify = notify
        self._progress = progress
        self._count: CountRule = "mixed"
        self._looked = set(map(absolute, folders))
        self._closings = 0
        self._books: dict[Path, asyncio.Task[OpenBook]] = {}
        self._scans: set[asyncio.Task[None]] = set()

    def tell(self, fault: Fault) -> None:
        """What the writer should know of a book, from any thread."""
        self._notify(fault)

    def open_books(self) -> Iterable[OpenBook]:
        """The books that are open now."""
        for task in self._books.values():
            if task.done() and not task.cancelled() and task.exception() is None:
                yield task.result()

    async def book(self, path: Path | None) -> OpenBook:
        """The book that a file belongs to; None gives the one that untitled documents share.

        Raises `StorageError` when its database cannot be opened; `InkwrightError`: book_closed when the
        workspace was closed meanwhile.
        """
        if path is None:
            return await self._opened(locations.data_folder() / UNTITLED, deep=None)
        closings = self._closings
        root = await asyncio.to_thread(bookfile.find, path, self.folders)
        if closings != self._closings:
            raise InkwrightError("book_closed", root=str(root.path))
        return await self._opened(root.path, deep=root.deep)

    async def snapshot(self, path: Path, uri: str = "") -> tuple[OpenBook, Snapshot]:
        """A file as it stands on the disk. Raises `InkwrightError`: link_outside, and what `read_bytes` does."""
        data = await asyncio.to_thread(read_bytes, path)
        book = await self.book(path)
        if await asyncio.to_thread(leads_outside, book.root, path):
            raise InkwrightError("link_outside", path=str(path))
        decoded = await asyncio.to_thread(encoding.decode, data)
        return book, Snapshot(
            uri or path.absolute().as_uri(), book.relative(path), None, decoded.text, decoded.readonly
        )

    async def adopt(self, path: Path, fields: Mapping[str, str]) -> OpenBook:
        """Makes a folder, or the book of a file, own its data: `.inkwright/`, `book.toml`, its databases moved in.

        A book that does so already is left as it is. Raises `InkwrightError`: book_within (a book holds no
        other), book_needs_folder, book_field_count, book_field_language, file and storage errors.
        """
        book = await self.book(path)
        if path != book.root and await asyncio.to_thread(os.path.isdir, path):
            if await asyncio.to_thread(bookfile.marked, book.root):
                raise InkwrightError("book_within", path=book.relative(path), root=str(book.root))
            book = await self._opened(path, deep=True)
        if book.root.parent == book.root:
            raise InkwrightError("root_refused", root=str(book.root))
        if book.book.owned:
            return book
        known = {name: str(getattr(book.book, name)) for name in BOOK_FIELDS}
        if bookfile.LANGUAGE.fullmatch(known["language"]) is None:
            del known["language"]  # another tool's word for it: the book need not stand and fall with that
        await asyncio.to_thread(bookfile.create, book.root, {**known, **fields})
        await book.state.adopt()
        await book.files.move_store(locations.index_path(book.root))
        await book.refresh()
        for other in tuple(self.open_books()):
            if other.index is not None and other.root in book.root.parents:
                await other.index.rescan()
        return book

    async def refolder(self, folders: Sequence[Path]) -> None:
        """These are the workspace folders from now on; a book that holds one of another looks again."""
        come, self._looked = set(map(absolute, folders)) - self._looked, set(map(absolute, folders))
        self.folders[:] = folders
        for book in tuple(self.open_books()):
            if book.index is None:
                continue
            apart = await asyncio.to_thread(self._apart, book.root)
            # While a folder was none of the workspace's nobody watched it.
            if book.index.keep_apart(apart) or book.root in come:
                await book.index.rescan()
                await self.remark(book)

    def _apart(self, root: Path) -> set[str]:
        """The workspace folders below a root that are books of their own. Blocks."""
        below = [folder for folder in map(absolute, self.folders) if root in folder.parents]
        return {
            folder.relative_to(root).as_posix()
            for folder in below
            if bookfile.find_root(folder, self.folders) == folder
        }

    async def remark(self, book: OpenBook) -> None:
        """Tells the writer what the last look at a book's files left out, and why."""
        if book.index is None:
            return
        own = await asyncio.to_thread(bookfile.marked, book.root)
        for problem in book.index.problems:
            # A folder that is no book of its own is only where the books in it lie.
            if problem.code in REMARKS and (own or problem.code != "book_inside"):
                self._notify(Fault(problem.code, dict(problem.params)))

    async def update(
        self, book: OpenBook, changes: Mapping[str, str], revision: int | None = None
    ) -> OpenBook:
        """Changes metadata, in `book.toml` too where there is one.

        Raises `InkwrightError`: revision_conflict, book_field_count, book_field_language, file and storage errors.
        """
        _, problems = bookfile.parse({k: v for k, v in changes.items() if v})
        if problems:
            raise InkwrightError(problems[0].code, **dict(problems[0].params))
        # The database decides whether the revision is the one of now; only then is the file touched.
        await book.state.books.update(book.state.book_id, changes, revision)
        try:
            if await asyncio.to_thread(os.path.lexists, book.root / bookfile.NAME):
                await asyncio.to_thread(bookfile.update, book.root, changes)
        finally:
            await book.refresh()
        return book

    def count_by(self, rule: CountRule) -> None:
        """The counting rule of books that name none, from now on."""
        self._count = rule
        for book in self.open_books():
            book.count_by(rule)

    async def close(self) -> None:
        """Stops what is being opened and scanned, and closes every book."""
        self._closings += 1
        # Opening first: a book that is just open has begun a scan.
        await _stopped(task for task in self._books.values() if not task.done())
        await _stopped(self._scans)
        for book in tuple(self.open_books()):
            try:
                await book.close()
            except Exception:  # noqa: BLE001 - the other books are closed all the same
                _log.exception("closing a book")
        self._books.clear()

    async def _opened(self, root: Path, deep: bool | None) -> OpenBook:
        task = self._books.get(root)
        if task is None or (task.done() and (task.cancelled() or task.exception() is not None)):
            task = asyncio.create_task(self._open(root, deep), name=f"open {root.name}")
            self._books[root] = task
        book = await asyncio.shield(task)
        if deep and book.index is not None and book.index.deepen():
            await book.index.rescan()
        return book

    async def _open(self, root: Path, deep: bool | None) -> OpenBook:
        """`deep` is None for what is no folder of files."""
        state = await State.open(root, notify=self._notify)
        for notice in state.notices:
            self._notify(notice)
        book = OpenBook(root, None, state, self._count)
        if deep is None:
            return book
        try:
            store = IndexStore(locations.index_path(root))
            index = book.index = await BookIndex.open(root, store, deep=deep)
            index.keep_apart(await asyncio.to_thread(self._apart, root))
            await book.take_stored()
        except BaseException:
            await book.close()
            raise
        book.scan = asyncio.create_task(self._scan(book, index), name=f"scan {root.name}")
        self._scans.add(book.scan)
        book.scan.add_done_callback(self._scans.discard)
        book.count_by(self._count)  # it may have changed while this was none of the open books
        return book

    async def _scan(self, book: OpenBook, index: BookIndex) -> None:
        try:
            await index.build(self._progress(book.root))
            if not book.state.database.readonly:
                book.found = index.on_disk()
            await self.remark(book)
            await asyncio.sleep(_ANSWERS)
            if book.found is not None:
                await book.note_counts()
        except InkwrightError as error:
            self._notify(error.fault)
        except Exception:  # noqa: BLE001 - a fault of ours costs the scan, which `ready` tells of
            _log.exception("reading a book")


async def _stopped(tasks: Iterable[asyncio.Task[object]]) -> None:
    """Cancels tasks and waits until they have ended, in whatever way."""
    waiting = set(tasks)
    for task in waiting:
        task.cancel()
    if waiting:
        await asyncio.wait(waiting)

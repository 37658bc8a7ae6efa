"""Pull diagnostics: what the client asks of one document, and of everything that lies in its folders."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pygls.exceptions import JsonRpcException

from inkwright.lsp import uris
from inkwright.lsp.checking import READING
from inkwright.lsp.diagnosed import Shown, shown
from inkwright.lsp.latest import Latest
from inkwright.lsp.wire import Json, dumps

if TYPE_CHECKING:
    from pathlib import Path

    from lsprotocol import types as t

    from inkwright.lsp.checking import State
    from inkwright.lsp.documents import Document, Event
    from inkwright.lsp.session import Session
    from inkwright.workspace import OpenBook

PAUSE = 0.15
LONGEST = 1.5
"""Seconds after the last key, and at the most, that a question waits for the typing to pause."""
STIR = 0.2
"""Seconds from a change to the call to ask anew."""
PATIENCE = 30.0
"""Seconds that a client that cannot be called to ask anew waits for a book to be read."""
SERVER_CANCELLED = -32802
SLICE = 0.05
REST = 3
"""After so many seconds of work on closed files, REST times as many are left to others."""
PART = 50
SOON = 0.5
"""Reports, and seconds, after which what there is goes out."""
BREATH = 100
"""Files known already after which others have their turn."""
MOST = 5_000
"""Diagnostics of closed files that one answer holds; the files after that are told of when they are opened."""
RELATED = 5

Report = Json


@dataclass(frozen=True, slots=True)
class Closed:
    """What was last said of a closed file: with the same `state` and content it is said again."""

    state: State
    digest: str
    shown: Shown


class Pulling:
    """Answers the client's questions; what it knows already is answered with its `resultId` alone."""

    def __init__(self, ls: Session) -> None:
        self._ls = ls
        self._typed: dict[str, tuple[float, float]] = {}
        """By document when it was last typed in, and when that typing began."""
        self._asked: dict[str, int] = {}
        self._closed: dict[str, Closed] = {}
        self._uris: dict[tuple[Path, str], tuple[str, str]] = {}
        self._refresh: Latest[None] = Latest(STIR, self._ask, ls.spawn)
        ls.documents.listen(self._follow)

    # One document.

    async def document(self, params: t.DocumentDiagnosticParams) -> Report:
        """A full report, or `unchanged`. A document that is typed in is answered once the typing pauses."""
        key = uris.key(params.text_document.uri)
        document = self._ls.documents.get(params.text_document.uri)
        if document is None:
            return await self._unopened(params)
        number = self._asked[key] = self._asked.get(key, 0) + 1
        if not document.checked:
            return _report(Shown(), params.previous_result_id)
        await self._calm(key, number)
        await self._read(document.path)
        still = document.still()
        said = (await self._ls.checks.of(key, still)).said
        if document.still() is not still:
            self._put_off(key, number)
        book = self._ls.books.known(still.path)
        told = await shown(self._ls, still, said, book, self._ls.checks.rows(key))
        if document.still() is not still:
            self._put_off(key, number)
        others: dict[str, Report] = {}
        previous = params.previous_result_id
        if self._ls.client.can.related_documents and book is not None and told.id != previous:
            paths = dict.fromkeys(
                related.path for part in said for one in part.found for related in one.related
            )
            others = await self._related(book, list(paths)[:RELATED], key)
        return _report(told, previous, others)

    async def _calm(self, key: str, number: int) -> None:
        """Waits for a pause in the typing, unless a later question does."""
        while True:
            if self._asked.get(key) != number:
                self._put_off(key, number)
            last, first = self._typed.get(key, (0.0, 0.0))
            due = min(last + PAUSE, first + LONGEST) - time.monotonic()
            if due <= 0:
                return
            await asyncio.sleep(due)

    async def _read(self, path: Path | None) -> bool:
        """Whether the book has been read, after a wait. Who cannot be told when it has been waits longer."""
        seconds = READING if self._ls.client.can.refresh_diagnostics else PATIENCE
        return await self._ls.checks.read(path, seconds)

    def _put_off(self, key: str, number: int) -> None:
        """The text is another one by now. Only the latest question is worth asking again."""
        latest = self._asked.get(key) == number
        message = self._ls.tr("diagnostics_put_off")
        raise JsonRpcException(message, SERVER_CANCELLED, {"retriggerRequest": latest})

    async def _unopened(self, params: t.DocumentDiagnosticParams) -> Report:
        path = uris.path(params.text_document.uri)
        if path is None:
            return _report(Shown(), params.previous_result_id)
        book = await self._ls.books.of(path)
        known = None if book.index is None else await self._of_closed(book, book.relative(path))
        return _report(Shown() if known is None else known.shown, params.previous_result_id)

    async def _related(self, book: OpenBook, paths: Sequence[str], key: str) -> dict[str, Report]:
        """Reports of the other files that a document's diagnostics are about."""
        out: dict[str, Report] = {}
        for path in paths:
            uri = self._ls.documents.uri(book.root / path)
            if uris.key(uri) == key:
                continue
            document = self._ls.documents.get(uri)
            if document is not None:
                out[uri] = _report(await self._of_open(document), None)
            elif (known := await self._of_closed(book, path)) is not None:
                out[uri] = _report(known.shown, None)
        return out

    # All that lies in the folders.

    async def workspace(self, params: t.WorkspaceDiagnosticParams) -> Report:
        """Reports of open documents and of closed files; bit by bit where the client takes them so.

        A closed file is looked at for what hangs on the book. Of files without a word nothing is said,
        unless the client knows of an earlier one.
        """
        previous = {uris.key(one.uri): (one.uri, one.value) for one in params.previous_result_ids}
        token = params.partial_result_token
        part: list[Report] = []
        sent = time.monotonic()
        async for report in self._everything(previous, gently=token is not None):
            part.append(report)
            if token is not None and (len(part) >= PART or time.monotonic() - sent > SOON):
                self._ls.client.progress(token, _parts(part))
                part, sent = [], time.monotonic()
        if token is not None and part:
            self._ls.client.progress(token, _parts(part))
        return _parts(part if token is None else [])

    async def _everything(
        self, previous: Mapping[str, tuple[str, str]], *, gently: bool
    ) -> AsyncIterator[Report]:
        seen: set[str] = set()
        count = 0
        for document in self._ls.documents:
            if not document.checked:
                continue
            seen.add(document.key)
            before = previous.get(document.key, ("", None))[1]
            await self._read(document.path)
            version = document.version
            told = await self._of_open(document)
            if told.count or before is not None:
                yield _report(told, before, uri=document.uri, version=version)
        for book in await self._ls.books.everywhere():
            index = book.index
            if index is None or not (await self._ls.studio()).settings.checks.unopened:
                continue
            if not await self._read(book.root / "book.toml"):
                # What was said of its files stands until more is known.
                seen |= {key for key, (uri, _) in previous.items() if _within(uri, book.root)}
                continue
            state = self._ls.checks.state(book)
            began = time.monotonic()
            for number, path in enumerate(index.paths()):
                uri, key = self._spelled(book, path)
                if key in seen:
                    continue
                seen.add(key)
                if number % BREATH == 0:
                    await asyncio.sleep(0)
                known = await self._of_closed(book, path, state) if count < MOST else None
                if time.monotonic() - began > SLICE:
                    await asyncio.sleep(SLICE * REST if gently else 0)
                    began = time.monotonic()
                told = Shown() if known is None else known.shown
                count += told.count
                spelled, before = previous.get(key, (uri, None))
                if told.count or before is not None:
                    yield _report(told, before, uri=spelled, version=None)
        for place in [place for place, (_, key) in self._uris.items() if key not in seen]:
            self._drop(place)
        for key, (uri, value) in previous.items():
            if key not in seen:
                yield _report(Shown(), value, uri=uri, version=None)

    async def _of_open(self, document: Document) -> Shown:
        still, key = document.still(), document.key
        said = (await self._ls.checks.of(key, still)).said
        book = self._ls.books.known(still.path)
        return await shown(self._ls, still, said, book, self._ls.checks.rows(key))

    def _spelled(self, book: OpenBook, path: str) -> tuple[str, str]:
        """The URI of a file and its key: asked for again and again."""
        place = book.root, path
        found = self._uris.get(place)
        if found is None:
            uri = uris.from_path(book.root / path)
            found = self._uris[place] = uri, uris.key(uri)
        return found

    async def _of_closed(self, book: OpenBook, path: str, state: State | None = None) -> Closed | None:
        """What is said of a file that is not open; None for one that is not the book's or cannot be read."""
        from inkwright.domain.errors import InkwrightError
        from inkwright.lsp.still import Still

        index = book.files
        digest = index.digest(path)
        if not digest:
            self._drop((book.root, path))
            return None
        state = state or self._ls.checks.state(book)
        uri, _ = self._spelled(book, path)
        known = self._closed.get(uri)
        if known is not None and (known.state, known.digest) == (state, digest):
            return known
        try:
            text = await index.text(path)
        except InkwrightError:
            self._drop((book.root, path))
            return None
        said = await self._ls.checks.closed(book, path, text)
        still = Still(uri, book.root / path, None, text)
        self._closed[uri] = Closed(state, digest, await shown(self._ls, still, said, book))
        return self._closed[uri]

    def _drop(self, place: tuple[Path, str]) -> None:
        """A file that is not there any more."""
        uri, _ = self._uris.pop(place, ("", ""))
        self._closed.pop(uri, None)

    # What it is told.

    def changed(self, _root: Path | None) -> None:
        """What was answered may not hold any more: the client is asked to ask anew."""
        self._refresh.call(None)

    async def _ask(self, _key: None) -> None:
        self._prune()
        await self._ls.client.refresh_diagnostics()

    def _prune(self) -> None:
        """Files that are gone, and those of books that are, are forgotten: not every client asks for all files."""
        studio = self._ls.ready_studio
        books = {} if studio is None else {book.root: book.index for book in studio.workspace.open_books()}
        for root, path in tuple(self._uris):
            index = books.get(root)
            if index is None or not index.spelled(path):
                self._drop((root, path))

    def _follow(self, document: Document, event: Event) -> None:
        key = document.key
        if event == "opened" and document.path is not None:
            self._closed.pop(uris.from_path(document.path), None)
        if event == "changed":
            now = time.monotonic()
            last, first = self._typed.get(key, (0.0, now))
            self._typed[key] = (now, first if now - last < PAUSE else now)
        elif event == "closed":
            self._typed.pop(key, None)
            self._asked.pop(key, None)


def _within(uri: str, root: Path) -> bool:
    path = uris.path(uri)
    return path is not None and root in path.parents


def _report(
    told: Shown, previous: str | None, others: Mapping[str, Report] | None = None, **about: Any
) -> Report:
    if previous == told.id:
        return Json(dumps({"kind": "unchanged", "resultId": told.id, **about}))
    head = dumps({"kind": "full", "resultId": told.id, **about})[:-1]
    related = ",".join(f"{dumps(uri)}:{report}" for uri, report in (others or {}).items())
    tail = f',"relatedDocuments":{{{related}}}' if related else ""
    return Json(f'{head},"items":{told.json}{tail}}}')


def _parts(reports: Sequence[Report]) -> Report:
    return Json(f'{{"items":[{",".join(reports)}]}}')

"""Push diagnostics, for clients that do not ask: a pause after the typing, always for the version they belong to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inkwright.lsp.latest import Latest

if TYPE_CHECKING:
    from pathlib import Path

    from inkwright.lsp.documents import Document, Event
    from inkwright.lsp.session import Session

PAUSE = 0.25


class Pushing:
    """Publishes what is said of the open documents. It is silent towards a client that asks itself."""

    def __init__(self, ls: Session) -> None:
        self._ls = ls
        self._published: dict[str, str] = {}
        self._work: Latest[str] = Latest(PAUSE, self._check, ls.spawn)
        ls.documents.listen(self._follow)

    def changed(self, root: Path | None) -> None:
        """The documents of a book, or all, are checked and shown anew."""
        for document in self._ls.documents:
            if not document.checked:
                continue
            book = self._ls.books.known(document.path)
            if root is None or book is None or book.root == root:
                self._work.call(document.key)

    def clear(self, key: str) -> None:
        """Takes the diagnostics of a document away, under the URI that they were published with."""
        self._work.drop(key)
        if (uri := self._published.pop(key, None)) is not None:
            self._ls.client.diagnostics(uri, None, "[]")

    def rest(self, key: str, seconds: float) -> None:
        self._work.rest(key, seconds)

    def _follow(self, document: Document, event: Event) -> None:
        if self._ls.client.can.pull or not document.checked:
            return
        if event in ("opened", "changed"):
            self._work.call(document.key)
        elif event == "closed":
            self.clear(document.key)

    async def _check(self, key: str) -> None:
        from inkwright.lsp.diagnosed import shown

        document = next((found for found in self._ls.documents if found.key == key), None)
        if document is None:
            return
        await self._ls.checks.read(document.path)
        still = document.still()
        said = (await self._ls.checks.of(key, still)).said
        if document.still() is not still:
            return  # typed meanwhile: another pass is due, and places in a text of then cost the whole text
        book, rows = self._ls.books.known(still.path), self._ls.checks.rows(key)
        told = await shown(self._ls, still, said, book, rows)
        if document.still() is not still or self._ls.documents.get(still.uri) is not document:
            return  # typed meanwhile: another pass is due; closed meanwhile: there is nothing to show
        if not told.count and key not in self._published:
            return
        self._published[key] = still.uri
        self._ls.client.diagnostics(still.uri, still.version, told.json)

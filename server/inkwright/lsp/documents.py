"""Open documents: our own buffers, keyed so that every spelling of a URI finds the same one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from inkwright.lsp import uris

if TYPE_CHECKING:
    import asyncio

    from lsprotocol import types as t

    from inkwright.domain.text import Encoding, Range, Span
    from inkwright.lsp.still import Still
    from inkwright.manuscript.buffer import Buffer

Event = Literal["opened", "changed", "saved", "closed"]


PROSE = frozenset({"markdown", "plaintext", "text"})
SUFFIXES = frozenset({".md", ".markdown", ".txt", ".nwd"})


class Document:
    """One open document. `uri` is the client's spelling; `path` is None when it is no file.

    `edits` counts the changes: unlike `version` it is ours, and never goes back.
    """

    __slots__ = (
        "_page",
        "_still",
        "buffer",
        "busy",
        "cr",
        "edits",
        "key",
        "language",
        "path",
        "uri",
        "version",
    )

    def __init__(self, uri: str, version: int, language: str, buffer: Buffer) -> None:
        self.uri = uri
        self.key = uris.key(uri)
        self.path: Path | None = uris.path(uri)
        self.version = version
        self.language = language
        self.buffer = buffer
        self.edits = 0
        self.cr = False
        """Whether any CR has ever stood in it."""
        self.busy: asyncio.Future[Any] | None = None
        """The last work on its whole text that was begun beside the loop."""
        self._still: tuple[int, Still] | None = None
        self._page: bool | None = None

    @property
    def prose(self) -> bool:
        """Whether it is text for readers at all, and not a settings file that is open beside it."""
        if self.path is not None and self.path.suffix.lower() in SUFFIXES:
            return True
        return self.language.lower() in PROSE

    @property
    def book_file(self) -> bool:
        """Whether it is a book's own settings file."""
        return self.path is not None and self.path.name == "book.toml"

    @property
    def page(self) -> bool:
        """Whether it is a page that was made for the writer to read: nothing is said of it, and done with it."""
        if self._page is None:
            from inkwright.store import locations

            self._page = self.path is not None and self.path.parent == locations.pages_folder()
        return self._page

    @property
    def checked(self) -> bool:
        """Whether anything is said of it: a text of the writer's, or a book's own file."""
        return self.book_file or (self.prose and not self.page)

    def still(self) -> Still:
        """The document as it stands now; made once per state."""
        if self._still is None or self._still[0] != self.edits:
            from inkwright.lsp.still import Still

            self._still = (self.edits, Still(self.uri, self.path, self.version, self.text(), self))
        return self._still[1]

    def text(self) -> str:
        return self.buffer.text()


class Documents:
    """The open documents of a session. Edits are made in the order in which they arrive."""

    def __init__(self) -> None:
        self._open: dict[str, Document] = {}
        self._listeners: list[Callable[[Document, Event], None]] = []

    def __iter__(self) -> Iterator[Document]:
        return iter(list(self._open.values()))

    def __len__(self) -> int:
        return len(self._open)

    def get(self, uri: str) -> Document | None:
        return self._open.get(uris.key(uri))

    def at(self, path: Path) -> Document | None:
        """The open document of a file."""
        return self._open.get(uris.key(uris.from_path(path)))

    def uri(self, path: Path) -> str:
        """The URI of a file, in the client's spelling when it has the file open."""
        document = self.at(path)
        return uris.from_path(path) if document is None else document.uri

    def listen(self, listener: Callable[[Document, Event], None]) -> None:
        self._listeners.append(listener)

    def opened(self, item: t.TextDocumentItem) -> None:
        from inkwright.manuscript.buffer import Buffer

        document = Document(item.uri, item.version, str(item.language_id), Buffer(item.text))
        document.cr = "\r" in item.text
        self._open[document.key] = document
        self._tell(document, "opened")

    def changed(
        self, params: t.DidChangeTextDocumentParams, encoding: Encoding, *, cr_in_lines: bool = False
    ) -> None:
        """Applies the changes one after the other; a document that is not open is left alone. `cr_in_lines`: the
        client counts no CR alone as a line end."""
        document = self.get(params.text_document.uri)
        if document is None:
            return
        for change in params.content_changes:
            where = getattr(change, "range", None)  # `rangeLength` is deprecated and often wrong
            document.cr = document.cr or "\r" in change.text
            if cr_in_lines and document.cr and where is not None:
                from inkwright.domain.text import TextEdit

                if (span := _span(document.text(), where, encoding)) is not None:
                    document.buffer.edit(TextEdit(span, change.text))
                    continue
            document.buffer.apply(None if where is None else _range(where), change.text, encoding)
        if params.text_document.version is not None:
            document.version = params.text_document.version
        document.edits += 1
        self._tell(document, "changed")

    def saved(self, uri: str, text: str | None) -> None:
        """`text` is what the client saved; where the buffer has drifted from it the client is right."""
        document = self.get(uri)
        if document is None:
            return
        if text is not None and text != document.text():
            document.cr = document.cr or "\r" in text
            document.buffer.apply(None, text, "utf-16")
            document.edits += 1
            self._tell(document, "changed")
        self._tell(document, "saved")

    def closed(self, uri: str) -> None:
        if (document := self._open.pop(uris.key(uri), None)) is not None:
            self._tell(document, "closed")

    def _tell(self, document: Document, event: Event) -> None:
        for listener in self._listeners:
            listener(document, event)


def _span(text: str, where: t.Range, encoding: Encoding) -> Span | None:
    """The span of a range by lines that end in LF; None where that is what every client means.

    A text without any LF is one whose lines end in CR for that client too.
    """
    from inkwright.domain.text import Lines, lone_cr

    if not lone_cr(text) or "\n" not in text:
        return None
    return Lines(text, cr=False).span(_range(where), encoding)


def _range(where: t.Range) -> Range:
    from inkwright.lsp.convert import range_in

    return range_in(where)

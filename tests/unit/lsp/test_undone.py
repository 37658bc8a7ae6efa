"""What of acceptances is kept so that an undo can take them back."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from lsprotocol import types as t

from inkwright.lsp.documents import Documents
from inkwright.lsp.undone import ALL, MOST, Undone


class Desk:
    """Documents, and how many times something came back in one of them."""

    def __init__(self) -> None:
        self.documents = Documents()
        self.back = 0
        self.kept = Undone(self)  # type: ignore[arg-type]

    def spawn(self, work: Any) -> Any:
        work.close()
        self.back += 1
        return SimpleNamespace(add_done_callback=lambda _: None)

    def becomes(self, uri: str, text: str) -> int:
        """How many times something came back with that text."""
        before = self.back
        item = t.VersionedTextDocumentIdentifier(2, uri)
        change = t.TextDocumentContentChangeWholeDocument(text)
        self.documents.changed(t.DidChangeTextDocumentParams(item, [change]), "utf-16")
        return self.back - before

    def open(self, uri: str) -> None:
        self.documents.opened(t.TextDocumentItem(uri, "markdown", 1, "x"))


def accept(kept: Undone, uri: str, count: int) -> None:
    for number in range(count):
        kept.accepted(uri, f"{uri} {number}", [0], f"before {number}", f"after {number}", f"before {number}")


def test_what_is_kept_does_not_grow_with_the_documents_that_were_open() -> None:
    """So many of one document, and so many of all closed ones: the newest."""
    desk = Desk()
    accept(desk.kept, "file:///a.md", MOST + 10)
    assert len(desk.kept) == MOST
    for number in range(2 * ALL):
        accept(desk.kept, f"file:///{number}.md", 1)
    assert len(desk.kept) == ALL
    for number, comes_back in ((0, 0), (ALL - 1, 0), (ALL, 1), (2 * ALL - 1, 1)):
        desk.open(f"file:///{number}.md")
        assert desk.becomes(f"file:///{number}.md", "before 0") == comes_back


def test_an_open_document_keeps_its_own() -> None:
    """However much is accepted elsewhere; once it is closed, it goes with the others."""
    desk, uri = Desk(), "file:///a.md"
    accept(desk.kept, uri, 3)
    desk.open(uri)
    for number in range(2 * ALL):
        accept(desk.kept, f"file:///{number}.md", 1)
    assert desk.becomes(uri, "before 1") == 1
    desk.documents.closed(uri)
    for number in range(ALL):
        accept(desk.kept, f"file:///new {number}.md", 1)
    desk.open(uri)
    assert desk.becomes(uri, "after 1") == 0
    assert len(desk.kept) == ALL

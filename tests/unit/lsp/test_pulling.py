"""What pull diagnostics keep between two questions, and how long a question waits for its book."""

from __future__ import annotations

import asyncio
import json
from types import SimpleNamespace

import pytest
from lsprotocol import types as t

from inkwright.abilities.studio import Studio
from inkwright.config import Settings
from inkwright.library import libraries
from inkwright.lsp import pulling, uris
from inkwright.lsp.books import Books
from inkwright.lsp.checking import Checking
from inkwright.lsp.documents import Documents
from inkwright.lsp.features.diagnostics import Way
from inkwright.lsp.pulling import Pulling
from inkwright.workspace import Workspace


class Models:
    """Nothing is run here."""

    async def close(self) -> None:
        pass


class Client:
    """A client that cannot be called to ask anew."""

    can = SimpleNamespace(refresh_diagnostics=False, related_documents=False, related_information=False)

    async def refresh_diagnostics(self) -> None:
        pass


class Desk:
    """As much of a session as diagnostics need, on a real studio and a real book."""

    encoding = "utf-16"
    locale = "zh"

    def __init__(self, studio: Studio, root):
        self.ready_studio = studio
        self.folders = (root,)
        self.client = Client()
        self.documents = Documents()
        self.spawn = lambda work, **_: asyncio.create_task(work)
        self.books = Books(self)
        self.checks = Checking(self)
        self.pulling = Pulling(self)

    async def studio(self) -> Studio:
        return self.ready_studio

    def tr(self, code: str, **_: object) -> str:
        return code

    def notice(self, _: object) -> None:
        pass


def ask(uri):
    return t.DocumentDiagnosticParams(t.TextDocumentIdentifier(uri))


@pytest.fixture
async def desk(tmp_path):
    root = tmp_path / "书"
    root.mkdir()
    (root / "book.toml").write_text('title = "渡口"\n', "utf-8")
    for name in ("一", "二"):
        (root / f"{name}.md").write_text("# 章\n\n见[[林下]]。\n", "utf-8")
    studio = Studio(Settings(), libraries.Libraries(None), Workspace([root]), "zh", Models())
    yield Desk(studio, root)
    await studio.close()


async def test_what_was_said_of_files_that_are_gone_is_forgotten(desk):
    """Also for a client that never asks for all files; what is said of those that are there is kept."""
    (root,) = desk.folders
    first, second = (uris.from_path(root / f"{name}.md") for name in ("一", "二"))
    book = await desk.books.of(root / "一.md")
    await book.ready()
    for uri in (first, second):
        assert json.loads(await desk.pulling.document(ask(uri)))["items"]
    (root / "二.md").unlink()
    await book.files.file_changed("二.md")
    await desk.pulling._ask(None)
    assert list(desk.pulling._closed) == [first]
    assert [uri for uri, _ in desk.pulling._uris.values()] == [first]
    desk.documents.opened(t.TextDocumentItem(first, "markdown", 1, "# 章\n"))
    assert not desk.pulling._closed


async def test_a_book_that_is_never_read_keeps_no_question(desk, monkeypatch):
    """After a while it is answered with what there is; what was said of the book's closed files stands."""
    monkeypatch.setattr(pulling, "PATIENCE", 0.05)
    (root,) = desk.folders
    uri = uris.from_path(root / "一.md")
    book = await desk.books.of(root / "一.md")
    await book.ready()
    book.files.ready.clear()
    book.scan = None
    desk.documents.opened(t.TextDocumentItem(uri, "markdown", 1, "# 章\n"))
    assert json.loads(await desk.pulling.document(ask(uri)))["kind"] == "full"
    known = [t.PreviousResultId(uris.from_path(root / "二.md"), "as it was")]
    report = json.loads(await desk.pulling.workspace(t.WorkspaceDiagnosticParams(known)))
    assert not [item for item in report["items"] if item["uri"] == known[0].uri]


async def test_a_client_that_asks_leaves_no_times_behind(desk, monkeypatch):
    """When a document may be checked again is kept for clients that wait, until it is closed; for others never."""
    way = Way(desk)
    for pull in (True, False):
        monkeypatch.setattr(desk.client.can, "pull", pull, raising=False)
        way.rest("a", 1.0)
        assert list(way._pushing._work._rested) == ([] if pull else ["a"])
    way.clear("a")
    assert not way._pushing._work._rested

"""The report over LSP: a read-only page whose links lead to the book."""

from __future__ import annotations

import os
import re
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_the_page_of_a_book(editor):
    """It has the counts of what is typed, relative links to the chapters, and cannot be written."""
    uri = editor.open("第一章.md")
    editor.type(uri, len(editor.texts[uri]), "\n\n“她回来了。”")
    found = await editor.client.command("inkwright.report", {"uri": uri})
    page = Path(unquote(urlsplit(found["uri"]).path))
    text = page.read_text("utf-8")
    assert text.startswith("<!-- inkwright report -->")
    chapter = Path(unquote(urlsplit(uri).path))
    links = [unquote(link) for link in re.findall(r"\]\(([^)#]+)\)", text)]
    assert chapter.resolve() in [(page.parent / link).resolve() for link in links]
    assert "](file:" not in text
    assert "data:image/svg+xml;base64," in text
    assert not page.stat().st_mode & 0o222 or os.name == "nt"
    again = await editor.client.command("inkwright.report", {"uri": uri, "checks": False})
    assert again["uri"] == found["uri"]
    assert page.read_text("utf-8") != text
    # A page is no chapter: nothing is found in it, and nothing is offered to be done with it.
    editor.client.notify(
        "textDocument/didOpen",
        {
            "textDocument": {
                "uri": found["uri"],
                "languageId": "markdown",
                "version": 1,
                "text": "他以经走了。\n",
            }
        },
    )
    where = {"textDocument": {"uri": found["uri"]}}
    span = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 3}}
    assert (await editor.client.call("textDocument/diagnostic", where))["items"] == []
    assert not await editor.client.call("textDocument/codeLens", where)
    asked = {**where, "range": span, "context": {"diagnostics": []}}
    assert not await editor.client.call("textDocument/codeAction", asked)
    assert editor.shown(found["uri"]) == []


async def test_a_document_without_a_folder_has_none(editor):
    """The fault says that a folder is needed."""
    uri = editor.open(f"untitled:r{editor.root.name}", "一。\n")
    response = await editor.client.request(
        "workspace/executeCommand", {"command": "inkwright.report", "arguments": [{"uri": uri}]}
    )
    assert response["error"]["data"] == {"code": "book_needs_folder"}

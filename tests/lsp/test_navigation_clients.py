"""Going about a book in editors that can do more, and in those that can do less."""

from __future__ import annotations

import asyncio

import pytest

VSCODE = {
    "workspace": {
        "configuration": True,
        "symbol": {"resolveSupport": {"properties": ["location.range"]}},
    },
    "textDocument": {
        "definition": {"linkSupport": True},
        "typeDefinition": {"linkSupport": True},
        "documentSymbol": {"hierarchicalDocumentSymbolSupport": True},
        "foldingRange": {"rangeLimit": 2, "lineFoldingOnly": True},
        "completion": {
            "completionItem": {"snippetSupport": True, "insertReplaceSupport": True},
            "completionList": {"itemDefaults": ["commitCharacters", "editRange", "insertTextFormat", "data"]},
            "contextSupport": True,
        },
    },
}
NEOVIM = {
    "textDocument": {
        "definition": {"linkSupport": True},
        "documentSymbol": {"hierarchicalDocumentSymbolSupport": True},
        "completion": {"completionItem": {"snippetSupport": True}},
        "foldingRange": {"lineFoldingOnly": True},
    },
    "workspace": {"applyEdit": True, "workspaceFolders": True, "symbol": {"dynamicRegistration": False}},
}
POOR = {"textDocument": {"definition": {"linkSupport": False}, "documentSymbol": {}}}


def at(editor, uri, offset):
    return {"textDocument": {"uri": uri}, "position": editor.position(uri, offset)}


async def test_links_for_clients_that_take_them(start):
    """The whole name is the origin of the jump."""
    editor = await start(capabilities=VSCODE)
    uri = editor.open("第一章.md")
    for method in ("definition", "typeDefinition"):
        (link,) = await editor.client.call(
            f"textDocument/{method}", at(editor, uri, editor.find(uri, "阿夏") + 1)
        )
        assert editor.piece(uri, link["originSelectionRange"]) == "阿夏"
        assert link["targetUri"] == editor.uri("cards/林夏.md")
        assert link["targetSelectionRange"] == link["targetRange"]


@pytest.mark.parametrize("capabilities", [{}, POOR], ids=["bare", "poor"])
async def test_places_for_clients_that_do_not(start, capabilities):
    """Without `linkSupport` a place; without snippets plain text; without late answers whole symbols."""
    editor = await start(capabilities=capabilities)
    uri = editor.open("第一章.md")
    (place,) = await editor.client.call("textDocument/definition", at(editor, uri, editor.find(uri, "阿夏")))
    assert set(place) == {"uri", "range"}
    new = editor.open("新.md", "")
    found = await editor.client.call("textDocument/completion", at(editor, new, 0))
    assert all(
        "insertTextFormat" not in item and "$" not in item["textEdit"]["newText"] for item in found["items"]
    )
    (symbol,) = await editor.client.call("workspace/symbol", {"query": "旧信"})
    assert symbol["location"]["range"]["start"] == {"line": 0, "character": 0}


async def test_snippets(start):
    """A client with snippets gets places to fill in; what the file is called is no snippet."""
    editor = await start(capabilities=NEOVIM)
    uri = editor.open("新 $1}.md", "")
    found = await editor.client.call("textDocument/completion", at(editor, uri, 0))
    first = found["items"][0]
    assert first["insertTextFormat"] == 2
    assert "title: ${1:新 \\$1\\}}" in first["textEdit"]["newText"]


async def test_symbols_that_are_resolved_late(start):
    """First the file alone; then the line, also when lines were typed above it meanwhile."""
    editor = await start(capabilities=VSCODE)
    uri = editor.open("第一章.md")
    found = await editor.client.call("workspace/symbol", {"query": "第二场"})
    (symbol,) = [row for row in found if row["name"].startswith("第二场")]
    assert symbol["location"] == {"uri": uri}
    editor.type(uri, editor.find(uri, "# 第一章"), "\n𠮷\n\n")
    resolved = await editor.client.call("workspaceSymbol/resolve", symbol)
    assert editor.piece(uri, resolved["location"]["range"]) == "第二场开始了。夏夏没有来。"
    assert (resolved["name"], resolved["kind"]) == (symbol["name"], symbol["kind"])
    for broken in ({"data": None}, {"data": {"line": "x"}}, {"location": {"uri": "untitled:x"}}):
        assert (await editor.client.call("workspaceSymbol/resolve", {**symbol, **broken}))["location"][
            "range"
        ]


async def test_no_more_folds_than_the_client_takes(start):
    """`rangeLimit` is kept."""
    editor = await start(capabilities=VSCODE)
    uri = editor.open("第一章.md")
    found = await editor.client.call("textDocument/foldingRange", {"textDocument": {"uri": uri}})
    assert len(found) == 2


AIDS = {
    "links": ("textDocument/documentLink", False),
    "folding": ("textDocument/foldingRange", False),
    "highlights": ("textDocument/documentHighlight", True),
}


@pytest.mark.parametrize("off", AIDS)
async def test_off_switches(start, off):
    """Each aid has a switch, and only its own."""
    editor = await start(settings={off: False})
    uri = editor.open("第一章.md", "# 第一章\n\n林夏见[[周衡]]。\n")
    for name, (method, placed) in AIDS.items():
        where = at(editor, uri, editor.find(uri, "林夏")) if placed else {"textDocument": {"uri": uri}}
        assert bool(await editor.client.call(method, where)) == (name != off)


async def test_texts_without_a_book(start):
    """An untitled text: folds, selections and pages of the network; names, chapters and files lead nowhere."""
    editor = await start()
    uri = editor.open(
        "untitled:U-1", "# 一\n\n[[林夏]] 第一章 [x](https://x.y) [y](第一章.md) [z](#一)\n\n林夏。\n"
    )
    document = {"textDocument": {"uri": uri}}
    found = await editor.client.call("textDocument/documentLink", document)
    assert [link.get("target") for link in found] == [None, None, "https://x.y", None, f"{uri}#L1"]
    assert await editor.client.call("textDocument/foldingRange", document)
    assert await editor.client.call(
        "textDocument/selectionRange", {**document, "positions": [{"line": 99, "character": 9}]}
    )
    where = at(editor, uri, editor.find(uri, "林夏。"))
    for method in ("definition", "typeDefinition", "documentHighlight", "prepareCallHierarchy", "completion"):
        assert not await editor.client.call(f"textDocument/{method}", where)
    assert (
        await editor.client.call(
            "textDocument/references", {**where, "context": {"includeDeclaration": True}}
        )
        is None
    )


async def test_a_link_out_of_the_book(start, book):
    """A path or a link of the file system that leaves the book leads nowhere."""
    (book.parent / "out.md").write_text("x")
    (book / "in.png").symlink_to(book.parent / "out.md")
    editor = await start()
    uri = editor.open("第一章.md", "[x](../out.md) [y](in.png) [z](/etc/passwd) [w](file:///etc/passwd)\n")
    found = await editor.client.call("textDocument/documentLink", {"textDocument": {"uri": uri}})
    assert [link.get("target") for link in found] == [None, None, None]


async def test_references_before_the_first_scan_is_done(start, book):
    """Asked at once after the start, the answer is the whole one."""
    for number in range(3, 200):
        (book / f"第{number}章.md").write_text(f"# 第{number}章\n\n" + "林夏走了。\n\n" * 20, "utf-8")
    editor = await start()
    uri = editor.open("第一章.md")
    where = {**at(editor, uri, editor.find(uri, "林夏")), "context": {"includeDeclaration": False}}
    first = await editor.client.call("textDocument/references", where)
    assert len(first) == 4 + 197 * 20
    assert await editor.client.call("textDocument/references", where) == first


async def test_references_are_cancelled(start, book):
    """A request that is cancelled ends; the next one is answered."""
    editor = await start()
    uri = editor.open("第一章.md")
    where = {**at(editor, uri, editor.find(uri, "林夏")), "context": {"includeDeclaration": False}}
    asked = [editor.client.start("textDocument/references", where) for _ in range(10)]
    for msg_id, _ in asked[:-1]:
        editor.client.cancel(msg_id)
    answers = await asyncio.gather(*(future for _, future in asked))
    assert all("result" in a or a["error"]["code"] == -32800 for a in answers)
    assert len(answers[-1]["result"]) == 4

"""What is kept for documents and files goes with them."""

from __future__ import annotations

import asyncio

import pytest

PUSH = {"workspace": {"configuration": True}, "textDocument": {"publishDiagnostics": {}}}
PULL = {"workspace": {"configuration": True}, "textDocument": {"diagnostic": {}}}
FILES = 12
STAYS = {"Books._found"}
"""Which book a file belongs to: that holds for a file that is not open, too."""


async def kept(editor):
    """The sizes of all tables that follow documents, and of which a file that is gone is forgotten in its time."""
    await editor.client.call("workspace/diagnostic", {"previousResultIds": []})
    return await editor.client.command("probe.kept")


async def visit(editor, name):
    """Opens a file that is new, types in it, asks all that is asked of a document, closes and deletes it."""
    (editor.root / name).write_text("# 章\n\n林夏说,他来了。见[[林下]]。It were teh end.\n", "utf-8")
    uri = editor.open(name)
    change = {"uri": uri, "type": 1}
    editor.client.notify("workspace/didChangeWatchedFiles", {"changes": [change]})
    editor.type(uri, 3, "又")
    about = {"textDocument": {"uri": uri}}
    for method in ("semanticTokens/full", "diagnostic", "codeLens", "documentLink", "foldingRange"):
        await editor.client.call(f"textDocument/{method}", about)
    editor.client.start("textDocument/semanticTokens/full", about)
    editor.client.start("textDocument/diagnostic", about)
    editor.client.notify("textDocument/didClose", about)
    await editor.client.call("textDocument/diagnostic", about)
    await editor.client.call("workspace/diagnostic", {"previousResultIds": []})
    (editor.root / name).unlink()
    editor.client.notify("workspace/didChangeWatchedFiles", {"changes": [{**change, "type": 3}]})


@pytest.mark.parametrize("capabilities", [PUSH, PULL], ids=["pushed", "pulled"])
async def test_nothing_is_kept_of_files_that_are_gone(probed, capabilities, until):
    """Tables that follow documents are as long after many other files as they were before."""
    editor = await probed(capabilities=capabilities)
    await visit(editor, "第0章.md")

    async def before() -> dict[str, int]:
        first = await kept(editor)
        await asyncio.sleep(0.7)
        return first if await kept(editor) == first else {}

    sizes = await until(before)
    for number in range(FILES):
        await visit(editor, f"第{number}章.md")

    async def more() -> set[str]:
        return {name for name, size in (await kept(editor)).items() if size > sizes.get(name, 0)} - STAYS

    await until(more, lambda found: found == set())

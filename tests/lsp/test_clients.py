"""Clients of every kind: old, poor, silent, and wrong."""

from __future__ import annotations

import pytest


def at(editor, uri, offset):
    return {"textDocument": {"uri": uri}, "position": editor.position(uri, offset)}


async def test_flat_symbols_for_old_clients(start):
    """A client that knows no tree gets a list with locations."""
    editor = await start(capabilities={})
    uri = editor.open("第一章.md")
    found = await editor.client.call("textDocument/documentSymbol", {"textDocument": {"uri": uri}})
    assert [symbol["name"] for symbol in found] == ["第一章 渡口", "第 1 场", "第 2 场"]
    assert {symbol["location"]["uri"] for symbol in found} == {uri}


async def test_many_headings(start):
    """3,000 headings, nested and not, are answered without recursion."""
    editor = await start()
    text = "".join(f"{'#' * (1 + n % 6)} 标题 {n}\n\n正文。\n\n" for n in range(3000))
    uri = editor.open("untitled:Untitled-1", text)
    found = await editor.client.call("textDocument/documentSymbol", {"textDocument": {"uri": uri}})

    def count(rows):
        return sum(1 + count(row.get("children", [])) for row in rows)

    assert count(found) == 3000


@pytest.mark.parametrize("off", ["hover", "completion"])
async def test_off_switches(start, off):
    """Each aid has a switch, and only its own."""
    editor = await start(settings={off: False})
    uri = editor.open("第一章.md")
    over = await editor.client.call("textDocument/hover", at(editor, uri, editor.find(uri, "林夏")))
    names = await editor.client.call("textDocument/completion", at(editor, uri, len(editor.texts[uri])))
    assert (over is None) == (off == "hover")
    assert (names is None) == (off == "completion")

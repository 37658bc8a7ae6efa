"""Words in chapters and cards, in all three position encodings."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.asyncio(loop_scope="module")

WIDTH = {
    "utf-8": lambda s: len(s.encode()),
    "utf-16": lambda s: len(s.encode("utf-16-le")) // 2,
    "utf-32": len,
}


async def search(editor, query, **more):
    argument = {"query": query, "uri": editor.uri("第一章.md"), **more}
    return await editor.client.command("inkwright.search", argument)


async def test_a_search(editor):
    """What is typed counts, ranges are in the client's encoding and hold the words."""
    uri = editor.open("第一章.md")
    editor.type(uri, len(editor.texts[uri]), "\n她𠮷野家见魑魅，又见魑魅。")
    text = editor.texts[uri]
    found = await search(editor, "魑魅")
    assert (found["query"], found["total"], found["exact"], found["next"]) == ("魑魅", 1, True, None)
    (hit,) = found["hits"]
    assert (hit["kind"], hit["path"], hit["uri"]) == ("chapter", "第一章.md", uri)
    assert hit["text"] == text.split("\n")[hit["line"]]
    width = WIDTH[editor.encoding]
    assert [place["start"] for place in hit["ranges"]] == [
        {"line": hit["line"], "character": width(hit["text"][:at])} for at in (5, 10)
    ]
    assert hit["range"] == hit["ranges"][0]


async def test_pages(editor):
    """`next` leads through all hits, each once, best first; then it is null."""
    whole = await search(editor, "林夏")
    assert whole["total"] == len(whole["hits"]) == 3
    pages, cursor = [], None
    while True:
        page = await search(editor, "林夏", limit=2, **({"cursor": cursor} if cursor else {}))
        assert page["total"] == whole["total"]
        pages += page["hits"]
        cursor = page["next"]
        if cursor is None:
            break
    assert pages == whole["hits"]
    assert pages[0]["path"] == "cards/林夏.md"


async def test_all_books_without_a_uri(editor):
    """The books of the workspace's folders."""
    found = await editor.client.command("inkwright.search", {"query": "林夏"})
    assert found["total"] >= 3


async def test_what_is_wrong_is_said(editor):
    """No query, a cursor of somebody else's, a query without end."""
    for argument in ({}, {"query": ""}, {"query": 1}, {"query": "x", "cursor": "nope"}):
        response = await editor.client.request(
            "workspace/executeCommand", {"command": "inkwright.search", "arguments": [argument]}
        )
        assert response["error"]["code"] == -32602
    response = await editor.client.request(
        "workspace/executeCommand", {"command": "inkwright.search", "arguments": [{"query": "林" * 100_000}]}
    )
    assert response["error"]["data"] == {"code": "query_too_long"}
    assert (await search(editor, "\ud800\0 OR ("))["hits"] == []

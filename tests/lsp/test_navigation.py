"""Going about in a book, in all three position encodings: references, highlights, links, symbols, folds, threads."""

from __future__ import annotations

import pytest

from inkwright.lsp import uris

pytestmark = pytest.mark.asyncio(loop_scope="module")

THIRD = """---
title: 还信
characters: [林夏, "[[周衡]]"]
pov: 阿夏
threads: [失信的船夫（回收）, 雪]
---
# 第三章 还信

她想起[[林夏|自己]]在[[旧渡口]]的那天，见第一章与第12章。

> 信上写着：
> 勿念。

“你来了。”周衡说，“坐吧，天黑了。”

“不坐。”

“那走吧。”

见[旧信](第二章.md)与[地图](<图 1.png>)，还有[无](没有.md)、[下文](#尾)。

## 尾

<!-- 批注
两行 -->
"""


def at(editor, uri, offset):
    return {"textDocument": {"uri": uri}, "position": editor.position(uri, offset)}


def document(uri):
    return {"textDocument": {"uri": uri}}


async def third(editor):
    """A third chapter with all kinds of marks, open but not on the disk; the second sets a thread up."""
    (editor.root / "图 1.png").write_bytes(b"")
    second = editor.open("第二章.md")
    editor.type(second, 0, "---\r\nthreads:\r\n  - 失信的船夫\r\n---\r\n")
    return editor.open("第三章.md", THIRD)


async def references(editor, uri, offset, *, declaration=False):
    context = {"context": {"includeDeclaration": declaration}}
    return await editor.client.call("textDocument/references", {**at(editor, uri, offset), **context})


def pieces(editor, places):
    """Where places stand: file and text, files that are not open read from the disk."""
    out = []
    for place in places:
        uri = place["uri"]
        if uri not in editor.texts:
            editor.open(str(uris.path(uri).relative_to(editor.root)))
        out.append((uris.path(uri).name, editor.piece(uri, place["range"])))
    return out


async def test_references(editor):
    """All names of a card, chapter by chapter, from an alias in prose; files that are not open as well."""
    uri = editor.open("第一章.md")
    found = await references(editor, uri, editor.find(uri, "阿夏"))
    assert pieces(editor, found) == [
        ("第一章.md", "林夏"),
        ("第一章.md", "阿夏"),
        ("第一章.md", "夏夏"),
        ("第二章.md", "林夏"),
    ]


async def test_references_of_what_is_typed_and_of_front_matter(editor):
    """Open documents count as they stand, front matter and links too; a link's shown text is no name."""
    uri = await third(editor)
    found = await references(editor, uri, editor.find(uri, "[[林夏|") + 2)
    assert pieces(editor, found)[-3:] == [("第三章.md", "林夏"), ("第三章.md", "阿夏"), ("第三章.md", "林夏")]
    first = await references(editor, uri, editor.find(uri, "周衡"))
    assert ("第三章.md", "周衡") in pieces(editor, first)


async def test_the_declaration(editor):
    """The card's own name and aliases come first when they are asked for; its file is asked from as well."""
    card = editor.open("cards/林夏.md")
    for piece in ("林夏", "夏夏"):
        found = await references(editor, card, editor.find(card, piece), declaration=True)
        said = pieces(editor, found)
        assert said[:3] == [("林夏.md", "林夏"), ("林夏.md", "阿夏"), ("林夏.md", "夏夏")]
        assert len(said) == 7
    heading = editor.open("cards/周衡.md")
    found = await references(editor, heading, editor.find(heading, "周衡"), declaration=True)
    assert pieces(editor, found)[0] == ("周衡.md", "周衡")


async def test_no_references(editor):
    """Plain prose has none; an empty book and an untitled text are no errors."""
    uri = editor.open("第一章.md")
    assert await references(editor, uri, editor.find(uri, "看见")) is None
    loose = editor.open("untitled:x", "林夏来了")
    assert await references(editor, loose, 0) is None


async def test_a_file_that_changed_unseen(editor):
    """A file that is other than the index thinks is searched as it is."""
    uri = editor.open("第一章.md")
    await references(editor, uri, editor.find(uri, "林夏"))
    (editor.root / "第二章.md").write_bytes("# 第二章 旧信\n\n𠮷𠮷夏夏和林夏。\n".encode())
    found = await references(editor, uri, editor.find(uri, "林夏"))
    assert pieces(editor, found)[-2:] == [("第二章.md", "夏夏"), ("第二章.md", "林夏")]


async def test_highlights(editor):
    """The names of the card in this document; elsewhere nothing, so that the editor's own show."""
    uri = editor.open("第一章.md")
    found = await editor.client.call(
        "textDocument/documentHighlight", at(editor, uri, editor.find(uri, "阿夏"))
    )
    assert [editor.piece(uri, row["range"]) for row in found] == ["林夏", "阿夏", "夏夏"]
    nothing = at(editor, uri, editor.find(uri, "看见"))
    assert await editor.client.call("textDocument/documentHighlight", nothing) is None


async def test_definitions(editor):
    """From front matter, from links and chapter numbers; the type is where the card says it."""
    uri = await third(editor)

    async def go(piece, nth=0, by=1, method="definition"):
        where = at(editor, uri, editor.find(uri, piece, nth) + by)
        return await editor.client.call(f"textDocument/{method}", where)

    for piece, by, name in (
        ("[林夏, ", 1, "cards/林夏.md"),
        ("[[周衡", 3, "cards/周衡.md"),
        ("[[旧渡口", 3, "cards/旧渡口.md"),
        ("第一章", 1, "第一章.md"),
        ("第二章.md", 1, "第二章.md"),
        ("<图 1.png>", 2, "图 1.png"),
    ):
        (place,) = await go(piece, by=by)
        assert place["uri"] == editor.uri(name)
    (place,) = await go("#尾", by=1)
    assert editor.piece(uri, place["range"]) == "## 尾"
    assert await go("第12章") == []
    assert await go("没有.md") == []
    (place,) = await go("阿夏", method="typeDefinition")
    assert pieces(editor, [place]) == [("林夏.md", "character")]


async def test_links(editor):
    """What each link leads to; one that leads nowhere has no target and says so."""
    uri = await third(editor)
    found = await editor.client.call("textDocument/documentLink", document(uri))
    said = {editor.piece(uri, link["range"]): link.get("target") for link in found}
    assert said == {
        "[[周衡]]": editor.uri("cards/周衡.md"),
        "[[林夏|自己]]": editor.uri("cards/林夏.md"),
        "[[旧渡口]]": editor.uri("cards/旧渡口.md"),
        "第一章": editor.uri("第一章.md"),
        "第12章": None,
        "第二章.md": editor.uri("第二章.md"),
        "图 1.png": editor.uri("图 1.png"),
        "没有.md": None,
        "#尾": f"{uri}#L{THIRD[: THIRD.index('## 尾')].count(chr(10)) + 1}",
    }
    assert "没有.md" in next(
        link["tooltip"] for link in found if editor.piece(uri, link["range"]) == "没有.md"
    )


async def test_folds(editor):
    """Front matter, sections, quotations, dialogue and comments by their lines; scenes where there is a break."""
    uri = await third(editor)
    rows = await editor.client.call("textDocument/foldingRange", document(uri))
    lines = THIRD.split("\n")
    said = {(lines[row["startLine"]], lines[row["endLine"]], row.get("kind")) for row in rows}
    assert said == {
        ("---", "---", "region"),
        ("# 第三章 还信", "两行 -->", None),
        ("> 信上写着：", "> 勿念。", None),
        ("“你来了。”周衡说，“坐吧，天黑了。”", "“那走吧。”", None),
        ("## 尾", "两行 -->", None),
        ("<!-- 批注", "两行 -->", "comment"),
    }
    first = editor.open("第一章.md")
    rows = await editor.client.call("textDocument/foldingRange", document(first))
    lines = editor.texts[first].split("\n")
    starts = [lines[row["startLine"]] for row in rows]
    assert "林夏走到旧渡口，看见周衡。😀𠮷野也在。" in starts


async def test_selection(editor):
    """From the clause to the whole text, each step wider, for several places at once."""
    uri = await third(editor)
    places = [editor.position(uri, editor.find(uri, piece)) for piece in ("坐吧", "title")]
    params = {**document(uri), "positions": places}
    found = await editor.client.call("textDocument/selectionRange", params)

    def steps(step):
        return [editor.piece(uri, step["range"]), *(steps(step["parent"]) if "parent" in step else [])]

    dialogue, front = map(steps, found)
    assert dialogue[:4] == [
        "坐吧",
        "坐吧，天黑了。",
        "“坐吧，天黑了。”",
        "“你来了。”周衡说，“坐吧，天黑了。”",
    ]
    assert dialogue[-1] == THIRD
    assert front[0] == "title: 还信"


async def symbols(editor, query):
    found = await editor.client.call("workspace/symbol", {"query": query})
    return [row for row in found if row["location"]["uri"].startswith(editor.root.as_uri())]


async def test_workspace_symbols(editor):
    """Cards by alias, chapters by title and number, headings, scenes; with the letters of their pinyin."""
    uri = await third(editor)
    for query, name, path in (
        ("夏夏", "夏夏", "cards/林夏.md"),
        ("渡口", "旧渡口", "cards/旧渡口.md"),
        ("旧信", "第二章 旧信", "第二章.md"),
        ("尾", "尾", "第三章.md"),
        ("第二场", "第二场开始了。夏夏没有来。", "第一章.md"),
        ("linxia", "林夏 linxia", "cards/林夏.md"),
        ("zh", "周衡 zhou", "cards/周衡.md"),
        ("jdk", "旧渡口 jiudukou", "cards/旧渡口.md"),
        ("2", "第二章 旧信 2", "第二章.md"),
    ):
        found = {(row["name"], row["location"]["uri"]) for row in await symbols(editor, query)}
        assert (name, editor.uri(path)) in found, query
    (tail,) = [row for row in await symbols(editor, "尾") if row["name"] == "尾"]
    line = tail["location"]["range"]["start"]["line"]
    assert editor.texts[uri].split("\n")[line] == "## 尾"
    assert await symbols(editor, "𠮷龘") == []
    assert await symbols(editor, "")


async def test_threads(editor):
    """A thread leads from the chapter that sets it up to the one that pays it off, and back."""
    uri = await third(editor)
    where = at(editor, uri, editor.find(uri, "失信的船夫"))
    (item,) = await editor.client.call("textDocument/prepareCallHierarchy", where)
    assert (item["name"], item["detail"]) == ("失信的船夫", "还信 · 回收")
    assert editor.piece(uri, item["selectionRange"]) == "失信的船夫"
    assert await editor.client.call("callHierarchy/outgoingCalls", {"item": item}) == []
    (call,) = await editor.client.call("callHierarchy/incomingCalls", {"item": item})
    assert call["from"]["detail"] == "第二章 旧信 · 埋设"
    second = editor.uri("第二章.md")
    assert [editor.piece(second, where) for where in call["fromRanges"]] == ["失信的船夫"]
    (call,) = await editor.client.call("callHierarchy/outgoingCalls", {"item": call["from"]})
    assert call["to"]["uri"] == uri
    prose = at(editor, uri, editor.find(uri, "她想起"))
    assert await editor.client.call("textDocument/prepareCallHierarchy", prose) is None

"""Reading aids in all three position encodings: hover, definition, completion, symbols."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.asyncio(loop_scope="module")


def at(editor, uri, offset):
    return {"textDocument": {"uri": uri}, "position": editor.position(uri, offset)}


async def hover(editor, uri, offset):
    return await editor.client.call("textDocument/hover", at(editor, uri, offset))


async def test_hover_over_a_name(editor, until):
    """The card of the name, its aliases, what holds as of this chapter, and the mentions; the range is the name."""
    uri = editor.open("第一章.md")
    # Counts are those of the last pause: a chapter that is just opened may not be counted yet.
    await until(lambda: hover(editor, uri, editor.find(uri, "林夏")), lambda found: "4 次" in str(found))
    found = await hover(editor, uri, editor.find(uri, "林夏"))
    assert editor.piece(uri, found["range"]) == "林夏"
    text = found["contents"]["value"]
    assert found["contents"]["kind"] == "markdown"
    for piece in (
        "**林夏** · 人物",
        "阿夏 / 夏夏",
        "摆渡人的女儿",
        "旧渡口",
        "左手有疤",
        "本章出现 3 次，全书 4 次（2 章）",
    ):
        assert piece in text
    assert "省城" not in text


async def test_hover_after_a_character_outside_the_bmp(editor):
    """Columns after 😀 and 𠮷 are counted in the agreed units, both ways."""
    uri = editor.open("第一章.md")
    editor.type(uri, editor.find(uri, "野也在"), "周衡𠮷")
    found = await hover(editor, uri, editor.find(uri, "周衡", 1) + 1)
    assert editor.piece(uri, found["range"]) == "周衡"
    assert found["range"] == editor.range(uri, editor.find(uri, "周衡", 1), editor.find(uri, "周衡", 1) + 2)


async def test_hover_in_a_crlf_file(editor):
    """Line ends are counted as LSP does; facts follow the chapter."""
    uri = editor.open("第二章.md")
    found = await hover(editor, uri, editor.find(uri, "林夏"))
    assert editor.piece(uri, found["range"]) == "林夏"
    assert "省城" in found["contents"]["value"]


async def test_hover_beside_names(editor):
    """Nothing over plain prose, in front matter, or past the end."""
    uri = editor.open("第一章.md")
    assert await hover(editor, uri, editor.find(uri, "走到")) is not None  # the border of 林夏
    assert await hover(editor, uri, editor.find(uri, "看见")) is None
    assert await hover(editor, uri, editor.find(uri, "title")) is None
    params = {"textDocument": {"uri": uri}, "position": {"line": 999, "character": 999}}
    assert await editor.client.call("textDocument/hover", params) is None


async def test_hover_on_a_heading(editor):
    """The counts of the chapter, and of the scene that the heading stands in."""
    uri = editor.open("第一章.md")
    text = (await hover(editor, uri, editor.find(uri, "第一章")))["contents"]["value"]
    assert "本章 " in text
    assert "第 1 场（共 2 场）" in text


async def test_definition_leads_to_the_card(editor):
    """From an alias to the card's file; from prose to nothing."""
    uri = editor.open("第一章.md")
    found = await editor.client.call("textDocument/definition", at(editor, uri, editor.find(uri, "阿夏") + 1))
    assert [place["uri"] for place in found] == [editor.uri("cards/林夏.md")]
    assert (
        await editor.client.call("textDocument/definition", at(editor, uri, editor.find(uri, "看见"))) == []
    )


async def complete(editor, uri, offset, trigger=None):
    context = {"triggerKind": 2, "triggerCharacter": trigger} if trigger else {"triggerKind": 1}
    return await editor.client.call(
        "textDocument/completion", {**at(editor, uri, offset), "context": context}
    )


async def test_completion_after_a_trigger(editor):
    """After `[` every name; after `@` the sign is replaced with the name."""
    uri = editor.open("第一章.md")
    end = len(editor.texts[uri])
    editor.type(uri, end, "𠮷[")
    found = await complete(editor, uri, end + 2, "[")
    assert {item["label"] for item in found["items"]} == {"林夏", "阿夏", "夏夏", "周衡", "旧渡口"}
    editor.type(uri, end + 1, "@", delete=1)
    found = await complete(editor, uri, end + 2, "@")
    one = next(item for item in found["items"] if item["label"] == "周衡")
    assert editor.piece(uri, one["textEdit"]["range"]) == "@"
    assert one["filterText"] == "@周衡"


async def test_completion_on_request(editor):
    """What is typed of a name is replaced, and other names are left out."""
    uri = editor.open("第一章.md")
    end = len(editor.texts[uri])
    editor.type(uri, end, "他看见旧渡")
    found = await complete(editor, uri, end + 5)
    assert [item["label"] for item in found["items"]] == ["旧渡口"]
    assert editor.piece(uri, found["items"][0]["textEdit"]["range"]) == "旧渡"


async def test_no_completion_in_an_address(editor):
    """The `@` of an e-mail address offers nothing."""
    uri = editor.open("第一章.md")
    end = len(editor.texts[uri])
    editor.type(uri, end, "me@")
    assert await complete(editor, uri, end + 3, "@") is None


async def test_symbols(editor):
    """Headings as a tree; scenes below them, because this chapter has a scene break."""
    uri = editor.open("第一章.md")
    (chapter,) = await editor.client.call("textDocument/documentSymbol", {"textDocument": {"uri": uri}})
    assert chapter["name"] == "第一章 渡口"
    assert [child["name"] for child in chapter["children"]] == ["第 1 场", "第 2 场"]
    assert editor.piece(uri, chapter["children"][1]["selectionRange"]).startswith("第二场开始了")


async def test_no_scene_without_a_break(editor):
    """A chapter without a scene break has headings only."""
    uri = editor.open("第二章.md")
    (chapter,) = await editor.client.call("textDocument/documentSymbol", {"textDocument": {"uri": uri}})
    assert "children" not in chapter


async def test_typing_is_seen_at_once(editor):
    """A name typed a moment ago is found, and a card that is open counts before its file."""
    chapter = editor.open("第一章.md")
    card = editor.open("cards/周衡.md")
    editor.type(card, editor.find(card, "---\n#"), "aliases: [老周]\n")
    editor.type(chapter, len(editor.texts[chapter]), "老周来了。")
    found = await hover(editor, chapter, editor.find(chapter, "老周"))
    assert editor.piece(chapter, found["range"]) == "老周"
    assert "教书先生" in found["contents"]["value"]

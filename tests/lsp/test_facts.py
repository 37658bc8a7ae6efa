"""Facts over a real process, found by rule: offered, listed with their place, accepted into an open card and into a
file, withdrawn and told of when their chapter is rewritten."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

CHAPTER = "# 第一章 渡口\r\n\r\n😀林夏的右手只有四根手指。周衡终于死了。\r\n\r\n“林夏死了。”船夫说。\r\n"
NAME = "第一章.md"
LIN, ZHOU = "cards/林夏.md", "cards/周衡.md"


@pytest.fixture
def book(book):
    (book / NAME).write_bytes(CHAPTER.encode())
    return book


async def listed(editor):
    return await editor.client.command("inkwright.listCandidates", {"uri": editor.uri(NAME)})


async def decide(editor, what, ids):
    return await editor.client.command(f"inkwright.{what}Candidates", {"uri": editor.uri(NAME), "ids": ids})


def gone(editor, uri):
    """The faults of that code in the last diagnostics of a document."""
    return [d for d in editor.shown(uri) if d["code"] == "fact_source_gone"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
async def test_from_the_lightbulb_to_the_card(start, book, encoding, until):
    """The action is offered; candidates carry the place of their quotation; open cards are edited, closed ones
    written; the same again makes no double."""
    editor = await start(encoding=encoding)
    uri = editor.open(NAME, CHAPTER)
    found = await editor.client.call(
        "textDocument/codeAction",
        {
            "textDocument": {"uri": uri},
            "range": editor.range(uri, 0, 0),
            "context": {"diagnostics": []},
        },
    )
    assert any("找出设定事实" in action["title"] for action in found)
    result = await editor.run("facts", NAME)
    assert (result["status"], len(result["candidates"])) == ("completed", 2)
    assert "林夏 · 外貌：右手只有四根手指" in result["text"]
    (told,) = await until(lambda: editor.client.got("window/showMessage"))
    assert (told["type"], told["message"]) == (3, "本章的设定事实：2 条等你接受。")
    hand, death = await listed(editor)
    assert [hand["id"], death["id"]] == result["candidates"]
    assert (hand["kind"], hand["name"], hand["key"], hand["value"]) == (
        "fact",
        "林夏",
        "appearance",
        "右手只有四根手指",
    )
    assert hand["uri"] == uri
    assert editor.piece(uri, hand["range"]) == hand["quote"]
    card = editor.open(LIN)
    before = editor.texts[card]
    done = await decide(editor, "accept", [hand["id"], death["id"]])
    assert [one["state"] for one in done] == ["accepted", "accepted"]
    added = f"  - {{key: 外貌, value: 右手只有四根手指, from: 第一章 渡口, quote: {hand['quote']}}}\n"
    assert editor.texts[card] == before.replace("from: 第二章}\n", "from: 第二章}\n" + added)
    assert (book / LIN).read_text("utf-8") == before
    assert "documentChanges" in editor.edits[-1]
    written = (book / ZHOU).read_text("utf-8")
    assert written.startswith(
        "---\ntype: character\nfacts:\n  - key: 生死\n    value: 死\n    from: 第一章 渡口\n"
    )
    assert await listed(editor) == []
    await editor.run("facts", NAME)
    assert await listed(editor) == []
    await decide(editor, "accept", result["candidates"])
    assert editor.texts[card].count("右手只有四根手指,") == 1
    assert (book / ZHOU).read_text("utf-8") == written


async def test_a_client_that_refuses_keeps_the_candidate_waiting(start, book):
    """Nothing is noted down that is not written."""
    editor = await start()
    await editor.run("facts", NAME)
    hand, death = await listed(editor)
    editor.open(LIN)
    editor.refuse_edits = True
    (one,) = await decide(editor, "accept", [hand["id"]])
    assert one["state"] == "pending"
    assert [c["id"] for c in await listed(editor)] == [hand["id"], death["id"]]
    editor.refuse_edits = False
    (one,) = await decide(editor, "accept", [hand["id"]])
    assert one["state"] == "accepted"


async def test_a_client_that_takes_no_edits(start, book):
    """What is to go into an open card waits, and is written into its file once that is closed."""
    editor = await start(capabilities={})
    editor.open(NAME, CHAPTER)
    await editor.run("facts", NAME)
    hand, _ = await listed(editor)
    card, before = editor.open(LIN), (book / LIN).read_bytes()
    argument = {"uri": editor.uri(NAME), "ids": [hand["id"]]}
    command = {"command": "inkwright.acceptCandidates", "arguments": [argument]}
    refused = await editor.client.request("workspace/executeCommand", command)
    assert "client_cannot_edit_card" in str(refused)
    assert (book / LIN).read_bytes() == before
    editor.client.notify("textDocument/didClose", {"textDocument": {"uri": card}})
    await decide(editor, "accept", [hand["id"]])
    assert "右手只有四根手指" in (book / LIN).read_text("utf-8")


async def test_typing_over_the_passage_withdraws_and_marks(start, book):
    """What waits is withdrawn at once; what stands on an open card is told of at its line, with a fix, and is
    quiet again after an undo."""
    editor = await start()
    uri = editor.open(NAME, CHAPTER)
    await editor.run("facts", NAME)
    hand, death = await listed(editor)
    card = editor.open(LIN)
    await decide(editor, "accept", [hand["id"]])
    at = editor.find(uri, "四根")
    editor.type(uri, at, "五", delete=1)
    (told,) = await editor.client.until(lambda: gone(editor, card))
    assert editor.piece(card, told["range"]) == "右手只有四根手指"
    actions = await editor.client.call(
        "textDocument/codeAction",
        {
            "textDocument": {"uri": card},
            "range": told["range"],
            "context": {"diagnostics": [told], "only": ["quickfix"]},
        },
    )
    fix = next(a for a in actions if "删去事实" in a["title"])
    editor.type(uri, at, "四", delete=1)
    await editor.client.until(lambda: not gone(editor, card))
    start_at = editor.find(uri, "周衡终于死了")
    editor.type(uri, start_at, "", delete=6)
    assert await listed(editor) == []
    with pytest.raises(AssertionError, match="不在"):
        await decide(editor, "accept", [death["id"]])
    editor.apply(fix["edit"])
    assert "右手只有四根手指," not in editor.texts[card]


async def test_a_rejected_one_stays_away(start, book):
    """Also after the next run."""
    editor = await start()
    await editor.run("facts", NAME)
    ids = [one["id"] for one in await listed(editor)]
    done = await decide(editor, "reject", ids)
    assert [one["state"] for one in done] == ["rejected", "rejected"]
    result = await editor.run("facts", NAME)
    assert not result.get("candidates")
    assert await listed(editor) == []


async def menu(editor, uri, at):
    """The entries about what waits, by their titles."""
    params = {
        "textDocument": {"uri": uri},
        "range": editor.range(uri, at, at),
        "context": {"diagnostics": []},
    }
    found = await editor.client.call("textDocument/codeAction", params)
    bare = [one if isinstance(one["command"], str) else one["command"] for one in found if "command" in one]
    return {one["title"]: one for one in bare if "andidates" in one["command"]}


async def take(editor, action):
    bare = {"command": action["command"], "arguments": action["arguments"]}
    return await editor.client.call("workspace/executeCommand", bare)


@pytest.mark.parametrize(("capabilities", "encoding"), [({}, "utf-16"), (None, "utf-8")])
async def test_what_waits_is_in_the_menu_of_its_chapter_and_card(start, book, capabilities, encoding, until):
    """Where a fact is quoted it is accepted or rejected by itself; all together, or shown as a page, on any line of the
    chapter and of the card. Nothing of it where nothing waits."""
    more = {} if capabilities is None else {"capabilities": capabilities}
    editor = await start(encoding=encoding, **more)
    editor.client.answers["window/showDocument"] = lambda _: {"success": True}
    uri = editor.open(NAME, CHAPTER)
    assert await menu(editor, uri, 0) == {}
    await editor.run("facts", NAME)
    all_, page = "等你确认的卡片和事实：全部接受（2）", "等你确认的卡片和事实：全部列出（2）"
    assert list(await menu(editor, uri, 0)) == [all_, page]
    other, card = editor.open("第二章.md"), editor.open(ZHOU)
    assert await menu(editor, other, 0) == {}
    one = ["等你确认的卡片和事实：全部接受（1）", "等你确认的卡片和事实：全部列出（1）"]
    assert list(await menu(editor, card, 0)) == one
    shown = await take(editor, (await menu(editor, uri, 0))[page])
    text = Path(unquote(urlsplit(shown["uri"]).path)).read_text("utf-8")
    assert "## 林夏 · 外貌\n\n右手只有四根手指\n\n> " in text
    assert f"[{NAME}](<{uri}>)" in text
    editor.client.notify("textDocument/didClose", {"textDocument": {"uri": card}})
    here = await menu(editor, uri, editor.find(uri, "四根"))
    accept, reject = (
        "接受事实：林夏 · 外貌：右手只有四根手指",
        "拒绝事实：林夏 · 外貌：右手只有四根手指",
    )
    assert list(here) == [accept, reject, all_, page]
    await take(editor, here[accept])
    assert "右手只有四根手指" in (book / LIN).read_text("utf-8")
    rest = await menu(editor, uri, editor.find(uri, "四根"))
    assert list(rest) == one
    await take(editor, rest[one[0]])
    assert "生死" in (book / ZHOU).read_text("utf-8")
    assert await menu(editor, uri, 0) == {}
    said = "已接受 1 项，写在 cards/周衡.md。"
    await until(
        lambda: [shown["message"] for shown in editor.client.got("window/showMessage")],
        lambda told: said in told,
    )

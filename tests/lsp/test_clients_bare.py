"""The main job in editors that know nothing of ours and little of the protocol: polish, see, accept some, reject some."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

LITERALS = {"codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["", "quickfix"]}}}}
FULL: dict[str, Any] = {
    "workspace": {
        "applyEdit": True,
        "configuration": True,
        "workspaceEdit": {"documentChanges": True, "changeAnnotationSupport": {}},
        "didChangeWatchedFiles": {"dynamicRegistration": True},
        "didChangeConfiguration": {"dynamicRegistration": True},
        "codeLens": {"refreshSupport": True},
    },
    "window": {"workDoneProgress": True, "showMessage": {}, "showDocument": {"support": True}},
    "textDocument": {**LITERALS, "codeLens": {}, "diagnostic": {}, "hover": {"contentFormat": ["markdown"]}},
}


def without(*path: str) -> dict[str, Any]:
    """All capabilities but one."""
    head, *rest = path
    out = {**FULL, head: {**FULL[head]}}
    place = out[head]
    for name in rest[:-1]:
        place[name] = {**place[name]}
        place = place[name]
    place.pop(rest[-1])
    return out


BARE: dict[str, dict[str, Any]] = {
    "everything": FULL,
    "no applyEdit": without("workspace", "applyEdit"),
    "no progress": without("window", "workDoneProgress"),
    "no registration": {**FULL, "workspace": {"applyEdit": True, "configuration": True}},
    "no configuration": without("workspace", "configuration"),
    "no lenses": without("textDocument", "codeLens"),
    "no pulling": without("textDocument", "diagnostic"),
    "no window": {name: value for name, value in FULL.items() if name != "window"},
    "no document changes": without("workspace", "workspaceEdit"),
    "no annotations": without("workspace", "workspaceEdit", "changeAnnotationSupport"),
    "no literal actions": without("textDocument", "codeAction"),
    "literal actions alone": {"textDocument": LITERALS},
    "nothing": {},
}
HELIX: dict[str, Any] = {
    "workspace": {
        "applyEdit": True,
        "configuration": True,
        "workspaceFolders": True,
        "didChangeConfiguration": {"dynamicRegistration": False},
        "didChangeWatchedFiles": {"dynamicRegistration": True, "relativePatternSupport": False},
        "workspaceEdit": {"documentChanges": True, "resourceOperations": ["create", "rename", "delete"]},
        "fileOperations": {"willRename": True, "didRename": True},
        "inlayHint": {"refreshSupport": False},
    },
    "textDocument": {
        **LITERALS,
        "hover": {"contentFormat": ["markdown"]},
        "rename": {"prepareSupport": True, "honorsChangeAnnotations": False},
        "publishDiagnostics": {"versionSupport": True},
        "inlayHint": {"dynamicRegistration": False},
    },
    "window": {"workDoneProgress": True},
}
"""As Helix says them."""
BARE["helix"] = HELIX
TEXT = "他来了,走了。\n\n😀𠮷野说,好。\n\n她不来了,真的。\n"
DONE = "他来了，走了。\n\n😀𠮷野说,好。\n\n她不来了，真的。\n"


class Hand:
    """What a writer does in such an editor: looks at a menu, takes one entry of it."""

    def __init__(self, editor: Any, uri: str) -> None:
        self.editor, self.uri = editor, uri

    async def menu(self, piece: str) -> list[dict[str, Any]]:
        at = self.editor.find(self.uri, piece)
        where = self.editor.range(self.uri, at, at)
        params = {"textDocument": {"uri": self.uri}, "range": where, "context": {"diagnostics": []}}
        return await self.editor.client.call("textDocument/codeAction", params)

    async def over(self, start: int, end: int) -> list[str]:
        """The titles that a range is offered."""
        where = self.editor.range(self.uri, start, end)
        params = {"textDocument": {"uri": self.uri}, "range": where, "context": {"diagnostics": []}}
        return [one["title"] for one in await self.editor.client.call("textDocument/codeAction", params)]

    async def lenses(self) -> list[dict[str, Any]]:
        return await self.editor.client.call("textDocument/codeLens", {"textDocument": {"uri": self.uri}})

    async def take(self, action: dict[str, Any]) -> Any:
        """An action's edit first, then its command; a bare command at once."""
        if "edit" in action:
            assert self.editor.apply(action["edit"])["applied"]
        command = action["command"]
        command = action if isinstance(command, str) else command
        bare = {"command": command["command"], "arguments": command["arguments"]}
        return await self.editor.client.call("workspace/executeCommand", bare)

    async def choose(self, piece: str, *words: str) -> Any:
        found = [one for one in await self.menu(piece) if all(word in one["title"] for word in words)]
        assert found, words
        return await self.take(found[0])


@pytest.mark.parametrize(
    ("kind", "encoding"),
    [
        *((kind, "utf-16") for kind in BARE),
        ("helix", "utf-8"),
        ("nothing", "utf-8"),
        ("nothing", "utf-32"),
        ("no applyEdit", "utf-8"),
    ],
)
async def test_the_main_job_by_code_actions(start, kind, encoding):
    """Polish from the menu, accept the first hunk, reject the second, accept the third: nothing else is changed."""
    editor = await start(capabilities=BARE[kind], encoding=encoding)
    uri = editor.open("第三章.md", TEXT)
    hand = Hand(editor, uri)
    await hand.choose("他来", "润色优化", "整章")
    assert editor.texts[uri] == TEXT
    await hand.choose("来了,走", "接受：", "来了,走了")
    await hand.choose("野说,好", "拒绝：", "说,好")
    await hand.choose("不来了,真", "接受：", "不来了,真的")
    assert editor.texts[uri] == DONE
    assert await editor.client.command("inkwright.listProposals", {"uri": uri}) == []
    titles = [one["title"] for one in await hand.menu("他来")]
    assert not [title for title in titles if "接受" in title or "拒绝" in title]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
async def test_a_block_cursor_selects_nothing(start, encoding):
    """Helix sends the character under its cursor: what it is offered is the chapter, and the cursor's place."""
    text = "他来了,走了。\r\n\r\n👩‍🚀é说,好。\r\n"
    for name, bare in (("helix", True), ("Kate", False)):
        editor = await start(capabilities=HELIX, encoding=encoding, clientInfo={"name": name})
        uri = editor.open("第三章.md", text)
        hand = Hand(editor, uri)
        cells = ["他", ",", "\r\n", "👩‍🚀", "é"]
        for at, cell in ((text.index(cell), cell) for cell in cells):
            titles = await hand.over(at, at + len(cell))
            assert ("墨匠：润色优化（整章）" in titles) == bare, cell
            assert ("墨匠：润色优化（选区）" in titles) != bare, cell
            assert ("墨匠：续写（光标处）" in titles) == bare, cell
        assert "墨匠：润色优化（选区）" in await hand.over(0, 2)
    place = editor.range(uri, 1, 2)
    params = {"textDocument": {"uri": uri}, "range": place, "context": {"diagnostics": []}}
    found = await editor.client.call("textDocument/codeAction", params)
    (goes_on,) = [one for one in found if one["title"] == "墨匠：续写（选区）"]
    assert goes_on["command"]["arguments"][0]["range"] == place


@pytest.mark.parametrize("kind", ["nothing", "helix", "no progress"])
async def test_a_run_is_stopped_from_the_menu(start, own_model, kind):
    """While it goes on there is an entry for it, of its own document alone, and none afterwards."""
    editor = await start(capabilities=BARE[kind], env=own_model.environment())
    uri, other = editor.open("第三章.md", TEXT), editor.open("第一章.md")
    hand = Hand(editor, uri)
    own_model.answer, own_model.hold_at = [DONE[:5], DONE[5:]], 1
    (polish,) = [one for one in await hand.menu("他来") if one["title"] == "墨匠：润色优化（整章）"]
    run = asyncio.ensure_future(hand.take(polish))
    await asyncio.wait_for(own_model.held.wait(), 60)
    assert not [title for title in await Hand(editor, other).over(0, 0) if "停止" in title]
    assert await hand.choose("他来", "停止“墨匠：润色优化”") == {"cancelled": True}
    assert (await run)["status"] == "cancelled"
    assert not [title for title in await hand.over(0, 0) if "停止" in title]
    assert editor.texts[uri] == TEXT


async def test_a_client_that_stops_waiting(start, own_model):
    """The answer that comes after its request was given up is told of, and its changes wait in the menu."""
    editor = await start(capabilities={}, env=own_model.environment())
    uri = editor.open("第三章.md", TEXT)
    hand = Hand(editor, uri)
    own_model.answer, own_model.hold_at = [DONE[:5], DONE[5:]], 1
    (polish,) = [one for one in await hand.menu("他来") if one["title"] == "墨匠：润色优化（整章）"]
    run = asyncio.ensure_future(hand.take(polish))
    await asyncio.wait_for(own_model.held.wait(), 60)
    run.cancel()  # nothing is sent: so does an editor whose own clock has run out
    own_model.go_on.set()
    await editor.client.until(
        lambda: [m for m in editor.client.got("window/showMessage") if "有 2 处修改" in m["message"]]
    )
    await hand.choose("来了,走", "接受：", "来了,走了")
    assert editor.texts[uri] == TEXT.replace("来了,走", "来了，走")


@pytest.mark.parametrize("kind", ["everything", "no literal actions", "no document changes", "nothing"])
async def test_the_main_job_by_lenses(start, kind):
    """The same with code lenses alone, where the client takes edits."""
    editor = await start(capabilities=BARE[kind])
    uri = editor.open("第三章.md", TEXT)
    hand = Hand(editor, uri)
    await hand.choose("他来", "润色优化", "整章")
    for piece, mark in (("来了,走", "接受"), ("野说,好", "拒绝"), ("不来了,真", "接受")):
        line = editor.position(uri, editor.find(uri, piece))["line"]
        lenses = [
            one for one in await hand.lenses() if one["range"]["start"]["line"] == line and "command" in one
        ]
        (lens,) = [
            one for one in lenses if mark in one["command"]["title"] and "全部" not in one["command"]["title"]
        ]
        await hand.take({"command": lens["command"]})
    assert editor.texts[uri] == DONE


@pytest.mark.parametrize("kind", ["no applyEdit", "literal actions alone", "everything"])
async def test_the_main_job_by_fixes(start, kind):
    """A fault is shown, its fix is an edit in the action itself: no command, no request to the client."""
    editor = await start(capabilities=BARE[kind])
    uri = editor.open("第三章.md", TEXT)
    hand = Hand(editor, uri)
    fixes = [one for one in await hand.menu(",走") if one["kind"] == "quickfix" and "edit" in one]
    assert editor.apply(fixes[0]["edit"])["applied"]
    assert editor.texts[uri] == TEXT.replace("来了,走", "来了，走")
    assert not [name for name, _ in editor.client.requests if name == "workspace/applyEdit"]


@pytest.mark.parametrize("kind", list(BARE))
async def test_how_a_run_ended_is_told(start, kind):
    """A polish says how many changes wait, a report gives its text or a page with it, a failure says why."""
    editor = await start(capabilities=BARE[kind])
    editor.client.answers["window/showDocument"] = lambda _: {"success": True}
    uri = editor.open("第三章.md", TEXT)
    hand = Hand(editor, uri)

    def told() -> list[str]:
        return [shown["message"] for shown in editor.client.got("window/showMessage")]

    result = await hand.choose("他来", "润色优化", "整章")
    count = len(result["proposal"]["hunks"])
    await editor.client.until(lambda: [one for one in told() if f"有 {count} 处修改" in one])
    result = await hand.choose("他来", "内容分析", "整章")
    assert result["text"]
    if "showDocument" in BARE[kind].get("window", {}):
        await editor.client.until(
            lambda: [n for n, _ in editor.client.requests if n == "window/showDocument"]
        )
    else:
        await editor.client.until(lambda: [one for one in told() if "全文在这里：file://" in one])
    result = await hand.choose("他来", "写作辅助", "整章")
    assert result["status"] == "failed"
    said = f"墨匠：写作辅助：{result['error']['message']}"
    await editor.client.until(lambda: [one for one in told() if one == said])


async def test_who_follows_the_stream_is_told_nothing(start):
    """A client of ours shows the end itself."""
    editor = await start()
    uri = editor.open("第三章.md", TEXT)
    argument = {"ability": "polish", "uri": uri, "show": True, "streamToken": "s"}
    await editor.client.command("inkwright.runAbility", argument)
    await editor.client.command("inkwright.runAbility", {"ability": "analysis", "uri": uri})
    await editor.client.command("inkwright.listRuns", {"uri": uri})
    assert not editor.client.got("window/showMessage")


async def test_no_encodings_and_no_language(spawn, book):
    """Without either the columns are UTF-16's and the language is the system's."""
    client = await spawn(env={"LANG": "zh_CN.UTF-8"})
    result = await client.initialize({}, workspaceFolders=[{"uri": book.as_uri(), "name": "书"}])
    assert result["capabilities"]["positionEncoding"] == "utf-16"
    uri = (book / "第三章.md").as_uri()
    client.open(uri, "😀林夏。\n")
    where = {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 2}}
    over = await client.call("textDocument/hover", where)
    assert over["range"]["start"]["character"] == 2
    assert "本章出现" in str(over["contents"])


@pytest.mark.parametrize("given", ["rootUri", "rootPath"])
async def test_a_client_of_long_ago(spawn, book, given):
    """One that names a root and knows no folders has a book as well."""
    client = await spawn()
    root = {given: book.as_uri() if given == "rootUri" else str(book)}
    await client.initialize({}, **root)
    uri = (book / "第一章.md").as_uri()
    found = await client.command("inkwright.getBook", {"uri": uri})
    assert found["book"]["root"] == str(book)

"""Diagnostics of editors that do not ask, and what a whole editor sees of a book that changes."""

from __future__ import annotations

PUSH = {
    "workspace": {
        "configuration": True,
        "workspaceEdit": {"documentChanges": True},
        "didChangeWatchedFiles": {"dynamicRegistration": True},
    },
    "textDocument": {
        "publishDiagnostics": {"relatedInformation": True},
        "codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["", "quickfix"]}}},
    },
}
ASK = {
    "workspace": {"configuration": True, "diagnostics": {"refreshSupport": True}},
    "textDocument": {"diagnostic": {}},
}
TWIN = "---\ntype: character\naliases: [小夏]\n---\n"


def codes(editor, uri):
    """What the editor shows of a document now."""
    return [item["code"] for item in editor.shown(uri)]


async def test_a_book_that_changes_is_told_of_in_all_its_documents(start):
    """A second card with the same alias is told of on both; once it is gone, on neither."""
    editor = await start(capabilities=PUSH)
    one = editor.open("cards/甲.md", TWIN)
    two = editor.open("cards/乙.md", TWIN)
    await editor.client.until(
        lambda: "name_ambiguous" in codes(editor, one) and "name_ambiguous" in codes(editor, two)
    )
    for uri in (one, two):
        twins = [item for item in editor.shown(uri) if item["code"] == "name_ambiguous"]
        assert all(place["location"]["uri"] for item in twins for place in item["relatedInformation"])
    editor.type(two, editor.find(two, "小夏"), "小雨", delete=2)
    await editor.client.until(lambda: codes(editor, one) == codes(editor, two) == [])


async def test_a_file_that_comes_from_outside(start):
    """A link leads somewhere once its file is there; the editor need not do anything."""
    editor = await start(capabilities=PUSH)
    uri = editor.open("第三章.md", "# 第三章\n\n见[这里](notes/船.md)。\n")
    await editor.client.until(lambda: "link_path_missing" in codes(editor, uri))
    (editor.root / "notes").mkdir()
    (editor.root / "notes" / "船.md").write_text("# 船\n")
    change = {"uri": editor.uri("notes/船.md"), "type": 1}
    editor.client.notify("workspace/didChangeWatchedFiles", {"changes": [change]})
    await editor.client.until(lambda: codes(editor, uri) == [])


async def test_what_is_switched_off_is_not_said(start):
    """A code of the book is switched off and re-ranked like a rule of proofreading."""
    settings = {"checks": {"disabled": ["link_path_missing"], "severity": {"link_card_missing": "hint"}}}
    editor = await start(capabilities=PUSH, settings=settings)
    uri = editor.open("第三章.md", "# 第三章\n\n见[这里](船.md)与[[林下]]。\n")
    await editor.client.until(lambda: codes(editor, uri) == ["link_card_missing"])
    assert [item["severity"] for item in editor.shown(uri)] == [4]


async def test_a_burst_of_keys_and_a_hover(start):
    """Five hundred keys cost far fewer passes, and who asks in between is answered."""
    editor = await start(capabilities=PUSH)
    uri = editor.open("第三章.md", "林夏来了。\n")
    await editor.client.call("textDocument/documentSymbol", {"textDocument": {"uri": uri}})
    for _ in range(500):
        editor.type(uri, len(editor.texts[uri]), "走,")
    where = {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 0}}
    await editor.client.call("textDocument/hover", where)
    assert await editor.diagnostics(uri)
    assert len(editor.client.got("textDocument/publishDiagnostics")) < 100


async def test_files_that_are_not_open_can_be_left_out(start, until):
    """The switch for them leaves what is open."""
    editor = await start(capabilities=ASK, settings={"checks": {"unopened": False}})
    (editor.root / "第九章.md").write_text("# 第九章\n\n见[[林下]]。\n")
    uri = editor.open("第三章.md", "# 第三章\n\n见[[林下]]。\n")

    async def told():
        report = await editor.client.call("workspace/diagnostic", {"previousResultIds": []})
        return [item["uri"] for item in report["items"]]

    assert await until(told) == [uri]


async def test_an_editor_that_asks_is_offered_it_and_no_other(start):
    """The capability stands where the client has it, and nothing is pushed then."""
    editor = await start(capabilities=ASK)
    uri = editor.open("第三章.md", "他说,好。\n")
    report = await editor.client.call("textDocument/diagnostic", {"textDocument": {"uri": uri}})
    assert report["items"]
    refused = {"textDocument": {"uri": "untitled:Untitled-1"}}
    assert (await editor.client.call("textDocument/diagnostic", refused))["items"] == []
    assert editor.client.got("textDocument/publishDiagnostics") == []

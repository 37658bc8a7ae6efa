"""Clients of every kind: old, poor, silent, and wrong."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from inkwright.lsp.protocol import COMMANDS

FULL_ACTIONS = {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["", "quickfix"]}}}
LITERALS = {"textDocument": {"codeAction": FULL_ACTIONS}}


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


@pytest.mark.parametrize("off", ["hover", "completion", "codeLens", "checks"])
async def test_off_switches(start, off):
    """Each aid has a switch, and only its own."""
    editor = await start(settings={off: {"enabled": False} if off == "checks" else False})
    uri = editor.open("第一章.md")
    document = {"textDocument": {"uri": uri}}
    assert (await editor.run("polish", "第一章.md"))["proposal"]
    lenses = await editor.client.call("textDocument/codeLens", document)
    whole = {
        **document,
        "range": editor.range(uri, 0, len(editor.texts[uri])),
        "context": {"diagnostics": []},
    }
    actions = await editor.client.call("textDocument/codeAction", whole)
    assert (not lenses) == (off == "codeLens")
    assert ("quickfix" not in {action["kind"] for action in actions}) == (off == "checks")
    over = await editor.client.call("textDocument/hover", at(editor, uri, editor.find(uri, "林夏")))
    names = await editor.client.call("textDocument/completion", at(editor, uri, len(editor.texts[uri])))
    assert (over is None) == (off == "hover")
    assert (names is None) == (off == "completion")


@pytest.mark.parametrize("settings", [None, 5, [], "x", {"checks": 3, "hover": "no", "models": None}])
async def test_settings_of_the_wrong_type(start, settings):
    """Whatever the client answers for its settings: defaults, and the server is alive."""
    editor = await start(settings=settings)
    uri = editor.open("第一章.md")
    assert await editor.client.call("textDocument/hover", at(editor, uri, editor.find(uri, "林夏")))
    if isinstance(settings, dict):
        for name in ("checks", "hover"):
            await editor.client.until(
                lambda name=name: any(name in p["message"] for p in editor.client.got("window/showMessage"))
            )


@pytest.mark.parametrize("answer", [None, {}, 7, "error"])
async def test_no_configuration_at_all(start, spawn, book, answer):
    """A client that answers null, nonsense or an error to workspace/configuration gets the defaults."""
    editor = await start()
    if answer == "error":
        del editor.client.answers["workspace/configuration"]
    else:
        editor.client.answers["workspace/configuration"] = lambda _: answer
    editor.client.notify("workspace/didChangeConfiguration", {"settings": None})
    uri = editor.open("第一章.md")
    assert await editor.client.call("textDocument/hover", at(editor, uri, editor.find(uri, "林夏")))


async def test_settings_that_change(start):
    """A changed setting counts at once: checks off takes the diagnostics away."""
    editor = await start()
    uri = editor.open("第三章.md", "他来了,走了。\n")
    assert await editor.diagnostics(uri)
    editor.settings = {"checks": {"enabled": False}}
    editor.client.notify("workspace/didChangeConfiguration", {"settings": None})
    await editor.client.until(lambda: not editor.shown(uri))
    editor.settings = {"checks": {"enabled": True}}
    editor.client.notify("workspace/didChangeConfiguration", {"settings": None})
    await editor.client.until(lambda: editor.shown(uri))


async def test_a_language_that_is_chosen_and_taken_back(start, until):
    """Without a language in the settings the client's counts again."""
    editor = await start()
    uri = editor.open("第一章.md")
    where = at(editor, uri, editor.find(uri, "林夏"))
    for locale, words in (("en", "In this chapter"), ("", "本章出现")):
        editor.settings = {"locale": locale}
        editor.client.notify("workspace/didChangeConfiguration", {"settings": None})

        await until(
            lambda: editor.client.call("textDocument/hover", where),
            lambda found, words=words: words in found["contents"]["value"],
        )


async def test_of_two_changes_of_the_settings_the_later_one_counts(start, until):
    """A client that answers the first question after the second does not bring back the old settings."""
    editor = await start()
    uri = editor.open("第一章.md")
    where = at(editor, uri, editor.find(uri, "林夏"))
    assert await editor.client.call("textDocument/hover", where)
    released, asked = asyncio.Event(), []

    async def first() -> list[dict[str, bool]]:
        await released.wait()
        return [{"hover": True}]

    def answer(_: object) -> object:
        asked.append(1)
        return first() if len(asked) == 1 else [{"hover": False}]

    editor.client.answers["workspace/configuration"] = answer
    for _ in range(2):
        editor.client.notify("workspace/didChangeConfiguration", {"settings": None})
    await editor.client.until(lambda: asked)
    released.set()
    await editor.client.until(lambda: len(asked) == 2)
    await until(lambda: editor.client.call("textDocument/hover", where), lambda found: found is None)


async def test_a_run_behind_a_change_of_the_settings_goes_by_the_new_ones(start):
    """It waits until the client has said what they are."""
    editor = await start()
    editor.open("第一章.md")
    released = asyncio.Event()

    async def answer() -> list[dict[str, str]]:
        await released.wait()
        return [{"model": "nobody"}]

    assert (await editor.run("analysis", "第一章.md"))["status"] == "completed"
    editor.client.answers["workspace/configuration"] = lambda _: answer()
    editor.client.notify("workspace/didChangeConfiguration", {"settings": None})
    run = asyncio.ensure_future(editor.run("analysis", "第一章.md"))
    await editor.client.command("inkwright.listProfiles")
    assert not run.done()
    released.set()
    assert (await run)["error"]["code"] == "setting_model_unknown"


async def test_an_untitled_document_is_counted_as_the_settings_say_now(start, until):
    """As a file of a book that names no rule of its own is."""
    editor = await start(settings={"count": "han"})
    uri = editor.open("untitled:Untitled-1", "# 一\n\n林夏 came。\n")
    where = at(editor, uri, 2)
    for settings, shown in (
        ({"count": "han"}, "**本章 3**（汉字）"),
        ({"count": "word"}, "**本章 5**（字（计标点））"),
        ({}, "**本章 4**（字）"),
    ):
        editor.settings = settings
        editor.client.notify("workspace/didChangeConfiguration", {"settings": None})
        await until(
            lambda: editor.client.call("textDocument/hover", where),
            lambda found, shown=shown: found["contents"]["value"].startswith(shown),
        )


async def test_settings_that_are_pushed(start, until):
    """A client that cannot be asked may push its settings."""
    editor = await start(capabilities={})
    editor.client.notify("workspace/didChangeConfiguration", {"settings": {"inkwright": {"hover": False}}})
    uri = editor.open("第一章.md")
    where = at(editor, uri, editor.find(uri, "林夏"))
    await until(lambda: editor.client.call("textDocument/hover", where), lambda found: found is None)


async def test_settings_in_initialization_options(start):
    """So may one that only has initializationOptions."""
    editor = await start(capabilities={}, initializationOptions={"inkwright": {"hover": False}})
    uri = editor.open("第一章.md")
    assert await editor.client.call("textDocument/hover", at(editor, uri, editor.find(uri, "林夏"))) is None


async def test_english(start):
    """Another locale gives English sentences."""
    editor = await start(locale="en-US")
    uri = editor.open("第一章.md")
    text = await editor.client.call("textDocument/hover", at(editor, uri, editor.find(uri, "林夏")))
    assert "In this chapter 3×" in text["contents"]["value"]
    profiles = await editor.client.command("inkwright.listProfiles")
    assert "Polish" in [p["label"] for p in profiles]


async def test_a_client_that_cannot_edit(start):
    """Without applyEdit hunks are literal edits in code actions, and the command notes that they were made."""
    capabilities = {"textDocument": {"codeAction": FULL_ACTIONS}}
    editor = await start(capabilities=capabilities)
    uri = editor.open("第三章.md", "他来了,走了。\n")
    proposal = (await editor.run("polish", "第三章.md"))["proposal"]
    where = {
        "textDocument": {"uri": uri},
        "range": proposal["hunks"][0]["range"],
        "context": {"diagnostics": []},
    }
    found = await editor.client.call("textDocument/codeAction", where)
    accept = next(a for a in found if a.get("command", {}).get("command") == "inkwright.acceptProposal")
    assert editor.apply(accept["edit"]) == {"applied": True}
    assert editor.texts[uri] == "他来了，走了。\n"
    verdict = await editor.client.call("workspace/executeCommand", accept["command"])
    assert verdict["applied"] == [0]
    assert await editor.client.command("inkwright.listProposals", {"uri": uri}) == []
    second = await editor.run("polish", "第三章.md", message="again")
    assert second["proposal"] is None


@pytest.mark.parametrize(
    ("capabilities", "code"), [({}, "client_takes_no_edit"), (LITERALS, "client_cannot_edit")]
)
async def test_asking_a_client_that_cannot_edit(start, capabilities, code):
    """It is asked, since nothing else is left; refused, the command says so and everything waits as before."""
    editor = await start(capabilities=capabilities)
    del editor.client.answers["workspace/applyEdit"]
    editor.open("第三章.md", "他来了,走了。\n")
    proposal = (await editor.run("polish", "第三章.md"))["proposal"]
    response = await editor.client.request(
        "workspace/executeCommand",
        {"command": "inkwright.acceptProposal", "arguments": [{"proposalId": proposal["id"]}]},
    )
    assert response["error"]["data"] == {"code": code}
    assert await editor.client.command("inkwright.listProposals", {})
    assert editor.texts[editor.uri("第三章.md")] == "他来了,走了。\n"


async def test_a_client_without_document_changes(start):
    """Edits come as plain `changes` then."""
    editor = await start(capabilities={"workspace": {"applyEdit": True}})
    uri = editor.open("第三章.md", "他来了,走了。\n")
    proposal = (await editor.run("polish", "第三章.md"))["proposal"]
    await editor.client.command("inkwright.acceptProposal", {"proposalId": proposal["id"]})
    assert list(editor.edits[0]) == ["changes"]
    assert editor.texts[uri] == "他来了，走了。\n"


async def test_a_client_without_literal_actions(start):
    """Code actions are bare commands then."""
    editor = await start(capabilities={})
    uri = editor.open("第一章.md")
    where = {
        "textDocument": {"uri": uri},
        "range": editor.range(uri, 0, 0),
        "context": {"diagnostics": []},
    }
    found = await editor.client.call("textDocument/codeAction", where)
    assert {type(command["command"]) for command in found} == {str}


@pytest.mark.parametrize("encodings", [None, [], ["utf-7"], ["utf-7", "utf-32", "utf-8"]])
async def test_encodings(spawn, encodings):
    """The client's first entry that we know; utf-16 when it names none."""
    client = await spawn()
    general = {} if encodings is None else {"general": {"positionEncodings": encodings}}
    result = await client.initialize(general)
    expected = "utf-32" if encodings and "utf-32" in encodings else "utf-16"
    assert result["capabilities"]["positionEncoding"] == expected


async def test_what_is_offered(spawn):
    """The capabilities name our commands and triggers, and sync is incremental."""
    client = await spawn()
    offered = (await client.initialize())["capabilities"]
    assert sorted(offered["executeCommandProvider"]["commands"]) == sorted(COMMANDS)
    assert offered["completionProvider"]["triggerCharacters"] == ["[", "@", ":"]
    assert offered["textDocumentSync"]["change"] == 2
    for name in ("hover", "definition", "documentSymbol", "codeAction", "codeLens"):
        assert offered[f"{name}Provider"]


async def test_the_watchers_are_narrow(start):
    """Only our own kinds of files are watched."""
    editor = await start()
    await editor.client.until(
        lambda: [p for m, p in editor.client.requests if m == "client/registerCapability"]
    )
    registered = [
        r
        for m, p in editor.client.requests
        if m == "client/registerCapability"
        for r in p["registrations"]
        if r["method"] == "workspace/didChangeWatchedFiles"
    ]
    await editor.client.until(lambda: True)
    globs = [w["globPattern"] for r in registered for w in r["registerOptions"]["watchers"]]
    assert all(glob.startswith("**/") and "." in glob for glob in globs)


@pytest.mark.parametrize("there", [True, False])
async def test_the_users_profiles_are_watched(start, tmp_path, there):
    """Where they are and the client can watch outside of its folders."""
    folder = tmp_path / "home" / "config" / "inkwright" / "profiles"
    if there:
        folder.mkdir(parents=True)
    watching = {"didChangeWatchedFiles": {"dynamicRegistration": True, "relativePatternSupport": True}}
    editor = await start(capabilities={"workspace": watching})

    def watchers() -> list[Any]:
        asked = [p for m, p in editor.client.requests if m == "client/registerCapability"]
        return [
            w["globPattern"]
            for p in asked
            for r in p["registrations"]
            if r["method"] == "workspace/didChangeWatchedFiles"
            for w in r["registerOptions"]["watchers"]
        ]

    def outside() -> list[Any]:
        return [glob for glob in watchers() if isinstance(glob, dict)]

    await editor.client.until(watchers)
    if there:
        await editor.client.until(outside)
    expected = [(folder, "**/*.md"), (folder.parent, "config.toml")] if there else []
    assert outside() == [{"baseUri": base.as_uri(), "pattern": pattern} for base, pattern in expected]


async def test_a_client_that_watches_its_own_saves_alone(start, book, until):
    """Helix takes watchers and tells of nothing that others do: files are looked at when something is saved."""
    watching = {"didChangeWatchedFiles": {"dynamicRegistration": True}}
    editor = await start(capabilities={"workspace": watching}, clientInfo={"name": "helix"})
    uri = editor.open("第一章.md")
    where = at(editor, uri, editor.find(uri, "周衡"))
    assert "教书先生" in str(await editor.client.call("textDocument/hover", where))
    (book / "cards/周衡.md").write_text("---\ntype: character\n---\n# 周衡\n\n改行做了船夫。\n")
    editor.client.notify("textDocument/didSave", {"textDocument": {"uri": uri}, "text": editor.texts[uri]})
    await until(lambda: editor.client.call("textDocument/hover", where), lambda found: "船夫" in str(found))


async def test_a_client_that_cannot_watch(start, book, until):
    """A card that changes on the disk is seen at the next save of any buffer."""
    editor = await start(capabilities={})
    uri = editor.open("第一章.md")
    where = at(editor, uri, editor.find(uri, "周衡"))
    assert "教书先生" in (await editor.client.call("textDocument/hover", where))["contents"]["value"]
    (book / "cards/周衡.md").write_text("---\ntype: character\n---\n# 周衡\n\n改行做了船夫。\n")
    editor.client.notify("textDocument/didSave", {"textDocument": {"uri": uri}, "text": editor.texts[uri]})
    await until(lambda: editor.client.call("textDocument/hover", where), lambda found: "船夫" in str(found))


async def test_files_that_change_outside(start, book, until):
    """A watched card that appears, changes and goes is known, changed and forgotten."""
    editor = await start()
    uri = editor.open("第三章.md", "沈舟来了。\n")
    where = at(editor, uri, 0)
    assert await editor.client.call("textDocument/hover", where) is None
    card = book / "cards/沈舟.md"

    async def told(kind, true):
        editor.client.notify(
            "workspace/didChangeWatchedFiles", {"changes": [{"uri": card.as_uri(), "type": kind}]}
        )
        await until(lambda: editor.client.call("textDocument/hover", where), true)

    card.write_text("---\ntype: character\n---\n船主。\n")
    await told(1, lambda h: h and "船主" in h["contents"]["value"])
    card.write_text("---\ntype: character\n---\n船夫。\n")
    await told(2, lambda h: h and "船夫" in h["contents"]["value"])
    card.unlink()
    await told(3, lambda h: h is None)


async def test_a_buffer_that_has_drifted(start):
    """What the client says that it saved is right."""
    editor = await start()
    uri = editor.open("第三章.md", "甲\n")
    editor.client.notify("textDocument/didSave", {"textDocument": {"uri": uri}, "text": "甲\n林夏\n"})
    where = {"textDocument": {"uri": uri}, "position": {"line": 1, "character": 0}}
    assert await editor.client.call("textDocument/hover", where)


@pytest.mark.parametrize(
    "folders",
    [
        None,
        [],
        [{"uri": "untitled:", "name": "x"}],
        [{"uri": "file:///no/such/folder", "name": "x"}],
        [{"uri": "vscode-vfs://github/a/b", "name": "x"}],
        [{"uri": "file:///", "name": "all"}],
    ],
)
async def test_folders_that_are_none(start, book, folders):
    """No folder, another scheme, a missing one, the whole disk: the server starts and serves the file."""
    editor = await start(workspaceFolders=folders)
    uri = editor.open("第一章.md")
    assert await editor.client.call("textDocument/hover", at(editor, uri, editor.find(uri, "第一章")))
    found = await editor.client.call("textDocument/documentSymbol", {"textDocument": {"uri": uri}})
    assert found


async def test_a_folder_that_is_a_file(start, book):
    """A folder URI that names a file is left out."""
    editor = await start(workspaceFolders=[{"uri": (book / "第一章.md").as_uri(), "name": "x"}])
    uri = editor.open("第一章.md")
    found = await editor.client.call("textDocument/documentSymbol", {"textDocument": {"uri": uri}})
    assert found


async def test_folders_that_come(start, tmp_path):
    """A folder that is added later is a book of its own."""
    editor = await start(workspaceFolders=[])
    editor.client.notify(
        "workspace/didChangeWorkspaceFolders",
        {"event": {"added": [{"uri": editor.root.as_uri(), "name": "书"}], "removed": []}},
    )
    uri = editor.open("第一章.md")
    found = await editor.client.command("inkwright.getBook", {"uri": uri})
    assert found["book"]["root"] == str(editor.root)
    assert len(found["cards"]) == 3


async def test_every_spelling_of_a_uri(start):
    """A document opened under one spelling is found under the others, and answers use the client's own."""
    editor = await start()
    uri = editor.uri("第一章.md")
    raw = uri.replace("%E7%AC%AC%E4%B8%80%E7%AB%A0", "第一章")
    lower = uri.replace("%E7%AC%AC", "%e7%ac%ac")
    editor.texts[raw] = (editor.root / "第一章.md").read_text()
    editor.versions[raw] = 1
    editor.client.open(raw, editor.texts[raw])
    editor.client.change(lower, 2, {"range": editor.range(raw, 0, 0), "text": "\n"})
    editor.texts[raw] = "\n" + editor.texts[raw]
    editor.versions[raw] = 2
    for spelled in (uri, lower, raw):
        where = {"textDocument": {"uri": spelled}, "position": editor.position(raw, editor.find(raw, "林夏"))}
        assert await editor.client.call("textDocument/hover", where)
    result = await editor.client.command("inkwright.runAbility", {"ability": "polish", "uri": uri})
    assert result["proposal"]["uri"] == raw


async def test_edits_that_cannot_be(start):
    """Edits past the end, reversed, with a wrong rangeLength, or to a closed document are taken as they can be."""
    editor = await start()
    uri = "untitled:Untitled-1"
    editor.client.open(uri, "")
    far = {"start": {"line": 5, "character": 0}, "end": {"line": 9, "character": 9}}
    editor.client.change(uri, 2, {"range": far, "text": "# 林夏\n"})
    back = {"start": {"line": 0, "character": 4}, "end": {"line": 0, "character": 2}}
    editor.client.change(uri, 3, {"range": back, "rangeLength": 77, "text": "周衡"})
    editor.client.change("untitled:nobody", 2, {"text": "x"})
    found = await editor.client.call("textDocument/documentSymbol", {"textDocument": {"uri": uri}})
    assert [symbol["name"] for symbol in found] == ["周衡"]
    editor.client.change(uri, 4, {"text": ""}, {"text": "# 甲\u2028乙\n\n# B\x0c\n"})
    found = await editor.client.call("textDocument/documentSymbol", {"textDocument": {"uri": uri}})
    assert [symbol["selectionRange"]["start"]["line"] for symbol in found] == [0, 2]


async def test_ten_megabytes_in_one_line(start):
    """A line of ten megabytes is opened, edited and asked about; the server stays alive."""
    editor = await start()
    uri = "untitled:Untitled-1"
    editor.client.open(uri, "字" * 3_500_000)
    editor.client.change(
        uri,
        2,
        {"range": {"start": {"line": 0, "character": 5}, "end": {"line": 0, "character": 5}}, "text": "x"},
    )
    where = {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 2_000_000}}
    assert await editor.client.call("textDocument/hover", where) is None
    assert await editor.client.call("textDocument/documentSymbol", {"textDocument": {"uri": uri}}) == []


async def test_thousands_of_faults(start):
    """The gravest 500 are published, a line says that there are more, and no menu grows beyond reading."""
    editor = await start()
    line = "他说,好，好\n\n"
    uri = editor.open("第三章.md", line * 3000 + "的的的的这里�坏了。\n")
    found = await editor.diagnostics(uri)
    assert len(found) == 501
    assert found[0]["code"] == "diagnostics_left_out"
    assert found[0]["severity"] == 3
    places = [(d["range"]["start"]["line"], d["range"]["start"]["character"]) for d in found]
    assert places == sorted(places)
    where = {
        "textDocument": {"uri": uri},
        "range": editor.range(uri, 0, len(editor.texts[uri])),
        "context": {"diagnostics": []},
    }
    fixes = await editor.client.call("textDocument/codeAction", where)
    assert len([action for action in fixes if action["kind"] == "quickfix"]) == 100
    assert [action["kind"] for action in fixes].count("source.fixAll.inkwright") == 1
    passing = {**where, "context": {"diagnostics": [], "triggerKind": 2}}
    kinds = {action["kind"] for action in await editor.client.call("textDocument/codeAction", passing)}
    assert "source.fixAll.inkwright" not in kinds


async def test_hundreds_of_hunks(start):
    """Lenses and code actions on waiting hunks stay as many as an editor can draw."""
    editor = await start()
    uri = editor.open("第三章.md", "他来了,走了。\n\n" * 300)
    assert len((await editor.run("polish", "第三章.md"))["proposal"]["hunks"]) == 300
    lenses = await editor.client.call("textDocument/codeLens", {"textDocument": {"uri": uri}})
    assert len(lenses) == 200
    where = {
        "textDocument": {"uri": uri},
        "range": editor.range(uri, 0, len(editor.texts[uri])),
        "context": {"diagnostics": [], "only": ["refactor.rewrite"]},
    }
    found = await editor.client.call("textDocument/codeAction", where)
    accepting = [a for a in found if a["command"]["command"] == "inkwright.acceptProposal"]
    assert len(accepting) == 101
    assert len(accepting[-1]["command"]["arguments"][0]["hunks"]) == 300


async def test_files_that_cannot_be_read_as_text(start, book):
    """A GB18030 chapter is read but no hunk of it is taken into the file; a binary one is refused."""
    (book / "第三章.md").write_bytes("他来了,走了。\n".encode("gb18030"))
    (book / "第四章.md").write_bytes(bytes(range(256)) * 20)
    editor = await start()
    odd = await editor.run("polish", "第三章.md")
    assert odd["proposal"] is None
    assert odd["error"]["code"] == "readonly_document"
    binary = await editor.run("polish", "第四章.md")
    assert binary["status"] == "failed"
    assert (book / "第三章.md").read_bytes() == "他来了,走了。\n".encode("gb18030")
    report = await editor.run("analysis", "第三章.md")
    assert report["status"] == "completed"


async def test_nothing_is_created_uninvited(start, book):
    """Working in somebody else's folder leaves not one byte there."""
    before = {p: p.read_bytes() for p in sorted(book.rglob("*")) if p.is_file()}
    editor = await start()
    uri = editor.open("第一章.md")
    await editor.run("polish", "第一章.md")
    await editor.client.command("inkwright.getBook", {"uri": uri})
    assert await editor.client.quit() == 0
    assert {p: p.read_bytes() for p in sorted(book.rglob("*")) if p.is_file()} == before


async def test_a_first_scan_is_shown(start, book):
    """Reading a book for the first time is shown as progress, and ends."""
    for number in range(3, 500):  # one that is read before the client has taken the token has nothing to show
        (book / f"第{number}章.md").write_text(f"# 第{number}章\n\n" + "林夏走了。\n\n" * 50, "utf-8")
    editor = await start()
    await editor.client.until(
        lambda: [p for p in editor.client.got("$/progress") if p["value"].get("kind") == "end"]
    )
    begun = [p["value"] for p in editor.client.got("$/progress") if p["value"]["kind"] == "begin"]
    assert any(editor.root.name in value["title"] for value in begun)

"""runAbility with the offline engine, in all three position encodings."""

from __future__ import annotations

import asyncio

import pytest

pytestmark = pytest.mark.asyncio(loop_scope="module")

FAULTY = "# 第三章\n\n𠮷野说,他来了。😀然后走了,没有回头。\n\n林夏看见周衡,没有说话。\n"
RESULT = {"requestId", "ability", "status", "stopReason", "model", "text", "proposal", "usage", "error"}


def stream(editor, token):
    return [p["value"] for p in editor.client.got("$/progress") if p["token"] == token]


async def test_polish_gives_hunks_and_changes_nothing(editor):
    """The result has the promised shape; the document is untouched; the hunks make the proposal's text."""
    uri = editor.open("第三章.md", FAULTY)
    result = await editor.run("polish", "第三章.md", streamToken="s1")
    assert set(result) == RESULT
    assert (result["status"], result["stopReason"], result["error"]) == ("completed", "finished", None)
    assert editor.texts[uri] == FAULTY
    assert not editor.edits
    proposal = result["proposal"]
    assert (proposal["uri"], proposal["version"]) == (uri, 1)
    made = FAULTY
    for hunk in reversed(proposal["hunks"]):
        assert editor.piece(uri, hunk["range"]) == hunk["before"]
        start = editor.offset(uri, hunk["range"]["start"])
        made = made[:start] + hunk["after"] + made[start + len(hunk["before"]) :]
    assert made == proposal["text"]
    assert "," not in made


async def test_the_stream(editor):
    """The chunks are the text to the letter; exactly one terminal event comes, last; done has no text."""
    editor.open("第三章.md", FAULTY)
    result = await editor.run(
        "polish", "第三章.md", streamToken="s2", requestId="run-stream-" + editor.root.name
    )
    values = stream(editor, "s2")
    assert "".join(v["data"] for v in values if v["event"] == "chunk") == result["text"]
    assert [v["event"] for v in values if v["event"] in ("done", "error", "cancelled")] == ["done"]
    assert values[-1]["event"] == "done"
    assert values[-1]["data"] == {name: value for name, value in result.items() if name != "text"}
    assert {v["requestId"] for v in values} == {result["requestId"]} == {"run-stream-" + editor.root.name}


async def test_progress_runs_beside(editor):
    """A client that knows nothing of streams sees work-done progress under its own token; the last of it is that the
    result is being made, which takes a while of a long chapter."""
    editor.open("第三章.md", FAULTY)
    argument = {"ability": "polish", "uri": editor.uri("第三章.md")}
    await editor.client.command("inkwright.runAbility", argument, workDoneToken="w" + editor.root.name)
    told = stream(editor, "w" + editor.root.name)
    assert told[0]["kind"] == "begin"
    assert told[-1]["kind"] == "end"
    assert told[-2] == {"kind": "report", "message": "正在整理结果"}


async def test_only_the_selection(editor):
    """With a range only the passage is touched, and proposal.text is the passage."""
    uri = editor.open("第三章.md", FAULTY)
    start, end = editor.find(uri, "林夏"), len(FAULTY) - 1
    result = await editor.run("polish", "第三章.md", range=editor.range(uri, start, end))
    assert result["proposal"]["text"] == "林夏看见周衡，没有说话。"
    assert [editor.piece(uri, h["range"]) for h in result["proposal"]["hunks"]] == [
        h["before"] for h in result["proposal"]["hunks"]
    ]


async def test_accept_and_the_second_accept(editor):
    """Accepting makes the edit in the editor, bound to its version; again gives the first result."""
    uri = editor.open("第三章.md", FAULTY)
    proposal = (await editor.run("polish", "第三章.md"))["proposal"]
    indices = [h["index"] for h in proposal["hunks"]]
    accept = {"proposalId": proposal["id"], "hunks": indices[:1]}
    first = await editor.client.command("inkwright.acceptProposal", accept)
    assert first == {"applied": indices[:1], "stale": [], "rejected": []}
    (edit,) = editor.edits
    assert edit["documentChanges"][0]["textDocument"] == {"uri": uri, "version": 1}
    assert edit["changeAnnotations"]
    after = editor.texts[uri]
    assert after != FAULTY
    assert await editor.client.command("inkwright.acceptProposal", accept) == first
    assert editor.texts[uri] == after
    rest = await editor.client.command("inkwright.acceptProposal", {"proposalId": proposal["id"]})
    assert rest["applied"] == indices[1:]
    assert editor.texts[uri] == proposal["text"]
    assert await editor.client.command("inkwright.listProposals", {"uri": uri}) == []


async def test_reject(editor):
    """A rejected hunk is gone from the list, and accepting it then changes nothing."""
    uri = editor.open("第三章.md", FAULTY)
    proposal = (await editor.run("polish", "第三章.md"))["proposal"]
    one = {"proposalId": proposal["id"], "hunks": [0]}
    assert await editor.client.command("inkwright.rejectProposal", one) == {
        "applied": [],
        "stale": [],
        "rejected": [0],
    }
    (listed,) = await editor.client.command("inkwright.listProposals", {"uri": uri})
    assert 0 not in [h["index"] for h in listed["hunks"]]
    assert await editor.client.command("inkwright.acceptProposal", one) == {
        "applied": [],
        "stale": [],
        "rejected": [0],
    }
    assert editor.texts[uri] == FAULTY


async def test_a_refused_edit_leaves_it_pending(editor):
    """A client that says no has decided nothing: the hunks wait as before."""
    uri = editor.open("第三章.md", FAULTY)
    proposal = (await editor.run("polish", "第三章.md"))["proposal"]
    editor.client.answers["workspace/applyEdit"] = lambda _: {"applied": False}
    refused = await editor.client.command("inkwright.acceptProposal", {"proposalId": proposal["id"]})
    assert refused == {"applied": [], "stale": [], "rejected": []}
    (listed,) = await editor.client.command("inkwright.listProposals", {"uri": uri})
    assert len(listed["hunks"]) == len(proposal["hunks"])
    editor.client.answers["workspace/applyEdit"] = lambda params: editor.apply(params["edit"])
    taken = await editor.client.command("inkwright.acceptProposal", {"proposalId": proposal["id"]})
    assert taken["applied"]


async def test_typing_before_accepting(editor):
    """Hunks whose text stands are moved to where it stands now; one whose text was changed is stale."""
    uri = editor.open("第三章.md", FAULTY)
    proposal = (await editor.run("polish", "第三章.md"))["proposal"]
    editor.type(uri, 0, "𠮷𠮷先写一句。\n\n")
    at = editor.find(uri, "林夏看见周衡,")
    editor.type(uri, at, "", delete=len("林夏看见周衡,"))
    verdict = await editor.client.command(
        "inkwright.acceptProposal",
        {"proposalId": proposal["id"], "hunks": [h["index"] for h in proposal["hunks"]]},
    )
    assert verdict["applied"]
    assert verdict["stale"]
    assert editor.texts[uri].startswith("𠮷𠮷先写一句。\n\n# 第三章")
    assert "𠮷野说，他来了。😀然后走了，没有回头。" in editor.texts[uri]
    assert editor.texts[uri].rstrip().endswith("没有说话。")


async def test_an_edit_that_comes_too_late(editor):
    """When the writer types while the edit is on its way, it is made anew for the new text."""
    uri = editor.open("第三章.md", FAULTY)
    proposal = (await editor.run("polish", "第三章.md"))["proposal"]

    def typed_first(params):
        if len(editor.edits) == 0:
            editor.type(uri, 0, "早一步。\n\n")
        return editor.apply(params["edit"])

    editor.client.answers["workspace/applyEdit"] = typed_first
    verdict = await editor.client.command("inkwright.acceptProposal", {"proposalId": proposal["id"]})
    assert verdict["applied"]
    assert len(editor.edits) == 2
    assert editor.texts[uri].startswith("早一步。\n\n# 第三章")
    assert "，他来了" in editor.texts[uri]
    editor.client.answers["workspace/applyEdit"] = lambda params: editor.apply(params["edit"])


async def reviewing(editor, params):
    """The lenses on what waits: those on the chapter and its scenes left out."""
    found = await editor.client.call("textDocument/codeLens", params)
    return [x for x in found if x.get("command", {}).get("command", "").endswith("Proposal")]


async def test_lenses_and_actions_on_hunks(editor):
    """Pending hunks carry lenses and code actions where their text stands; decided ones none."""
    uri = editor.open("第三章.md", FAULTY)
    proposal = (await editor.run("polish", "第三章.md"))["proposal"]
    editor.type(uri, 0, "𠮷\n")
    params = {"textDocument": {"uri": uri}}
    lenses = await reviewing(editor, params)
    each = [x for x in lenses if x["command"]["command"] == "inkwright.acceptProposal"][1:]
    assert [editor.piece(uri, lens["range"]) for lens in each] == [h["before"] for h in proposal["hunks"]]
    at = editor.offset(uri, each[0]["range"]["start"])
    where = {**params, "range": editor.range(uri, at, at), "context": {"diagnostics": []}}
    titles = {
        a["command"]["command"]
        for a in await editor.client.call("textDocument/codeAction", where)
        if "command" in a
    }
    assert titles >= {"inkwright.acceptProposal", "inkwright.rejectProposal"}
    everything = next(x for x in lenses if x["command"]["title"].startswith("✗ 全部拒绝"))
    await editor.client.call("workspace/executeCommand", everything["command"])
    assert await reviewing(editor, params) == []


async def test_what_several_proposals_offer_is_told_apart(editor):
    """One proposal has plain titles; two of one ability are told apart by ability, time and number."""
    uri = editor.open("第三章.md", FAULTY)

    async def titles():
        where = {
            "textDocument": {"uri": uri},
            "range": editor.range(uri, 0, len(FAULTY)),
            "context": {"diagnostics": [], "only": ["refactor.rewrite"]},
        }
        found = await editor.client.call("textDocument/codeAction", where)
        return [a["title"] for a in found if a.get("command", {}).get("command", "").endswith("Proposal")]

    await editor.run("polish", "第三章.md", requestId="apart-1-" + editor.root.name)
    single = await titles()
    assert any(title.startswith("全部接受没有疑点的修改") for title in single)
    await editor.run("polish", "第三章.md", requestId="apart-2-" + editor.root.name)
    several = await titles()
    assert len(several) == 2 * len(single)
    assert len(set(several)) == len(several)
    everything = [title for title in several if title.startswith("全部接受")]
    assert len(everything) == 2
    assert all("：润色优化，" in title for title in everything)


async def test_writing_needs_a_model(editor):
    """What rules cannot do is a result with its own reason, not an LSP error; the stream ends with error."""
    editor.open("第三章.md", FAULTY)
    result = await editor.run("writing", "第三章.md", streamToken="s3" + editor.root.name)
    assert (result["status"], result["stopReason"]) == ("failed", "needs_model")
    assert result["error"]["code"] == "needs_model"
    assert result["error"]["message"]
    last = stream(editor, "s3" + editor.root.name)[-1]
    assert last["event"] == "error"
    assert set(last["data"]) == {"status", "stopReason", "code", "message"}


async def test_analysis_reports(editor):
    """A report has text and no proposal."""
    editor.open("第一章.md")
    result = await editor.run("analysis", "第一章.md")
    assert result["status"] == "completed"
    assert result["proposal"] is None
    assert "林夏" in result["text"]


async def test_the_same_request_again(editor):
    """The same id and body give the first outcome, chunks included; another body is request_conflict."""
    editor.open("第三章.md", FAULTY)
    name = f"same-{editor.root.name}"
    first = await editor.run("polish", "第三章.md", requestId=name)
    again = await editor.run("polish", "第三章.md", requestId=name, streamToken="again" + name)
    assert again["text"] == first["text"]
    assert again["proposal"]["id"] == first["proposal"]["id"]
    values = stream(editor, "again" + name)
    assert "".join(v["data"] for v in values if v["event"] == "chunk") == first["text"]
    assert values[-1]["event"] == "done"
    other = await editor.run("polish", "第三章.md", requestId=name, message="别的")
    assert (other["status"], other["error"]["code"]) == ("failed", "request_conflict")


async def test_untitled(editor):
    """A buffer without a file is polished, listed and accepted like any other."""
    uri = editor.open(f"untitled:Untitled-{editor.root.name}", "他来了,走了。\n")
    result = await editor.client.command("inkwright.runAbility", {"ability": "polish", "uri": uri})
    assert result["proposal"]["uri"] == uri
    (listed,) = await editor.client.command("inkwright.listProposals", {"uri": uri})
    assert listed["id"] == result["proposal"]["id"]
    await editor.client.command("inkwright.acceptProposal", {"proposalId": listed["id"]})
    assert editor.texts[uri] == "他来了，走了。\n"


async def test_a_file_that_is_not_open(editor):
    """A chapter on the disk is polished from the disk; its edit has no version."""
    (editor.root / "第四章.md").write_text("他来了,走了。\n")
    result = await editor.run("polish", "第四章.md")
    assert result["proposal"]["version"] is None
    await editor.client.command("inkwright.acceptProposal", {"proposalId": result["proposal"]["id"]})
    assert editor.edits[0]["documentChanges"][0]["textDocument"]["version"] is None
    assert editor.texts[editor.uri("第四章.md")] == "他来了，走了。\n"
    assert (editor.root / "第四章.md").read_text() == "他来了,走了。\n"


@pytest.mark.parametrize(
    ("argument", "code"),
    [
        ({"uri": "file:///no/such.md"}, "file_missing"),
        ({"uri": "untitled:nobody"}, "document_not_open"),
        ({"uri": "file://"}, "document_unnamed"),
    ],
)
async def test_documents_that_are_not_there(editor, argument, code):
    """A document that cannot be had is a failed result that says so."""
    result = await editor.client.command("inkwright.runAbility", {"ability": "polish", **argument})
    assert (result["status"], result["error"]["code"]) == ("failed", code)


async def test_wrong_arguments(editor):
    """An argument of the wrong type is -32602 and names the field."""
    for argument in ({}, {"ability": 3, "uri": "x"}, {"ability": "polish", "uri": "x", "range": [1]}):
        response = await editor.client.request(
            "workspace/executeCommand", {"command": "inkwright.runAbility", "arguments": [argument]}
        )
        assert response["error"]["code"] == -32602
        assert "inkwright.runAbility" in response["error"]["message"]


async def test_runs_are_listed(editor):
    """listRuns pages from the newest on; getRun has steps and usage, and no prompt."""
    uri = editor.open("第三章.md", FAULTY)
    ids = [(await editor.run("polish", "第三章.md", message=str(n)))["requestId"] for n in range(3)]
    page = await editor.client.command("inkwright.listRuns", {"uri": uri, "limit": 2})
    rest = await editor.client.command("inkwright.listRuns", {"uri": uri, "limit": 2, "cursor": page["next"]})
    assert [r["requestId"] for r in page["runs"] + rest["runs"]] == ids[::-1]
    assert rest["next"] is None
    assert {r["label"] for r in page["runs"]} == {"润色优化"}
    params = {"command": "inkwright.listRuns", "arguments": [{"uri": uri, "cursor": "no cursor"}]}
    assert (await editor.client.request("workspace/executeCommand", params))["error"]["code"] == -32602
    one = await editor.client.command("inkwright.getRun", {"requestId": ids[0]})
    assert (one["status"], one["stopReason"], one["label"]) == ("completed", "finished", "润色优化")
    assert one["steps"]
    assert not [key for key in (*one, *one["steps"][0]) if "system" in key.lower() or key == "prompt"]


async def test_the_context_page(editor):
    """Before a run and after it the page is a file that shows the passage's parts."""
    editor.open("第三章.md", FAULTY)
    before = await editor.client.command(
        "inkwright.showContext", {"ability": "polish", "uri": editor.uri("第三章.md")}
    )
    result = await editor.run("polish", "第三章.md")
    after = await editor.client.command("inkwright.showContext", {"requestId": result["requestId"]})
    for page in (before, after):
        assert page["uri"].startswith("file://")


async def test_two_runs_at_once(editor):
    """Two abilities on one chapter run side by side."""
    editor.open("第一章.md")
    first, second = await asyncio.gather(
        editor.run("analysis", "第一章.md"), editor.run("research", "第一章.md", message="旧渡口")
    )
    assert {first["status"], second["status"]} == {"completed"}

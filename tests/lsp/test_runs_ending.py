"""What becomes of a run when the server ends, in order or not."""

from __future__ import annotations

import asyncio

import pytest

PASSAGE = "# 第三章\n\n林夏走在路上，看见了河。\n\n周衡说：“等等。”\n"
REVISED = ["# 第三章\n\n林夏走在", "路上，望见", "了河。\n\n周衡说：“等等。”\n"]


def ended(editor):
    values = [p["value"] for p in editor.client.got("$/progress") if p["token"] == "s"]
    return [v["event"] for v in values if v["event"] in ("done", "error", "cancelled")]


async def running(start, model):
    """A polish that is held in the middle of its answer."""
    editor = await start(env=model.environment())
    uri = editor.open("第三章.md", PASSAGE)
    model.answer, model.hold_at = REVISED, 2
    argument = {"ability": "polish", "uri": uri, "streamToken": "s", "requestId": "r1"}
    _, future = editor.client.start(
        "workspace/executeCommand", {"command": "inkwright.runAbility", "arguments": [argument]}
    )
    await asyncio.wait_for(model.held.wait(), 60)
    return editor, future


async def test_shutdown_during_a_run(start, own_model):
    """`shutdown` ends the run: its connection closes, the journal says so, the process exits 0."""
    editor, future = await running(start, own_model)
    assert await editor.client.quit() == 0
    assert future.result()["error"]["code"] == -32800
    await asyncio.wait_for(own_model.closed.wait(), 60)


async def test_end_of_input_during_a_run(start, own_model):
    """An editor that dies takes the run with it."""
    editor, _ = await running(start, own_model)
    editor.client.eof()
    assert await editor.client.ended() == 1
    await asyncio.wait_for(own_model.closed.wait(), 60)


async def test_killed_in_the_middle_of_a_run(start, own_model, book):
    """After kill -9 a new server knows the run as interrupted; earlier proposals wait, bound by text."""
    (book / "第三章.md").write_text(PASSAGE)
    first, future = await running(start, own_model)
    own_model.go_on.set()
    await first.client.until(lambda: ended(first))
    assert (await asyncio.wait_for(future, 60))["result"]["proposal"]
    own_model.reset()
    own_model.answer, own_model.hold_at = REVISED, 2
    again = {"ability": "polish", "uri": first.uri("第三章.md"), "requestId": "r2"}
    first.client.start("workspace/executeCommand", {"command": "inkwright.runAbility", "arguments": [again]})
    await asyncio.wait_for(own_model.held.wait(), 60)
    first.client.process.kill()
    await first.client.process.wait()
    second = await start(env=own_model.environment())
    stored = await second.client.command("inkwright.getRun", {"requestId": "r2"})
    assert stored["status"] == "interrupted"
    uri = second.open("第三章.md", "重开之后。\n\n" + PASSAGE)
    (listed,) = await second.client.command("inkwright.listProposals", {"uri": uri})
    assert [second.piece(uri, h["range"]) for h in listed["hunks"]] == [h["before"] for h in listed["hunks"]]
    verdict = await second.client.command("inkwright.acceptProposal", {"proposalId": listed["id"]})
    assert verdict["applied"]
    assert "望见了河" in second.texts[uri]


async def test_an_edit_that_landed_counts_though_the_server_was_killed(start, book) -> None:
    """Killed between the editor's edit and its answer: the new server neither offers what the text has nor calls it
    stale; accepting it again writes nothing; undone, it waits."""
    text = "林夏到的时候,船已经走了。\n\n她数了数铜钱:十七枚...\n"
    (book / "第三章.md").write_text(text, "utf-8", newline="")
    first = await start()
    uri = first.open("第三章.md", text)
    proposal = (await first.run("polish", "第三章.md"))["proposal"]
    taken, *rest = [hunk["index"] for hunk in proposal["hunks"]]
    assert rest

    def dies(params):
        first.apply(params["edit"])
        first.client.process.kill()
        return {"applied": True}

    first.client.answers["workspace/applyEdit"] = dies
    given = {"proposalId": proposal["id"], "hunks": [taken]}
    _, future = first.client.start(
        "workspace/executeCommand", {"command": "inkwright.acceptProposal", "arguments": [given]}
    )
    await first.client.process.wait()
    with pytest.raises(EOFError):
        await asyncio.wait_for(future, 60)
    landed = first.texts[uri]
    assert landed != text

    second = await start()
    uri = second.open("第三章.md", landed)

    async def listed() -> list[tuple[int, bool]]:
        found = await second.client.command("inkwright.listProposals", {"uri": uri})
        return [(hunk["index"], bool(hunk.get("stale"))) for one in found for hunk in one["hunks"]]

    assert await listed() == [(index, False) for index in rest]
    lenses = await second.client.call("textDocument/codeLens", {"textDocument": {"uri": uri}})
    done = [one["command"] for one in lenses if "command" in one]
    offered = [one["arguments"][0].get("hunks") for one in done]
    assert rest[:1] in offered
    assert [taken] not in offered
    second.type(uri, 0, text, delete=len(landed))
    assert await listed() == [(index, False) for index in (taken, *rest)]
    second.type(uri, 0, landed, delete=len(text))
    verdict = await second.client.command("inkwright.acceptProposal", given)
    assert verdict == {"applied": [taken], "stale": [], "rejected": []}
    assert second.texts[uri] == landed
    await second.client.command("inkwright.acceptProposal", {"proposalId": proposal["id"], "hunks": rest})
    assert second.texts[uri] == proposal["text"]
    assert await listed() == []

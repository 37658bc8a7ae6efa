"""What becomes of a run when the server ends, in order or not."""

from __future__ import annotations

import asyncio

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

"""Long work leaves nothing behind: 1,000 edits, 100 runs, and an idle server that does nothing."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

import pytest

linux = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")

TEXT = "# 第三章\n\n林夏说,走吧。周衡没有说话。\n"


def cpu(pid: int) -> float:
    """CPU seconds of a process so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def resident(pid: int) -> int:
    """Resident memory in KB."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS"))


async def work(editor, uri, rounds):
    """Each round: ten edits, a hover, code actions, and one polish that is rejected or cancelled."""
    for number in range(rounds):
        for _ in range(5):
            editor.type(uri, editor.find(uri, "周衡"), "字")
            editor.type(uri, editor.find(uri, "周衡") - 1, "", delete=1)
        place = {"textDocument": {"uri": uri}, "position": editor.position(uri, editor.find(uri, "林夏"))}
        assert await editor.client.call("textDocument/hover", place)
        where = {
            "textDocument": {"uri": uri},
            "range": editor.range(uri, 0, 5),
            "context": {"diagnostics": []},
        }
        assert await editor.client.call("textDocument/codeAction", where)
        argument = {"ability": "polish", "uri": uri, "streamToken": f"s{number}"}
        msg_id, future = editor.client.start(
            "workspace/executeCommand", {"command": "inkwright.runAbility", "arguments": [argument]}
        )
        if number % 4 == 3:
            editor.client.cancel(msg_id)
        response = await asyncio.wait_for(future, 60)
        if (proposal := (response.get("result") or {}).get("proposal")) is not None:
            await editor.client.command("inkwright.rejectProposal", {"proposalId": proposal["id"]})
        editor.client.notifications.clear()
        editor.client.requests.clear()
        editor.client.raw.clear()


@linux
@pytest.mark.timeout(300)
async def test_nothing_grows(soaked, until):
    """1,000 edits and 100 runs leave no request, task, thread, token or run behind, and no memory to speak of."""
    editor = soaked
    uri = editor.open("第三章.md", TEXT)
    await work(editor, uri, 20)
    before = await settled(editor)
    memory = resident(editor.client.process.pid)
    await work(editor, uri, 100)
    names = ("requests", "progress", "documents", "running", "tasks")
    await until(
        lambda: editor.client.command("probe.state"), lambda now: all(now[n] <= before[n] for n in names)
    )
    after = await settled(editor)
    assert after["threads"] <= before["threads"] + 1
    assert after["objects"] < before["objects"] * 1.05 + 500
    assert resident(editor.client.process.pid) < memory + 12_000


async def test_other_settings_do_not_keep_what_is_no_longer_used(soaked):
    """What is made anew with every change of the settings is left to the cycle collector."""
    editor = soaked
    uri = editor.open("第三章.md", TEXT)
    await editor.diagnostics(uri)
    before = await settled(editor)
    for _ in range(10):
        editor.client.notify("workspace/didChangeConfiguration", {"settings": None})
        await editor.client.command("inkwright.listProfiles")
    after = await settled(editor)
    assert after["frozen"] <= before["frozen"]


async def settled(editor):
    """The state once the work that follows typing, and what is done in idle time, is over."""
    pid = editor.client.process.pid
    state = await editor.client.command("probe.state")
    while True:
        busy = round(await used(pid, 0.5), 2) > 0.01 if sys.platform == "linux" else await asyncio.sleep(0.5)
        following = await editor.client.command("probe.state")
        if following["tasks"] == state["tasks"] and following["requests"] == 0 and not busy:
            return following
        state = following


@linux
async def test_idle_costs_nothing(soaked):
    """A server with an open book and an open chapter comes to use no CPU while nothing happens."""
    editor = soaked
    uri = editor.open("第三章.md", TEXT)
    await editor.diagnostics(uri)
    await settled(editor)
    pid = editor.client.process.pid
    # What a run will need is loaded in idle time: that ends, and then three seconds cost a tick at most.
    async with asyncio.timeout(90):
        while round(await used(pid, 3), 2) > 0.01:
            pass


async def used(pid: int, seconds: float) -> float:
    """CPU seconds that a process uses in so much time."""
    before = cpu(pid)
    await asyncio.sleep(seconds)
    return cpu(pid) - before

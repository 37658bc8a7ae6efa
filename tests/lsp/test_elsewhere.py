"""Two servers on one book: what one of them does, or the command line, the other's client is told, if it asks for that."""

from __future__ import annotations

import asyncio
import os
import sys
from typing import Any

import pytest

CHANGED = "$/inkwright/bookChanged"
ASKING = {"initializationOptions": {"bookChanged": True}}


def told(editor) -> list[set[str]]:
    """What is kept beside the files; of these a save may make a server tell that watches none."""
    return [changed for changed in all_told(editor) if changed != {"files"}]


def all_told(editor) -> list[set[str]]:
    found = editor.client.got(CHANGED)
    assert all(one["uri"] == editor.root.as_uri() for one in found)
    return [set(one["changed"]) for one in found]


def save(editor) -> None:
    """What makes a server look at once."""
    editor.client.notify("textDocument/didSave", {"textDocument": {"uri": editor.uri("第一章.md")}})


async def remember(editor, text: str) -> Any:
    given = {"uri": editor.uri("第一章.md"), "content": text, "type": "preference"}
    return await editor.client.command("inkwright.addMemory", given)


async def acquainted(mine, other, until) -> None:
    """Until the first server has looked once, nothing is news to it; then it tells of what comes. What was remembered
    here may be told a while after."""
    number = 0

    async def ask() -> list[set[str]]:
        nonlocal number
        number += 1
        await remember(other, f"第 {number} 条：短句。")
        save(mine)
        return told(mine)

    await until(ask, bool)
    assert set().union(*told(mine)) == {"memories"}
    mine.client.notifications.clear()


@pytest.fixture
def chapter(book):
    """A chapter that the offline engine has something to change in."""
    (book / "第一章.md").write_text("# 第一章\n\n他的的心情很好。她走了走了。林夏在在岸边。\n", "utf-8")
    return book / "第一章.md"


async def test_a_run_and_its_decision_in_one_editor_are_told_in_the_other(start, chapter, until):
    """The run and its proposal; what was decided; each once, and lenses are asked for anew."""
    mine, other = await start(**ASKING), await start()
    for editor in (mine, other):
        editor.open("第一章.md")
    await acquainted(mine, other, until)
    result = await other.run("polish", "第一章.md")
    assert result["proposal"]
    save(mine)
    await mine.client.until(lambda: set().union(*told(mine)) - {"memories"} == {"runs", "proposals"})
    waiting = await mine.client.command("inkwright.listProposals", {"uri": mine.uri("第一章.md")})
    assert [one["id"] for one in waiting] == [result["proposal"]["id"]]
    mine.client.notifications.clear()
    await other.client.command("inkwright.rejectProposal", {"proposalId": result["proposal"]["id"]})
    save(mine)
    await mine.client.until(lambda: "proposals" in set().union(*told(mine)))
    assert set().union(*told(mine)) <= {"proposals", "runs"}
    assert await mine.client.command("inkwright.listProposals", {"uri": mine.uri("第一章.md")}) == []
    assert other.client.got(CHANGED) == []


async def test_what_a_client_does_itself_is_no_news(start, chapter, until):
    """Its own memories and decisions are not told; the other's that come after are."""
    mine, other = await start(**ASKING), await start()
    uri = mine.open("第一章.md")
    (found, *_) = await mine.diagnostics(uri)
    other.open("第一章.md")
    await acquainted(mine, other, until)
    given = {"uri": uri, "code": found["code"], "range": found["range"]}
    one = await mine.client.command("inkwright.intend", given)
    await remember(other, "又一条：多用对话。")
    save(mine)
    await mine.client.until(lambda: told(mine))
    assert set().union(*told(mine)) == {"memories"}
    mine.client.notifications.clear()
    gone = await other.client.command("inkwright.unintend", {"uri": uri, "ids": [one["id"]]})
    assert gone == {"removed": 1}
    save(mine)
    await mine.client.until(lambda: {"decisions"} in [one - {"memories"} for one in told(mine)])


async def test_the_command_line_is_heard_without_anything_happening_here(start, book, tmp_path, cache, until):
    """A server whose client asks looks by itself every few seconds, by the capability as well as by the option."""
    home = tmp_path / "home"
    environ = {name: value for name, value in os.environ.items() if name in {"PATH", "SYSTEMROOT", "TMPDIR"}}
    environ |= {"HOME": str(home), "XDG_DATA_HOME": str(home / "data"), "XDG_CACHE_HOME": str(cache)}
    environ |= {"XDG_CONFIG_HOME": str(home / "config"), "LANG": "C.UTF-8", "PYTHONUTF8": "1"}
    capabilities = {
        "workspace": {"applyEdit": True, "configuration": True},
        "experimental": {"inkwright": {"bookChanged": True}},
    }
    mine, other = await start(capabilities=capabilities), await start()
    mine.open("第一章.md")
    other.open("第一章.md")
    await acquainted(mine, other, until)
    command = (sys.executable, "-m", "inkwright", "memories", "add", "从命令行来的一条。", str(book))
    process = await asyncio.create_subprocess_exec(*command, env=environ, stdout=asyncio.subprocess.DEVNULL)
    assert await process.wait() == 0
    await mine.client.until(lambda: told(mine))
    assert set().union(*told(mine)) == {"memories"}
    assert other.client.got(CHANGED) == []


async def test_files_that_come_from_outside_are_told_once_they_are_read(start):
    """Who lists chapters asks again then, and finds them; a file that is none of the book's is not told of."""
    editor = await start(**ASKING)
    editor.open("第一章.md")
    await editor.client.command("inkwright.getBook", {"uri": editor.uri("第一章.md")})
    editor.client.notifications.clear()
    events = []
    for name in ("第七章.md", "第八章.md"):
        (editor.root / name).write_text(f"# {name[:-3]}\n\n船走了。\n", "utf-8")
        events.append({"uri": editor.uri(name), "type": 1})
    editor.client.notify("workspace/didChangeWatchedFiles", {"changes": events})
    await editor.client.until(lambda: all_told(editor))
    assert all_told(editor) == [{"files"}]
    found = await editor.client.command("inkwright.getBook", {"uri": editor.uri("第一章.md")})
    assert [chapter["path"] for chapter in found["chapters"]][-2:] == ["第七章.md", "第八章.md"]
    editor.client.notify("workspace/didChangeWatchedFiles", {"changes": events})
    await editor.client.command("inkwright.getBook", {"uri": editor.uri("第一章.md")})
    assert all_told(editor) == [{"files"}]

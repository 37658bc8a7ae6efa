"""A number in a command may be as large as JSON lets it be."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.asyncio(loop_scope="module")

HUGE = 10**30


async def test_more_than_there_is_is_all_there_is(editor):
    """Of runs, memories, hits and days: the same as with a number that is just large enough."""
    uri = editor.open("第三章.md", "# 第三章\n\n林夏说,他来了。\n")
    await editor.client.command("inkwright.addMemory", {"uri": uri, "content": "我喜欢短句"})
    await editor.run("polish", "第三章.md")
    for command, given, name, key in (
        ("listRuns", {}, "limit", "runs"),
        ("listMemories", {}, "limit", "memories"),
        ("search", {"query": "林夏"}, "limit", "hits"),
    ):
        argument = {"uri": uri, **given}
        huge = await editor.client.command(f"inkwright.{command}", {**argument, name: HUGE})
        enough = await editor.client.command(f"inkwright.{command}", {**argument, name: 100})
        assert huge[key] == enough[key]
        assert huge[key]
    spent = await editor.client.command("inkwright.usage", {"uri": uri, "days": HUGE})
    assert spent == await editor.client.command("inkwright.usage", {"uri": uri, "days": 0})


async def test_a_range_beyond_the_end_ends_there(editor):
    """A selection of lines that are not there reaches to the end of the text."""
    text = "# 第三章\n\n林夏说,他来了。\n"
    uri = editor.open("第三章.md", text)
    where = {"start": {"line": 0, "character": 0}, "end": {"line": HUGE, "character": HUGE}}
    result = await editor.run("polish", "第三章.md", range=where)
    assert result["error"] is None
    assert editor.texts[uri] == text
    assert "他来了" in result["proposal"]["text"]

"""runPipeline over a real process: streamed, cancelled, killed, resumed; its cards are files with quotations."""

from __future__ import annotations

import asyncio

import pytest

CHAPTER = """# 第三章 渡口

庙旁住着一家乡宦，姓甄，名费，字士隐。嫡妻封氏，情性贤淑，深明礼义。

因这甄士隐禀性恬淡，不以功名为念，每日只以观花修竹、酌酒吟诗为乐，倒是神仙一流人品。

一日，士隐在书房闲坐，忽见隔壁葫芦庙内寄居的一个穷儒走了出来，姓贾名化，别号雨村。

雨村见了士隐，忙施礼陪笑。士隐笑道：“适因小女啼哭，引他出来作耍。”

半夜里葫芦庙中起了火，士隐家也烧成一片瓦砾场了。
"""
NAME = "第三章.md"


def breakdown(book, kind="breakdown"):
    (book / "book.toml").write_text(f'title = "石头"\ntype = "{kind}"\nlanguage = "zh-CN"\n', "utf-8")
    (book / NAME).write_text(CHAPTER, "utf-8")


def events(editor, token):
    return [p["value"] for p in editor.client.got("$/progress") if p["token"] == token]


async def pipeline(editor, **more):
    argument = {"uri": editor.uri(NAME), **more}
    return await editor.client.command("inkwright.runPipeline", argument)


def made(book, result):
    """The cards of a result with their texts; each quotation stands in the chapter to the letter."""
    texts = {path: (book / path).read_text("utf-8") for path in result["cards"]}
    for text in texts.values():
        quote = [line.removeprefix("> ") for line in text.splitlines() if line.startswith("> ")]
        assert quote
        assert all(line in CHAPTER for line in quote)
        assert f"source: {NAME}" in text
    return texts


async def test_the_offline_pipeline_makes_cards(start, book):
    """Steps, stream and cards; the chapter is not touched; a second run makes the same cards."""
    breakdown(book)
    editor = await start()
    result = await pipeline(editor, streamToken="p")
    assert (result["status"], result["error"]) == ("completed", None)
    assert [(s["name"], s["status"]) for s in result["steps"]] == [
        ("split", "completed"),
        ("distil", "completed"),
        ("cards", "completed"),
    ]
    values = events(editor, "p")
    assert "".join(v["data"] for v in values if v["event"] == "chunk") == result["text"]
    steps = [(v["data"]["name"], v["data"]["phase"]) for v in values if v["event"] == "step"]
    assert steps == [(name, phase) for name in ("split", "distil", "cards") for phase in ("start", "end")]
    plans = [v["data"]["steps"] for v in values if v["event"] == "step" and "steps" in v["data"]]
    assert [[step["name"] for step in plan] for plan in plans] == [["split", "distil", "cards"]]
    assert values[-1]["event"] == "done"
    first = made(book, result)
    assert first
    again = await pipeline(editor)
    assert made(book, again) == first
    assert (book / NAME).read_text("utf-8") == CHAPTER
    listed = await editor.client.command("inkwright.listCards", {"uri": editor.uri(NAME)})
    assert {card["path"] for card in listed} >= set(first)


async def test_killed_in_the_third_step_and_resumed(start, own_model, book):
    """After kill -9 the run is interrupted with two finished steps; resumed, the cards are those of a whole run."""
    breakdown(book)
    own_model.answer, own_model.hold_at, own_model.hold_in = ["要点", "。"], 1, 3
    first = await start(env=own_model.environment())
    argument = {"uri": first.uri(NAME), "requestId": "p1"}
    _, lost = first.client.start(
        "workspace/executeCommand", {"command": "inkwright.runPipeline", "arguments": [argument]}
    )
    await asyncio.wait_for(own_model.held.wait(), 60)
    first.client.process.kill()
    with pytest.raises(EOFError):
        await lost

    second = await start(env=own_model.environment())
    stored = await second.client.command("inkwright.getRun", {"requestId": "p1", "uri": second.uri(NAME)})
    assert stored["status"] == "interrupted"
    assert [(s["name"], s["status"]) for s in stored["products"]] == [
        ("split", "completed"),
        ("distil", "completed"),
        ("cards", "pending"),
    ]
    resumed = await pipeline(second, resume="p1", model="offline")
    assert resumed["status"] == "completed"
    assert resumed["text"].count("要点。") == 2
    cards = made(book, resumed)
    run = {"requestId": resumed["requestId"], "uri": second.uri(NAME)}
    assert (await second.client.command("inkwright.getRun", run))["cards"] == resumed["cards"]
    whole = await pipeline(second, model="offline")
    assert made(book, whole) == cards


async def test_a_cancelled_step_is_cancelled_and_can_be_resumed(start, own_model, book):
    """Cancel in the second step: the connection closes, the first step is kept."""
    breakdown(book)
    own_model.answer, own_model.hold_at, own_model.hold_in = ["要点", "。"], 1, 2
    editor = await start(env=own_model.environment())
    argument = {"uri": editor.uri(NAME), "requestId": "p2", "streamToken": "c"}
    _, future = editor.client.start(
        "workspace/executeCommand", {"command": "inkwright.runPipeline", "arguments": [argument]}
    )
    await asyncio.wait_for(own_model.held.wait(), 60)
    assert (await editor.client.command("inkwright.cancelRun", {"requestId": "p2"}))["cancelled"]
    result = (await asyncio.wait_for(future, 60))["result"]
    await asyncio.wait_for(own_model.closed.wait(), 60)
    assert result["status"] == "cancelled"
    assert [(s["name"], s["status"]) for s in result["steps"]] == [
        ("split", "completed"),
        ("distil", "cancelled"),
        ("cards", "pending"),
    ]
    assert result["cards"] == []
    assert [v["event"] for v in events(editor, "c") if v["event"] in ("done", "error", "cancelled")] == [
        "cancelled"
    ]
    resumed = await pipeline(editor, resume="p2", model="offline")
    assert resumed["status"] == "completed"
    assert "要点。" in resumed["steps"][0]["text"]


async def test_a_novel_has_none_and_says_where_one_is(start, book):
    """no_pipeline as a result; named, the pipeline makes candidates that wait for the writer."""
    breakdown(book, "novel")
    editor = await start()
    result = await pipeline(editor)
    assert (result["status"], result["error"]["code"]) == ("failed", "no_pipeline")
    assert "breakdown" in result["error"]["message"]
    assert "note" in result["error"]["message"]
    named = await pipeline(editor, pipeline="breakdown")
    assert named["cards"] == []
    uri = editor.uri(NAME)
    waiting = await editor.client.command("inkwright.listCandidates", {"uri": uri})
    assert [one["id"] for one in waiting] == named["candidates"]
    ids = named["candidates"][:1]
    (accepted,) = await editor.client.command("inkwright.acceptCandidates", {"uri": uri, "ids": ids})
    assert (book / accepted["path"]).is_file()
    rest = await editor.client.command(
        "inkwright.rejectCandidates", {"uri": uri, "ids": named["candidates"][1:]}
    )
    assert {one["state"] for one in rest} == {"rejected"}
    assert await editor.client.command("inkwright.listCandidates", {"uri": uri}) == []


async def test_the_context_page_of_a_pipeline(start, book):
    """Before a run and after it: each step, and what it saw."""
    breakdown(book)
    editor = await start()
    page = await editor.client.command("inkwright.showContext", {"pipeline": "", "uri": editor.uri(NAME)})
    assert page["uri"].startswith("file://")
    await pipeline(editor, requestId="p3")
    assert (await editor.client.command("inkwright.showContext", {"requestId": "p3"}))["uri"]


async def test_a_summary_goes_stale_and_a_lens_says_so(start, book):
    """Fresh: no lens. One key typed: a lens that makes it anew."""
    breakdown(book)
    editor = await start()
    uri = editor.open(NAME, CHAPTER)
    done = await editor.run("summary", NAME)
    assert done["status"] == "completed"
    found = await editor.client.command("inkwright.getSummary", {"uri": uri})
    assert (found["summary"]["text"], found["summary"]["stale"]) == (done["text"].strip(), False)

    async def lenses():
        found = await editor.client.request("textDocument/codeLens", {"textDocument": {"uri": uri}})
        commands = [lens["command"] for lens in found["result"] or [] if "command" in lens]
        return [command["arguments"][0].get("ability") for command in commands]

    assert "summary" not in await lenses()
    editor.type(uri, len(CHAPTER), "完。")
    assert "summary" in await lenses()
    assert (await editor.client.command("inkwright.getSummary", {"uri": uri}))["summary"]["stale"]

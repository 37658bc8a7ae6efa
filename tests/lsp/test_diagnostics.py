"""Diagnostics that the editor asks for: of one document, of everything in its folders, in three encodings."""

from __future__ import annotations

import asyncio
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

pytestmark = pytest.mark.asyncio(loop_scope="module")

FAULTY = "# 第三章\n\n𠮷野说,他来了。😀见[[林下]]。\n"
TWIN = "---\ntype: character\naliases: [小夏]\n---\n"


NONE = {"kind": "", "items": []}
"""Of a file that nothing is said of."""


async def pull(editor, uri, previous=None):
    params = {"textDocument": {"uri": uri}, **({"previousResultId": previous} if previous else {})}
    return await editor.client.call("textDocument/diagnostic", params)


async def workspace(editor, previous=(), **more):
    params = {"previousResultIds": list(previous), **more}
    return await editor.client.call("workspace/diagnostic", params)


def mine(editor, report):
    """The reports of the editor's own book, by file name."""
    found = (item for item in report["items"] if path(item["uri"]).is_relative_to(editor.root))
    return {path(item["uri"]).relative_to(editor.root).as_posix(): item for item in found}


def path(uri):
    return Path(unquote(urlsplit(uri).path))


def codes(report):
    return [item["code"] for item in report["items"]]


async def fixes(editor, uri, piece):
    at = editor.find(uri, piece)
    params = {
        "textDocument": {"uri": uri},
        "range": editor.range(uri, at, at + len(piece)),
        "context": {"diagnostics": [], "only": ["quickfix"]},
    }
    return await editor.client.call("textDocument/codeAction", params)


def refreshes(editor):
    """How often the editor has been called to ask anew."""
    return sum(name == "workspace/diagnostic/refresh" for name, _ in editor.client.requests)


async def test_a_report_and_nothing_new(puller, until):
    """What has not changed is answered by its id alone, what has by a new one; nothing is ever pushed."""
    uri = puller.open("第三章.md", FAULTY)
    first = await until(lambda: pull(puller, uri), lambda found: "link_card_missing" in codes(found))
    assert first["kind"] == "full"
    assert {puller.piece(uri, item["range"]) for item in first["items"]} == {",", "林下"}
    again = await pull(puller, uri, first["resultId"])
    assert again == {"kind": "unchanged", "resultId": first["resultId"]}
    puller.type(uri, puller.find(uri, ","), "，", delete=1)
    third = await pull(puller, uri, first["resultId"])
    assert codes(third) == ["link_card_missing"]
    assert third["resultId"] != first["resultId"]
    puller.client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    del puller.texts[uri]
    assert codes(await pull(puller, uri)) == []
    assert puller.client.got("textDocument/publishDiagnostics") == []


async def test_related_places_and_documents(puller, until):
    """A diagnostic points at the other card, whose own report comes along."""
    (puller.root / "cards" / "双.md").write_text(TWIN)
    uri = puller.open("cards/单.md", TWIN)
    report = await until(lambda: pull(puller, uri), lambda found: "name_ambiguous" in codes(found))
    (one,) = [item for item in report["items"] if item["code"] == "name_ambiguous"]
    assert puller.piece(uri, one["range"]) == "小夏"
    places = {path(r["location"]["uri"]).name: r["location"]["range"] for r in one["relatedInformation"]}
    assert places["双.md"]["start"]["line"] == 2
    others = {path(u).name: r for u, r in report["relatedDocuments"].items()}
    assert "name_ambiguous" in codes(others["双.md"])


async def test_files_that_are_not_open(puller, until):
    """What hangs on the book is told of closed files; of a file that is gone, that there is nothing any more."""
    (puller.root / "第九章.md").write_text("# 第九章\n\n见[[林下]]，他说,好。\n")
    await puller.client.command("inkwright.createBook", {"uri": puller.uri("第一章.md")})

    async def reports(known=()):
        return mine(puller, await workspace(puller, known))

    report = await until(reports, lambda found: "link_card_missing" in codes(found.get("第九章.md", NONE)))
    assert report["第九章.md"]["version"] is None
    assert not any(code.startswith("zh-") for item in report.values() for code in codes(item))
    known = [{"uri": item["uri"], "value": item["resultId"]} for item in report.values()]
    again = await reports(known)
    assert {item["kind"] for item in again.values()} == {"unchanged"}
    (puller.root / "第九章.md").unlink()
    gone = {"uri": report["第九章.md"]["uri"], "type": 3}
    before = refreshes(puller)
    puller.client.notify("workspace/didChangeWatchedFiles", {"changes": [gone]})
    await puller.client.until(lambda: refreshes(puller) > before)
    later = await until(lambda: reports(known), lambda found: found.get("第九章.md", NONE)["kind"] == "full")
    assert later["第九章.md"]["items"] == []
    assert later["第九章.md"]["uri"] == report["第九章.md"]["uri"]


async def test_reports_come_bit_by_bit(puller, until):
    """A client that takes parts gets all of them so, and an empty end."""
    for number in range(120):
        (puller.root / f"笔记{number}.md").write_text("[[林下]]\n")
    (puller.root / "卷").mkdir()
    await puller.client.command("inkwright.createBook", {"uri": puller.uri("第一章.md")})
    changes = [{"uri": puller.uri(f"笔记{number}.md"), "type": 1} for number in range(120)]
    puller.client.notify("workspace/didChangeWatchedFiles", {"changes": changes})
    await until(
        lambda: workspace(puller),
        lambda report: sum(name.startswith("笔记") for name in mine(puller, report)) == 120,
    )
    end = await workspace(puller, partialResultToken="bits")
    assert end == {"items": []}
    parts = [p["value"]["items"] for p in puller.client.got("$/progress") if p["token"] == "bits"]
    assert len(parts) > 1
    reports = mine(puller, {"items": [item for part in parts for item in part]})
    assert sum(name.startswith("笔记") for name in reports) == 120


async def test_the_client_is_called_to_ask_anew(puller, until):
    """A card that gets a name changes what is said of a chapter: the editor is told to ask once more."""
    chapter = puller.open("第三章.md", "# 第三章\n\n见[[林下]]。\n")
    card = puller.open("cards/新人.md", "---\ntype: character\n---\n")
    await until(lambda: pull(puller, chapter), lambda found: "link_card_missing" in codes(found))
    before = refreshes(puller)
    puller.type(card, len("---\ntype: character\n"), "aliases: [林下]\n")
    await puller.client.until(lambda: refreshes(puller) > before)
    await until(lambda: pull(puller, chapter), lambda found: "link_card_missing" not in codes(found))


async def test_a_card_that_is_made_is_known_at_once(puller, until):
    """The fix makes the card, and the next answer has no fault, though nobody watches any file."""
    uri = puller.open("第三章.md", "# 第三章\n\n见[[柳如烟]]。\n")
    await until(lambda: pull(puller, uri), lambda found: codes(found) == ["link_card_missing"])
    (create,) = [a for a in await fixes(puller, uri, "柳如烟") if "createCard" in str(a.get("command"))]
    made = await puller.client.command(create["command"]["command"], create["command"]["arguments"][0])
    assert path(made["uri"]).is_file()
    assert codes(await pull(puller, uri)) == []


async def test_no_card_is_offered_of_a_name_that_none_may_have(puller, until):
    """The link leads into a folder: the card would have to be called after it."""
    uri = puller.open("第三章.md", "# 第三章\n\n见[[人物/柳如烟]]。\n")
    await until(lambda: pull(puller, uri), lambda found: codes(found) == ["link_card_missing"])
    offered = await fixes(puller, uri, "人物/柳如烟")
    assert not [one for one in offered if "createCard" in str(one.get("command"))]


async def test_a_fix_reaches_into_a_card(puller, until):
    """The alias goes into the card's file: without a version where that is closed, with its own where it is open."""
    (puller.root / "cards" / "柳如烟.md").write_text("---\ntype: character\n---\n")
    uri = puller.open("第三章.md", "# 第三章\n\n😀柳如嫣来了。\n")
    await until(lambda: pull(puller, uri), lambda found: codes(found) == ["name_misspelt"])
    replace, alias, *_ = await fixes(puller, uri, "柳如嫣")
    assert replace["isPreferred"]
    (change,) = alias["edit"]["documentChanges"]
    assert path(change["textDocument"]["uri"]) == puller.root / "cards" / "柳如烟.md"
    assert change["textDocument"]["version"] is None
    puller.apply(alias["edit"])
    assert "aliases: [柳如嫣]\n" in puller.texts[change["textDocument"]["uri"]]
    await until(lambda: pull(puller, uri), lambda found: codes(found) == [])


async def test_questions_while_somebody_types(puller):
    """Each of many questions is answered: the last one with the last text, the others that they come too late."""
    uri = puller.open("第三章.md", "他来了。\n")
    await pull(puller, uri)
    asked = []
    for _ in range(40):
        puller.type(uri, 0, "他说,好，")
        asked.append(puller.client.start("textDocument/diagnostic", {"textDocument": {"uri": uri}})[1])
    answers = [await asyncio.wait_for(future, 60) for future in asked]
    assert {a["error"]["code"] for a in answers[:-1] if "error" in a} <= {-32802}
    last = answers[-1]
    if "error" in last:  # asked anew, as a client does
        assert last["error"]["data"] == {"retriggerRequest": True}
        last = {"result": await pull(puller, uri)}
    assert len(last["result"]["items"]) == 40
    assert sum("result" in a for a in answers) < 20


@pytest.mark.parametrize(
    "before", [{"uri": 1, "value": "a"}, {"uri": "file:///a.md", "value": {}}, {"uri": "file:///a.md"}, 7]
)
async def test_what_the_client_knows_must_be_text(puller, before):
    """An earlier answer without a URI and a value that are strings is -32602."""
    response = await puller.client.request("workspace/diagnostic", {"previousResultIds": [before]})
    assert response["error"]["code"] == -32602


async def test_a_question_can_be_taken_back(puller):
    """A cancelled question about the folders ends at once as cancelled, and the next one is answered."""
    number = 9_001
    cancel = {"method": "$/cancelRequest", "params": {"id": number}}
    _, future = puller.client.start("workspace/diagnostic", {"previousResultIds": []}, number, then=cancel)
    answer = await asyncio.wait_for(future, 60)
    assert answer["error"]["code"] == -32800
    assert "items" in await workspace(puller)


async def test_questions_taken_back_while_they_are_worked_on(puller, until):
    """Of a long text whose questions are taken back one after the other the next answer is that of a text asked
    about once, and nothing fails meanwhile."""
    card = "---\ntype: character\n年龄: 16\n---\n"
    (puller.root / "cards" / "林夏.md").write_text(card, "utf-8")
    text = "# 第三章\n\n" + "".join(
        f"林夏今年已经二十岁了。第{n}个渡口，天黑了。\n\n" * 3 for n in range(2_000)
    )
    (puller.root / "第三章.md").write_text(text, "utf-8")
    new = [{"uri": puller.uri(name), "type": 1} for name in ("第三章.md", "cards/林夏.md")]
    puller.client.notify("workspace/didChangeWatchedFiles", {"changes": new})
    uri = puller.open("第三章.md")
    await until(lambda: pull(puller, uri), lambda found: "continuity_age" in codes(found))
    for number in range(40):
        # another name is another book: everything is worked out anew
        (puller.root / "cards" / "周衡.md").write_text(f"---\naliases: [小衡{number}]\n---\n", "utf-8")
        changes = [{"uri": puller.uri("cards/周衡.md"), "type": 2}]
        puller.client.notify("workspace/didChangeWatchedFiles", {"changes": changes})
        puller.type(uri, 7, "他说,好。\n")
        asked, future = puller.client.start("textDocument/diagnostic", {"textDocument": {"uri": uri}})
        await asyncio.sleep(number % 10 / 40)
        puller.client.cancel(asked)
        assert "result" in (answer := await asyncio.wait_for(future, 60)) or answer["error"]["code"] == -32800
    found = await pull(puller, uri)
    assert codes(found).count("continuity_age") == 1
    assert len([code for code in codes(found) if code != "continuity_age"]) >= 40


async def test_a_finished_file_of_another_tool_is_not_edited(puller, until):
    """What its project keeps for itself gets diagnostics, and no fix of anything."""
    (puller.root / "追踪").mkdir()
    (puller.root / "正文").mkdir()
    (puller.root / "设定" / "角色").mkdir(parents=True)
    (puller.root / "追踪" / "_tracking-state.json").write_text("{}")
    (puller.root / "正文" / "第001章_渡口.md").write_text("# 渡口\n\n好。\n")
    (puller.root / "追踪" / "上下文.md").write_text("# 上下文\n\n见[[林下]]，他说,好。\n")
    await puller.client.command("inkwright.createBook", {"uri": puller.uri("第一章.md")})
    changes = [{"uri": puller.uri("追踪/_tracking-state.json"), "type": 1}]
    puller.client.notify("workspace/didChangeWatchedFiles", {"changes": changes})
    uri = puller.open("追踪/上下文.md")
    await until(lambda: pull(puller, uri), lambda found: "link_card_missing" in codes(found))

    async def edits(piece):
        return [action for action in await fixes(puller, uri, piece) if "edit" in action]

    await until(lambda: edits("林下"), lambda found: found == [])
    await until(lambda: edits(","), lambda found: found == [])

"""Intended, not a fault: taken from the lightbulb, kept with the book, listed and taken back."""

from __future__ import annotations

import json

import pytest

pytestmark = pytest.mark.asyncio(loop_scope="module")

FAULTY = "# 第三章\n\n林夏说，一但下雨，她就走。\n\n又一天，一但天晴，她才来。\n"


async def pull(editor, uri):
    report = await editor.client.call("textDocument/diagnostic", {"textDocument": {"uri": uri}})
    return [editor.piece(uri, item["range"]) for item in report["items"] if item["code"] == "zh-misspelled"]


async def offered(editor, uri, nth):
    at = editor.find(uri, "一但", nth)
    params = {
        "textDocument": {"uri": uri},
        "range": editor.range(uri, at, at + 1),
        "context": {"diagnostics": [], "only": ["quickfix"]},
    }
    found = await editor.client.call("textDocument/codeAction", params)
    return [action for action in found if action.get("command", {}).get("command") == "inkwright.intend"]


async def test_intended_here_then_everywhere_then_not(puller, until):
    """One place is silent, then all; each decision is a line of the book's file until it is taken back."""
    (puller.root / ".inkwright").mkdir(exist_ok=True)
    file = puller.root / ".inkwright/decisions.jsonl"
    uri = puller.open("第三章.md", FAULTY)
    assert await pull(puller, uri) == ["一但", "一但"]
    here, everywhere = await offered(puller, uri, 1)
    assert here["diagnostics"][0]["code"] == "zh-misspelled"
    assert (here["title"], everywhere["title"]) == ("此处有意为之：“一但”", "全书有意为之：“一但”")
    answer = await puller.client.command("inkwright.intend", here["command"]["arguments"][0])
    assert answer["everywhere"] is False
    assert await pull(puller, uri) == ["一但"]
    assert len(await offered(puller, uri, 0)) == 2
    assert await offered(puller, uri, 1) == []
    await puller.client.command(
        "inkwright.intend", (await offered(puller, uri, 0))[1]["command"]["arguments"][0]
    )
    assert await pull(puller, uri) == []
    lines = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    assert [(line["code"], line["text"], line.get("path")) for line in lines] == [
        ("zh-misspelled", "一但", "第三章.md"),
        ("zh-misspelled", "一但", None),
    ]
    listed = (await puller.client.command("inkwright.listIntended", {"uri": uri}))["intended"]
    assert [(one["text"], one["everywhere"]) for one in listed] == [("一但", False), ("一但", True)]
    ids = [one["id"] for one in listed]
    assert await puller.client.command("inkwright.unintend", {"uri": uri, "ids": ids}) == {"removed": 2}
    assert await pull(puller, uri) == ["一但", "一但"]
    assert file.read_text("utf-8") == ""


async def test_what_is_not_there_is_not_intended(puller):
    """A place without that diagnostic, and a key, are refused, and nothing is written."""
    uri = puller.open("第四章.md", "# 第四章\n\n她走了。\n")
    where = puller.range(uri, 0, 1)
    for code in ("zh-misspelled", "key_in_front_matter"):
        answer = await puller.client.request(
            "workspace/executeCommand",
            {"command": "inkwright.intend", "arguments": [{"uri": uri, "code": code, "range": where}]},
        )
        assert "error" in answer or "error" in (answer.get("result") or {})


async def test_a_file_that_cannot_be_read_is_told_of_once(puller):
    """By whoever looks at a text: once for each state of the file, however many texts and keys."""
    (puller.root / ".inkwright").mkdir(exist_ok=True)
    file = puller.root / ".inkwright/decisions.jsonl"
    before = file.read_bytes() if file.exists() else b""

    def told():
        return [
            m["message"] for m in puller.client.got("window/showMessage") if "decisions.jsonl" in m["message"]
        ]

    try:
        file.write_bytes(b'{"kind": "intended"\n<<<<<<< HEAD\n')
        for name in ("第四章.md", "第五章.md"):
            uri = puller.open(name, FAULTY)
            assert await pull(puller, uri) == ["一但", "一但"]
        first = told()
        assert len(first) == 2  # the line, and the merge
        file.write_bytes(b'{"kind": "intended"\n\n')
        puller.type(uri, 0, "　")
        assert await pull(puller, uri) == ["一但", "一但"]
        assert len(told()) == 3
        file.unlink()
        file.mkdir()
        puller.type(uri, 0, "　")
        assert await pull(puller, uri) == ["一但", "一但"]
        assert len(told()) == 4
    finally:
        if file.is_dir():
            file.rmdir()
        file.write_bytes(before)


async def test_two_on_the_same_words_are_told_apart(puller, until):
    """By what each says: the titles alone would be the same."""
    card = "---\ntype: character\nname: 周衡\nfacts:\n  - {key: 生死, value: 死, from: 第一章}\n---\n"
    (puller.root / "cards/周衡.md").write_text(card, "utf-8")
    puller.client.notify(
        "workspace/didChangeWatchedFiles",
        {"changes": [{"uri": puller.uri("cards/周衡.md"), "type": 2}]},
    )
    uri = puller.open("第二章.md", "---\ncharacters: [林夏]\n---\n# 第二章\n\n周衡推开门，走了进来。\n")
    at = puller.find(uri, "周衡")
    params = {
        "textDocument": {"uri": uri},
        "range": puller.range(uri, at, at + 1),
        "context": {"diagnostics": [], "only": ["quickfix"]},
    }

    async def offers():
        found = await puller.client.call("textDocument/codeAction", params)
        return [a["title"] for a in found if a.get("command", {}).get("command") == "inkwright.intend"]

    titles = await until(offers, lambda found: len(found) == 4)
    assert len(set(titles)) == 4
    assert all("有意为之：“周衡”（“周衡”在这" in title for title in titles)
    assert "continuity" not in "".join(titles)

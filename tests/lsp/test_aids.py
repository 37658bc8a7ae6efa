"""What stands in and above a text to help its reader, as an editor gets it: colours, hints, lenses, cards."""

from __future__ import annotations

import asyncio

import pytest

TOKENS = {
    "requests": {"range": True, "full": {"delta": True}},
    "tokenTypes": [],
    "tokenModifiers": [],
    "formats": ["relative"],
}
ABLE = {
    "workspace": {
        "applyEdit": True,
        "configuration": True,
        "workspaceEdit": {"documentChanges": True},
        "codeLens": {"refreshSupport": True},
        "semanticTokens": {"refreshSupport": True},
        "inlayHint": {"refreshSupport": True},
    },
    "textDocument": {
        "hover": {"contentFormat": ["markdown", "plaintext"]},
        "semanticTokens": TOKENS,
        "inlayHint": {},
    },
}
KINDS = ("character", "location", "item", "faction", "dialogue")
MODIFIERS = ("firstMention", "unconfirmed", "ambiguous")


def document(uri):
    return {"textDocument": {"uri": uri}}


def decoded(editor, uri, data):
    """(text, type, modifiers) of each token."""
    out, line, column = [], 0, 0
    for at in range(0, len(data), 5):
        gap, step, length, kind, modifiers = data[at : at + 5]
        line, column = line + gap, (0 if gap else column) + step
        where = {
            "start": {"line": line, "character": column},
            "end": {"line": line, "character": column + length},
        }
        out.append((editor.piece(uri, where), KINDS[kind], modifiers))
    return out


def lines(editor, uri, first, last):
    start, end = {"line": first, "character": 0}, {"line": last, "character": 0}
    return {**document(uri), "range": {"start": start, "end": end}}


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
async def test_tokens_of_a_chapter(start, encoding):
    """Whole, a part and what is different give the same tokens, astral characters before them or not."""
    editor = await start(capabilities=ABLE, encoding=encoding)
    uri = editor.open("第一章.md")
    editor.type(uri, editor.find(uri, "林夏走到"), "😀𠮷")
    full = await editor.client.call("textDocument/semanticTokens/full", document(uri))
    found = decoded(editor, uri, full["data"])
    assert found == [
        ("林夏", "character", 1),
        ("旧渡口", "location", 1),
        ("周衡", "character", 1),
        ("阿夏", "character", 0),
        ("“走吧。”", "dialogue", 0),
        ("夏夏", "character", 0),
    ]
    part = await editor.client.call("textDocument/semanticTokens/range", lines(editor, uri, 6, 20))
    assert decoded(editor, uri, part["data"]) == found[3:]
    editor.type(uri, editor.find(uri, "阿夏"), "周衡与")
    asked = {**document(uri), "previousResultId": full["resultId"]}
    delta = await editor.client.call("textDocument/semanticTokens/full/delta", asked)
    data = list(full["data"])
    for edit in delta["edits"]:
        data[edit["start"] : edit["start"] + edit["deleteCount"]] = edit["data"]
    again = await editor.client.call("textDocument/semanticTokens/full", document(uri))
    assert data == again["data"]
    assert ("周衡", "character", 0) in decoded(editor, uri, data)
    unknown = {**document(uri), "previousResultId": full["resultId"]}
    whole = await editor.client.call("textDocument/semanticTokens/full/delta", unknown)
    assert whole["data"] == data


async def test_tokens_follow_the_cards(start, until):
    """The client is asked to ask anew when a card changes, and gets the new names."""
    editor = await start(capabilities=ABLE)
    editor.client.answers["workspace/semanticTokens/refresh"] = lambda _: None
    editor.client.answers["workspace/inlayHint/refresh"] = lambda _: None
    uri = editor.open("第一章.md")
    await editor.client.call("textDocument/semanticTokens/full", document(uri))
    (editor.root / "cards/吉野.md").write_text("---\ntype: faction\nname: 野也\n---\n", "utf-8")
    changed = {"changes": [{"uri": editor.uri("cards/吉野.md"), "type": 1}]}
    asked = len(editor.client.requests)
    editor.client.notify("workspace/didChangeWatchedFiles", changed)
    await editor.client.until(
        lambda: "workspace/semanticTokens/refresh" in [name for name, _ in editor.client.requests[asked:]]
    )

    async def tokens():
        full = await editor.client.call("textDocument/semanticTokens/full", document(uri))
        return decoded(editor, uri, full["data"])

    await until(tokens, lambda found: ("野也", "faction", 1) in found)


async def test_a_long_chapter_is_painted_beside_the_keys(start):
    """Typing goes on while the tokens of a long text are worked out; they are of the text that was asked about."""
    editor = await start(capabilities=ABLE)
    uri = editor.open("长.md", "林夏走到旧渡口，“走吧。”\n\n" * 6_000)
    asked = editor.client.start("textDocument/semanticTokens/full", document(uri))[1]
    for _ in range(5):
        editor.type(uri, 0, "字")
    tokens = (await asyncio.wait_for(asked, 60))["result"]["data"]
    assert len(tokens) == 5 * 3 * 6_000
    assert tokens[:5] == [0, 0, 2, 0, 1]


async def test_what_stands_above_a_long_chapter_is_what_stands_above_a_short_one(start):
    """Symbols, folds, links, lenses, selections and counts, all asked for at once after a key, and once more."""
    editor = await start(capabilities=ABLE)
    head = "# 长\n\n林夏[[周衡]]说。\n\n***\n\n二，见[文](第二章.md)。\n\n## 节\n\n"
    asks = [
        ("textDocument/documentSymbol", {}),
        ("textDocument/foldingRange", {}),
        ("textDocument/documentLink", {}),
        ("textDocument/codeLens", {}),
        ("textDocument/selectionRange", {"positions": [{"line": 2, "character": 1}]}),
        ("textDocument/hover", {"position": {"line": 2, "character": 0}}),
        ("textDocument/hover", {"position": {"line": 8, "character": 4}}),
        ("textDocument/documentHighlight", {"position": {"line": 2, "character": 1}}),
    ]

    async def seen(name, text):
        uri = editor.open(name, text)
        editor.type(uri, editor.find(uri, "说"), "又")
        out = [editor.client.call(method, {**document(uri), **more}) for method, more in asks]
        return await asyncio.gather(*out)

    short = await seen("短.md", head + "尾。\n")
    long = await seen("长.md", head + "尾。\n\n" * 20_000)
    assert all(long)

    def where(answer):
        return [(one.get("startLine"), one.get("name"), one.get("range")) for one in answer]

    assert where(long[1])[1:] == [row for row in where(short[1]) if row[0]]
    assert [one["name"] for one in long[0]] == [one["name"] for one in short[0]]
    assert long[2] == short[2]
    assert where(long[3])[:4] == where(short[3])[:4]
    assert long[4][0]["range"] == short[4][0]["range"]
    assert long[5]["range"] == short[5]["range"]
    assert "20,0" in long[6]["contents"]["value"]


async def test_a_client_that_knows_no_aids_is_offered_none(spawn):
    """Semantic tokens and inlay hints only with the capability; the legend is part of the offer."""
    poor = (await (await spawn()).initialize({}))["capabilities"]
    assert not {"semanticTokensProvider", "inlayHintProvider"} & set(poor)
    rich = (await (await spawn()).initialize(ABLE))["capabilities"]
    offered = rich["semanticTokensProvider"]
    assert offered["legend"] == {"tokenTypes": list(KINDS), "tokenModifiers": list(MODIFIERS)}
    assert offered["full"] == {"delta": True}
    assert offered["range"] is True


async def test_colours_can_be_switched_off(start):
    """With the setting off there are no tokens, and no error."""
    editor = await start(capabilities=ABLE, settings={"semanticTokens": False})
    uri = editor.open("第一章.md")
    assert await editor.client.call("textDocument/semanticTokens/full", document(uri)) is None
    assert await editor.client.call("textDocument/semanticTokens/range", lines(editor, uri, 0, 9)) is None


FRONT = "---\ntitle: 渡口\npov: 阿夏\nlocation: 旧渡口\ntime: 黄昏\n---\n"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
async def test_hints_at_the_start_of_scenes(start, encoding):
    """Where it is wanted: who (the point of view first), where, when; of later scenes what their text names."""
    editor = await start(capabilities=ABLE, encoding=encoding, settings={"inlayHints": True})
    text = FRONT + "# 第一章\n\n周衡走来。\n\n***\n\n　　夏夏去找周衡，到了旧渡口。\n\n***\n\n雾。\n"
    uri = editor.open("第一章.md", text)
    found = await editor.client.call("textDocument/inlayHint", lines(editor, uri, 0, 30))
    places = [editor.offset(uri, hint["position"]) for hint in found]
    assert [(text[at:][:4], hint["label"]) for at, hint in zip(places, found, strict=True)] == [
        ("周衡走来", "林夏（视角）、周衡 · 旧渡口 · 黄昏"),
        ("　　夏夏", "林夏、周衡 · 旧渡口"),
    ]
    assert await editor.client.call("textDocument/inlayHint", lines(editor, uri, 9, 11)) == []
    card = editor.open("cards/林夏.md")
    assert await editor.client.call("textDocument/inlayHint", lines(editor, card, 0, 30)) == []


async def test_hints_are_off_by_default(start, until):
    """A page stays as it is until its writer asks for hints."""
    editor = await start(capabilities=ABLE)
    uri = editor.open("第一章.md")
    assert await editor.client.call("textDocument/inlayHint", lines(editor, uri, 0, 30)) is None


async def test_lenses_of_chapter_and_scenes(start):
    """One pair for the chapter, one for each scene; counts and cast come when the client resolves them."""
    editor = await start(capabilities=ABLE)
    uri = editor.open("第一章.md")
    lenses = await editor.client.call("textDocument/codeLens", document(uri))
    assert [lens["range"]["start"]["line"] for lens in lenses] == [3, 3, 5, 5, 11, 11]
    facts = [
        (await editor.client.call("codeLens/resolve", lens))["command"]
        for lens in lenses
        if "command" not in lens
    ]
    assert [fact["title"] for fact in facts] == [
        "43 字 · 林夏、周衡",
        "27 字 · 林夏、周衡",
        "11 字 · 林夏",
    ]
    runs = [lens["command"] for lens in lenses if "command" in lens]
    assert [(run["command"], run["arguments"][0]["ability"]) for run in runs] == [
        ("inkwright.runAbility", "analysis"),
        ("inkwright.runAbility", "polish"),
        ("inkwright.runAbility", "polish"),
    ]
    assert editor.piece(uri, runs[2]["arguments"][0]["range"]) == "第二场开始了。夏夏没有来。"
    for name in ("cards/林夏.md", "cards/周衡.md"):
        card = editor.open(name)
        assert await editor.client.call("textDocument/codeLens", document(card)) == []


async def test_lenses_resolved_after_typing(start):
    """A lens from before a key is resolved with what stands there now; one of a closed document stays empty."""
    editor = await start(capabilities=ABLE)
    uri = editor.open("第二章.md")
    lens = (await editor.client.call("textDocument/codeLens", document(uri)))[0]
    editor.type(uri, editor.find(uri, "林夏读信"), "阿夏与周衡，")
    found = await editor.client.call("codeLens/resolve", lens)
    assert found["command"]["title"].endswith("林夏、周衡")
    editor.client.notify("textDocument/didClose", document(uri))
    found = await editor.client.call("codeLens/resolve", lens)
    assert found["command"]["title"] == ""


async def test_lenses_can_be_switched_off(start):
    """`chapterLens` takes those on chapters and scenes away and leaves the review's."""
    editor = await start(capabilities=ABLE, settings={"chapterLens": False})
    uri = editor.open("第一章.md")
    assert await editor.client.call("textDocument/codeLens", document(uri)) == []
    await editor.run("polish", "第一章.md")
    lenses = await editor.client.call("textDocument/codeLens", document(uri))
    assert {lens["command"]["command"] for lens in lenses} == {
        "inkwright.acceptProposal",
        "inkwright.rejectProposal",
    }


async def over(editor, uri, offset):
    place = {**document(uri), "position": editor.position(uri, offset)}
    found = await editor.client.call("textDocument/hover", place)
    return None if found is None else (found["contents"]["value"], editor.piece(uri, found["range"]))


FERRY = """---
type: character
name: 船夫
facts:
  - {key: 左臂, value: 受伤, from: 第二章}
  - {key: 船, value: 旧船, from: 第一章, until: 第二章}
  - {key: 名, value: 无名}
---
"""


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
async def test_a_card_as_of_the_chapter(start, book, encoding, until):
    """Facts that hold here with their from and until, none of later ones; first and last seen; how often."""
    (book / "cards/船夫.md").write_text(FERRY, "utf-8")
    (book / "第三章.md").write_text("# 第三章 还信\n\n船夫走了。\n", "utf-8")
    editor = await start(capabilities=ABLE, encoding=encoding)
    await editor.client.command("inkwright.getBook", {"uri": editor.uri("第一章.md")})
    first = editor.open("第一章.md")
    editor.type(first, editor.find(first, "林夏走到"), "😀船夫与")
    text, piece = await over(editor, first, editor.find(first, "船夫"))
    assert piece == "船夫"
    assert "- 船: 旧船（第一章至第二章）\n- 名: 无名" in text
    assert "受伤" not in text
    assert "到《渡口》为止：" in text
    third = editor.open("第三章.md")
    text, _ = await over(editor, third, editor.find(third, "船夫") + 1)
    assert "- 左臂: 受伤（自第二章）\n- 名: 无名" in text
    assert "旧船" not in text
    text, _ = await over(editor, first, editor.find(first, "林夏走到"))
    assert "首次出现：渡口；最后出现：第二章 旧信" in text
    text, _ = await over(editor, first, editor.find(first, "旧渡口"))
    assert "只在渡口出现" in text


async def test_what_a_link_leads_to(start, book):
    """A link to a card shows the card, one to a chapter its title, place and length; a broken one nothing."""
    editor = await start(capabilities=ABLE)
    uri = editor.open("第三章.md", "见[[cards/林夏]]、[[渡口]]、第2章、[旧信](第二章.md)、[[没有]]。\n")
    assert "摆渡人的女儿" in (await over(editor, uri, editor.find(uri, "cards")))[0]
    text, piece = await over(editor, uri, editor.find(uri, "渡口]]"))
    assert (text, piece) == ("**渡口** · 第 1 章，共 3 章 · 43 字", "[[渡口]]")
    assert (await over(editor, uri, editor.find(uri, "第2章")))[0].startswith("**第二章 旧信** · 第 2 章")
    assert (await over(editor, uri, editor.find(uri, "第二章.md")))[0].startswith("**第二章 旧信** · 第 2 章")
    assert await over(editor, uri, editor.find(uri, "没有")) is None


async def test_a_picture(start, book):
    """Its file, its size in pixels and its alternative text; a reason where there is none to show."""
    header = b"\x89PNG\r\n\x1a\n" + b"\0\0\0\rIHDR" + (640).to_bytes(4, "big") + (480).to_bytes(4, "big")
    (book / "图 1.png").write_bytes(header + bytes(2_000))
    editor = await start(capabilities=ABLE)
    uri = editor.open("第三章.md", "甲。\n\n😀![渡口的地图](<图 1.png>)与![](没有.png)与![](../../x.png)。\n")
    text, piece = await over(editor, uri, editor.find(uri, "地图"))
    assert piece == "![渡口的地图](<图 1.png>)"
    assert text == "**图 1.png** · 640 × 480 · 2 KB（图片）\n\n替代文字：渡口的地图"
    missing, _ = await over(editor, uri, editor.find(uri, "没有.png"))
    assert missing.endswith("没有替代文字。")
    assert "640" not in missing
    assert (await over(editor, uri, editor.find(uri, "x.png")))[0].endswith("没有替代文字。")


async def test_a_name_in_front_matter(start):
    """The cast of a chapter is hovered like names in its prose."""
    editor = await start(capabilities=ABLE)
    uri = editor.open("第二章.md", "---\ncharacters: [周衡, 阿夏]\n---\n\n雾。\n")
    text, piece = await over(editor, uri, editor.find(uri, "阿夏"))
    assert piece == "阿夏"
    assert "摆渡人的女儿" in text


SHIYIN = """# 第三章 渡口

庙旁住着一家乡宦，姓甄，名费，字士隐。嫡妻封氏，情性贤淑，深明礼义。

因这甄士隐禀性恬淡，不以功名为念，每日只以观花修竹、酌酒吟诗为乐，倒是神仙一流人品。

一日，士隐在书房闲坐，忽见隔壁葫芦庙内寄居的一个穷儒走了出来，姓贾名化，别号雨村。

雨村见了士隐，忙施礼陪笑。士隐笑道：“适因小女啼哭，引他出来作耍。”

半夜里葫芦庙中起了火，士隐家也烧成一片瓦砾场了。
"""


async def test_a_candidate_is_shown_as_one(start, book, until):
    """The name of a card that waits is not confirmed; once it is rejected it is no name any more."""
    (book / "第三章.md").write_text(SHIYIN, "utf-8")
    editor = await start(capabilities=ABLE)
    editor.client.answers["workspace/semanticTokens/refresh"] = lambda _: None
    editor.client.answers["workspace/inlayHint/refresh"] = lambda _: None
    uri = editor.open("第三章.md")
    asked = {"uri": uri, "pipeline": "breakdown", "model": "offline"}
    made = (await editor.client.command("inkwright.runPipeline", asked))["candidates"]
    await editor.client.until(
        lambda: "workspace/semanticTokens/refresh" in [name for name, _ in editor.client.requests]
    )

    async def unconfirmed():
        full = await editor.client.call("textDocument/semanticTokens/full", document(uri))
        return [token for token in decoded(editor, uri, full["data"]) if token[2] & 2]

    waiting = await editor.client.command("inkwright.listCandidates", {"uri": uri})
    names = {one["title"].partition("（")[0] for one in waiting if one["type"] in KINDS}
    found = await until(unconfirmed)
    assert {name for name, *_ in found} <= names
    assert found[0][2] & 1
    await editor.client.command("inkwright.rejectCandidates", {"uri": uri, "ids": made})
    await until(unconfirmed, lambda found: found == [])


async def test_a_heading_counts_what_stands_under_it(start):
    """In a chapter of several headings the one under the cursor has a count of its own, its own words with it."""
    editor = await start(capabilities=ABLE)
    uri = editor.open("第三章.md", "# 第三章\n\n雨。\n\n## 渡口\n\n林夏等船。\n\n## 尾\n\n雾。\n")
    text, piece = await over(editor, uri, editor.find(uri, "## 渡口") + 4)
    assert piece == "## 渡口"
    assert "**本章 12**" in text
    assert "本标题之下 6" in text
    alone, _ = await over(editor, editor.open("第二章.md"), 3)
    assert "本标题之下" not in alone


PLANTED = """---
threads:
  - {name: 旧信, state: planted, due: 第一章}
---
# 序

他把信收好。
"""


async def test_a_lens_tells_of_threads(start):
    """A chapter that sets up a thread has a lens that says so, and that it is overdue; `threadLens` takes it away."""
    editor = await start(capabilities=ABLE, settings={"chapterLens": False})
    (editor.root / "第零章.md").write_text(PLANTED, "utf-8")
    uri = editor.open("第零章.md")
    ledger = await editor.client.call(
        "workspace/executeCommand", {"command": "inkwright.threads", "arguments": [{"uri": uri}]}
    )
    assert [(row["name"], row["state"], row["planted"]) for row in ledger["threads"]] == [
        ("旧信", "overdue", ["第零章.md"])
    ]
    lenses = await editor.client.call("textDocument/codeLens", document(uri))
    assert [lens["command"]["title"] for lens in lenses] == ["伏笔：旧信 · 埋设（过期）"]
    plain = await start(capabilities=ABLE, settings={"chapterLens": False, "threadLens": False})
    (plain.root / "第零章.md").write_text(PLANTED, "utf-8")
    assert await plain.client.call("textDocument/codeLens", document(plain.open("第零章.md"))) == []

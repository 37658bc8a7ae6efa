"""Faults of other servers with characters, line ends and edits, each played as VS Code and Neovim in three encodings.

Each test names the public report that it comes from. Where other tests hold a report already, test_pitfalls.py says.
"""

from __future__ import annotations

import random

import pytest

pytestmark = pytest.mark.asyncio(loop_scope="module")


def about(uri):
    return {"textDocument": {"uri": uri}}


def at(editor, uri, piece):
    return {**about(uri), "position": editor.position(uri, editor.find(uri, piece))}


def together(editor, uri, *edits):
    """Several edits in one notification: each (place, how much goes, what comes) in the text after the one before."""
    changes = []
    for place, delete, new in edits:
        changes.append({"range": editor.range(uri, place, place + delete), "text": new})
        editor.texts[uri] = editor.texts[uri][:place] + new + editor.texts[uri][place + delete :]
    editor.versions[uri] += 1
    editor.client.change(uri, editor.versions[uri], *changes)


async def headings(editor, uri):
    """(line, name) of each heading as the server has it."""
    found = await editor.client.call("textDocument/documentSymbol", about(uri))
    out = []

    def walk(rows):
        for one in rows:
            out.append((one["selectionRange"]["start"]["line"], one["name"]))
            walk(one.get("children", []))

    walk(found)
    return out


EDITS = {
    "openlawlibrary/pygls#302": ("# 😋😋\n", [(3, 0, "甲")], [(0, "😋甲😋")]),
    "palantir/python-language-server#770": ('# x="😋"\n', [(6, 0, "x")], [(0, 'x="😋x"')]),
    "python-lsp-server#343": ("# 𠮷𠮷𠮷\n", [(4, 1, "")], [(0, "𠮷𠮷")]),
    "astral-sh/ruff#13674": ("# 测试\n", [(4, 0, "\n# 二"), (8, 0, "三")], [(0, "测试"), (1, "二三")]),
    "artempyanykh/marksman#34": (
        "# 甲\n# 乙\n",
        [(0, 4, ""), (0, 0, "# 😀\r\n# 丙\r"), (7, 0, "x")],
        [(0, "😀"), (1, "x丙"), (2, "乙")],
    ),
    "astral-sh/ruff#16342": ("# a\r# b\r\n# c\n# d", [(9, 4, "# 一\r# 二\r\n")], None),
    "fortran-lang/fortls#443": ("# 甲\u2028乙\n\n# B\n", [(5, 0, "\x0c\x0b\x85")], [(0, None), (2, "B")]),
}


@pytest.mark.parametrize("report", EDITS)
async def test_edits(typist, report):
    """Columns are counted in the client's units, and each change in the text that the one before has left."""
    text, edits, expected = EDITS[report]
    uri = typist.open("新.md", text)
    together(typist, uri, *edits)
    found = await headings(typist, uri)
    if expected is None:
        lines = typist.texts[uri].replace("\r\n", "\n").replace("\r", "\n").split("\n")
        expected = [(n, line[2:]) for n, line in enumerate(lines) if line.startswith("# ")]
    assert [line for line, _ in found] == [line for line, _ in expected if line is not None]
    names = [(line, name) for line, name in expected if name is not None]
    assert set(names) <= set(found)


async def test_a_hit_behind_an_emoji_is_repaired_and_nothing_else(typist):
    """Automattic/harper: squiggles were right, and the fix took another span."""
    uri = typist.open("新.md", "😀😀他来了,走了。\n")
    comma = typist.find(uri, ",")
    where = {**about(uri), "range": typist.range(uri, comma, comma + 1), "context": {"diagnostics": []}}
    found = await typist.client.call("textDocument/codeAction", where)
    fix = next(one for one in found if one["kind"] == "quickfix" and "edit" in one)
    assert typist.apply(fix["edit"]) == {"applied": True}
    assert typist.texts[uri] == "😀😀他来了，走了。\n"


@pytest.mark.parametrize("before", ["✍️", "👩\u200d👩\u200d👧", "e\u0301", "か\u3099"])
async def test_what_looks_like_one_character_counts_as_what_it_is(typist, before):
    """blopker/codebook#118: grapheme clusters were counted as one."""
    uri = typist.open("新.md", f"{before}林夏{before}\n")
    found = await typist.client.call("textDocument/hover", at(typist, uri, "林夏"))
    assert found["range"] == typist.range(uri, len(before), len(before) + 2)


async def test_a_model_sees_what_was_typed_where_it_was_typed(typist):
    """SilasMarvin/lsp-ai: a column in units was taken for one in characters, silently."""
    uri = typist.open("新.md", "𠮷他来了,走了。\n")
    together(typist, uri, (1, 0, "x"))
    found = (await typist.run("polish", "新.md"))["proposal"]
    assert found["text"] == "𠮷x他来了，走了。\n"
    assert [typist.piece(uri, hunk["range"]) for hunk in found["hunks"]] == [
        h["before"] for h in found["hunks"]
    ]


async def test_what_is_written_into_a_text_stays_readable(typist):
    """microsoft/vscode-markdown-languageservice#17 and #150: percent signs in the writer's file, a lost `#` and `<`."""
    uri = typist.open("新.md", "[二](第二章.md)，[二](<第二章.md#h>)\n")
    files = [{"oldUri": typist.uri("第二章.md"), "newUri": typist.uri("新名.md")}]
    edit = await typist.client.call("workspace/willRenameFiles", {"files": files})
    assert typist.apply(edit) == {"applied": True}
    assert typist.texts[uri] == "[二](新名.md)，[二](<新名.md#h>)\n"


@pytest.mark.parametrize(
    ("heading", "link"),
    [
        ("## test，test", "testtest"),  # microsoft/vscode#53590
        ("## Skills 目录\r", "skills-目录"),  # seardnaSchmid/markdown-inline-editor#160
        ("## 「序」・一", "序一"),
    ],
)
async def test_links_to_headings_with_full_width_marks(typist, heading, link):
    """A slug is made by the categories of Unicode, and no line end is in it."""
    uri = typist.open("新.md", f"[到](#{link})\n\n{heading}\n")
    (found,) = await typist.client.call("textDocument/documentLink", about(uri))
    assert found["target"] == f"{uri}#L3"


async def test_no_word_is_misspelt_for_being_chinese(typist):
    """Automattic/harper#109: every Chinese character was flagged."""
    uri = typist.open("新.md", "他说 teh 好，𠮷野也这么说。\n")
    found = await typist.client.call("textDocument/diagnostic", about(uri))
    assert [typist.piece(uri, one["range"]) for one in found["items"]] in ([], ["teh"])


@pytest.mark.parametrize(
    ("text", "line", "title"),
    [
        ("---\r\ntitle: 甲\r\n---\r\n# A\r\n", 3, "甲"),
        ("---\n---\n# A\n", 2, "A"),
        ("\ufeff---\r\ntitle: 乙\r\n...\r\n# A\r\n", 3, "乙"),
    ],
)
async def test_front_matter_in_any_line_ends(typist, text, line, title):
    """iwes/iwe: front matter with CRLF was lost, an empty one shifted everything."""
    uri = typist.open("第三章.md", text)
    assert await headings(typist, uri) == [(line, "A")]
    found = await typist.client.call("workspace/symbol", {"query": title})
    assert uri in {one["location"]["uri"] for one in found}


FAR = {"start": {"line": 5, "character": 0}, "end": {"line": 9, "character": 9}}


async def test_edits_where_nothing_is(typist):
    """neovim/neovim#17085: everything deleted, then a line opened; artempyanykh/marksman: a wrong `rangeLength`."""
    uri = typist.open("新.md", "# 甲\n# 乙\n")
    together(typist, uri, (0, len(typist.texts[uri]), ""))
    typist.client.change(uri, 3, {"range": FAR, "text": "# 丙\n"})
    assert await headings(typist, uri) == [(0, "丙")]
    wrong = {
        "range": {"start": {"line": 0, "character": 2}, "end": {"line": 0, "character": 2}},
        "rangeLength": 99,
    }
    typist.client.change(uri, 4, {**wrong, "text": "丁"})
    assert await headings(typist, uri) == [(0, "丁丙")]
    typist.client.notify("textDocument/didSave", {**about(uri), "text": "# 戊\n"})
    assert await headings(typist, uri) == [(0, "戊")]


async def test_lines_come_and_go_in_a_code_block(typist):
    """zk-org/zk#461: lines added inside a fence crashed it, because the parser kept its state."""
    uri = typist.open("新.md", "# 甲\n\n```\na\n```\n\n# 乙\n")
    chance = random.Random(7)
    for _ in range(60):
        start = typist.find(uri, "```\n") + 4
        end = typist.texts[uri].rindex("```")
        place = chance.randint(start, end)
        new = chance.choice(["b\n", "# 丙\n", "~~~\n", "  ``\n", "😀", "\r\n"])
        gone = min(chance.choice([0, 0, 1, 3]), end - place)
        together(typist, uri, (place, gone, new))
        if "\n```\n" not in typist.texts[uri][start:]:
            together(typist, uri, (0, len(typist.texts[uri]), "# 甲\n\n```\na\n```\n\n# 乙\n"))
    together(typist, uri, (typist.find(uri, "```\n") + 4, 0, "尾\n"))
    assert [name for _, name in await headings(typist, uri)] == ["甲", "乙"]


async def test_a_very_long_text(typist):
    """microsoft/vscode-markdown-languageservice#183: symbols of a long file failed in a deep recursion."""
    uri = typist.open(
        "untitled:long", "".join(f"{'#' * (1 + n % 6)} 标题 {n}\n\n一\n二\n三\n\n" for n in range(2_900))
    )
    assert len(await headings(typist, uri)) == 2_900


async def test_four_spellings_of_one_file(typist):
    """artempyanykh/marksman#241: raw, escaped, in brackets, decomposed."""
    (typist.root / "šumnik je.md").write_text("# Š\n", "utf-8")
    made = {"changes": [{"uri": typist.uri("šumnik je.md"), "type": 1}]}
    typist.client.notify("workspace/didChangeWatchedFiles", made)
    spellings = ["<šumnik je.md>", "%C5%A1umnik%20je.md", "šumnik%20je.md", "<s\u030cumnik je.md>"]
    uri = typist.open("新.md", "\n\n".join(f"[到]({one})" for one in spellings) + "\n")
    found = await typist.client.call("textDocument/documentLink", about(uri))
    assert [one.get("target") for one in found] == [typist.uri("šumnik je.md")] * 4


async def test_a_document_whose_version_is_nought(typist):
    """pappasam/jedi-language-server#84: edits of version 0 were refused as older than the buffer."""
    typist.texts[uri := typist.uri("新.md")] = "他来了,走了。\n"
    typist.versions[uri] = 0
    typist.client.open(uri, typist.texts[uri], version=0)
    where = {**about(uri), "range": typist.range(uri, 0, 7), "context": {"diagnostics": []}}
    found = await typist.client.call("textDocument/codeAction", where)
    fix = next(one for one in found if one["kind"] == "quickfix" and "edit" in one)
    (change,) = fix["edit"]["documentChanges"]
    assert change["textDocument"] == {"uri": uri, "version": 0}
    assert typist.apply(fix["edit"]) == {"applied": True}


async def test_what_is_checked_is_what_is_typed(typist):
    """errata-ai/vale-ls#11: the copy on the disk was checked, and only after saving."""
    uri = typist.open("第二章.md", "好。\n")
    typist.type(uri, 1, "他来了,走了")
    found = await typist.client.call("textDocument/diagnostic", about(uri))
    assert "zh-half-comma" in {one["code"] for one in found["items"]}
    assert (typist.root / "第二章.md").read_bytes().decode() != typist.texts[uri]

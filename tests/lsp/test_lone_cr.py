"""A CR inside of a line is a line end for the protocol and none for Neovim: no edit goes to places it reads otherwise."""

from __future__ import annotations

from pathlib import Path

import pytest

CARD = "---\ntype: character\nname: 林夏\n---\n# 林夏\n\n林夏是学徒。\n"
PLAIN = "# 第一章\n\n林夏到的时候,船已经走了。\n"
ODD = "# 第二章\n\n他说\r她己经来了。\n林夏没有走。\n\n林夏笑了,又坐下。\n"
NEOVIM = {"clientInfo": {"name": "Neovim", "version": "0.11.0"}}


@pytest.fixture
def book(tmp_path: Path) -> Path:
    root = tmp_path / "书"
    (root / "cards").mkdir(parents=True)
    (root / "book.toml").write_text('title = "渡口"\ntype = "novel"\nlanguage = "zh"\n', encoding="utf-8")
    (root / "cards" / "林夏.md").write_bytes(CARD.encode())
    (root / "第一章.md").write_bytes(PLAIN.encode())
    (root / "第二章.md").write_bytes(ODD.encode())
    return root


def edited(edit):
    """The paths of the documents that a WorkspaceEdit changes."""
    from urllib.parse import unquote, urlsplit

    return {
        Path(unquote(urlsplit(c["textDocument"]["uri"]).path)).name
        for c in edit["documentChanges"]
        if "edits" in c
    }


def told(editor):
    return [one["message"] for one in editor.client.got("window/showMessage")]


async def renamed(editor, name, line, character, new="林秋"):
    at = {"textDocument": {"uri": editor.uri(name)}, "position": {"line": line, "character": character}}
    return await editor.client.request("textDocument/rename", {**at, "newName": new})


@pytest.mark.parametrize("opened", [False, True])
async def test_a_rename_in_neovim_leaves_such_a_chapter_out_and_says_so(start, opened) -> None:
    """Open or not, the chapter is not in the edit, the rest is, and the writer is told what to do."""
    editor = await start(**NEOVIM)
    editor.open("第一章.md")
    if opened:
        editor.open("第二章.md")
    answer = await renamed(editor, "第一章.md", 2, 0)
    assert edited(answer["result"]) == {"第一章.md", "林夏.md"}
    assert any("第二章.md" in one and r":%s/\r/\r/g" in one for one in told(editor))


async def test_other_clients_get_the_chapter_too(start) -> None:
    """A client that counts as the protocol says has it renamed."""
    editor = await start(clientInfo={"name": "Visual Studio Code"})
    editor.open("第一章.md")
    answer = await renamed(editor, "第一章.md", 2, 0)
    assert edited(answer.get("result", answer)) == {"第一章.md", "第二章.md", "林夏.md"}
    assert not any(r"\r" in one for one in told(editor))


async def test_links_that_follow_a_moved_file_leave_such_a_chapter_out(start, book) -> None:
    """willRename gives no edit of it, and says so."""
    (book / "第二章.md").write_bytes((ODD + "见[卡](cards/林夏.md)。\n").encode())
    (book / "第一章.md").write_bytes((PLAIN + "见[卡](cards/林夏.md)。\n").encode())
    editor = await start(**NEOVIM)
    files = [{"oldUri": editor.uri("cards/林夏.md"), "newUri": editor.uri("cards/林秋.md")}]
    edit = await editor.client.call("workspace/willRenameFiles", {"files": files})
    assert edited(edit) == {"第一章.md"}
    assert any("第二章.md" in one and r":%s/\r/\r/g" in one for one in told(editor))


async def test_nothing_is_edited_in_such_a_document(start) -> None:
    """Rename from it, accepting and a run that would change it are refused with the reason; no fix is offered."""
    editor = await start(**NEOVIM)
    uri = editor.open("第二章.md", "# 第二章\n\n林夏到的时候,船已经走了。\n\n她数了数铜钱:十七枚...\n")
    result = await editor.run("polish", "第二章.md")
    chosen = {"proposalId": result["proposal"]["id"]}
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": 9, "character": 0}}
    asked = {"textDocument": {"uri": uri}, "range": whole, "context": {"diagnostics": []}}
    assert any("edit" in one for one in await editor.client.call("textDocument/codeAction", asked))
    editor.type(uri, 0, "他说\r她己经来了。\n")
    before = editor.texts[uri]
    for command in ("inkwright.acceptProposal", "inkwright.runAbility"):
        given = chosen if command.endswith("Proposal") else {"ability": "polish", "uri": uri}
        answer = await editor.client.request(
            "workspace/executeCommand", {"command": command, "arguments": [given]}
        )
        reason = answer["error"]["data"]["code"] if "error" in answer else answer["result"]["error"]["code"]
        assert reason == "lone_cr"
    assert (await renamed(editor, "第二章.md", 3, 0))["error"]["data"]["code"] == "lone_cr"
    offered = await editor.client.call("textDocument/codeAction", asked)
    assert not [one for one in offered if "edit" in one]
    assert editor.texts[uri] == before
    assert editor.edits == []


async def test_what_is_typed_there_lands_where_neovim_has_it(start) -> None:
    """Once the CRs are gone the server has the same text as the editor, though all of it came in pieces."""
    editor = await start(**NEOVIM)
    uri = editor.open("第二章.md")

    # By Neovim's lines: 2 is `他说\\r她己经来了。`, 3 `林夏没有走。`, 5 `林夏笑了,又坐下。`
    def piece(line, start, end, text):
        return {
            "range": {"start": {"line": line, "character": start}, "end": {"line": line, "character": end}},
            "text": text,
        }

    editor.client.change(uri, 2, piece(5, 4, 5, "，"), piece(3, 2, 3, "也没"), piece(2, 2, 3, "\n"))
    after = "# 第二章\n\n他说\n她己经来了。\n林夏也没有走。\n\n林夏笑了，又坐下。\n"
    editor.texts[uri], editor.versions[uri] = after, 2
    answer = await renamed(editor, "第二章.md", 4, 0)
    assert "第二章.md" in edited(answer["result"])
    changes = [c for c in answer["result"]["documentChanges"] if c.get("textDocument", {}).get("uri") == uri]
    editor.apply({"documentChanges": changes})
    assert editor.texts[uri] == after.replace("林夏", "林秋")

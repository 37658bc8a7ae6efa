"""Files of the world outside: changed, moved, deleted, checked out by the hundred, linked, spelled in every way."""

from __future__ import annotations

import os
import shutil
import subprocess
import unicodedata
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

CARD = "---\ntype: character\n---\n{}。\n"
BLIND: dict[str, Any] = {"textDocument": {"hover": {"contentFormat": ["markdown"]}}}
"""A client that watches no files."""


def told(editor: Any, *events: tuple[str, int]) -> None:
    changes = [{"uri": editor.uri(name), "type": kind} for name, kind in events]
    editor.client.notify("workspace/didChangeWatchedFiles", {"changes": changes})


async def book(editor: Any) -> Any:
    return await editor.client.command("inkwright.getBook", {"uri": editor.uri("第一章.md")})


async def chapters(editor: Any) -> list[str]:
    return [chapter["path"] for chapter in (await book(editor))["chapters"]]


async def hover(editor: Any, uri: str, line: int = 0, character: int = 0) -> str:
    where = {"textDocument": {"uri": uri}, "position": {"line": line, "character": character}}
    found = await editor.client.call("textDocument/hover", where)
    return "" if found is None else found["contents"]["value"]


@pytest.mark.parametrize("signal", ["open", "save", "close"])
async def test_without_a_watcher_cheap_signals_do(start, book, signal, until):
    """A new card, a changed one and a deleted one are seen when any document is opened, saved or closed."""
    editor = await start(capabilities=BLIND)
    uri = editor.open("第三章.md", "周衡 沈舟 旧渡口\n")
    other = editor.open("第二章.md")
    assert "教书先生" in await hover(editor, uri)
    (book / "cards/周衡.md").write_text("---\ntype: character\n---\n# 周衡\n\n改行做了船夫。\n", "utf-8")
    (book / "cards/沈舟.md").write_text(CARD.format("船主"), "utf-8")
    (book / "cards/旧渡口.md").unlink()
    if signal == "open":
        editor.open("第一章.md")
    elif signal == "save":
        editor.client.notify("textDocument/didSave", {"textDocument": {"uri": other}})
    else:
        editor.client.notify("textDocument/didClose", {"textDocument": {"uri": other}})
        editor.open("第四章.md", "x")
    # A look begun by the opening before may have met the first file changed and the others not yet.
    await until(lambda: hover(editor, uri), lambda said: "船夫" in said)
    await until(lambda: hover(editor, uri, character=3), lambda said: "船主" in said)
    await until(lambda: hover(editor, uri, character=6), lambda said: said == "")


async def test_without_a_watcher_the_file_of_the_book_is_looked_at_too(start, book, until):
    """What another program writes into it, or makes anew, holds from the next save on."""
    editor = await start(capabilities=BLIND)
    uri = editor.open("第三章.md", "周衡\n")
    ask = partial(editor.client.command, "inkwright.getBook", {"uri": uri})
    for title in ("渡", "岸"):
        (book / "book.toml").write_text(f'title = "{title}"\nchapters = ["第三章.md"]\n', "utf-8")
        editor.client.notify("textDocument/didSave", {"textDocument": {"uri": uri}})
        found = await until(ask, lambda found, title=title: found["book"]["title"] == title)
        assert [chapter["path"] for chapter in found["chapters"]] == ["第三章.md"]


def git(root: Path, *command: str) -> str:
    name = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "core.autocrlf=false", "-c", "gc.auto=0"]
    return subprocess.run(
        ["git", *name, *command], cwd=root, check=True, capture_output=True, text=True
    ).stdout


@pytest.mark.parametrize("watched", [True, False])
async def test_a_checkout_of_another_branch(start, tmp_path, watched, until):
    """500 files change, come and go at once, told in pieces or by one save: the answers are those of a fresh start."""
    root = tmp_path / "书"
    (root / "卷").mkdir(parents=True)
    (root / "cards").mkdir()
    (root / "cards/林夏.md").write_text(CARD.format("学徒"), "utf-8")
    for i in range(1, 401):
        (root / f"卷/第{i:04}章.md").write_text(f"# 第{i}章\n\n林夏来了。\n", "utf-8")
    git(root, "init", "-q", "-b", "main")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "main")
    git(root, "checkout", "-q", "-b", "other")
    for i in range(1, 301):
        (root / f"卷/第{i:04}章.md").write_text(f"# 第{i}章\n\n林夏走了，林夏又来了。\n", "utf-8")
    for i in range(301, 351):
        (root / f"卷/第{i:04}章.md").unlink()
    for i in range(401, 551):
        (root / f"卷/第{i:04}章.md").write_text(f"# 第{i}章\n\n小夏。\n", "utf-8")
    (root / "cards/林夏.md").write_text("---\ntype: character\naliases: [小夏]\n---\n师傅。\n", "utf-8")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "other")
    changed = git(root, "diff", "--name-status", "-z", "--no-renames", "main", "other").split("\0")[:-1]
    kinds = {"A": 1, "M": 2, "D": 3}
    events = [(name, kinds[kind]) for kind, name in zip(changed[::2], changed[1::2], strict=True)]
    assert len(events) == 501
    git(root, "checkout", "-q", "main")
    editor = await start(root=root, **({} if watched else {"capabilities": BLIND}))
    uri = editor.open("卷/第0400章.md")
    first = await editor.client.command("inkwright.getBook", {"uri": uri})
    assert len(first["chapters"]) == 400
    git(root, "checkout", "-q", "other")
    mark = len(editor.client.notifications), len(editor.client.requests)
    if watched:
        for at in range(0, len(events), 100):
            told(editor, *events[at : at + 100])
    else:
        editor.client.notify("textDocument/didSave", {"textDocument": {"uri": uri}})

    async def ask() -> Any:
        return await editor.client.command("inkwright.getBook", {"uri": uri})

    def right(found: Any) -> bool:
        (card,) = found["cards"]
        return len(found["chapters"]) == 500 and card["mentions"] == 300 * 2 + 50 + 150

    found = await until(ask, right)
    await until(lambda: hover(editor, uri, line=2), lambda said: "师傅" in said)
    sent = editor.client.notifications[mark[0] :], editor.client.requests[mark[1] :]
    assert len(sent[0]) + len(sent[1]) < len(events)
    assert not [name for name, _ in sent[0] if name == "window/showMessage"]
    await editor.client.quit()
    fresh = await start(root=root)
    again = await fresh.client.command("inkwright.getBook", {"uri": uri})
    assert (again["chapters"], again["cards"]) == (found["chapters"], found["cards"])


async def test_renames_and_deletes(start, book, until):
    """Open or closed, in the editor or outside of it: one chapter under its new name, none under the old."""
    editor = await start()
    uri = editor.open("第一章.md")
    assert await chapters(editor) == ["第一章.md", "第二章.md"]
    (book / "第二章.md").rename(book / "第三章.md")  # closed, outside
    told(editor, ("第二章.md", 3), ("第三章.md", 1))
    await until(lambda: chapters(editor), lambda found: found == ["第一章.md", "第三章.md"])
    (book / "第三章.md").unlink()
    told(editor, ("第三章.md", 3))
    await until(lambda: chapters(editor), lambda found: found == ["第一章.md"])
    (book / "第一章.md").rename(book / "第九章.md")  # open: the editor closes one name and opens the other
    told(editor, ("第一章.md", 3), ("第九章.md", 1))
    text = editor.texts[uri]
    editor.client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    editor.open("第九章.md", text)
    await until(lambda: chapters(editor), lambda found: found == ["第九章.md"])
    (book / "第九章.md").unlink()  # deleted while open: what is in the buffer is still the writer's
    told(editor, ("第九章.md", 3))
    assert await chapters(editor) == ["第九章.md"]
    shutil.rmtree(book / "cards")
    told(editor, ("cards", 3))
    editor.client.notify("textDocument/didClose", {"textDocument": {"uri": editor.uri("第九章.md")}})
    await until(lambda: chapters(editor), lambda found: found == [])


@pytest.mark.parametrize(("old", "new"), [("第1章.MD", "第1章.md"), ("Chapter.md", "chapter.md")])
async def test_a_rename_in_case_alone(start, tmp_path, old, new, until):
    """Through the editor and through a watcher, whatever the order of the two: one chapter under its new name."""
    root = tmp_path / "书"
    root.mkdir()
    (root / old).write_text("# 一\n\n雨。\n", "utf-8")
    editor = await start(root=root)
    uri = editor.uri(new)

    async def ask() -> list[str]:
        found = await editor.client.command("inkwright.getBook", {"uri": uri})
        return [chapter["path"] for chapter in found["chapters"]]

    assert await ask() == [old]
    files = {"files": [{"oldUri": editor.uri(old), "newUri": uri}]}
    await editor.client.call("workspace/willRenameFiles", files)
    (root / old).rename(root / new)
    editor.client.notify("workspace/didRenameFiles", files)
    told(editor, (new, 1), (old, 3))
    await until(ask, lambda found: found == [new])


NAMES = [
    "第 100% 章.md",
    "a#b?c.md",
    "%25.md",
    "é.md",
    unicodedata.normalize("NFD", "é.md"),
    "c+d&e;f.md",
    "[x](y).md",
]


@pytest.mark.parametrize("name", NAMES)
async def test_every_name_in_every_spelling(start, tmp_path, name):
    """Opened raw and asked for percent-encoded, in capitals or small ones, composed or not: one document, one chapter."""
    root = tmp_path / "书 #1"
    root.mkdir()
    (root / name).write_text("# 一\n\n雨。\n", "utf-8")
    editor = await start(root=root)
    plain = (root / name).as_uri()
    everything = f"file://{quote(str(root / name), safe='/')}"
    small = everything[:7] + "/".join(
        "".join(f"%{b:02x}" for b in part.encode()) for part in str(root / name).split("/")
    )
    raw = f"file://{root.parent}/{quote(root.name)}/{name.replace('%', '%25').replace('#', '%23').replace('?', '%3F')}"
    spellings = [
        plain,
        everything,
        small,
        raw,
        unicodedata.normalize("NFD", raw),
        unicodedata.normalize("NFC", raw),
    ]
    editor.client.open(raw, "# 二\n\n甲乙丙\n")
    for spelling in spellings:
        asked = {"textDocument": {"uri": spelling}}
        (symbol,) = await editor.client.call("textDocument/documentSymbol", asked)
        assert symbol["name"] == "二", spelling
        found = await editor.client.command("inkwright.getBook", {"uri": spelling})
        assert [(c["path"], c["title"]) for c in found["chapters"]] == [(name, "二")]


async def test_a_drive_letter_has_two_spellings(start):
    """`file:///C:/` and `file:///c%3A/` are one document, on any system."""
    editor = await start()
    editor.client.open("file:///C:/%E4%B9%A6/a.md", "# 一\n")
    asked = {"textDocument": {"uri": "file:///c%3A/书/a.md"}}
    assert [s["name"] for s in await editor.client.call("textDocument/documentSymbol", asked)] == ["一"]


@pytest.mark.parametrize(
    "uri", ["untitled:Untitled-1", "untitled:/x/第1章.md", "vscode-notebook-cell:/x.md#a", "git:/a.md?x"]
)
async def test_documents_without_a_file(start, uri):
    """They have all that a single text can have, and no book."""
    editor = await start()
    editor.client.open(uri, "# 一\n\n林夏说：“走吧。\n")
    asked = {"textDocument": {"uri": uri}}
    assert [s["name"] for s in await editor.client.call("textDocument/documentSymbol", asked)] == ["一"]
    assert await editor.client.call("textDocument/foldingRange", asked) is not None
    command = {"command": "inkwright.getBook", "arguments": [{"uri": uri}]}
    response = await editor.client.request("workspace/executeCommand", command)
    assert response["error"]["data"]["code"] == "book_needs_folder"
    editor.client.notify("textDocument/didClose", asked)
    assert await chapters(editor) == ["第一章.md", "第二章.md"]


async def test_a_file_without_a_book(start, tmp_path):
    """Its own folder's files are its book, nothing deeper, and nothing is written beside it."""
    root = tmp_path / "散"
    (root / "深").mkdir(parents=True)
    for name in ("甲.md", "乙.md", "深/丙.md"):
        (root / name).write_text("雨。\n", "utf-8")
    editor = await start(root=root, workspaceFolders=None)
    uri = editor.open("甲.md")
    found = await editor.client.command("inkwright.getBook", {"uri": uri})
    assert sorted(c["path"] for c in found["chapters"]) == ["乙.md", "甲.md"]
    assert await editor.client.quit() == 0
    assert sorted(p.name for p in root.iterdir()) == ["乙.md", "深", "甲.md"]


async def test_links_in_a_book(start, book, tmp_path):
    """Loops end, a link to a file inside is read, one out of the book is not, whether by file or by folder."""
    (tmp_path / "外").mkdir()
    (tmp_path / "外/秘密.md").write_text("---\ntype: character\n---\n外面的。\n", "utf-8")
    (book / "圈").symlink_to(book)
    (book / "自.md").symlink_to("自.md")
    (book / "第三章.md").symlink_to("第二章.md")
    (book / "cards/秘密.md").symlink_to(tmp_path / "外/秘密.md")
    (book / "外").symlink_to(tmp_path / "外")
    editor = await start()
    found = await globals()["book"](editor)
    assert [c["path"] for c in found["chapters"]] == ["第一章.md", "第二章.md", "第三章.md"]
    assert "秘密" not in [c["name"] for c in found["cards"]]
    assert ("cards/秘密.md", "link_outside") in [(p["path"], p["code"]) for p in found["problems"]]
    assert await editor.client.quit() == 0


async def test_what_is_no_file_where_one_is_looked_for(start, tmp_path):
    """Pipes and devices by every name that we or another tool look for: the book opens without them."""
    root = tmp_path / "书"
    for name in [
        "book.toml",
        "cards/甲.md",
        "第2章.md",
        ".gitignore",
        "nwProject.nwx",
        "MANUSKRIPT",
        "inkos.json",
        ".active-book",
        "写作.json5",
        ".inkwright/decisions.jsonl",
        ".inkwright/profiles/a.md",
        ".inkwright/index.db",
        ".inkwright/inkwright.db.moved",
    ]:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        os.mkfifo(root / name)
    (root / "第3章.md").symlink_to("/dev/zero")
    (root / "第1章.md").write_text("# 一\n\n![](图.png) 雨。\n", "utf-8")
    os.mkfifo(root / "图.png")
    editor = await start(root=root)
    uri = editor.open("第1章.md")
    found = await editor.client.command("inkwright.getBook", {"uri": uri})
    assert [c["path"] for c in found["chapters"]] == ["第1章.md"]
    await hover(editor, uri, line=2, character=5)
    assert (await editor.run("polish", "第1章.md"))["status"] in ("completed", "partial")
    assert await editor.client.quit() == 0


async def test_files_that_change_under_the_hand(start, book, until):
    """One that grows, one beyond the limit, one that becomes a folder, a folder that becomes a file: all in one go."""
    editor = await start()
    assert await chapters(editor) == ["第一章.md", "第二章.md"]
    with (book / "巨.md").open("wb") as file:
        file.truncate(65_000_000)
    (book / "第二章.md").unlink()
    (book / "第二章.md").mkdir()
    (book / "第二章.md/第三章.md").write_text("雨。\n", "utf-8")
    shutil.rmtree(book / "cards")
    (book / "cards").write_text("x", "utf-8")
    told(editor, ("巨.md", 1), ("第二章.md", 2), ("cards", 2))
    await until(
        lambda: globals()["book"](editor),
        lambda found: (
            [c["path"] for c in found["chapters"]] == ["第一章.md", "第二章.md/第三章.md"]
            and not found["cards"]
            and ("巨.md", "file_too_large") in [(p["path"], p["code"]) for p in found["problems"]]
        ),
    )
    with (book / "第一章.md").open("a", encoding="utf-8") as file:
        for _ in range(20):
            file.write("又下起了雨。\n")
            file.flush()
            told(editor, ("第一章.md", 2))
    size = await until(lambda: globals()["book"](editor), lambda f: f["chapters"][0]["counts"]["mixed"] > 100)
    assert size["chapters"][0]["path"] == "第一章.md"


async def test_deleting_an_open_document_clears_what_was_published(start, book):
    """The empty list comes under the very URI that the faults were published with."""
    (book / "坏.md").write_text("他说他说他说：：“走吧。\n\n的的的的\n", "utf-8")
    editor = await start()
    uri = editor.open("坏.md")
    assert await editor.diagnostics(uri)
    (book / "坏.md").unlink()
    other = uri.replace("%E5%9D%8F", "坏")
    editor.client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": other, "type": 3}]})

    def cleared() -> Any:
        last = [p for p in editor.client.got("textDocument/publishDiagnostics") if p["uri"] == uri]
        return last and not last[-1]["diagnostics"]

    await editor.client.until(cleared)
    assert all(p["uri"] == uri for p in editor.client.got("textDocument/publishDiagnostics"))

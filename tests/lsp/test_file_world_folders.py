"""Folders of the workspace: several, books in books, ones that come and go, and those that are no place for a book."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

import pytest

CARD = "---\ntype: character\n---\n{}。\n"


def put(root: Path, **files: str) -> Path:
    for name, text in files.items():
        file = root / name.replace("__", "/")
        file = file.with_name(f"{file.name}.md")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    return root


def folder(root: Path) -> dict[str, str]:
    return {"uri": root.as_uri(), "name": root.name}


def change(editor: Any, added: list[Path] = [], removed: list[Path] = []) -> None:  # noqa: B006
    event = {"added": [folder(f) for f in added], "removed": [folder(f) for f in removed]}
    editor.client.notify("workspace/didChangeWorkspaceFolders", {"event": event})


async def book(editor: Any, name: str) -> Any:
    return await editor.client.command("inkwright.getBook", {"uri": editor.uri(name)})


async def chapters(editor: Any, name: str) -> list[str]:
    return [chapter["path"] for chapter in (await book(editor, name))["chapters"]]


async def names(editor: Any) -> set[str]:
    found = await editor.client.call("workspace/symbol", {"query": "沈"})
    return {symbol["name"] for symbol in found}


async def hover(editor: Any, uri: str) -> str:
    where = {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 0}}
    found = await editor.client.call("textDocument/hover", where)
    return "" if found is None else found["contents"]["value"]


def shown(editor: Any) -> list[str]:
    return [p["message"] for p in editor.client.got("window/showMessage")]


async def test_folders_come_and_go(start, tmp_path, until):
    """Each root is its own book with its own cards; a removed one is in no answer, and one that returns is as it is now."""
    a = put(tmp_path / "甲", 第1章="沈舟。\n", cards__沈舟=CARD.format("船主"))
    b = put(
        tmp_path / "乙", 第1章="沈舟。\n", cards__沈舟=CARD.format("医生"), cards__沈砚=CARD.format("书生")
    )
    editor = await start(root=tmp_path, workspaceFolders=[folder(a)])
    one = editor.open("甲/第1章.md")
    assert "船主" in await hover(editor, one)
    change(editor, added=[b])
    two = editor.open("乙/第1章.md")
    await until(lambda: hover(editor, two), lambda said: "医生" in said and "船主" not in said)
    await until(lambda: hover(editor, one), lambda said: "船主" in said)
    await until(lambda: names(editor), lambda found: found == {"沈舟", "沈砚"})
    editor.client.notify("textDocument/didClose", {"textDocument": {"uri": two}})
    change(editor, removed=[b])
    await until(lambda: names(editor), lambda found: found == {"沈舟"})
    put(b, cards__沈砚=CARD.format("死者"))
    change(editor, added=[b])
    await until(lambda: names(editor), lambda found: "沈砚" in found)
    editor.open("乙/第2章.md", "沈砚\n")
    await until(lambda: hover(editor, editor.uri("乙/第2章.md")), lambda said: "死者" in said)
    assert await editor.client.quit() == 0


async def test_a_file_whose_folder_is_opened_after_it(start, tmp_path, until):
    """A file alone knows its neighbours; once its folder is one of the workspace's, what lies deeper as well."""
    root = put(tmp_path / "书", 第1章="沈舟。\n", cards__沈舟=CARD.format("船主"))
    editor = await start(root=root, workspaceFolders=[])
    uri = editor.open("第1章.md")
    assert await hover(editor, uri) == ""
    assert await chapters(editor, "第1章.md") == ["第1章.md"]
    change(editor, added=[root])
    await until(lambda: hover(editor, uri), lambda said: "船主" in said)
    assert len((await book(editor, "第1章.md"))["cards"]) == 1


async def test_several_books_in_one_folder(start, tmp_path, until):
    """Each that says so is its own; the folder has what is left, and all are found by name before a file is opened."""
    for name, said in (("甲", "船主"), ("乙", "医生")):
        put(tmp_path / "架" / name, 第1章="沈舟。\n", **{f"cards__沈{name}": CARD.format(said)})
        (tmp_path / "架" / name / "book.toml").write_text(f'title = "{name}书"\n')
    root = put(tmp_path / "架", 散章="沈舟。\n")
    editor = await start(root=root)
    assert await chapters(editor, "散章.md") == ["散章.md"]
    await until(lambda: names(editor), lambda found: found == {"沈甲", "沈乙"})
    for name in "甲乙":
        found = await book(editor, f"{name}/第1章.md")
        assert (found["book"]["title"], found["book"]["root"]) == (f"{name}书", str(root / name))
        assert [card["name"] for card in found["cards"]] == [f"沈{name}"]
    assert shown(editor) == []  # a folder that is no book has nothing to say of the books in it


async def test_a_book_in_a_book(start, tmp_path):
    """The nearest mark wins, the outer book does without it, and the writer is told once, with what to do."""
    root = put(tmp_path / "书", 第1章="沈舟。\n", cards__沈舟=CARD.format("船主"), 内__第9章="沈舟。\n")
    (root / "book.toml").touch()
    (root / "内/.inkwright").mkdir()
    editor = await start(root=root)
    inner = editor.open("内/第9章.md")
    assert await chapters(editor, "内/第9章.md") == ["第9章.md"]
    assert await chapters(editor, "第1章.md") == ["第1章.md"]
    assert await hover(editor, inner) == ""
    await editor.client.until(lambda: shown(editor))
    event = {"changes": [{"uri": editor.uri("第1章.md"), "type": 2}]}
    editor.client.notify("workspace/didChangeWatchedFiles", event)
    await book(editor, "第1章.md")
    assert len(shown(editor)) == 1
    assert "内" in shown(editor)[0]


async def test_no_book_is_made_in_a_book(start, tmp_path):
    """createBook on a folder in a book is refused by name; on a folder beside it, it makes a book the outer one lets go."""
    root = put(tmp_path / "架", 书__第1章="雨。\n", 书__卷一__第2章="雨。\n", 别__第3章="雨。\n")
    (root / "书/book.toml").touch()
    editor = await start(root=root)
    before = sorted(root.rglob("*"))
    request = {"command": "inkwright.createBook", "arguments": [{"uri": editor.uri("书/卷一")}]}
    response = await editor.client.request("workspace/executeCommand", request)
    assert response["error"]["data"]["code"] == "book_within"
    assert sorted(root.rglob("*")) == before
    assert await chapters(editor, "x.md") == ["别/第3章.md"]
    made = await editor.client.command("inkwright.createBook", {"uri": editor.uri("别"), "title": "别册"})
    assert (made["title"], made["owned"]) == ("别册", True)
    assert (root / "别/.inkwright").is_dir()
    assert not (root / ".inkwright").exists()
    assert await chapters(editor, "x.md") == []
    assert await chapters(editor, "别/第3章.md") == ["第3章.md"]


@pytest.mark.parametrize("mark", ["book.toml", ".inkwright"])
async def test_a_mark_that_comes_and_goes(start, tmp_path, mark, until):
    """An open document changes its book with the mark, and its cards with it."""
    root = put(tmp_path / "书", 第1章="沈舟。\n", cards__沈舟=CARD.format("船主"))
    put(root / "内", 第2章="沈舟。\n")
    editor = await start(root=root)
    uri = editor.open("内/第2章.md")
    await until(lambda: hover(editor, uri), lambda said: "船主" in said)
    place = root / "内" / mark

    def told(kind: int) -> None:
        event = {"changes": [{"uri": place.as_uri(), "type": kind}]}
        editor.client.notify("workspace/didChangeWatchedFiles", event)

    place.touch() if mark == "book.toml" else place.mkdir()
    told(1)
    await until(lambda: hover(editor, uri), lambda said: said == "")
    await until(lambda: chapters(editor, "第1章.md"), lambda found: found == ["第1章.md"])
    place.unlink() if mark == "book.toml" else shutil.rmtree(place)
    told(3)
    await until(lambda: hover(editor, uri), lambda said: "船主" in said)
    await until(lambda: chapters(editor, "第1章.md"), lambda found: found == ["第1章.md", "内/第2章.md"])


async def test_the_home_folder_is_refused_and_said(start, tmp_path):
    """As a folder of the workspace it is not read; the writer is told, and a file in it has what a file alone has."""
    home = put(tmp_path / "home", 散="# 散\n\n雨。\n", 深__第1章="雨。\n")
    editor = await start(root=home)
    uri = editor.open("散.md")
    assert await editor.client.call("textDocument/documentSymbol", {"textDocument": {"uri": uri}})
    await editor.client.until(lambda: shown(editor))
    assert str(home) in shown(editor)[0]
    assert await chapters(editor, "散.md") == ["散.md"]


async def test_a_folder_that_nobody_may_read(spawn, tmp_path):
    """A root without rights, one that is a file, one that is not there: the start goes on, the other folder is served."""
    shut = put(tmp_path / "关", 第1章="雨。\n")
    good = put(tmp_path / "开", 第1章="# 一\n\n雨。\n")
    shut.chmod(0)
    try:
        client = await spawn()
        folders = [shut, good / "第1章.md", tmp_path / "无", good]
        await client.initialize({}, workspaceFolders=[folder(f) for f in folders])
        found = await client.command("inkwright.getBook", {"uri": good.as_uri()})
        assert [c["path"] for c in found["chapters"]] == ["第1章.md"]
        if not os.access(shut, os.R_OK):
            found = await client.command("inkwright.getBook", {"uri": shut.as_uri()})
            assert found["chapters"] == []
        assert await client.quit() == 0
    finally:
        shut.chmod(0o700)


async def test_a_folder_full_of_other_things(start, tmp_path):
    """Fifty thousand files that are no Markdown hold up nothing: the book in among them is there."""
    root = put(tmp_path / "书", 第1章="雨。\n")
    heap = root / "照片"
    heap.mkdir()
    (heap / "0.jpg").touch()
    for i in range(1, 50_000):
        os.link(heap / "0.jpg", heap / f"{i}.jpg")
    put(root, 照片__说明="雨。\n")
    editor = await start(root=root)
    uri = editor.open("第2章.md", "# 二\n")
    assert await editor.client.call("textDocument/documentSymbol", {"textDocument": {"uri": uri}})
    assert "第1章.md" in await chapters(editor, "第1章.md")


async def test_ignore_files(start, tmp_path, until):
    """What one leaves out is in no answer, open or not; changed, the answers follow without a restart."""
    root = put(tmp_path / "书", 第1章="雨。\n", 草稿__第2章="雨。\n", cards__沈舟=CARD.format("船主"))
    put(root, 草稿__cards__沈舟=CARD.format("旧稿"))
    (root / ".gitignore").write_text("草稿/\n*.bak.md\n")
    editor = await start(root=root)
    editor.open("草稿/第2章.md")
    editor.open("草稿/第3章.md", "沈舟\n")
    assert await chapters(editor, "第1章.md") == ["第1章.md"]
    assert len((await book(editor, "第1章.md"))["cards"]) == 1
    (root / ".inkwrightignore").write_text("!草稿/\n")
    event = {"changes": [{"uri": editor.uri(".inkwrightignore"), "type": 1}]}
    editor.client.notify("workspace/didChangeWatchedFiles", event)
    every = ["第1章.md", "草稿/第2章.md", "草稿/第3章.md"]
    await until(lambda: chapters(editor, "第1章.md"), lambda found: found == every)

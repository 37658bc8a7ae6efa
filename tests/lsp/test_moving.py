"""moveChapter over LSP: a versioned edit of `order:` that the editor makes and can undo, or a reason why not."""

from __future__ import annotations

import pytest

POOR = {"textDocument": {}}


def write(root, **orders):
    for name, order in orders.items():
        head = f"---\r\ntitle: {name}\r\norder: {order}\r\n---\r\n" if order is not None else ""
        (root / "卷" / f"{name}.md").parent.mkdir(exist_ok=True)
        (root / "卷" / f"{name}.md").write_bytes(f"{head}# {name}\r\n\r\n😀雨。\r\n".encode())


async def order(editor):
    found = await editor.client.command("inkwright.getBook", {"uri": editor.uri("book.toml")})
    return [chapter["title"] for chapter in found["chapters"] if "卷/" in chapter["path"]]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
async def test_a_chapter_moves_and_moves_back(start, book, encoding):
    """An open chapter and a closed one: one line of one file changes, and with it the order; undone it is as before."""
    write(book, 甲=1, 乙=2, 丙=3)
    before = {path: path.read_bytes() for path in book.rglob("*") if path.is_file()}
    editor = await start(encoding=encoding)
    assert await order(editor) == ["甲", "乙", "丙"]
    uri = editor.open("卷/丙.md")
    found = await editor.client.command(
        "inkwright.moveChapter", {"uri": uri, "after": editor.uri("卷/甲.md")}
    )
    assert found == {"applied": True, "changed": [{"uri": uri, "order": "1.5"}]}
    assert "order: 1.5\r\n" in editor.texts[uri]
    assert await order(editor) == ["甲", "丙", "乙"]
    (edited,) = editor.edits[-1]["documentChanges"]
    assert edited["textDocument"] == {"uri": uri, "version": 1}
    closed = editor.uri("卷/甲.md")
    found = await editor.client.command(
        "inkwright.moveChapter", {"uri": closed, "before": editor.uri("卷/乙.md")}
    )
    assert found["changed"][0]["order"] == "1.75"
    assert await order(editor) == ["丙", "甲", "乙"]
    editor.type(uri, editor.find(uri, "1.5"), "3", delete=3)
    editor.type(closed, editor.find(closed, "1.75"), "1", delete=4)
    assert await order(editor) == ["甲", "乙", "丙"]
    assert {path: path.read_bytes() for path in book.rglob("*") if path.is_file()} == before
    assert editor.texts[uri].encode() == before[book / "卷/丙.md"]


async def test_nothing_to_do(start, book):
    """A chapter that stands there already is not touched."""
    write(book, 甲=1, 乙=2)
    editor = await start()
    asked = {"uri": editor.uri("卷/甲.md"), "before": editor.uri("卷/乙.md")}
    assert await editor.client.command("inkwright.moveChapter", asked) == {"applied": True, "changed": []}
    assert editor.edits == []


async def test_an_editor_that_takes_no_edits_gets_the_edit(start, book):
    """Without `applyEdit` the answer carries it."""
    write(book, 甲=1, 乙=2)
    editor = await start(capabilities=POOR)
    asked = {"uri": editor.uri("卷/乙.md"), "before": editor.uri("卷/甲.md")}
    found = await editor.client.command("inkwright.moveChapter", asked)
    assert found["applied"] is False
    editor.apply(found["edit"])
    assert await order(editor) == ["乙", "甲"]


async def test_refused_edits_are_told(start, book):
    """The editor's word on the edit is the answer."""
    write(book, 甲=1, 乙=2)
    editor = await start()
    editor.refuse_edits = True
    asked = {"uri": editor.uri("卷/乙.md"), "before": editor.uri("卷/甲.md")}
    assert (await editor.client.command("inkwright.moveChapter", asked))["applied"] is False
    assert await order(editor) == ["甲", "乙"]


@pytest.mark.parametrize(
    ("files", "asked", "code"),
    [
        ({"甲": None, "乙": 2}, {"uri": "卷/乙.md", "before": "卷/甲.md"}, "move_by_names"),
        ({"甲": 1}, {"uri": "卷/甲.md", "after": "第一章.md"}, "move_other_folder"),
        ({"甲": 1}, {"uri": "cards/林夏.md", "after": "卷/甲.md"}, "move_no_chapter"),
        ({"甲": 1}, {"uri": "卷/甲.md", "after": "没有.md"}, "move_no_chapter"),
        ({"甲": 1}, {"uri": "卷/甲.md", "index": 99}, "move_no_place"),
    ],
)
async def test_refusals(start, book, files, asked, code):
    """Each with its code and a sentence, and no edit asked for."""
    write(book, **files)
    editor = await start()
    named = {name: editor.uri(value) if isinstance(value, str) else value for name, value in asked.items()}
    response = await editor.client.request(
        "workspace/executeCommand", {"command": "inkwright.moveChapter", "arguments": [named]}
    )
    assert response["error"]["data"]["code"] == code
    assert editor.edits == []


async def test_another_program_keeps_its_order(start, tmp_path):
    """In a Longform project the order stands in its index: it is refused by name."""
    root = tmp_path / "长"
    (root / "scenes").mkdir(parents=True)
    index = "---\nlongform:\n  format: scenes\n  title: 渡\n  sceneFolder: scenes\n  scenes:\n    - a\n    - b\n---\n"
    (root / "Index.md").write_text(index, "utf-8")
    for name in "ab":
        (root / f"scenes/{name}.md").write_text(f"---\norder: {ord(name)}\n---\n雨。\n", "utf-8")
    editor = await start(root=root)
    asked = {"uri": editor.uri("scenes/a.md"), "after": editor.uri("scenes/b.md")}
    response = await editor.client.request(
        "workspace/executeCommand", {"command": "inkwright.moveChapter", "arguments": [asked]}
    )
    assert response["error"]["data"]["code"] == "move_other_layout"
    assert "longform" in response["error"]["message"].lower()

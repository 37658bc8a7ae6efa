"""Links between files: every spelling of a target leads there, and what a rename writes is what a writer would."""

from __future__ import annotations

import unicodedata
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest


def targets(found: list[Any]) -> list[str]:
    return [unicodedata.normalize("NFC", unquote(urlsplit(link["target"]).path)) for link in found]


@pytest.mark.parametrize("form", ["NFC", "NFD"])
async def test_four_spellings_of_one_target(start, tmp_path, form):
    """Encoded, in angle brackets, raw with an escape for the space, and in the other normal form: one file."""
    root = tmp_path / "书"
    root.mkdir()
    name = unicodedata.normalize(form, "šumnik je.md")
    (root / name).write_text("# Š\n\nrain\n", "utf-8")
    (root / "第 1 章.md").write_text("# 一\n\n雨。\n", "utf-8")
    spellings = [
        "[a](%C5%A1umnik%20je.md)",
        "[b](<šumnik je.md>)",
        "[c](šumnik%20je.md)",
        f"[d](<{unicodedata.normalize('NFD', 'šumnik je.md')}>)",
        "[e](./%C5%A1umnik%20je.md#x)",
    ]
    editor = await start(root=root)
    uri = editor.open(
        "第2章.md", "# 二\n\n" + "\n\n".join(spellings) + "\n\n[f](<第 1 章.md>) [g](第%201%20章.md)\n"
    )
    asked = {"textDocument": {"uri": uri}}
    await editor.client.command("inkwright.getBook", {"uri": uri})
    found = targets(await editor.client.call("textDocument/documentLink", asked))
    wanted = unicodedata.normalize("NFC", str(root / name))
    assert found == [wanted] * 5 + [str(root / "第 1 章.md")] * 2


async def test_a_rename_keeps_what_stands_around_the_path(start, tmp_path):
    """Angle brackets, anchor, title and shown text stay; the new name is written as it is read, not encoded."""
    root = tmp_path / "书"
    root.mkdir()
    (root / "b.md").write_text("# h\n", "utf-8")
    text = '# 一\n\n[x](<b.md#h>) [y](b.md#h "题") [z](./b.md)\n'
    (root / "a.md").write_text(text, "utf-8")
    editor = await start(root=root)
    editor.open("a.md")
    for new, said in (
        ("c.md", '[x](<c.md#h>) [y](c.md#h "题") [z](./c.md)'),
        ("新名.md", '[x](<新名.md#h>) [y](新名.md#h "题") [z](./新名.md)'),
    ):
        files = {"files": [{"oldUri": editor.uri("b.md"), "newUri": editor.uri(new)}]}
        edit = await editor.client.call("workspace/willRenameFiles", files)
        (change,) = edit["documentChanges"]
        lines = editor.texts[change["textDocument"]["uri"]].split("\n")
        for one in sorted(change["edits"], key=lambda e: -e["range"]["start"]["character"]):
            place = one["range"]
            line = lines[place["start"]["line"]]
            lines[place["start"]["line"]] = (
                line[: place["start"]["character"]] + one["newText"] + line[place["end"]["character"] :]
            )
        assert said in lines


async def test_what_we_make_ourselves_is_known_without_a_watcher(start, book):
    """A card that a command made stands in the very next answer; nobody has to tell of its file."""
    editor = await start(capabilities={"textDocument": {"hover": {"contentFormat": ["markdown"]}}})
    uri = editor.open("第三章.md", "沈舟来了。\n")
    where = {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 0}}
    assert await editor.client.call("textDocument/hover", where) is None
    made = {"uri": uri, "name": "沈舟", "type": "character", "content": "船主。"}
    card = await editor.client.command("inkwright.createCard", made)
    assert Path(unquote(urlsplit(card["uri"]).path)).is_file()
    assert "船主" in (await editor.client.call("textDocument/hover", where))["contents"]["value"]


@pytest.mark.parametrize("opened", [False, True])
async def test_one_rename_right_after_another(start, tmp_path, opened):
    """A file that moves on in the same breath takes its own links along, and those to it follow."""
    root = tmp_path / "书"
    root.mkdir()
    (root / "甲.md").write_text("# 甲\n\n[乙](乙0.md)\n", "utf-8")
    (root / "乙0.md").write_text("# 乙\n\n[甲](甲.md)\n", "utf-8")
    for number in range(40):  # a book that takes a moment to look at
        (root / f"旁{number}.md").write_text("# 旁\n\n[乙](乙0.md)\n" * 20, "utf-8")
    editor = await start(root=root)
    await editor.client.command("inkwright.getBook", {"uri": editor.uri("甲.md")})
    places = ["乙0.md", "卷一/乙1.md", "卷一/卷二/乙2.md", "乙3.md", "卷三/乙4.md"]
    told: dict[str, Any] | None = None
    for old, new in pairwise(places):
        files = {"files": [{"oldUri": editor.uri(old), "newUri": editor.uri(new)}]}
        if told is not None:
            editor.client.notify("workspace/didRenameFiles", told)
        if opened:
            editor.client.open(editor.uri(old), (root / old).read_text("utf-8"))
        edit = await editor.client.call("workspace/willRenameFiles", files)
        for change in edit["documentChanges"]:
            path = Path(unquote(urlsplit(change["textDocument"]["uri"]).path))
            lines = path.read_text("utf-8").split("\n")
            for one in sorted(change["edits"], key=lambda e: -e["range"]["start"]["character"]):
                line, start_, end = (
                    one["range"]["start"]["line"],
                    one["range"]["start"]["character"],
                    one["range"]["end"]["character"],
                )
                lines[line] = lines[line][:start_] + one["newText"] + lines[line][end:]
            path.write_text("\n".join(lines), "utf-8")
        if opened:
            editor.client.notify("textDocument/didClose", {"textDocument": {"uri": editor.uri(old)}})
        (root / new).parent.mkdir(parents=True, exist_ok=True)
        (root / old).rename(root / new)
        told = files
        up = "../" * new.count("/")
        assert (root / "甲.md").read_text("utf-8") == f"# 甲\n\n[乙]({new})\n"
        assert (root / new).read_text("utf-8") == f"# 乙\n\n[甲]({up}甲.md)\n"
        assert (root / "旁3.md").read_text("utf-8") == f"# 旁\n\n[乙]({new})\n" * 20

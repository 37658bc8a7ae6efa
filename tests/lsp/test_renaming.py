"""Renaming a card across the book, as editors of different abilities see it, in all three encodings."""

from __future__ import annotations

import copy
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

ASKS = {
    "workspace": {
        "workspaceEdit": {
            "documentChanges": True,
            "resourceOperations": ["create", "rename", "delete"],
            "changeAnnotationSupport": {"groupsOnLabel": True},
        },
        "fileOperations": {"willRename": True, "didRename": True},
    },
    "textDocument": {"rename": {"prepareSupport": True}},
}


def can(*, annotations=True, operations=("rename",), versions=True, encodings=("utf-16",)):
    """The capabilities of an editor that can do so much."""
    out = copy.deepcopy(ASKS)
    edit = out["workspace"]["workspaceEdit"]
    edit["resourceOperations"] = list(operations)
    if not annotations:
        del edit["changeAnnotationSupport"]
    if not versions:
        out["workspace"]["workspaceEdit"] = {}
    out["general"] = {"positionEncodings": list(encodings)}
    return out


class Desk:
    """Open documents and files, and the edits of a server made to them the way an editor makes them."""

    def __init__(self, client, root, encoding="utf-16"):
        self.client, self.root, self.encoding = client, root, encoding
        self.open_texts = {}

    def uri(self, name):
        return (self.root / name).as_uri()

    def path(self, uri):
        return Path(unquote(urlsplit(uri).path))

    def text(self, uri):
        return self.open_texts.get(uri) or self.path(uri).read_bytes().decode("utf-8-sig")

    def open(self, name, version=1):
        uri = self.uri(name)
        self.open_texts[uri] = self.path(uri).read_bytes().decode("utf-8-sig")
        self.client.open(uri, self.open_texts[uri], version)
        return uri

    def units(self, text):
        codec = {"utf-8": "utf-8", "utf-16": "utf-16-le", "utf-32": "utf-32-le"}[self.encoding]
        return len(text.encode(codec)) // {"utf-8": 1, "utf-16": 2, "utf-32": 4}[self.encoding]

    def place(self, uri, piece, nth=0, into=0):
        text, at = self.text(uri), -1
        for _ in range(nth + 1):
            at = text.index(piece, at + 1)
        before = text[: at + into].replace("\r\n", "\n").replace("\r", "\n")
        position = {"line": before.count("\n"), "character": self.units(before.rpartition("\n")[2])}
        return {"textDocument": {"uri": uri}, "position": position}

    def offset(self, text, place):
        at = 0
        for _ in range(place["line"]):
            at = min(end for eol in ("\n", "\r") if (end := text.find(eol, at)) >= 0)
            at += 2 if text.startswith("\r\n", at) else 1
        stop = at
        while self.units(text[at:stop]) < place["character"]:
            stop += 1
        return stop

    def made(self, edit, *, confirm=False):
        """The texts by path after an edit: with `confirm` the groups that wait are ticked as well."""
        notes = edit.get("changeAnnotations", {})
        rows = [
            (c["textDocument"]["uri"], c["edits"]) for c in edit.get("documentChanges", ()) if "edits" in c
        ]
        rows += list(edit.get("changes", {}).items())
        out = {}
        for uri, edits in rows:
            text = self.text(uri)
            kept = [
                (self.offset(text, e["range"]["start"]), self.offset(text, e["range"]["end"]), e["newText"])
                for e in edits
                if confirm or not notes.get(e.get("annotationId"), {}).get("needsConfirmation")
            ]
            for start, end, new in sorted(kept, reverse=True):
                text = text[:start] + new + text[end:]
            out[str(self.path(uri).relative_to(self.root))] = text
        return out

    async def rename(self, uri, piece, new, **more):
        at = self.place(uri, piece, **more)
        return await self.client.request("textDocument/rename", {**at, "newName": new})


async def begin(spawn, root, capabilities=None, encoding="utf-16"):
    client = await spawn()
    given = capabilities or can(encodings=(encoding,))
    folders = [{"uri": root.as_uri(), "name": "b"}]
    result = await client.initialize(given, workspaceFolders=folders, locale="en")
    client.capabilities = result["capabilities"]
    return Desk(client, root, encoding)


def write(root, **files):
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    return root


CARD = "---\ntype: character\nname: 林夏\naliases: [小夏, 林夏姑娘]\n---\n# 林夏\n\n林夏是学徒。\n"
OTHER = "---\ntype: character\nname: 周衡\nrelations: 林夏的师兄\nknows: [林夏]\n---\n见 [[林夏]]、[她](林夏.md)。\n"
ONE = (
    "---\ntitle: 渡口\npov: 林夏\ncharacters: [林夏, 周衡]\nsynopsis: |\n  林夏等船。\n---\n# 第一章 林夏\n\n"
    "😋𠮷林夏来了。[[林夏|她]]说：“我是林夏姑娘。”小夏[[林夏]]笑。\r\n\r\n"
    "见[卡](cards/林夏.md#生平)，又见[卡](<cards/林夏.md>)，又见[卡](cards/%E6%9E%97%E5%A4%8F.md)。`林夏`\n"
)
BOOK = {
    "cards/林夏.md": CARD,
    "cards/周衡.md": OTHER,
    "第一章.md": ONE,
    "第二章.md": "# 第二章\n\n夏天到了。\n",
}


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
async def test_a_card_is_renamed_across_the_book(spawn, tmp_path, encoding):
    """Name, heading, aliases with the name in them, fields, links, and the card's own file; nothing else."""
    desk = await begin(spawn, write(tmp_path / "书", **BOOK), encoding=encoding)
    uri = desk.open("第一章.md", 7)
    at = desk.place(uri, "林夏来了", into=1)
    found = await desk.client.call("textDocument/prepareRename", at)
    assert found["placeholder"] == "林夏"
    assert found["range"]["start"] == desk.place(uri, "林夏来了")["position"]
    edit = (await desk.rename(uri, "林夏来了", "林秋"))["result"]
    sure = desk.made(edit)
    assert sure["第一章.md"] == (
        ONE.replace("`林夏`", "`X`")
        .replace("cards/%E6%9E%97%E5%A4%8F.md", "cards/林夏.md")
        .replace("林夏", "林秋")
        .replace("`X`", "`林夏`")
    )
    assert sure["cards/周衡.md"] == OTHER.replace("林夏", "林秋")
    assert sure["cards/林夏.md"] == CARD.replace("林夏", "林秋")
    assert set(sure) == set(BOOK) - {"第二章.md"}
    assert desk.made(edit, confirm=True)["第一章.md"].count("小秋") == 1
    assert desk.made(edit, confirm=True)["cards/林夏.md"].count("小秋") == 1
    versions = {c["textDocument"]["uri"]: c["textDocument"]["version"] for c in edit["documentChanges"][:-1]}
    assert versions == {uri: 7, desk.uri("cards/林夏.md"): None, desk.uri("cards/周衡.md"): None}
    moved = edit["documentChanges"][-1]
    assert (moved["kind"], moved["oldUri"], moved["newUri"]) == (
        "rename",
        desk.uri("cards/林夏.md"),
        desk.uri("cards/林秋.md"),
    )
    assert moved["options"] == {"overwrite": False, "ignoreIfExists": False}
    labels = {n["label"]: n["needsConfirmation"] for n in edit["changeAnnotations"].values()}
    assert labels == {"Rename 林夏 to 林秋": False, "To check: 小夏 → 小秋": True}


async def test_links_follow_a_moved_chapter_and_folder(spawn, tmp_path):
    """Only the path part of a link is touched, in the other files and in the one that moves; text stays readable."""
    root = write(
        tmp_path / "书",
        **{
            "第一章.md": '# 一\n\n[二](<卷一/第二章.md#h>)和[二](卷一/%E7%AC%AC%E4%BA%8C%E7%AB%A0.md "t")，[[卷一/第二章]]，[[第二章|二]]。\r\n',
            "卷一/第二章.md": "[一](../第一章.md)，[三](第三章.md)，[外](https://a.b/第二章.md)。\n",
            "卷一/第三章.md": "![图](图.png)[二](./第二章.md)\n",
            "卷一/图.png": b"x",
            "cards/甲.md": "---\ntype: character\nsource: 卷一/第二章.md\n---\n甲\n",
        },
    )
    desk = await begin(spawn, root)
    one = desk.open("第一章.md", 3)
    files = [{"oldUri": desk.uri("卷一/第二章.md"), "newUri": desk.uri("卷二/新 章.md")}]
    edit = await desk.client.call("workspace/willRenameFiles", {"files": files})
    made = desk.made(edit)
    assert made == {
        "第一章.md": '# 一\n\n[二](<卷二/新 章.md#h>)和[二](卷二/新%20章.md "t")，[[卷二/新 章]]，[[新 章|二]]。\r\n',
        "卷一/第二章.md": "[一](../第一章.md)，[三](../卷一/第三章.md)，[外](https://a.b/第二章.md)。\n",
        "卷一/第三章.md": "![图](图.png)[二](../卷二/新%20章.md)\n",
        "cards/甲.md": "---\ntype: character\nsource: 卷二/新 章.md\n---\n甲\n",
    }
    assert {c["textDocument"]["uri"]: c["textDocument"]["version"] for c in edit["documentChanges"]}[one] == 3
    files = [{"oldUri": desk.uri("卷一"), "newUri": desk.uri("部/卷甲")}]
    made = desk.made(await desk.client.call("workspace/willRenameFiles", {"files": files}))
    assert made == {
        "第一章.md": '# 一\n\n[二](<部/卷甲/第二章.md#h>)和[二](部/卷甲/第二章.md "t")，[[部/卷甲/第二章]]，[[第二章|二]]。\r\n',
        "卷一/第二章.md": "[一](../../第一章.md)，[三](第三章.md)，[外](https://a.b/第二章.md)。\n",
        "cards/甲.md": "---\ntype: character\nsource: 部/卷甲/第二章.md\n---\n甲\n",
    }

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


async def test_what_cannot_be_renamed_is_said(spawn, tmp_path):
    """Each refusal is an error with a sentence; the server goes on."""
    desk = await begin(
        spawn, write(tmp_path / "书", **BOOK, **{"cards/老周.md": CARD.replace("林夏", "周夏")})
    )
    uri = desk.open("第一章.md")

    async def refused(piece, new, **more):
        error = (await desk.rename(uri, piece, new, **more))["error"]
        assert error["code"] == -32803
        assert error["message"] != error["data"]["code"]
        return error["data"]["code"]

    assert await refused("来了", "林秋", into=1) == "rename_nothing_here"
    assert await refused("林夏来了", " ") == "card_name_empty"
    assert await refused("林夏来了", "周衡") == "rename_taken"
    assert await refused("林夏来了", "林\n秋") == "card_name_line_break"
    for path in ("../../X", "/X", "X/Y", "X\\Y", ".X"):
        assert await refused("林夏来了", path) == "card_name_path"
    assert await refused("小夏", "小秋") == "rename_ambiguous"
    nowhere = await desk.client.request("textDocument/prepareRename", desk.place(uri, "来了", into=1))
    assert nowhere["error"]["data"] == {"code": "rename_nothing_here"}
    closed = {"textDocument": {"uri": desk.uri("第二章.md")}, "position": {"line": 0, "character": 0}}
    answer = await desk.client.request("textDocument/rename", {**closed, "newName": "x"})
    assert answer["error"]["data"] == {"code": "rename_nothing_here"}
    same = await desk.rename(uri, "林夏来了", "林夏")
    assert same["result"]["documentChanges"] == []


@pytest.mark.parametrize(
    ("name", "piece", "more"),
    [
        ("第一章.md", "pov: 林夏", {"into": 5}),
        ("第一章.md", "[[林夏|", {"into": 2}),
        ("第一章.md", "|她]]", {"into": 1}),
        ("第一章.md", "# 第一章 林夏", {"into": 7}),
        ("cards/林夏.md", "name: 林夏", {"into": 6}),
        ("cards/林夏.md", "# 林夏", {"into": 3}),
        ("cards/周衡.md", "[[林夏", {"into": 3}),
    ],
)
async def test_it_begins_at_any_place_of_the_name(spawn, tmp_path, name, piece, more):
    """Prose, link, what a link shows, heading, front matter, the card's own file: the same rename."""
    desk = await begin(spawn, write(tmp_path / "书", **BOOK))
    uri = desk.open(name)
    found = await desk.client.call("textDocument/prepareRename", desk.place(uri, piece, **more))
    assert found["placeholder"] == "林夏"
    made = desk.made((await desk.rename(uri, piece, "林秋", **more))["result"])
    assert set(made) == {"第一章.md", "cards/林夏.md", "cards/周衡.md"}
    assert made["cards/林夏.md"].startswith("---\ntype: character\nname: 林秋\n")


async def test_a_client_that_cannot_ask(spawn, tmp_path):
    """It gets what is sure, and a page that lists the rest; without documentChanges the same by URI."""
    for versions in (True, False):
        root = write(tmp_path / f"书{versions}", **BOOK)
        desk = await begin(spawn, root, can(annotations=False, operations=(), versions=versions))
        uri = desk.open("第一章.md")
        edit = (await desk.rename(uri, "林夏来了", "林秋"))["result"]
        assert set(edit) == {"documentChanges" if versions else "changes"}
        assert "annotationId" not in str(edit)
        made = desk.made(edit)
        assert "小夏" in made["第一章.md"]
        assert "(cards/林夏.md#生平)" in made["第一章.md"]  # the file keeps its name
        assert made["cards/林夏.md"] == CARD.replace("林夏", "林秋")
        (told,) = desk.client.got("window/showMessage")
        page = desk.path("file://" + told["message"].partition("file://")[2]).read_text("utf-8")
        assert "- `小夏` → `小秋`: 2\n" in page
        assert ") `小夏` → `小秋`" not in page  # a place is shown with what stands around it
        assert "小夏[[林夏]]笑" in page
        assert "→ `小秋`" in page
        assert f"({desk.uri('第一章.md')}#L10)" in page


async def test_a_name_that_only_the_file_gives(spawn, tmp_path):
    """The file is renamed; where the client cannot, or another is called so, the name goes into its front matter."""
    for operations, taken in ((("rename",), False), ((), False), (("rename",), True)):
        files = {"cards/林夏.md": "学徒。\n", "第一章.md": "林夏，[[林夏]]。\n"}
        if taken:
            files["cards/林秋.md"] = "---\nname: 别人\n---\n"
        root = write(tmp_path / f"书{len(operations)}{taken}", **files)
        desk = await begin(spawn, root, can(operations=operations))
        uri = desk.open("第一章.md")
        edit = (await desk.rename(uri, "林夏", "林秋"))["result"]
        made = desk.made(edit)
        assert made["第一章.md"] == "林秋，[[林秋]]。\n"
        moved = [c for c in edit["documentChanges"] if c.get("kind") == "rename"]
        assert bool(moved) == (bool(operations) and not taken)
        assert made.get("cards/林夏.md", "") == ("" if moved else "---\nname: 林秋\n---\n学徒。\n")
        assert bool(desk.client.got("window/showMessage")) == taken


async def test_files_that_cannot_be_written_are_named(spawn, tmp_path, until):
    """A chapter in another encoding is left out and told of; a card in one refuses the rename."""
    chapter = "# 第三章\n\n林夏来了，雨还在下，船已经走了。\n" * 20
    root = write(tmp_path / "书", **BOOK, **{"第三章.md": chapter.encode("gb18030")})
    desk = await begin(spawn, root)
    uri = desk.open("第一章.md")
    edit = (await desk.rename(uri, "林夏来了", "林秋"))["result"]
    assert desk.uri("第三章.md") not in str(edit)
    assert "第三章.md" in desk.client.got("window/showMessage")[0]["message"]
    write(root, **{"cards/林夏.md": (CARD + "学徒说话慢，记性好，从不离开渡口。\n" * 20).encode("gb18030")})
    changed = [{"uri": desk.uri("cards/林夏.md"), "type": 2}]
    desk.client.notify("workspace/didChangeWatchedFiles", {"changes": changed})
    await until(
        lambda: desk.rename(uri, "林夏来了", "林秋"),
        lambda answer: answer.get("error", {}).get("data") == {"code": "rename_readonly_card"},
    )


async def test_what_is_typed_counts(spawn, tmp_path):
    """An open document's own text and version, a chapter that is not saved yet, one that was deleted meanwhile."""
    root = write(tmp_path / "书", **BOOK)
    desk = await begin(spawn, root)
    uri = desk.open("第一章.md", 4)
    await desk.client.call("textDocument/prepareRename", desk.place(uri, "林夏来了"))
    desk.open_texts[uri] = "林夏。" + desk.text(uri).partition("---\n# ")[2]
    desk.client.change(uri, 9, {"text": desk.open_texts[uri]})
    other = desk.open("第二章.md", 2)
    desk.open_texts[other] = "林夏到了。\n"
    desk.client.change(other, 3, {"text": desk.open_texts[other]})
    (root / "cards/周衡.md").unlink()
    edit = (await desk.rename(uri, "林夏", "林秋"))["result"]
    assert desk.made(edit)["第二章.md"] == "林秋到了。\n"
    assert desk.made(edit)["第一章.md"].startswith("林秋。第一章 林秋\n")
    versions = {c["textDocument"]["uri"]: c["textDocument"]["version"] for c in edit["documentChanges"][:-1]}
    assert versions == {uri: 9, other: 3, desk.uri("cards/林夏.md"): None}


async def test_two_characters_with_one_given_name(spawn, tmp_path):
    """Only what the one alone can mean is sure; the rest is listed apart, with the card's own alias."""
    files = {
        "cards/a.md": "---\ntype: character\nname: Fred Smith\naliases: [Fred]\n---\n",
        "cards/b.md": "---\ntype: character\nname: Fred Jones\naliases: [Fred]\n---\n",
        "one.md": "# One\n\nFred Smith met Fred Jones. Fred laughed at Fred’s joke; Fred Smith’s hat.\n",
    }
    desk = await begin(spawn, write(tmp_path / "b", **files))
    uri = desk.open("one.md")
    edit = (await desk.rename(uri, "Fred Smith", "Frank Smith"))["result"]
    assert desk.made(edit)["one.md"] == files["one.md"].replace("Fred Smith", "Frank Smith")
    assert desk.made(edit)["cards/a.md"] == files["cards/a.md"].replace("Fred Smith", "Frank Smith")
    assert "cards/b.md" not in desk.made(edit)
    waiting = [r for c in edit["documentChanges"] for r in c["edits"] if "review" in r["annotationId"]]
    assert [row["newText"] for row in waiting] == ["Frank"] * 3


async def test_what_is_kept_goes_along(spawn, tmp_path, until):
    """After a move the index knows the new path at once, and the chapter is the one that it was."""
    root = write(tmp_path / "书", **BOOK, **{".inkwright/x": "", "卷一/第三章.md": "# 第三章\n\n林夏。\n"})
    desk = await begin(spawn, root)
    client = desk.client
    chapter = {"uri": desk.uri("卷一/第三章.md")}
    await client.command("inkwright.runAbility", {"ability": "polish", "uri": chapter["uri"]})
    before = await client.command("inkwright.stats", chapter)
    (root / "卷一").rename(root / "卷二")
    text = (root / "卷二/第三章.md").read_text("utf-8")
    (root / "卷二/第三章.md").write_text(text + "又来了。\n", "utf-8")
    moved = [{"oldUri": desk.uri("卷一"), "newUri": desk.uri("卷二")}]
    client.notify("workspace/didRenameFiles", {"files": moved})

    async def after():
        return await client.command("inkwright.stats", {"uri": desk.uri("卷二/第三章.md")})

    assert before["today"]["han"] == 0
    # A question that comes at once sees what there is.
    found = await until(after, lambda found: found["today"]["han"] == 3)
    paths = [row["path"] for row in found["chapters"]]
    assert "卷二/第三章.md" in paths
    assert "卷一/第三章.md" not in paths


async def test_a_client_that_does_not_tell_of_the_rename(spawn, tmp_path, until):
    """It opens the card under its new name: the old file is forgotten without a watcher."""
    root = write(tmp_path / "书", **BOOK)
    capabilities = can()
    del capabilities["workspace"]["fileOperations"]
    desk = await begin(spawn, root, capabilities)
    assert (
        "fileOperations" not in desk.client.capabilities["workspace"]
        or not desk.client.capabilities["workspace"]["fileOperations"]
    )
    uri = desk.open("第一章.md")
    edit = (await desk.rename(uri, "林夏来了", "林秋"))["result"]
    for name, text in desk.made(edit).items():
        (root / name).write_bytes(text.encode())
        if name == "第一章.md":
            desk.open_texts[uri] = text
            desk.client.change(uri, 2, {"text": text})
    (root / "cards/林夏.md").rename(root / "cards/林秋.md")
    desk.open("cards/林秋.md")

    async def cards():
        return {card["path"] for card in await desk.client.command("inkwright.listCards", {"uri": uri})}

    await until(cards, lambda found: found == {"cards/林秋.md", "cards/周衡.md"})
    back = (await desk.rename(uri, "林秋来了", "林夏"))["result"]
    assert desk.made(back)["第一章.md"] == ONE.replace("cards/%E6%9E%97%E5%A4%8F.md", "cards/林夏.md")


async def test_cards_that_share_a_file_and_cards_of_other_programs(spawn, tmp_path):
    """One of several cards in a Markdown file is renamed in place; what another program keeps is refused."""
    several = "# 林夏\n\n学徒。\n\n# 周衡\n\n林夏的师兄。\n"
    foreign = "[{ name: '沈舟', aliases: ['小舟'] }]"
    files = {
        "cards/人物.md": several,
        "novel-helper/character-gallery.json5": foreign,
        "第一章.md": "# 一\n\n林夏和周衡，还有沈舟。\n",
    }
    desk = await begin(spawn, write(tmp_path / "书", **files))
    uri = desk.open("第一章.md")
    edit = (await desk.rename(uri, "林夏", "林秋"))["result"]
    want = {name: text.replace("林夏", "林秋") for name, text in files.items() if "林夏" in text}
    assert desk.made(edit) == want
    assert not [change for change in edit["documentChanges"] if "kind" in change]
    answer = await desk.rename(uri, "沈舟", "沈帆")
    assert answer["error"]["data"] == {"code": "rename_foreign"}


NAMESAKES = {
    "cards/林夏.md": "---\ntype: character\nname: 林夏\naliases: [阿夏, 夏儿]\n---\n# 林夏\n\n林夏是学徒，人称阿夏。\n",
    "cards/周夏.md": "---\r\ntype: character\r\nname: 周夏\r\naliases: [阿夏]\r\n---\r\n周夏是先生，不是林夏。\r\n",
    "第一章.md": "\ufeff# 第一章\r\n\r\n😋𠮷林夏见了周夏。阿夏不语；林夏的船，夏儿的桨。\r\n\r\n阿夏笑了。夏天到了。\r\n",
    "第二章.md": "---\ncharacters: [周夏, 林夏]\n---\n# 第二章\n\n[[林夏|她]]与[[周夏]]、[[阿夏]]。\r周夏说：“阿夏！”",
}


def bytes_of(root):
    return {str(p.relative_to(root)): p.read_bytes() for p in sorted(root.rglob("*.md"))}


def save(desk, edit):
    """The edit made on the disk, its renamed files too; what was there is kept byte by byte elsewhere."""
    for path, text in desk.made(edit).items():
        marked = (desk.root / path).read_bytes().startswith(b"\xef\xbb\xbf")
        (desk.root / path).write_bytes((b"\xef\xbb\xbf" if marked else b"") + text.encode())
    changed = [{"uri": desk.uri(path), "type": 2} for path in desk.made(edit)]
    for move in edit.get("documentChanges", []):
        if move.get("kind") == "rename":
            desk.path(move["oldUri"]).rename(desk.path(move["newUri"]))
            changed += [{"uri": move["oldUri"], "type": 3}, {"uri": move["newUri"], "type": 1}]
    desk.client.notify("workspace/didChangeWatchedFiles", {"changes": changed})


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
@pytest.mark.parametrize("annotations", [True, False])
async def test_namesakes_and_the_way_back(spawn, tmp_path, encoding, annotations, until):
    """Of two who share a given name only the one is renamed, where nobody else can be meant; renamed back, every
    byte is what it was: marks, line ends, characters of any width."""
    root = write(tmp_path / "书", **NAMESAKES)
    desk = await begin(spawn, root, can(annotations=annotations, encodings=(encoding,)), encoding)
    before = bytes_of(root)
    there = desk.place(desk.open("第一章.md"), "林夏见")
    edit = (await desk.client.request("textDocument/rename", {**there, "newName": "林秋"}))["result"]
    made = desk.made(edit)
    assert "阿夏不语" in made["第一章.md"]  # either of them may be meant
    for path, text in made.items():
        old = before[path].decode("utf-8-sig")
        assert text.replace("林秋", "林夏") == old, path
        assert text.count("周夏") == old.count("周夏")
        assert text.count("阿夏") == old.count("阿夏")
    assert all("林夏" not in text for text in made.values())
    assert ("changeAnnotations" in edit) == annotations
    listed = [
        row for step in edit["documentChanges"] for row in step.get("edits", ()) if row.get("annotationId")
    ]
    assert {row["newText"] for row in listed} <= {"林秋", "阿秋", "秋儿"}
    if not annotations:
        assert not listed
        page = desk.client.got("window/showMessage")[0]["message"].partition("file://")[2]
        told = desk.path("file://" + page).read_text("utf-8")
        assert "阿夏不语" in told
        assert "阿夏笑了" in told
        assert "- `阿夏` → `阿秋`: " in told
    desk.client.notify("textDocument/didClose", {"textDocument": there["textDocument"]})
    desk.open_texts.clear()
    save(desk, edit)
    assert bytes_of(root) != before
    again = desk.open("第一章.md")
    new = {path.replace("林夏", "林秋") for path in made}  # the index has to follow the files, one by one
    answer = await until(
        lambda: desk.rename(again, "林秋见", "林夏"),
        lambda answer: "result" in answer and set(desk.made(answer["result"])) == new,
    )
    back = answer["result"]
    desk.client.notify("textDocument/didClose", {"textDocument": {"uri": again}})
    desk.open_texts.clear()
    save(desk, back)
    assert bytes_of(root) == before


async def test_what_waits_is_taken_by_a_second_rename(spawn, tmp_path):
    """A client that cannot ask lists an alias by name and number; renamed at one of its places it changes everywhere."""
    cards = {
        "cards/王熙凤.md": "---\ntype: character\nname: 王熙凤\naliases: [凤姐, 熙凤]\n---\n贾府的管家。\n"
    }
    chapters = {
        f"第{n}章.md": f"# 第{n}章\n\n王熙凤来了。凤姐笑道。熙凤走了，凤姐也走了。\n" for n in range(1, 6)
    }
    root = write(tmp_path / "书", **cards, **chapters)
    desk = await begin(spawn, root, can(annotations=False))
    first = desk.open("第1章.md")
    edit = (await desk.rename(first, "王熙凤", "王小凤"))["result"]
    made = desk.made(edit)
    assert all("王小凤来了。凤姐笑道。" in made[path] for path in chapters)
    page = desk.client.got("window/showMessage")[0]["message"].partition("file://")[2]
    told = desk.path("file://" + page).read_text("utf-8")
    waiting = [line for line in told.splitlines() if line.startswith("- `")]
    assert waiting
    assert sum(int(line.rpartition(": ")[2]) for line in waiting) == told.count("#L")
    edit = (await desk.rename(first, "凤姐", "小凤姐"))["result"]
    made = desk.made(edit)
    for path in chapters:
        assert "小凤姐笑道。" in made[path]
        assert "小凤姐也走了" in made[path]

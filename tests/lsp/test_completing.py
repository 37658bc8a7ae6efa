"""Completion in links, after `@`, in front matter and at the head of a file, in all three position encodings."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def complete(editor, uri, offset=None, trigger=None):
    offset = len(editor.texts[uri]) if offset is None else offset
    context = {"triggerKind": 2, "triggerCharacter": trigger} if trigger else {"triggerKind": 1}
    where = {"textDocument": {"uri": uri}, "position": editor.position(uri, offset), "context": context}
    return await editor.client.call("textDocument/completion", where)


def labels(found):
    return [item["label"] for item in found["items"]]


def taken(editor, uri, item):
    """The text after an item was taken."""
    where = item["textEdit"]["range"]
    start, end = editor.offset(uri, where["start"]), editor.offset(uri, where["end"])
    return editor.texts[uri][:start] + item["textEdit"]["newText"] + editor.texts[uri][end:]


async def test_a_link(editor):
    """A link is closed where it is not; chapters are linked to by what is typed of their titles."""
    uri = editor.open("第一章.md")
    for typed, after, expected in (
        ("𠮷[[周", "", "𠮷[[周衡]]"),
        ("𠮷[[周", "]]", "𠮷[[周衡]]"),
        ("𠮷[[周", "]", "𠮷[[周衡]]"),
        ("𠮷[[zhou", "]]", "𠮷[[周衡]]"),
        ("𠮷[[zh", "", "𠮷[[周衡]]"),
        ("𠮷[[第二", "", "𠮷[[第二章 旧信]]"),
    ):
        end = len(editor.texts[uri])
        editor.type(uri, end, typed + after)
        found = await complete(editor, uri, end + len(typed), "[" if typed.endswith("[") else None)
        assert taken(editor, uri, found["items"][0])[end:] == expected
        editor.type(uri, end, "", delete=len(typed + after))


async def test_what_a_link_shows(editor):
    """After the bar the names of the card that is linked to."""
    uri = editor.open("第一章.md")
    editor.type(uri, len(editor.texts[uri]), "[[林夏|")
    assert set(labels(await complete(editor, uri))) == {"林夏", "阿夏", "夏夏"}


@pytest.mark.parametrize("typed", ["lx", "linx", "lxia", "linxia"])
async def test_pinyin(editor, typed):
    """Initials, syllables and mixtures; the filter text begins with what is typed, so that every client keeps it."""
    uri = editor.open("第一章.md")
    editor.type(uri, len(editor.texts[uri]), f"他看见{typed}")
    found = await complete(editor, uri)
    assert labels(found)[0] == "林夏"
    assert found["items"][0]["filterText"].startswith(typed)
    assert taken(editor, uri, found["items"][0]).endswith("他看见林夏")
    assert found["isIncomplete"]


async def test_no_name_for_other_letters(editor):
    """Letters that are no name's offer nothing: a word is being typed."""
    uri = editor.open("第一章.md")
    editor.type(uri, len(editor.texts[uri]), "\n\nThe qu")
    assert labels(await complete(editor, uri)) == []


async def test_the_scene_comes_first(editor):
    """The people of this scene before those of the one before it, the nearest first."""
    uri = editor.open("第一章.md")
    assert labels(await complete(editor, uri))[0] in ("林夏", "夏夏", "阿夏")
    editor.type(uri, len(editor.texts[uri]), "周衡说：")
    assert labels(await complete(editor, uri))[0] == "周衡"
    editor.type(uri, len(editor.texts[uri]), "“走。”\n\n***\n\n旧渡口空了。")
    assert labels(await complete(editor, uri))[0] == "旧渡口"


HEAD = "---\ntitle: 新\npov: \ncharacters: [林夏, 周\nlocation:\nthreads:\n  - 失信\n  - 失信的船夫: \nstatus: \n"


async def test_front_matter(editor):
    """Fields that are not there yet, names of the right kind first, threads and what becomes of them, words."""
    second = editor.open("第二章.md")
    editor.type(second, 0, "---\r\nthreads: [失信的船夫]\r\nstatus: 三稿\r\n---\r\n")
    uri = editor.open("第三章.md", HEAD + "ti\n---\n正文\n")

    async def after(piece):
        return await complete(editor, uri, editor.find(uri, piece) + len(piece))

    keys = await after("status: \n")
    assert {"order", "synopsis"} <= set(labels(keys))
    assert not {"title", "pov", "threads"} & set(labels(keys))
    assert labels(await after("status: \nti")) == ["time", "mentions"]
    people = labels(await after("pov: "))
    assert people.index("周衡") < people.index("旧渡口")
    assert labels(await after("[林夏, 周")) == ["周衡"]
    (first, *_) = (await complete(editor, uri, editor.find(uri, "location:") + 9, ":"))["items"]
    assert "location: 旧渡口\n" in taken(editor, uri, first)
    assert labels(await after("- 失信")) == ["失信的船夫"]
    assert labels(await after("船夫: ")) == ["埋设", "推进", "待回收", "回收"]
    assert labels(await after("status: "))[:2] == ["三稿", "构思"]
    prose = editor.open("第一章.md")
    editor.type(prose, len(editor.texts[prose]), "她说:")
    assert await complete(editor, prose, trigger=":") is None


async def test_front_matter_of_a_card(editor):
    """A card has other fields; an alias by its Chinese name; chapters where a fact holds from."""
    uri = editor.open("cards/林夏.md")
    head = editor.find(uri, "summary")
    editor.type(uri, head, "type: \n类\naffiliation: \n")
    assert "角色" in labels(await complete(editor, uri, editor.find(uri, "type: \n") + 6))
    types = await complete(editor, uri, editor.find(uri, "类\n") + 1)
    assert "类型" in labels(types)
    at = editor.find(uri, "from: 第一章") + len("from: 第")
    assert "第二章 旧信" in labels(await complete(editor, uri, at))


async def test_a_new_file(editor):
    """At the head of a file that has none, front matter of a chapter and of a card."""
    uri = editor.open("新.md", "")
    found = await complete(editor, uri)
    assert labels(found)[:2] == ["章节信息", "卡片信息"]
    new = found["items"][0]["textEdit"]["newText"]
    assert new.startswith("---\ntitle: 新\n")
    assert "$" not in new
    editor.type(uri, 0, "--")
    found = await complete(editor, uri)
    assert found["items"][0]["filterText"] == "---"
    assert taken(editor, uri, found["items"][1]).startswith("---\ntype: 角色\nname: 新\n")

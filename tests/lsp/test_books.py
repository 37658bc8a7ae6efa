"""The commands about books and cards, in all three position encodings."""

from __future__ import annotations

import tomllib

import pytest

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def refused(editor, name, argument):
    response = await editor.client.request(
        "workspace/executeCommand", {"command": name, "arguments": [argument]}
    )
    return response["error"]


async def test_get_book(editor):
    """The shape of `index --json`, with the revision."""
    found = await editor.client.command("inkwright.getBook", {"uri": editor.uri("第一章.md")})
    assert set(found) == {"book", "chapters", "cards", "problems", "revision", "owned", "next"}
    assert found["owned"] is False
    assert set(found["book"]) == {"root", "title", "type", "language"}
    assert [c["path"] for c in found["chapters"]] == ["第一章.md", "第二章.md"]
    assert {c["path"]: c["mentions"] for c in found["cards"]} == {
        "cards/林夏.md": 4,
        "cards/周衡.md": 2,
        "cards/旧渡口.md": 1,
    }
    assert set(found["chapters"][0]["counts"]) == {"mixed", "han", "word", "nonspace"}


async def test_open_buffers_count(editor):
    """What is typed counts at once, before it is saved."""
    uri = editor.open("第一章.md")
    before = await editor.client.command("inkwright.getBook", {"uri": uri})
    editor.type(uri, len(editor.texts[uri]), "林夏回来了。")
    after = await editor.client.command("inkwright.getBook", {"uri": uri})
    assert after["chapters"][0]["counts"]["han"] == before["chapters"][0]["counts"]["han"] + 5
    assert sum(c["mentions"] for c in after["cards"]) == 1 + sum(c["mentions"] for c in before["cards"])


async def test_the_status_of_a_chapter(editor):
    """As its front matter says it, in either language; '' where it says none, and what is typed counts."""
    uri = editor.open("第一章.md")

    async def said() -> list[str]:
        found = await editor.client.command("inkwright.getBook", {"uri": uri})
        return [chapter["status"] for chapter in found["chapters"]]

    assert await said() == ["", ""]
    for line, status in (("status: draft\n", "draft"), ("状态: 定稿\n", "定稿"), ("status: 2\n", "2")):
        editor.type(uri, len("---\n"), line)
        assert await said() == [status, ""]
        editor.type(uri, len("---\n"), "", delete=len(line))


async def test_a_book_file_that_cannot_be_used(editor, until):
    """The writer hears of it whatever is open; the file itself has it at its line, until it is right."""
    uri = editor.uri("book.toml")
    (editor.root / "book.toml").write_text('title = "渡口\n', "utf-8")
    editor.client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": uri, "type": 2}]})
    await until(
        lambda: [shown["message"] for shown in editor.client.got("window/showMessage")],
        lambda told: any(said.startswith("book.toml 不是有效的 TOML") for said in told),
    )
    editor.open("book.toml")
    (found,) = await editor.diagnostics(uri)
    assert (found["severity"], found["code"], found["range"]["start"]["line"]) == (1, "book_file_bad_toml", 0)
    editor.type(uri, len('title = "渡口'), '"\ncount = 5')
    (found,) = await editor.diagnostics(
        uri, lambda said: [one["code"] for one in said] == ["book_field_count"]
    )
    assert (found["severity"], editor.piece(uri, found["range"])) == (2, "count = 5")
    editor.type(uri, len('title = "渡口"\ncount = '), '"han"', delete=1)
    assert await editor.diagnostics(uri, lambda said: said == []) == []


async def test_update_book(editor):
    """Fields change in book.toml, comments stay, the revision goes up, and an old one conflicts."""
    (editor.root / "book.toml").write_text("# 我的书\n")
    uri = editor.uri("第一章.md")
    before = (await editor.client.command("inkwright.getBook", {"uri": uri}))["revision"]
    found = await editor.client.command(
        "inkwright.updateBook", {"uri": uri, "title": "渡", "type": "novel", "revision": before}
    )
    assert (found["title"], found["type"]) == ("渡", "novel")
    assert found["revision"] > before
    text = (editor.root / "book.toml").read_text()
    assert text.startswith("# 我的书\n")
    assert tomllib.loads(text)["title"] == "渡"
    error = await refused(editor, "inkwright.updateBook", {"uri": uri, "title": "旧", "revision": before})
    assert (error["code"], error["data"]) == (-32803, {"code": "revision_conflict"})
    assert tomllib.loads((editor.root / "book.toml").read_text())["title"] == "渡"


async def test_the_sample_book(editor, tmp_path):
    """With `sample` an empty folder becomes the sample book, in the language asked for; one with files is left alone."""
    folder = tmp_path / "样书"
    folder.mkdir()
    argument = {"uri": folder.as_uri(), "sample": True, "language": "en"}
    found = await editor.client.command("inkwright.createBook", argument)
    assert found["owned"] is True
    shape = await editor.client.command("inkwright.getBook", {"uri": folder.as_uri()})
    assert [c["title"] for c in shape["chapters"]] == ["The Steps", "The Letter"]
    assert shape["owned"] is True
    before = sorted(folder.rglob("*.md"))
    error = await refused(editor, "inkwright.createBook", {**argument, "language": "zh"})
    assert error["data"] == {"code": "demo_folder_taken"}
    assert sorted(folder.rglob("*.md")) == before


async def test_create_book(editor):
    """createBook makes `.inkwright/` and fills book.toml; a second call changes nothing."""
    uri = editor.uri("第一章.md")
    before = {p: p.read_bytes() for p in editor.root.rglob("*.md")}
    found = await editor.client.command("inkwright.createBook", {"uri": uri, "title": "渡", "type": "novel"})
    assert (editor.root / ".inkwright").is_dir()
    assert (found["title"], found["owned"]) == ("渡", True)
    again = await editor.client.command("inkwright.createBook", {"uri": uri, "title": "别的"})
    assert again["title"] == "渡"
    assert {p: p.read_bytes() for p in editor.root.rglob("*.md")} == before


async def test_a_document_without_a_folder_is_no_book(editor):
    """An untitled buffer is alone: commands about its book say what to do."""
    uri = editor.open(f"untitled:{editor.root.name}", "一。\n")
    for name in ("getBook", "createBook", "updateBook", "stats"):
        error = await refused(editor, f"inkwright.{name}", {"uri": uri})
        assert error["data"] == {"code": "book_needs_folder"}
    assert await editor.client.command("inkwright.listCards", {"uri": uri}) == []


async def test_create_card(editor):
    """A new card lies with its like, is known at once, and is never written over another one."""
    chapter = editor.open("第一章.md")
    made = await editor.client.command(
        "inkwright.createCard", {"uri": chapter, "name": "沈舟", "type": "character", "content": "船主。"}
    )
    assert made["uri"] == editor.uri("cards/沈舟.md")
    text = (editor.root / "cards/沈舟.md").read_text()
    assert "船主。" in text
    editor.type(chapter, len(editor.texts[chapter]), "沈舟来了。")
    place = {
        "textDocument": {"uri": chapter},
        "position": editor.position(chapter, editor.find(chapter, "沈舟")),
    }
    assert "船主" in (await editor.client.call("textDocument/hover", place))["contents"]["value"]
    error = await refused(
        editor, "inkwright.createCard", {"uri": chapter, "name": "沈舟", "type": "character"}
    )
    assert error["data"] == {"code": "card_exists"}
    assert (editor.root / "cards/沈舟.md").read_text() == text


async def test_create_chapter(editor):
    """It goes behind the last one under the next number, is known at once, and is never written over another one."""
    uri = editor.uri("第一章.md")
    title = (await editor.client.command("inkwright.getBook", {"uri": uri}))["next"]
    assert title == "第三章"
    made = await editor.client.command("inkwright.createChapter", {"uri": uri, "title": f"{title} 归航"})
    assert made["uri"] == editor.uri("第三章 归航.md")
    assert (editor.root / "第三章 归航.md").read_text("utf-8") == "# 第三章 归航\n\n"
    found = await editor.client.command("inkwright.getBook", {"uri": uri})
    assert [chapter["path"] for chapter in found["chapters"]][2:] == ["第三章 归航.md"]
    assert found["next"] == "第四章"
    for title, code in (("第三章 归航", "chapter_exists"), (" ", "chapter_title_empty")):
        error = await refused(editor, "inkwright.createChapter", {"uri": uri, "title": title})
        assert error["data"] == {"code": code}
    assert (editor.root / "第三章 归航.md").read_text("utf-8") == "# 第三章 归航\n\n"


@pytest.mark.parametrize("name", ["CON", "a:b", "nul.txt", "x.", "名" * 100])
async def test_card_names_that_are_no_file_names(editor, name):
    """Whatever a card is called, its file lies in the book under a safe name and the card keeps its own."""
    made = await editor.client.command(
        "inkwright.createCard", {"uri": editor.uri("第一章.md"), "name": name, "type": "misc"}
    )
    assert made["uri"].startswith(editor.root.as_uri() + "/cards/")
    cards = await editor.client.command("inkwright.listCards", {"uri": editor.uri("第一章.md")})
    (mine,) = [card for card in cards if card["uri"] == made["uri"]]
    assert mine["name"] == name


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("../x", "card_name_path"),
        ("a/b\\c", "card_name_path"),
        (".hidden", "card_name_path"),
        ("[x]", "card_name_markup"),
        ("x\ny", "card_name_line_break"),
        ("x\u200by", "card_name_control"),
        ("名" * 101, "card_name_too_long"),
        (" ", "card_name_empty"),
    ],
)
async def test_a_name_that_no_card_may_have_is_told_of(editor, name, code):
    """As a renaming tells of it; nothing is written."""
    before = sorted(editor.root.rglob("*"))
    error = await refused(
        editor, "inkwright.createCard", {"uri": editor.uri("第一章.md"), "name": name, "type": "misc"}
    )
    assert error["data"] == {"code": code}
    assert error["message"] != code
    assert sorted(editor.root.rglob("*")) == before


async def test_list_cards(editor):
    """Cards with their mentions, by type if asked."""
    uri = editor.uri("第一章.md")
    cards = await editor.client.command("inkwright.listCards", {"uri": uri, "type": "character"})
    assert sorted(card["name"] for card in cards) == ["周衡", "林夏"]
    one = next(card for card in cards if card["name"] == "林夏")
    assert one["chapters"] == {"第一章.md": 3, "第二章.md": 1}
    assert one["mentions"] == 4


async def test_stats(editor):
    """Counts of the book and each chapter; what is typed counts as written today."""
    uri = editor.open("第一章.md")
    first = await editor.client.command("inkwright.stats", {"uri": uri})
    assert first["today"]["han"] == 0
    editor.type(uri, len(editor.texts[uri]), "今天写了十个汉字了呢。")
    second = await editor.client.command("inkwright.stats", {"uri": uri})
    assert second["today"]["han"] == 10
    assert second["book"]["han"] == first["book"]["han"] + 10
    assert [c["today"]["han"] for c in second["chapters"]] == [10, 0]
    assert second["document"] == second["chapters"][0]
    short = await editor.client.command("inkwright.stats", {"uri": uri, "brief": True, "days": 7})
    assert "chapters" not in short
    assert short["document"]["path"] == "第一章.md"
    assert [day["counts"]["han"] for day in short["history"]] == [10]
    other = await editor.client.command(
        "inkwright.stats", {"uri": editor.uri("cards/林夏.md"), "brief": True}
    )
    assert other["document"] is None


async def test_a_chapter_saved_under_another_name_is_written_once(editor):
    """Saved as another file, and the first one taken away: today stays what was typed."""
    uri = editor.open("第一章.md")
    ask = {"uri": uri, "brief": True}
    before = (await editor.client.command("inkwright.stats", ask))["today"]["han"]
    editor.type(uri, len(editor.texts[uri]), "写了五个字。")
    path, copy = editor.root / "第一章.md", editor.root / "第三章.md"
    copy.write_text(editor.texts[uri], encoding="utf-8")
    editor.client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    other = editor.open("第三章.md")
    changes = [{"uri": other, "type": 1}]
    editor.client.notify("workspace/didChangeWatchedFiles", {"changes": changes})
    await editor.client.command("inkwright.stats", ask)
    path.unlink()
    editor.client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": uri, "type": 3}]})

    async def today():
        return (await editor.client.command("inkwright.stats", {"uri": other, "brief": True}))["today"]["han"]

    for _ in range(50):
        if (found := await today()) == before + 5:
            break
    assert found == before + 5

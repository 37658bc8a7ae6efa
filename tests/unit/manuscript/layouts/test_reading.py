"""The forms that projects are written in: JSON5, headers, lists of cards; and what happens when they change."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inkwright import intake
from inkwright.domain.errors import InkwrightError
from inkwright.manuscript import cardfile, frontmatter, frontmatter_edits, headers, layouts
from inkwright.manuscript.index import BookIndex
from inkwright.manuscript.layouts import PLAINLY, json5, outlined, survey
from inkwright.manuscript.walk import scan

values = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**15), 10**15) | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@given(values)
def test_json_is_json5(value: Any) -> None:
    """What is JSON reads the same."""
    assert json5.loads(json.dumps(value)) == value
    assert json5.loads(json.dumps(value, ensure_ascii=False, indent=2)) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("{a: 1, 'b': \"2\", 名: '林', $c: .5, }", {"a": 1, "b": "2", "名": "林", "$c": 0.5}),
        ("// x\n[1, /* y */ 2,]\n", [1, 2]),
        ("'a\\\nb\\u6797\\x41'", "ab林A"),
        ("[0xFF, +1, -Infinity, 1.]", [255, 1, float("-inf"), 1.0]),
    ],
)
def test_what_json5_adds(text: str, value: Any) -> None:
    """Comments, bare keys, both quotation marks, commas at the end, numbers of other forms."""
    assert json5.loads(text) == value


@given(st.text(alphabet="{}[]:,'\"\\/*ab1 \n-.", max_size=60))
def test_rubbish_is_refused(text: str) -> None:
    """Anything else is an error with a place in the text, and no other."""
    offset = 0
    try:
        json5.loads(text)
    except json5.Json5Error as error:
        offset = error.offset
    assert 0 <= offset <= len(text)


MANUSKRIPT = (
    "title:          The Ferry\nID:             12\nnotes:          one\n                two\n\n\nProse.\n"
)


def test_a_header_of_manuskript() -> None:
    """Fields, values over several lines, and the body after the empty lines; nothing is written into it."""
    found = frontmatter.read(MANUSKRIPT)
    assert found.meta == {"title": "The Ferry", "ID": "12", "notes": "one\ntwo"}
    assert MANUSKRIPT[found.body_start :] == "Prose.\n"
    assert found.keys["ID"].of(MANUSKRIPT) == "ID"
    with pytest.raises(InkwrightError) as caught:
        frontmatter_edits.set_key(MANUSKRIPT, "title", "Other")
    assert caught.value.fault.code == "frontmatter_by_hand"


@pytest.mark.parametrize(
    "text",
    [
        "title: The Ferry\nID: 12\n\nProse.\n",
        "title:          The Ferry\n\nProse.\n",
        "title:          The Ferry\nHe said: no.\nThen she left.\nID:             12\n\n",
        "Title:          The Ferry\nID:             12\n\n",
    ],
)
def test_what_looks_like_one_is_prose(text: str) -> None:
    """Lines with a colon that somebody typed are prose."""
    assert headers.read(text) is None
    assert not frontmatter.read(text)


def test_cards_under_headings() -> None:
    """Each top heading is a card; one in a code block is none; what stands before the first is nobody's."""
    text = "前言\n# 林夏\n药铺学徒。\n```\n# 不是\n```\n# **周衡**\n## 别名\n- 周叔\n"
    assert [(r.name, r.line) for r in outlined.headings(text)] == [("林夏", 1), ("周衡", 6)]
    assert outlined.roles(text)[1].meta == {"别名": ["周叔"]}


async def test_a_list_of_cards_in_our_own_form(write, opened) -> None:
    """A file called as a folder of cards would be holds one card for each top heading, with its place."""
    write("第1章.md", "林夏看见周衡。")
    write("人物.md", "# 林夏\n药铺学徒。\n\n# 周衡\n船夫。\n")
    write("地点.md", "---\ntype: location\nname: 渡口\n---\n")
    index: BookIndex = await opened()
    assert [(c.name, c.kind, c.path, c.line) for c in index.cards()] == [
        ("周衡", "character", "人物.md#周衡", 3),
        ("林夏", "character", "人物.md#林夏", 0),
        ("渡口", "location", "地点.md", 0),
    ]
    assert index.card("人物.md") is None
    assert index.card("人物.md#林夏") is not None
    assert index.card_counts("人物.md#林夏") == {"第1章.md": 1}


async def test_typing_in_a_list_of_cards(write, opened) -> None:
    """An open file of several cards counts as it stands."""
    write("第1章.md", "林夏看见周衡。")
    file = write("人物.md", "# 林夏\n\n# 周衡\n")
    index: BookIndex = await opened()
    index.set_buffer("人物.md", file.read_text("utf-8") + "\n# 看见\n")
    await index.settled()
    assert [c.name for c in index.cards()] == ["周衡", "林夏", "看见"]
    assert index.card_counts("人物.md#看见") == {"第1章.md": 1}
    index.set_buffer("人物.md", "# 周衡\n\n# 林\n")
    await index.settled()
    assert [c.name for c in index.cards()] == ["周衡", "林"]
    assert index.card("人物.md#看见") is None


async def test_an_index_file_that_changes(book: Path, write, opened) -> None:
    """A scene list that is edited, appears or goes away changes the order without a new start."""
    write("scenes/A.md", "a")
    write("scenes/B.md", "b")
    index: BookIndex = await opened()
    assert index.layout == "plain"
    note = write("Index.md", "---\nlongform:\n  sceneFolder: scenes\n  scenes: [B, A]\n---\n")
    await index.file_changed("Index.md")
    assert (index.layout, [c.title for c in index.chapters()]) == ("longform", ["B", "A"])
    note.write_text("---\nlongform:\n  sceneFolder: scenes\n  scenes: [A]\n---\n", "utf-8")
    await index.file_changed("Index.md")
    assert [c.title for c in index.chapters()] == ["A"]
    note.unlink()
    await index.file_changed("Index.md")
    assert (index.layout, [c.title for c in index.chapters()]) == ("plain", ["A", "B"])


async def test_a_project_file_that_changes(book: Path, write, opened) -> None:
    """A card file of another tool is read again when it changes; new chapters come in."""
    write("chapters/001.md", "甲来了。乙来了。")
    write(".novel-agent/manifest.json", "{}")
    write(".novel-agent/characters.json", '{"甲人": {"aliases": ["甲"]}}')
    index: BookIndex = await opened()
    assert index.card_counts(".novel-agent/characters.json#甲人") == {"chapters/001.md": 1}
    write(".novel-agent/characters.json", '{"乙人": {"aliases": ["乙来"]}}')
    await index.file_changed(".novel-agent/characters.json")
    await index.settled()
    assert [c.name for c in index.cards()] == ["乙人"]
    assert index.card_counts(".novel-agent/characters.json#乙人") == {"chapters/001.md": 1}


async def test_the_authors_globs_go_before_a_project(write, opened) -> None:
    """What `book.toml` names is what it is named as, whatever a project says."""
    write("book.toml", 'cards = ["scenes/B.md", "wer"]\n')
    write("Index.md", "---\nlongform:\n  sceneFolder: scenes\n  scenes: [B, A]\n---\n")
    write("scenes/A.md", "a")
    write("scenes/B.md", "b")
    write("wer/C.md", "c")
    index: BookIndex = await opened()
    assert [c.path for c in index.chapters()] == ["scenes/A.md"]
    assert [c.path for c in index.cards()] == ["scenes/B.md", "wer/C.md"]


async def test_several_projects_in_one_workspace(write, opened) -> None:
    """Each folder is read by its own layout, the innermost first; their order is the same at every start."""
    write("inkos.json", "{}")
    for name, title in (("a", "甲"), ("b", "乙")):
        write(f"books/{name}/book.json", json.dumps({"title": title}))
        write(f"books/{name}/chapters/0001_起.md", "字")
        write(f"books/{name}/chapters/0002_承.md", "字")
    write("novel-helper/roles.json5", "[{name: '林夏'}]")
    index: BookIndex = await opened()
    assert [(c.volume, c.path) for c in index.chapters()] == [
        ("甲", "books/a/chapters/0001_起.md"),
        ("甲", "books/a/chapters/0002_承.md"),
        ("乙", "books/b/chapters/0001_起.md"),
        ("乙", "books/b/chapters/0002_承.md"),
    ]
    assert index.layout == "inkos+andrea-novel-helper"
    assert [c.name for c in index.cards()] == ["林夏"]


@pytest.mark.parametrize(
    "path",
    ["The role of luck.md", "roles.txt", "characters.json", "notes.json", "longform.md", "Scenes/1.md"],
)
async def test_what_is_no_project(book: Path, write, path: str) -> None:
    """A file that only sounds like a tool's makes no project of a plain folder."""
    write("第1章.md", "字")
    write(path, "---\ntitle: longform\n---\n字")
    listing = scan(book)
    assert survey(book, listing.files, listing.others, listing.marks, {}) is PLAINLY


@pytest.mark.parametrize("young", [True, False])
def test_notes_that_swap_places_are_read_again(book: Path, write, monkeypatch, young: bool) -> None:
    """Two of the same size and age, of which one says how a project is laid out; and one that is written anew."""
    note = "---\nlongform:\n  format: scenes\n  title: 书\n  scenes: [一]\n---\n"
    plain = note.replace("longform", "somewhat")
    write("Index.md", note)
    write("Other.md", plain)
    heads: layouts.Heads = {}
    changed = 0
    monkeypatch.setattr(intake, "young", lambda *_: young)

    def found() -> list[str]:
        nonlocal changed
        last = changed
        for name in ("Index.md", "Other.md"):
            while changed <= last or (book / name).stat().st_ctime_ns <= last:
                os.utime(book / name, ns=(1, 1))
                changed = (book / name).stat().st_ctime_ns
        listing = scan(book)
        arrangement = survey(book, listing.files, listing.others, listing.marks, heads)
        return sorted(name for name in ("Index.md", "Other.md") if name in arrangement.sources)

    assert found() == ["Index.md"]
    (book / "Index.md").rename(book / "aside")
    (book / "Other.md").rename(book / "Index.md")
    (book / "aside").rename(book / "Other.md")
    assert found() == ["Other.md"]
    write("Index.md", note)
    write("Other.md", plain)
    assert found() == ["Index.md"]


async def test_where_new_cards_go(book: Path, write, opened) -> None:
    """In a project of another tool to `cards/`, where the book sees them; with globs to where these look."""
    write("inkos.json", "{}")
    write("books/a/book.json", '{"title": "甲"}')
    write("books/a/chapters/0001_起.md", "林夏来了。")
    write("books/a/story/bible.md", "# 世界")
    index: BookIndex = await opened()
    folder = index.card_folder("misc")
    assert folder == "cards"
    path = cardfile.create(book, "林夏", "character", "学徒。", index.cards(), folder)
    await index.file_changed(path.relative_to(book).as_posix())
    await index.settled()
    assert index.card_counts("cards/林夏.md") == {"books/a/chapters/0001_起.md": 1}
    assert cardfile.folder_for("item", [], ["notes/people/**/*.md"]) == "notes/people"
    assert cardfile.folder_for("item", [], ["*卡.md", "wer"]) == "wer"
    assert cardfile.folder_for("item", [], ["*卡.md"]) == "cards"
    assert cardfile.folder_for("item", [], ["*.md"]) == ""


async def test_a_generated_novel_that_went_on_in_markdown(write, opened) -> None:
    """Beside a directory without chapters of its own kind, Markdown is read as in any folder."""
    write("Novel_directory.txt", "第1章 - [渡口]")
    write("第1章.md", "# 渡口\n\n雨。")
    write("第2章.md", "# 旧信\n\n雨。")
    index = await opened()
    assert [(chapter.path, chapter.title) for chapter in index.chapters()] == [
        ("第1章.md", "渡口"),
        ("第2章.md", "旧信"),
    ]

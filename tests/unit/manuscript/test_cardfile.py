"""New card files."""

from __future__ import annotations

import os
import re
import shutil
import uuid
from dataclasses import replace
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inkwright.domain.cards import Card, NewCard
from inkwright.domain.conversation import Locale
from inkwright.domain.errors import Fault, InkwrightError
from inkwright.i18n import render
from inkwright.manuscript import (
    cardfile,
    cardname,
    cards,
    filename,
    files,
    frontmatter,
    markdown,
    renaming,
    renaming_file,
)


@pytest.mark.parametrize(
    ("title", "stem"),
    [
        ("林夏", "林夏"),
        ("../x", "x"),
        ("..", "card"),
        ("", "card"),
        ("CON", "CON_"),
        ("con.txt", "con_.txt"),
        ("NUL .md", "NUL_ .md"),
        ("-CON", "CON_"),
        ("Conrad", "Conrad"),
        ("COM¹", "COM¹_"),
        ("a:b", "a b"),
        ("a/b\\c", "a b c"),
        ("trailing. . ", "trailing"),
        (".hidden", "hidden"),
        ("a\nb\x00c", "a b c"),
        ("\u202egnp.exe", "gnp.exe"),
        ("\ufeff林\u200b夏\u2060", "林夏"),
        ("\u200bCON", "CON_"),
        ("\u2060.\ufeff\u200b", "card"),
        ("x" * 300, "x" * 77),
        ("林" * 300, "林" * 77),
        ("𠮷" * 300, "𠮷" * 59),
    ],
)
def test_stems(title: str, stem: str) -> None:
    """Safe on every system, short enough for every file system."""
    assert filename.stem(title) == stem


@given(st.text(max_size=200))
def test_any_title_makes_a_safe_stem(title: str) -> None:
    """No separator, no reserved name, no dot or space at an end, never empty, and the same when made again."""
    stem = filename.stem(title)
    assert stem
    assert len(f"{stem}.md") <= 80
    assert len(f"{stem}.md".encode()) <= 240
    assert not re.search(r'[<>:"/\\|?*\x00-\x1f]', stem)
    assert stem == stem.strip(" .")
    assert stem.split(".")[0].strip().upper() not in {"CON", "PRN", "AUX", "NUL", "COM1", "LPT9"}
    assert filename.stem(stem) == stem


NASTY = st.lists(
    st.sampled_from(
        [
            "..",
            ".",
            "/",
            "\\",
            "~",
            "C:",
            "CON",
            "nul.txt",
            " ",
            "\x00",
            "\n",
            "\u202e",
            "\u200b",
            "林",
            "x" * 90,
        ]
    )
    | st.text(max_size=5),
    max_size=8,
).map("".join)
"""Names that are made of what leads out of folders, and of what no system takes."""


def made(make, code: str):
    """What is made; None where it is refused for a reason of that kind."""
    try:
        return make()
    except InkwrightError as error:
        if error.fault.code.startswith(code):
            return None
        raise


@given(NASTY)
def test_whatever_a_card_is_called_its_file_lies_in_the_book(tmp_path_factory, name: str) -> None:
    """A card of the writer's and one of a run's, made; one renamed, wherever it lay: each in its own folder, as one new
    file whose name every system takes, or refused."""
    root = tmp_path_factory.mktemp("book")
    for make in (
        lambda: cardfile.create(root, name, "item", "", []),
        lambda: cardfile.create_note(root, NewCard(name, "item", "x"), [])[0],
    ):
        path = made(make, "card_name_")
        if path is not None:
            assert cardname.usable(
                cards.read("x.md", text := path.read_text("utf-8"), markdown.scan(text))[0].name
            )
            assert path.resolve().parent == (root / "cards").resolve()
            assert path.is_file()
    assert {file.parent for file in root.rglob("*") if file.is_file()} <= {root / "cards"}
    shutil.rmtree(root)
    old = card("设定/角色/林夏.md", name="林夏")
    wish = made(lambda: renaming.wish(old, "林夏", name, [old]), "card_name_")
    if wish is None:
        return
    folder, _, file = renaming_file.target(wish).rpartition("/")
    assert folder == "设定/角色"
    assert file.endswith(".md")
    assert filename.stem(file.removesuffix(".md")) == file.removesuffix(".md")


@pytest.mark.parametrize("name", [" ", "\x00", "\u200b", "\u202e\n", "\ufeff \u2060", "\u3000"])
def test_a_name_that_nobody_could_see_is_none(tmp_path: Path, name: str) -> None:
    """White space, control characters and what has no width. In a model's name they are passed over, a writer is told."""
    for make in (
        lambda: cardfile.create(tmp_path, name, "item", "", []),
        lambda: cardfile.create_note(tmp_path, NewCard("item", name, "x"), []),
    ):
        with pytest.raises(InkwrightError) as error:
            make()
        assert error.value.fault.code == "card_name_empty"
    written = f"林{name}夏"
    if written.split() == [written]:
        with pytest.raises(InkwrightError) as error:
            cardfile.create(tmp_path, written, "item", "", [])
        assert error.value.fault.code in ("card_name_control", "card_name_line_break")
    made, _ = cardfile.create_note(tmp_path, NewCard("item", f"{name}{written}", "x"), [])
    text = made.read_text("utf-8")
    assert not set("\x00\u202e\u200b\ufeff\u2060") & set(text)


@given(NASTY)
def test_one_rule_for_every_name(name: str) -> None:
    """What a writer may not type no model gets either; a name that is good is left as it is."""
    taken = made(lambda: cardname.checked(name), "card_name_")
    if taken is not None:
        assert cardname.usable(taken)
        assert cardname.tamed(name) == taken
    tamed = cardname.tamed(name)
    assert not tamed or cardname.usable(tamed)
    assert cardname.tamed(tamed) == tamed


@pytest.mark.parametrize(
    ("written", "code", "tamed"),
    [
        ("../林夏", "card_name_path", "／林夏"),
        ("A/B 计划", "card_name_path", "A／B 计划"),
        ("甲\\乙", "card_name_path", "甲＼乙"),
        ("[[林夏|她]]#一", "card_name_markup", "［［林夏｜她］］＃一"),
        ("林\n夏", "card_name_line_break", "林 夏"),
        ("林\x07夏", "card_name_control", "林夏"),
        ("林" * 101, "card_name_too_long", "林" * 100),
        ("……", "card_name_empty", ""),
    ],
)
def test_a_bad_name_is_told_of_and_a_models_is_made_good(
    tmp_path: Path, written: str, code: str, tamed: str
) -> None:
    """The same as a renaming would say; nothing is written."""
    with pytest.raises(InkwrightError) as error:
        cardfile.create(tmp_path, written, "item", "", [])
    assert error.value.fault.code == code
    for locale in get_args(Locale):
        assert render(error.value.fault, locale) not in ("", code)
    assert list(tmp_path.iterdir()) == []
    assert cardname.tamed(written) == tamed


@pytest.mark.parametrize("name", ["CON", "nul.txt", "Com1", "林夏.", "林夏 ..."])
def test_a_name_that_only_a_file_must_not_have_is_a_cards_all_the_same(tmp_path: Path, name: str) -> None:
    """The card is called so; its file is called what every system takes."""
    path = cardfile.create(tmp_path, name, "item", "", [])
    text = path.read_text("utf-8")
    assert cards.read("x.md", text, markdown.scan(text))[0].name == name
    assert filename.stem(path.stem) == path.stem


def card(path: str, kind: str = "character", name: str = "x") -> Card:
    return Card(path, name, kind, kind)


def test_the_folder_with_most_cards_of_the_type() -> None:
    """A new card joins its like; without any it goes to `cards`."""
    known = [
        card("设定/角色/a.md"),
        card("设定/角色/b.md"),
        card("cards/c.md"),
        card("places/d.md", "location"),
    ]
    assert cardfile.folder_for("character", known) == "设定/角色"
    assert cardfile.folder_for("location", known) == "places"
    assert cardfile.folder_for("item", known) == "cards"


def test_a_card_that_reads_back(tmp_path: Path) -> None:
    """What is written is read as what was asked for, markup in the name included."""
    for name in ("林夏", "a: b", "- x", "yes", "007", "{x}", "*x*"):
        path = cardfile.create(tmp_path, name, "角色", "药铺学徒。", [])
        text = path.read_text("utf-8")
        read, problems = cards.read("cards/x.md", text, markdown.scan(text))
        assert (read.name, read.type, read.kind, read.body, problems) == (
            name,
            "角色",
            "character",
            "药铺学徒。",
            (),
        )


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    """A second card whose file name is taken gets another; the first keeps every byte."""
    first = cardfile.create(tmp_path, "A:B", "item", "one", [])
    before = first.read_bytes()
    second = cardfile.create(tmp_path, "a?b", "item", "two", [])
    assert (first.name, second.name) == ("A B.md", "a b 2.md")
    assert first.read_bytes() == before
    for number in range(3):
        long = cardfile.create(tmp_path, "林" * 100, "item", str(number), [])
        assert len(long.name) <= 80


@pytest.mark.parametrize(
    "name", ["yes", "No", "on", "OFF", "null", "~", "1", "0x1F", "1e3", "2024-01-01", "true", "12:30"]
)
def test_a_name_is_a_text_to_every_reader_of_yaml(name: str) -> None:
    """What some take for a truth value, a number, a date or nothing stands in quotes; and reads as itself."""
    text = cardfile.render(name, "item")
    assert f'name: "{name}"' in text
    assert frontmatter.read(text).meta["name"] == name


def test_what_cannot_be_made_says_why(tmp_path: Path) -> None:
    """No name, the same card again, a folder that cannot be written: each its own fault."""
    for args, code in (
        ((" \n", "item", "", []), "card_name_empty"),
        (("x", "character", "", [card("c/x.md")]), "card_exists"),
    ):
        with pytest.raises(InkwrightError) as error:
            cardfile.create(tmp_path, *args)
        assert error.value.fault.code == code
    (tmp_path / "cards").write_text("a file")
    with pytest.raises(InkwrightError) as error:
        cardfile.create(tmp_path, "y", "item", "", [])
    assert error.value.fault.code == "card_unwritable"


def test_a_link_does_not_lead_out_of_the_book(tmp_path: Path) -> None:
    """A card folder that is a link to the outside is refused."""
    outside, root = tmp_path / "outside", tmp_path / "book"
    outside.mkdir()
    root.mkdir()
    (root / "cards").symlink_to(outside)
    with pytest.raises(InkwrightError) as error:
        cardfile.create(root, "x", "item", "", [])
    assert error.value.fault == Fault("card_folder_outside", {"path": "cards"})
    for locale in get_args(Locale):
        said = render(error.value.fault, locale)
        assert "cards" in said
        assert "()" not in said
        assert "（）" not in said
    assert list(outside.iterdir()) == []


def test_links_in_a_circle_are_no_folder(tmp_path: Path) -> None:
    """Neither one inside the book nor one outside it: it cannot be written."""
    (tmp_path / "cards").symlink_to("cards")
    with pytest.raises(InkwrightError) as error:
        cardfile.create(tmp_path, "x", "item", "", [])
    assert error.value.fault.code == "card_unwritable"
    assert error.value.fault.params["error"]


@pytest.mark.parametrize("folder", ["cards", "设定/角色", "."])
def test_a_book_that_is_gone_is_not_made_again(tmp_path: Path, folder: str) -> None:
    """Its folder was deleted meanwhile: the card cannot be written, and there still is no folder."""
    root = tmp_path / "书" / "卷"
    with pytest.raises(InkwrightError) as error:
        cardfile.create_note(root, NewCard("item", "铜钱", "十七枚。"), [], folder)
    assert error.value.fault.code == "card_unwritable"
    assert error.value.fault.params["error"]
    assert list(tmp_path.iterdir()) == []
    root.mkdir(parents=True)
    assert cardfile.create_note(root, NewCard("item", "铜钱", "十七枚。"), [], folder)[1]


def test_what_a_killed_write_left_goes_with_the_next_one(tmp_path: Path) -> None:
    """Not what another process may be writing at this moment, nor any file with another name."""
    folder = tmp_path / "cards"
    folder.mkdir()
    left, live, named = (
        f".inkwright-{uuid.uuid4().hex}.part",
        f".inkwright-{uuid.uuid4().hex}.part",
        "x.part",
    )
    for name in (left, live, named):
        (folder / name).write_bytes(b"half")
    for name in (left, named):
        os.utime(folder / name, (1_000_000_000, 1_000_000_000))
    made = cardfile.create(tmp_path, "铜钱", "item", "", [])
    assert {file.name for file in folder.iterdir()} == {live, named, made.name}
    os.utime(folder / live, (1_000_000_000, 1_000_000_000))
    files.replace(made, b"whole")
    assert {file.name for file in folder.iterdir()} == {named, made.name}
    assert made.read_bytes() == b"whole"


def test_the_same_card_written_by_another_process_at_the_same_moment(tmp_path: Path, monkeypatch) -> None:
    """It was not there when this one looked and is when this one writes: one file."""
    wanted = NewCard("item", "铜钱", "十七枚。", (), "十七枚", "a.md", "一")
    monkeypatch.setattr(cardfile, "_same", lambda *_: None)
    monkeypatch.setattr(cardfile, "_candidates", lambda folder, title: (folder / n for n in ("a.md", "b.md")))
    first, made = cardfile.create_note(tmp_path, wanted, ())
    assert made
    assert cardfile.create_note(tmp_path, wanted, ()) == (first, False)
    other, made = cardfile.create_note(tmp_path, replace(wanted, content="十八枚。"), ())
    assert (other.name, made) == ("b.md", True)

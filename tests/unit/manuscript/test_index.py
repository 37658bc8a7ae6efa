"""The index of a book: what it says, and that it stays true."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import threading
import time
import unicodedata
from pathlib import Path

import pytest

from inkwright import intake
from inkwright.domain.errors import InkwrightError
from inkwright.domain.text import Span
from inkwright.manuscript import drafts, leaf, reading
from inkwright.manuscript.index import BookIndex
from inkwright.manuscript.stock import Stock

LIN = "---\ntype: character\naliases: [小夏]\n---\n"


def counts(index: BookIndex, card: str) -> dict[str, int]:
    return index.card_counts(card)


def paths(index: BookIndex) -> list[str]:
    return [chapter.path for chapter in index.chapters()]


async def test_a_book(write, opened) -> None:
    """Chapters in order with titles, volumes and counts; cards; mentions of every card in every chapter."""
    write("正文/第二卷/第1章.md", "小夏走了。\n")
    write("正文/第一卷/第10章 旧信.md", "# 旧信\n\n林夏与小夏。\n")
    write("正文/第一卷/第2章.md", "---\ntitle: 雨\n---\n无人。\n")
    write("角色/林夏.md", LIN)
    write("notes/x.md", "林夏")
    index = await opened()
    assert [(c.path, c.title, c.volume, c.number, c.counts.han) for c in index.chapters()] == [
        ("正文/第一卷/第2章.md", "雨", "第一卷", 2, 2),
        ("正文/第一卷/第10章 旧信.md", "旧信", "第一卷", 10, 7),
        ("正文/第二卷/第1章.md", "第1章", "第二卷", 1, 4),
    ]
    assert [(c.name, c.kind) for c in index.cards()] == [("林夏", "character")]
    assert counts(index, "角色/林夏.md") == {"正文/第一卷/第10章 旧信.md": 2, "正文/第二卷/第1章.md": 1}
    text = await index.text("正文/第一卷/第10章 旧信.md")
    assert [m.span.of(text) for m in index.mentions("正文/第一卷/第10章 旧信.md")] == ["林夏", "小夏"]
    assert index.ready.is_set()
    assert index.problems == ()


async def test_a_card_beside_the_chapters(write, opened) -> None:
    """A card that only its front matter tells apart is found before the chapters are searched."""
    write("第1章.md", "林夏")
    write("林夏.md", LIN)
    index = await opened()
    assert paths(index) == ["第1章.md"]
    assert counts(index, "林夏.md") == {"第1章.md": 1}


async def test_progress_never_goes_back(write, opened) -> None:
    """Progress goes from 0 to all and never back."""
    for i in range(30):
        write(f"{i}.md", "x")
    index = await opened(build=False)
    steps: list[tuple[int, int]] = []
    await index.build(lambda done, total: steps.append((done, total)))
    assert steps == sorted(steps)
    assert steps[0] == (0, 30)
    assert steps[-1] == (30, 30)


async def test_a_buffer_wins_until_it_is_closed(write, opened) -> None:
    """The open text counts at once, for chapters, mentions, cards; closing brings the file back."""
    file = write("第1章.md", "林夏")
    write("cards/林夏.md", LIN)
    index = await opened()
    index.set_buffer("第1章.md", "# 新题\n\n小夏，林夏，林夏。")
    assert index.chapters()[0].title == "新题"
    assert counts(index, "cards/林夏.md") == {"第1章.md": 3}
    assert await index.text("第1章.md") == "# 新题\n\n小夏，林夏，林夏。"
    assert file.read_text("utf-8") == "林夏"
    file.write_text("没有。", "utf-8")
    await index.file_changed("第1章.md")
    assert counts(index, "cards/林夏.md") == {"第1章.md": 3}
    index.clear_buffer("第1章.md")
    await index.settled()
    assert counts(index, "cards/林夏.md") == {}
    assert index.chapters()[0].title == "第1章"


async def test_the_text_is_asked_for_only_when_needed(write, opened) -> None:
    """A keystroke hands over a function; nobody calls it before somebody asks."""
    write("第1章.md", "一")
    index = await opened()
    calls: list[int] = []

    def source() -> str:
        calls.append(1)
        return "一二三"

    for _ in range(100):
        index.set_buffer("第1章.md", source)
    assert calls == []
    assert index.chapters()[0].counts.han == 3
    assert len(calls) == 1


async def test_typing_in_a_card(write, opened) -> None:
    """A new name is found in all chapters in the background, and lost again when it is taken out."""
    for i in range(1, 6):
        write(f"第{i}章.md", f"阿夏{'，林夏' * i}。")
    write("cards/林夏.md", LIN)
    index = await opened()
    assert sum(counts(index, "cards/林夏.md").values()) == 15
    index.set_buffer("cards/林夏.md", LIN.replace("小夏", "阿夏"))
    await index.settled()
    assert sum(counts(index, "cards/林夏.md").values()) == 20
    index.set_buffer("cards/林夏.md", "没有名字的卡片\n")
    await index.settled()
    assert sum(counts(index, "cards/林夏.md").values()) == 15
    index.clear_buffer("cards/林夏.md")
    await index.settled()
    assert sum(counts(index, "cards/林夏.md").values()) == 15


async def test_files_change_outside(book: Path, write, opened) -> None:
    """Created, changed, renamed and deleted files and folders are seen when told of."""
    write("卷一/第1章.md", "林夏")
    write("cards/林夏.md", LIN)
    index = await opened()
    write("卷一/第2章.md", "小夏")
    await index.file_changed("卷一/第2章.md")
    assert paths(index) == ["卷一/第1章.md", "卷一/第2章.md"]
    (book / "卷一/第1章.md").rename(book / "卷一/第3章.md")
    await index.files_changed(["卷一/第1章.md", "卷一/第3章.md"])
    assert paths(index) == ["卷一/第2章.md", "卷一/第3章.md"]
    assert counts(index, "cards/林夏.md") == {"卷一/第2章.md": 1, "卷一/第3章.md": 1}
    (book / "卷一").rename(book / "Vol.2")
    await index.file_changed("Vol.2")
    assert paths(index) == ["Vol.2/第2章.md", "Vol.2/第3章.md"]
    (book / "Vol.2").rename(book / "卷二")
    await index.file_changed("Vol.2")
    assert paths(index) == ["卷二/第2章.md", "卷二/第3章.md"]
    (book / "cards/林夏.md").unlink()
    await index.file_changed("cards/林夏.md")
    await index.settled()
    assert index.cards() == ()
    assert index.mentions("卷二/第2章.md") == ()
    write("cards/夏安.md", LIN)
    write("卷二/第2章.md", "小夏小夏")
    await index.rescan()
    await index.settled()
    assert counts(index, "cards/夏安.md") == {"卷二/第2章.md": 2}


async def test_a_change_that_looks_like_none(book: Path, write, opened) -> None:
    """A file rewritten with its size and time kept is read again when it is named."""
    file = write("第1章.md", "一二")
    index = await opened()
    before = file.stat()
    file.write_bytes("三a四".encode()[:6])
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    await index.file_changed("第1章.md")
    assert index.digest("第1章.md") != ""
    assert index.chapters()[0].counts.nonspace == len(await index.text("第1章.md"))


@pytest.mark.parametrize("warm", [False, True])
async def test_files_of_one_age_and_size_that_change_places(
    book: Path, tmp_path: Path, write, opened, warm: bool
) -> None:
    """Seen though nobody tells of it, by a look at the files as by a later start: so files come out of an archive."""
    for name, title in (("第1章.md", "甲"), ("第2章.md", "乙")):
        os.utime(write(name, f"# {title}\n"), (1e9, 1e9))
    index = await opened(store=tmp_path / "index.db")
    assert [chapter.title for chapter in index.chapters()] == ["甲", "乙"]
    if warm:
        await index.close()
    aside = book / "aside"
    for old, new in (("第1章.md", aside), ("第2章.md", "第1章.md"), (aside, "第2章.md")):
        (book / old).rename(book / new)
    if warm:
        index = await opened(store=tmp_path / "index.db")
    else:
        await index.rescan()
    assert [chapter.title for chapter in index.chapters()] == ["乙", "甲"]


async def test_book_toml_that_nobody_tells_of(write, opened) -> None:
    """A look at the files sees it too: not every client watches them. One that stands as it stood changes nothing."""
    write("a/第1章.md", "x")
    write("b/第2章.md", "x")
    index = await opened()
    write("book.toml", 'title = "乙"\nchapters = "b/*.md"\n')
    await index.rescan()
    assert (index.book.title, paths(index)) == ("乙", ["b/第2章.md"])
    before = index.bearing
    await index.rescan()
    assert index.bearing == before


async def test_an_ignored_folder_is_one_until_there_is_a_text(write, opened) -> None:
    """That nothing in a folder is read is said no more once something is."""
    write(".inkwrightignore", "a.md\n")
    write("a.md", "x")
    index = await opened()
    assert [problem.code for problem in index.problems] == ["folder_ignored"]
    write("第1章.md", "x")
    await index.file_changed("第1章.md")
    assert not index.problems


async def test_many_changes_at_once(write, opened) -> None:
    """Hundreds of changed files are one walk."""
    write("cards/林夏.md", LIN)
    index = await opened()
    names = [f"第{i}章.md" for i in range(1, 121)]
    for name in names:
        write(name, "林夏")
    await index.files_changed(names)
    assert paths(index) == names
    assert sum(counts(index, "cards/林夏.md").values()) == 120


async def test_book_toml(write, opened) -> None:
    """Its fields are the book's; new globs decide anew what is a chapter."""
    write("a/第1章.md", "x")
    write("b/第2章.md", "x")
    write("book.toml", 'title = "甲"\ntype = "novel"\n')
    index = await opened()
    assert (index.book.title, index.book.type, index.book.owned) == ("甲", "novel", False)
    write("book.toml", 'title = "乙"\nchapters = "b/*.md"\n')
    await index.file_changed("book.toml")
    assert index.book.title == "乙"
    assert paths(index) == ["b/第2章.md"]
    write("book.toml", "title = ")
    await index.file_changed("book.toml")
    assert index.book.title == index.root.name
    assert [p.code for p in index.problems] == ["book_file_bad_toml"]
    assert paths(index) == ["a/第1章.md", "b/第2章.md"]


@pytest.fixture
def fresh(monkeypatch) -> list[float]:
    """For how many seconds a file that was written here has stood."""
    age = [0.0]
    monkeypatch.setattr("inkwright.intake.since", lambda _: age[0])
    return age


async def test_a_file_that_is_being_saved_says_what_it_said(
    book: Path, write, opened, fresh, monkeypatch
) -> None:
    """Emptied just now: a moment later it is looked at again, and is what it is then."""
    write("第1章.md", "林夏")
    write("第2章.md", "林夏")
    write("cards/林夏.md", LIN)
    index = await opened()
    for name in ("第1章.md", "第2章.md", "cards/林夏.md"):
        write(name, "\n")
    monkeypatch.setattr(intake, "SAVING", 3600.0)
    await index.files_changed(["第1章.md", "第2章.md", "cards/林夏.md"])
    await index.rescan()
    await index.settled()
    assert counts(index, "cards/林夏.md") == {"第1章.md": 1, "第2章.md": 1}
    write("cards/周衡.md", LIN.replace("小夏", "小周"))
    await index.file_changed("cards/周衡.md")  # a search of all chapters
    await index.settled()
    assert counts(index, "cards/林夏.md") == {"第1章.md": 1, "第2章.md": 1}
    monkeypatch.setattr(intake, "SAVING", 0.01)
    await index.files_changed(["第1章.md"])
    write("第1章.md", "林夏林夏")
    write("cards/林夏.md", LIN)
    fresh[0] = 1.0
    async with asyncio.timeout(60):
        while counts(index, "cards/林夏.md").get("第1章.md") != 2:
            await asyncio.sleep(0.01)
    await index.files_changed(["第2章.md"])
    assert counts(index, "cards/林夏.md") == {"第1章.md": 2}


async def test_an_empty_file_that_was_never_another_is_read_at_once(write, opened, fresh) -> None:
    """A new chapter begins empty."""
    write("第1章.md", "")
    index = await opened()
    assert paths(index) == ["第1章.md"]
    write("第2章.md", "")
    await index.file_changed("第2章.md")
    assert paths(index) == ["第1章.md", "第2章.md"]


@pytest.mark.parametrize("blank", [True, False])
async def test_a_book_file_that_is_being_saved_is_waited_for(
    book: Path, write, opened, monkeypatch, blank
) -> None:
    """Emptied or taken away first; one that says nothing for good is taken as it is."""
    write("第1章.md", "x")
    file = write("book.toml", 'title = "甲"\n')
    index = await opened()
    steps = [lambda: None, lambda: write("book.toml", 'title = "乙"\n')]
    monkeypatch.setattr("inkwright.intake.time.sleep", lambda _: steps and steps.pop(0)())
    for title in ("乙", index.root.name):
        if blank:
            write("book.toml", "")
        else:
            file.unlink()
        await index.file_changed("book.toml")
        assert index.book.title == title


async def test_odd_files(book: Path, write, opened) -> None:
    """GB18030, empty, binary, one long line, CR, a BOM, line separators: each read or named, none a crash."""
    (book / "gb.md").write_bytes(
        "林夏来到了渡口，看见了船。他们的船已经走了，没有人在那里等着。".encode("gb18030")
    )
    (book / "bin.md").write_bytes(bytes(range(256)) * 20)
    write("空.md", "")
    write("cr.md", "# 标题\r\r林夏\r")
    write("bom.md", "\ufeff---\ntitle: 渡\n---\n林夏")
    write("sep.md", "林夏\u2028林夏\u2029林夏\x0c林夏")
    write("long.md", "林夏，" * 700_000)
    write("cards/林夏.md", LIN)
    index = await opened()
    by_path = {c.path: c for c in index.chapters()}
    assert sorted(by_path) == ["bom.md", "cr.md", "gb.md", "long.md", "sep.md", "空.md"]
    assert (by_path["cr.md"].title, by_path["bom.md"].title, by_path["空.md"].counts.nonspace) == (
        "标题",
        "渡",
        0,
    )
    expected = {"bom.md": 1, "cr.md": 1, "gb.md": 1, "long.md": 700_000, "sep.md": 4}
    assert counts(index, "cards/林夏.md") == expected
    assert {p.path: p.code for p in index.problems} == {"bin.md": "file_binary", "gb.md": "file_not_utf8"}
    assert index.readonly("gb.md") == "encoding"
    snapshot = await index.snapshot("gb.md")
    assert (snapshot.text[:2], snapshot.readonly, snapshot.path) == ("林夏", "encoding", "gb.md")
    assert snapshot.uri.startswith("file://")
    with pytest.raises(InkwrightError) as error:
        await index.text("bin.md")
    assert error.value.fault.code == "file_binary"


async def test_texts_only_of_the_book(tmp_path: Path, book: Path, write, opened) -> None:
    """No path leads out of the book; a missing file is a fault with a code."""
    write("a.md", "x")
    (tmp_path / "secret.md").write_text("s")
    (book / "link.md").symlink_to(tmp_path / "secret.md")
    index = await opened()
    for path, code in (
        ("../secret.md", "file_missing"),
        ("b.md", "file_missing"),
        ("link.md", "link_outside"),
    ):
        with pytest.raises(InkwrightError) as error:
            await index.text(path)
        assert error.value.fault.code == code
    assert "s" not in paths(index)


async def test_unreadable_files_are_problems(book: Path, write, opened, monkeypatch) -> None:
    """A file that the system refuses is named and left out; readable again, it is back."""
    write("a.md", "x")
    write("b.md", "x")

    taken = intake.taken

    def refuse(path: str, *args: object, **kwargs: object) -> object:
        if Path(path).name == "b.md":
            raise PermissionError(13, "Permission denied")
        return taken(path, *args, **kwargs)

    monkeypatch.setattr(intake, "taken", refuse)
    index = await opened()
    assert paths(index) == ["a.md"]
    assert [(p.path, p.code) for p in index.problems] == [("b.md", "file_unreadable")]
    monkeypatch.undo()
    await index.rescan()
    assert paths(index) == ["a.md", "b.md"]
    assert index.problems == ()


async def test_a_fault_of_our_own_costs_one_file(write, opened, monkeypatch) -> None:
    """If working out one file fails, that file is named and the others are there."""
    write("a.md", "x")
    write("b.md", "y")
    real = leaf.from_bytes

    def fail(path: str, *rest: object) -> object:
        if path == "b.md":
            raise RecursionError
        return real(path, *rest)

    monkeypatch.setattr(leaf, "from_bytes", fail)
    index = await opened()
    assert paths(index) == ["a.md"]
    assert [(p.path, p.code) for p in index.problems] == [("b.md", "file_failed")]


async def test_names_in_another_normal_form(write, opened) -> None:
    """A path is found whichever way its accents are composed, and keeps the disk's spelling."""
    decomposed = unicodedata.normalize("NFD", "é.md")
    write(decomposed, "x")
    index = await opened()
    assert index.chapter("é.md") is not None
    index.set_buffer("é.md", "eins zwei")
    assert [(c.path, c.counts.mixed) for c in index.chapters()] == [(decomposed, 2)]


async def test_same_names_and_same_numbers(write, opened) -> None:
    """Two chapters of one name in two volumes are two chapters; an alias of two cards counts for both and is said."""
    write("卷一/第1章.md", "小夏")
    write("卷二/第1章.md", "小夏")
    write("cards/林夏.md", LIN)
    write("cards/夏安.md", LIN)
    index = await opened()
    assert paths(index) == ["卷一/第1章.md", "卷二/第1章.md"]
    assert counts(index, "cards/林夏.md") == counts(index, "cards/夏安.md") == dict.fromkeys(paths(index), 1)
    assert [(m.card, m.span) for m in index.mentions("卷一/第1章.md")] == [
        ("cards/夏安.md", Span(0, 2)),
        ("cards/林夏.md", Span(0, 2)),
    ]
    assert [(p.path, p.code) for p in index.problems] == [
        ("cards/夏安.md", "name_ambiguous"),
        ("cards/林夏.md", "name_ambiguous"),
    ]


async def test_an_order_that_is_none(write, opened) -> None:
    """A bad `order` is a problem, and the name decides."""
    write("1.md", "---\norder: soon\n---\n")
    write("2.md", "---\norder: 0.5\n---\n")
    index = await opened()
    assert paths(index) == ["2.md", "1.md"]
    assert [p.code for p in index.problems] == ["order_not_number"]


async def test_home_is_not_indexed(book: Path, write, opened, monkeypatch) -> None:
    """In the home folder only what is open is known."""
    monkeypatch.setenv("HOME", str(book))
    write("a.md", "x")
    index = await opened()
    assert paths(index) == []
    assert [p.code for p in index.problems] == ["root_refused"]
    index.set_buffer("a.md", "eins zwei")
    assert [(c.path, c.counts.mixed) for c in index.chapters()] == [("a.md", 2)]


async def test_a_file_on_its_own(write, opened) -> None:
    """A shallow book is the files of its folder."""
    write("a.md", "x")
    write("b/c.md", "x")
    index = await opened(deep=False)
    assert paths(index) == ["a.md"]
    await index.file_changed("b/c.md")
    assert paths(index) == ["a.md"]


@pytest.mark.parametrize(
    "path", ["../x.md", "/x.md", "a/../../x.md", ".git/x.md", "node_modules/x.md", "x.txt", "", "x"]
)
async def test_buffers_that_are_no_part_of_the_book(opened, path: str) -> None:
    """Documents outside the book, of foreign folders or no Markdown change nothing."""
    index = await opened()
    index.set_buffer(path, "x")
    index.clear_buffer(path)
    assert paths(index) == []


async def test_a_new_document_before_it_is_saved(write, opened) -> None:
    """A document that is not on the disk yet is a chapter or a card like any other, and gone when closed."""
    write("第1章.md", "阿夏")
    index = await opened()
    index.set_buffer("cards/阿夏.md", "# 阿夏\n")
    index.set_buffer("第2章.md", "阿夏阿夏")
    await index.settled()
    assert counts(index, "cards/阿夏.md") == {"第1章.md": 1, "第2章.md": 2}
    assert index.digest("第2章.md") != ""
    index.clear_buffer("cards/阿夏.md")
    index.clear_buffer("第2章.md")
    await index.settled()
    assert (paths(index), index.cards(), index.mentions("第1章.md")) == (["第1章.md"], (), ())


async def test_a_warm_start_reads_no_unchanged_file(
    tmp_path: Path, book: Path, write, opened, monkeypatch
) -> None:
    """What the store knows is taken; what changed since is read; the answers are the same as of a cold start."""
    for i in range(1, 8):
        file = write(f"第{i}章.md", f"# 第{i}章\n\n林夏{'，小夏' * i}")
        os.utime(file, (1, 1))
    os.utime(write("cards/林夏.md", LIN), (1, 1))
    store = tmp_path / "index.db"
    cold = await opened(store=store)
    await cold.close()
    (book / "第7章.md").unlink()
    write("第3章.md", "小夏")
    read: list[str] = []
    taken = intake.taken

    def spy(path: str, *args: object, **kwargs: object) -> object:
        read.append(Path(path).name)
        return taken(path, *args, **kwargs)

    monkeypatch.setattr(intake, "taken", spy)
    warm = await opened(store=store)
    assert set(read) - {"book.toml"} == {"第3章.md"}
    fresh = await opened()
    assert warm.chapters() == fresh.chapters()
    assert warm.cards() == fresh.cards()
    assert counts(warm, "cards/林夏.md") == counts(fresh, "cards/林夏.md")
    assert [warm.mentions(p) for p in paths(warm)] == [fresh.mentions(p) for p in paths(warm)]
    assert [warm.digest(p) for p in paths(warm)] == [fresh.digest(p) for p in paths(warm)]


async def test_a_second_look_after_a_warm_start_reads_no_unchanged_file(
    tmp_path: Path, write, opened, monkeypatch
) -> None:
    """What the store knew need not be read to be sure; a file that was changed a moment ago is read once more."""
    for i in range(1, 5):
        os.utime(write(f"第{i}章.md", f"# 第{i}章"), (1, 1))
    store = tmp_path / "index.db"
    await (await opened(store=store)).close()
    warm = await opened(store=store)
    read: list[str] = []
    taken = intake.taken

    def spy(path: str, *args: object, **kwargs: object) -> object:
        read.append(Path(path).name)
        return taken(path, *args, **kwargs)

    monkeypatch.setattr(intake, "taken", spy)
    await warm.rescan()
    assert set(read) == {"book.toml"}
    read.clear()
    now = time.time()
    os.utime(write("第2章.md", "# 第二章"), (now + 60, now + 60))
    await warm.rescan()
    await warm.rescan()
    assert [name for name in read if name != "book.toml"] == ["第2章.md"] * 2


async def test_a_card_that_changed_while_nobody_looked(tmp_path: Path, write, opened) -> None:
    """After a warm start with another card all chapters are searched for its names."""
    os.utime(write("第1章.md", "阿夏，林夏"), (1, 1))
    os.utime(write("cards/林夏.md", LIN), (1, 1))
    store = tmp_path / "index.db"
    await (await opened(store=store)).close()
    write("cards/林夏.md", LIN.replace("小夏", "阿夏"))
    warm = await opened(store=store)
    assert counts(warm, "cards/林夏.md") == {"第1章.md": 2}


async def test_a_store_that_is_no_use(tmp_path: Path, write, opened) -> None:
    """A damaged store, records of another version and unreadable payloads cost time and nothing else."""
    os.utime(write("第1章.md", "林夏"), (1, 1))
    write("cards/林夏.md", LIN)
    store = tmp_path / "index.db"
    await (await opened(store=store)).close()
    for change in (
        "payload = x'00'",
        "payload = '{}'",
        "version = 'other'",
        "payload = substr(payload, 1, 9)",
    ):
        with sqlite3.connect(store) as db:
            db.execute(f"UPDATE files SET {change}")
        index = await opened(store=store)
        assert counts(index, "cards/林夏.md") == {"第1章.md": 1}
        await index.close()
    store.write_bytes(b"nothing")
    index = await opened(store=store)
    assert counts(index, "cards/林夏.md") == {"第1章.md": 1}


async def test_closing_in_the_middle(tmp_path: Path, book: Path, write) -> None:
    """A build that is cancelled, and an index closed with work waiting, end at once and leave no thread at work."""
    for i in range(200):
        write(f"{i}.md", "林夏" * 2000)
    index = await BookIndex.open(book)
    building = asyncio.create_task(index.build())
    while not index.chapters() and not building.done():
        await asyncio.sleep(0)
    index.set_buffer("1.md", "x")
    building.cancel()
    await asyncio.gather(building, return_exceptions=True)
    await index.close()
    assert not index.ready.is_set()
    assert index._worker._pool._shutdown


async def test_nothing_is_written(book: Path, write, opened) -> None:
    """Indexing somebody's folder changes not one byte of it."""
    write("第1章.md", "林夏\r\n")
    write("cards/林夏.md", LIN)
    before = {p: p.read_bytes() for p in book.rglob("*") if p.is_file()}
    index = await opened()
    index.set_buffer("第1章.md", "y")
    await index.settled()
    assert {p: p.read_bytes() for p in book.rglob("*") if p.is_file()} == before


async def test_a_fault_of_our_own_in_an_open_document(write, opened, monkeypatch) -> None:
    """If an open text cannot be worked out, the last good answer stays and all else goes on."""
    write("第1章.md", "林夏")
    write("cards/林夏.md", LIN)
    index = await opened()
    index.set_buffer("第1章.md", "林夏林夏")
    assert counts(index, "cards/林夏.md") == {"第1章.md": 2}

    def fail(*_: object) -> object:
        raise RecursionError

    monkeypatch.setattr(drafts, "read", fail)
    index.set_buffer("第1章.md", "x")
    await index.settled()
    assert counts(index, "cards/林夏.md") == {"第1章.md": 2}
    monkeypatch.undo()
    index.set_buffer("第1章.md", "林夏")
    assert counts(index, "cards/林夏.md") == {"第1章.md": 1}


async def test_a_name_being_typed_searches_the_book_once(write, opened, monkeypatch) -> None:
    """The chapters are searched when the name stands still, not with each of its letters."""
    for i in range(1, 6):
        write(f"第{i}章.md", "阿夏子")
    write("cards/林夏.md", LIN)
    index = await opened()
    searched: list[int] = []
    real = reading.search_slice

    def spy(root: Path, jobs: list[reading.Job], start: int, *rest: object) -> object:
        searched.append(start)
        return real(root, jobs, start, *rest)

    monkeypatch.setattr(reading, "search_slice", spy)
    for alias in ("阿", "阿夏", "阿夏子"):
        index.set_buffer("cards/林夏.md", LIN.replace("小夏", alias))
        assert index.cards()[0].aliases == (alias,)
        await asyncio.sleep(0)
    await index.settled()
    assert searched.count(0) == 1
    assert sum(counts(index, "cards/林夏.md").values()) == 5


async def test_a_document_that_is_opened_again_while_its_place_is_taken_away(
    write, opened, monkeypatch
) -> None:
    """A plan that was made without it takes no place from it: it is read, and nobody waits for ever."""
    write("第1章.md", "一\n")
    index = await opened()
    index.set_buffer("第2章.md", "二\n")
    await index.settled()
    planned, go, plan = asyncio.Event(), threading.Event(), Stock.plan
    loop = asyncio.get_running_loop()

    def slow(stock: Stock) -> object:
        made = plan(stock)
        if threading.current_thread() is not threading.main_thread():
            loop.call_soon_threadsafe(planned.set)
            go.wait(60)
        return made

    monkeypatch.setattr(Stock, "plan", slow)
    index.clear_buffer("第2章.md")
    async with asyncio.timeout(60):
        await planned.wait()
        index.set_buffer("第2章.md", "又来了\n")
        go.set()
        await index.settled()
    assert [(c.path, c.counts.han) for c in index.chapters()] == [("第1章.md", 1), ("第2章.md", 3)]

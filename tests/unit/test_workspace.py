"""Books in use: found, adopted, edited; nothing is created uninvited, no file is half written."""

from __future__ import annotations

import asyncio
import os
import stat
import sys
import threading
from pathlib import Path

import pytest

from inkwright.domain.errors import Fault, InkwrightError
from inkwright.manuscript.index import BookIndex
from inkwright.store.state import State
from inkwright.workspace import OpenBook, Workspace, read_bytes, write_text


@pytest.fixture
async def workspace(tmp_path: Path):
    root = tmp_path / "书 100%"
    (root / "卷一").mkdir(parents=True)
    (root / "卷一" / "第1章.md").write_text("# 一\n\n林夏来了。\n", "utf-8")
    space = Workspace([root])
    yield space
    await space.close()


def tree(root: Path) -> dict[str, bytes]:
    return {str(p.relative_to(root)): p.read_bytes() for p in sorted(root.rglob("*")) if p.is_file()}


async def test_opening_a_folder_changes_not_one_byte_of_it(workspace) -> None:
    """State and index lie in the user's own folders."""
    (root,) = workspace.folders
    before = tree(root)
    book = await workspace.book(root / "卷一" / "第1章.md")
    await book.ready()
    assert [c.path for c in book.files.chapters()] == ["卷一/第1章.md"]
    assert tree(root) == before
    assert not book.book.owned
    assert root not in book.state.database.path.parents


async def test_adopting_moves_the_data_in_and_a_second_time_changes_nothing(workspace) -> None:
    """`.inkwright/` holds both databases, `book.toml` the fields; metadata is known from both."""
    (root,) = workspace.folders
    book = await workspace.adopt(root, {"title": "渡口", "type": "novel"})
    await book.ready()
    assert book.book.owned
    assert (book.book.title, book.book.type) == ("渡口", "novel")
    assert (root / ".inkwright" / "inkwright.db").is_file()
    assert book.state.database.path == root / ".inkwright" / "inkwright.db"
    once = (root / "book.toml").read_bytes()
    await workspace.adopt(root, {"title": "别的"})
    assert (root / "book.toml").read_bytes() == once
    await workspace.close()
    again = await workspace.book(root)
    await again.ready()
    assert (again.book.title, again.book.revision) == ("渡口", book.book.revision)
    assert (root / ".inkwright" / "index.db").is_file()


async def test_metadata_without_a_book_file_is_kept_and_guarded_by_its_revision(workspace) -> None:
    """updateBook without book.toml goes to the database and makes no file."""
    (root,) = workspace.folders
    book = await workspace.book(root)
    await workspace.update(book, {"type": "thesis"}, book.book.revision)
    assert book.book.type == "thesis"
    assert not (root / "book.toml").exists()
    with pytest.raises(InkwrightError) as stale:
        await workspace.update(book, {"type": "novel"}, book.book.revision - 1)
    assert stale.value.fault.code == "revision_conflict"
    with pytest.raises(InkwrightError) as wrong:
        await workspace.update(book, {"count": "lines"})
    assert wrong.value.fault.code == "book_field_count"
    await workspace.close()
    assert (await workspace.book(root)).book.type == "thesis"


async def test_the_book_file_is_edited_in_place_and_its_values_win(workspace) -> None:
    """Comments and unknown keys stay; what it says is copied into the database."""
    (root,) = workspace.folders
    (root / "book.toml").write_text('# 我的书\ntitle = "旧名" # 暂定\nmood = "雨"\n', "utf-8")
    book = await workspace.book(root)
    await workspace.update(book, {"title": "新名"})
    text = (root / "book.toml").read_text("utf-8")
    assert "# 我的书" in text
    assert "# 暂定" in text
    assert 'mood = "雨"' in text
    assert book.book.title == "新名"
    stored = await book.state.books.get(book.state.book_id)
    assert stored.title == "新名"


async def test_a_revision_that_another_process_made_stale_changes_no_file(workspace) -> None:
    """The database decides, not what this process remembers: `book.toml` stays as the other one left it."""
    (root,) = workspace.folders
    (root / "book.toml").write_text('title = "一"\n', "utf-8")
    book = await workspace.book(root)
    seen = book.book.revision
    other = Workspace([root])
    await other.update(await other.book(root), {"title": "二"})
    await other.close()
    with pytest.raises(InkwrightError) as stale:
        await workspace.update(book, {"title": "三"}, seen)
    assert stale.value.fault.code == "revision_conflict"
    assert (root / "book.toml").read_text("utf-8") == 'title = "二"\n'


async def test_the_settings_rule_counts_where_the_book_names_none(tmp_path: Path) -> None:
    """A book's own rule wins; a rule taken out of a book gives way; a changed setting holds at once."""
    for name, said in (("a", ""), ("b", 'count = "word"\n')):
        (tmp_path / name).mkdir()
        (tmp_path / name / "book.toml").write_text(said, "utf-8")
    space = Workspace([tmp_path])
    space.count_by("han")
    try:
        a, b = await space.book(tmp_path / "a"), await space.book(tmp_path / "b")
        assert (a.book.count, b.book.count) == ("han", "word")
        alone = await space.book(None)
        assert alone.book.count == "han"
        space.count_by("nonspace")
        assert (a.book.count, b.book.count, a.files.book.count) == ("nonspace", "word", "nonspace")
        assert alone.book.count == "nonspace"
        await space.update(b, {"count": ""})
        assert b.book.count == "nonspace"
    finally:
        await space.close()


@pytest.mark.parametrize("step", [(State, "open"), (BookIndex, "open"), (OpenBook, "take_stored")])
@pytest.mark.parametrize("first", [False, True])
async def test_a_rule_that_changes_while_a_book_is_opened_is_its_rule(
    workspace, monkeypatch, step: tuple[type, str], first: bool
) -> None:
    """Whenever it comes: before or after the database, the index, or what is stored."""
    (root,) = workspace.folders
    place, name = step
    real = getattr(place, name)

    async def changing(*args: object, **kwargs: object) -> object:
        if first:
            workspace.count_by("han")
        out = await real(*args, **kwargs)
        workspace.count_by("han" if first else "nonspace")
        return out

    monkeypatch.setattr(place, name, changing)
    assert (await workspace.book(root)).book.count == ("han" if first else "nonspace")
    if place is State:
        assert (await workspace.book(None)).book.count == ("han" if first else "nonspace")


@pytest.mark.parametrize("turns", [1, 2, 3, 5, 8, 13, 21, 34, 60, 100, 200])
async def test_closing_while_a_book_is_opened_leaves_nothing(workspace, turns: int) -> None:
    """Whatever an opening waits for: its database is let go of, no thread, task or process row stays."""
    (root,) = workspace.folders
    tasks, threads = asyncio.all_tasks(), {*threading.enumerate()}
    opening = asyncio.create_task(workspace.book(root))
    for _ in range(turns):
        await asyncio.sleep(0.0005 if turns > 20 else 0)
    async with asyncio.timeout(60):
        await workspace.close()
        await asyncio.gather(opening, return_exceptions=True)
    assert asyncio.all_tasks() == tasks
    assert not [t for t in {*threading.enumerate()} - threads if t.name == "inkwright-store"]


async def test_a_scan_that_breaks_is_told_to_who_waits_for_it(workspace, monkeypatch) -> None:
    """Nobody waits for ever, and nobody takes half a book for the whole."""
    (root,) = workspace.folders

    async def build(*_: object) -> None:
        raise RuntimeError("boom")

    monkeypatch.setattr(BookIndex, "build", build)
    book = await workspace.book(root)
    async with asyncio.timeout(60):
        with pytest.raises(InkwrightError) as told:
            await book.ready()
    assert told.value.fault.code == "book_not_read"


def test_a_file_is_read_only_when_it_is_one(tmp_path: Path) -> None:
    """A folder, a pipe, a giant, a name that is none: each is named, and none is waited for."""
    (tmp_path / "x.md").write_bytes(b"x")
    os.mkfifo(tmp_path / "pipe.md")
    with (tmp_path / "giant.md").open("wb") as giant:
        giant.truncate(64_000_001)

    def code(path: Path) -> str:
        with pytest.raises(InkwrightError) as refused:
            read_bytes(path)
        return refused.value.fault.code

    assert read_bytes(tmp_path / "x.md") == b"x"
    assert code(tmp_path) == "file_is_folder"
    assert code(tmp_path / "pipe.md") == "file_not_regular"
    assert code(tmp_path / "giant.md") == "file_too_large"
    assert code(tmp_path / "y.md") == code(tmp_path / "x.md" / "y.md") == "file_missing"
    assert code(tmp_path / "\0.md") == code(tmp_path / ("长" * 100)) == "file_denied"


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege there")
async def test_a_link_that_leads_out_of_the_book_is_not_read(workspace, tmp_path: Path) -> None:
    """The file, or a folder above it: as the index refuses it. A link within the book is a file of it."""
    (root,) = workspace.folders
    outside = tmp_path / "别处"
    outside.mkdir()
    (outside / "日记.md").write_text("别人的秘密。\n", "utf-8")
    (root / "日记.md").symlink_to(outside / "日记.md")
    (root / "卷二").symlink_to(outside)
    (root / "又一.md").symlink_to(root / "卷一" / "第1章.md")
    for path in (root / "日记.md", root / "卷二" / "日记.md"):
        with pytest.raises(InkwrightError) as error:
            await workspace.snapshot(path)
        assert error.value.fault == Fault("link_outside", {"path": str(path)})
    _, snapshot = await workspace.snapshot(root / "又一.md")
    assert snapshot.text == "# 一\n\n林夏来了。\n"


async def test_a_file_with_the_longest_name_is_written(tmp_path: Path) -> None:
    """255 bytes are a name; nothing longer is made beside it."""
    path = tmp_path / f"{'𠮷' * 63}.md"
    path.write_text("旧", "utf-8")
    await write_text(path, "旧", "新")
    assert path.read_text("utf-8") == "新"
    assert [entry.name for entry in tmp_path.iterdir()] == [path.name]


async def test_writing_replaces_the_whole_file_and_keeps_its_mode_bom_and_link(tmp_path: Path) -> None:
    """A link stays a link, a BOM a BOM, and nothing is left beside the file."""
    real = tmp_path / "真.md"
    real.write_bytes(b"\xef\xbb\xbf" + "一\r\n二".encode())
    real.chmod(0o640)
    link = tmp_path / "链.md"
    link.symlink_to(real)
    await write_text(link, "一\r\n二", "一\r\n三")
    assert real.read_bytes() == b"\xef\xbb\xbf" + "一\r\n三".encode()
    assert link.is_symlink()
    assert stat.S_IMODE(real.stat().st_mode) == 0o640
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["真.md", "链.md"]


@pytest.mark.parametrize(
    ("data", "code"),
    [
        ("改过了".encode(), "file_changed"),
        ("旧文字，国标编码的一句话。".encode("gb18030"), "readonly_document"),
    ],
)
async def test_a_file_that_changed_or_is_not_utf8_is_not_written(
    tmp_path: Path, data: bytes, code: str
) -> None:
    """The writer's bytes stay as they are."""
    path = tmp_path / "章.md"
    path.write_bytes(data)
    with pytest.raises(InkwrightError) as refused:
        await write_text(path, "原来的", "新的")
    assert refused.value.fault.code == code
    assert path.read_bytes() == data

"""Books in books: the outer one leaves the inner to itself, whoever says that it is one."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from inkwright.domain.errors import Fault, InkwrightError
from inkwright.manuscript import walk
from inkwright.workspace import Workspace


def put(root: Path, *names: str) -> None:
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("" if name.endswith(".toml") else "雨。")


@pytest.mark.parametrize("mark", ["book.toml", ".inkwright/x"])
def test_a_book_in_a_book_is_left_alone(tmp_path: Path, mark: str) -> None:
    """By either mark; its files, and those in its folders, are not the outer one's, and that is said."""
    put(tmp_path, "1.md", "卷/2.md", "内/3.md", "内/卷/4.md", f"内/{mark}", "book.toml")
    found = walk.scan(tmp_path)
    assert sorted(found.files) == ["1.md", "卷/2.md"]
    assert [(p.path, p.code) for p in found.problems] == [("内", "book_inside")]
    assert found.bounds.outside("内/卷/4.md")
    assert not found.bounds.outside("卷/2.md")
    assert sorted(walk.scan(tmp_path / "内").files) == ["3.md", "卷/4.md"]


def test_what_only_looks_like_a_mark(tmp_path: Path) -> None:
    """A folder called book.toml, a pipe, a file called .inkwright: none makes a book."""
    put(tmp_path, "甲/1.md", "甲/book.toml/x", "乙/2.md", "丙/3.md", "丙/.inkwright")
    os.mkfifo(tmp_path / "乙/book.toml")
    assert sorted(walk.scan(tmp_path).files) == ["丙/3.md", "乙/2.md", "甲/1.md"]


def test_what_goes_while_it_is_walked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Folders and files that vanish, or become the other, between two looks are passed by without a word."""
    put(tmp_path, "1.md", "a/2.md", "b/3.md")
    real = os.scandir

    def scandir(path: Path) -> object:
        if Path(path).name == "a":
            raise FileNotFoundError(2, "gone")
        if Path(path).name == "b":
            raise NotADirectoryError(20, "a file now")
        return real(path)

    monkeypatch.setattr(os, "scandir", scandir)
    found = walk.scan(tmp_path)
    assert (sorted(found.files), found.problems) == (["1.md"], [])


async def workspace(*folders: Path) -> tuple[Workspace, list[Fault]]:
    told: list[Fault] = []
    return Workspace(folders, told.append), told


async def test_the_writer_is_told_once_of_a_book_in_a_book(tmp_path: Path) -> None:
    """The outer book's first reading names it; where the outer folder is no book itself there is nothing to say."""
    put(tmp_path, "书/1.md", "书/book.toml", "书/内/2.md", "书/内/book.toml")
    for folder, said in ((tmp_path / "书", ["book_inside"]), (tmp_path, [])):
        space, told = await workspace(folder)
        book = await space.book(folder / "x.md")
        await book.ready()
        assert book.scan is not None
        await book.scan
        assert [fault.code for fault in told] == said
        assert (await space.book(tmp_path / "书/内/2.md")).root == tmp_path / "书/内"
        await space.close()


async def test_no_book_is_made_in_a_book(tmp_path: Path) -> None:
    """A folder in a book is refused by name and nothing is written; one beside it becomes a book of its own."""
    put(tmp_path, "书/1.md", "书/book.toml", "书/卷/2.md", "别/3.md")
    space, _ = await workspace(tmp_path)
    with pytest.raises(InkwrightError) as refused:
        await space.adopt(tmp_path / "书/卷", {"title": "卷"})
    assert refused.value.fault.code == "book_within"
    assert sorted(p.name for p in (tmp_path / "书/卷").iterdir()) == ["2.md"]
    outer = await space.book(tmp_path / "x.md")
    await outer.ready()
    assert [c.path for c in outer.files.chapters()] == ["别/3.md"]
    made = await space.adopt(tmp_path / "别", {"title": "另一本"})
    assert (made.root, made.book.title, made.book.owned) == (tmp_path / "别", "另一本", True)
    assert not (tmp_path / "book.toml").exists()
    assert outer.files.chapters() == ()
    assert set(outer.files.inner) == {"书", "别"}
    await space.close()


async def test_a_workspace_folder_in_another(tmp_path: Path) -> None:
    """Each is a book of its own while it is a folder of the workspace, unless a mark says otherwise."""
    put(tmp_path, "1.md", "内/2.md", "书/book.toml", "书/3.md", "书/卷/4.md")
    space, _ = await workspace(tmp_path, tmp_path / "内", tmp_path / "书/卷")
    outer, marked = await space.book(tmp_path / "1.md"), await space.book(tmp_path / "书/3.md")
    await outer.ready()
    await marked.ready()
    assert [c.path for c in outer.files.chapters()] == ["1.md"]
    assert [c.path for c in marked.files.chapters()] == ["3.md", "卷/4.md"]
    assert (await space.book(tmp_path / "内/2.md")).root == tmp_path / "内"
    await space.refolder([tmp_path])
    assert [c.path for c in outer.files.chapters()] == ["1.md", "内/2.md"]
    assert (await space.book(tmp_path / "内/2.md")).root == tmp_path
    await space.close()


async def test_an_open_document_that_is_no_longer_the_books(write, opened, book: Path) -> None:
    """It is gone from the answers once a mark or an ignore file puts it out, and does not come back by typing."""
    write("1.md", "雨")
    write("内/2.md", "雨")
    write("草/3.md", "雨")
    index = await opened()
    for path in ("内/2.md", "草/3.md"):
        index.set_buffer(path, "雨雨")
    await index.settled()
    put(book, "内/book.toml")
    await index.files_changed(["内/book.toml"])
    assert [c.path for c in index.chapters()] == ["1.md", "草/3.md"]
    (book / ".ignore").write_text("草\n")
    await index.files_changed([".ignore"])
    index.set_buffer("草/3.md", "雨雨雨")
    await index.settled()
    assert [c.path for c in index.chapters()] == ["1.md"]
    (book / ".ignore").unlink()
    (book / "内/book.toml").unlink()
    await index.files_changed([".ignore", "内/book.toml"])
    assert [c.path for c in index.chapters()] == ["1.md", "内/2.md", "草/3.md"]


async def test_a_file_becomes_a_folder_and_back(write, opened, book: Path) -> None:
    """By one event for its path, as a watcher tells it."""
    write("1.md", "雨")
    write("卷.md", "雨")
    index = await opened()
    (book / "卷.md").unlink()
    write("卷.md/2.md", "雨")
    await index.files_changed(["卷.md"])
    assert [c.path for c in index.chapters()] == ["1.md", "卷.md/2.md"]
    (book / "卷.md/2.md").unlink()
    (book / "卷.md").rmdir()
    write("卷.md", "雨")
    await index.files_changed(["卷.md"])
    assert [c.path for c in index.chapters()] == ["1.md", "卷.md"]


async def test_a_case_of_its_own(write, opened, book: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Renamed in case alone there is one chapter, also where the old name still finds the file."""
    write("Chapter.md", "雨")
    index = await opened()
    (book / "Chapter.md").rename(book / "chapter.md")
    real = walk.look

    def look(root: Path, path: str, *rest: object, **more: object) -> object:
        return real(root, "chapter.md" if path.casefold() == "chapter.md" else path, *rest, **more)

    monkeypatch.setattr(walk, "look", look)
    await index.files_changed(["Chapter.md", "chapter.md"])
    assert [c.path for c in index.chapters()] == ["chapter.md"]


async def test_many_files_at_once_are_read_once(write, opened, book: Path, monkeypatch) -> None:
    """A checkout of another branch: one walk, each changed file read once, the answers of a fresh start."""
    from inkwright import intake

    for i in range(120):
        write(f"第{i}章.md", f"# 第{i}章\n\n甲")
    index = await opened()
    for i in range(100):
        write(f"第{i}章.md", f"# 第{i}章\n\n乙乙")
    for i in range(100, 110):
        (book / f"第{i}章.md").unlink()
    read: list[str] = []
    walks: list[Path] = []
    taken, scan = intake.taken, walk.scan
    monkeypatch.setattr(intake, "taken", lambda p, *a, **k: read.append(Path(p).name) or taken(p, *a, **k))
    monkeypatch.setattr(walk, "scan", lambda p, *a, **k: walks.append(p) or scan(p, *a, **k))
    await index.files_changed([f"第{i}章.md" for i in range(110)])
    changed = [name for name in read if name in {f"第{i}章.md" for i in range(100)}]
    assert len(changed) == len(set(changed)) == 100
    assert len(walks) == 1
    monkeypatch.undo()
    assert index.chapters() == (await opened()).chapters()

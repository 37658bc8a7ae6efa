"""Walking a book's files."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from inkwright.manuscript import bookfile, walk
from inkwright.manuscript.walk import Limits, Listing


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "book 100% 书"
    folder.mkdir()
    return folder


def put(root: Path, *paths: str) -> None:
    for path in paths:
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("x", "utf-8")


def seen(listing: Listing) -> list[str]:
    return sorted(listing.files)


def codes(listing: Listing) -> list[str]:
    return [p.code for p in listing.problems]


def test_markdown_only_and_no_foreign_folder(root: Path) -> None:
    """Markdown below the root; hidden folders and those of other tools are left alone."""
    put(
        root,
        "a.md",
        "b.MD",
        "c.markdown",
        "d.txt",
        ".e.md",
        "卷 1/100%.md",
        ".git/x.md",
        "node_modules/y.md",
        ".inkwright/z.md",
    )
    found = walk.scan(root)
    assert seen(found) == ["a.md", "b.MD", "c.markdown", "卷 1/100%.md"]
    assert codes(found) == []
    assert seen(walk.scan(root, deep=False)) == ["a.md", "b.MD", "c.markdown"]


def test_links(root: Path, tmp_path: Path) -> None:
    """A loop of folders ends, a loop of files and a dangling link are passed by, a link out of the book is named."""
    put(root, "a.md", "x/b.md")
    put(tmp_path, "outside.md")
    (root / "x" / "loop").symlink_to(root)
    (root / "self.md").symlink_to("self.md")
    (root / "gone.md").symlink_to("nowhere.md")
    (root / "out.md").symlink_to(tmp_path / "outside.md")
    (root / "in.md").symlink_to("a.md")
    found = walk.scan(root)
    assert seen(found) == ["a.md", "in.md", "x/b.md"]
    assert "link_outside" in codes(found)
    for path in ("self.md", "gone.md", "x/loop/a.md"):
        assert not isinstance(walk.look(root, path), walk.Seen)


def test_no_file_is_opened_that_is_none(root: Path) -> None:
    """A folder or a pipe with the name of a text is no text."""
    (root / "folder.md").mkdir()
    os.mkfifo(root / "pipe.md")
    put(root, "folder.md/a.md")
    assert seen(walk.scan(root)) == ["folder.md/a.md"]
    assert walk.look(root, "pipe.md") is None


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_an_unreadable_folder_is_a_problem(root: Path) -> None:
    """The rest is read, and the folder named."""
    put(root, "a.md", "x/b.md")
    (root / "x").chmod(0)
    try:
        found = walk.scan(root)
    finally:
        (root / "x").chmod(0o700)
    assert (seen(found), codes(found)) == (["a.md"], ["folder_unreadable"])


def test_a_folder_that_fails_is_a_problem(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the system refuses is named, and the walk goes on."""
    put(root, "a.md", "x/b.md")
    real = os.scandir

    def scandir(path: Path) -> object:
        if Path(path).name == "x":
            raise PermissionError(13, "Permission denied")
        return real(path)

    monkeypatch.setattr(os, "scandir", scandir)
    found = walk.scan(root)
    assert (seen(found), codes(found)) == (["a.md"], ["folder_unreadable"])


def test_limits(root: Path) -> None:
    """Too many entries, too deep, too large, too long: each said, nothing endless."""
    put(root, *(f"{i}.md" for i in range(20)), "a/b/c/d.md")
    assert codes(walk.scan(root, limits=Limits(entries=5))) == ["walk_cut"]
    assert len(walk.scan(root, limits=Limits(files=5)).files) == 5
    assert codes(walk.scan(root, limits=Limits(depth=2))) == ["folder_too_deep"]
    assert set(codes(walk.scan(root, limits=Limits(size=0)))) == {"file_too_large"}
    ticks: Iterator[float] = iter(range(0, 1000, 10))
    assert codes(walk.scan(root, limits=Limits(seconds=15), clock=lambda: next(ticks))) == ["walk_cut"]


def test_home_and_the_top_are_no_book(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The home folder and all above it are refused, unless a mark says that it is a book."""
    monkeypatch.setenv("HOME", str(root))
    put(root, "a.md")
    for folder in (root, root.parent, Path("/")):
        assert walk.refused(folder)
        assert codes(walk.scan(folder)) == ["root_refused"]
    put(root, "book/a.md")
    assert not walk.refused(root / "book")
    (root / "book.toml").touch()
    assert seen(walk.scan(root)) == ["a.md", "book/a.md"]


def test_a_root_that_is_not_there(root: Path) -> None:
    """A folder that does not exist, or is a file, is a problem and no crash."""
    put(root, "a.md")
    for path in (root / "none", root / "a.md"):
        found = walk.scan(path)
        assert (seen(found), codes(found)) == ([], ["root_unreadable"])


def test_a_name_that_is_no_text(root: Path) -> None:
    """A file name that is not UTF-8 is named and left out."""
    try:
        (Path(os.fsdecode(os.fsencode(root) + b"/\xff.md"))).write_text("x")
    except OSError:
        pytest.skip("the file system takes UTF-8 only")
    found = walk.scan(root)
    assert (seen(found), codes(found)) == ([], ["name_undecodable"])


def test_a_whole_disk_is_no_book_whatever_lies_on_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """A mark in the top folder makes no book of everything below it."""
    monkeypatch.setattr(Path, "is_dir", lambda _self: True)
    assert not bookfile.marked(Path(Path.cwd().anchor))
    assert bookfile.marked(Path.cwd())

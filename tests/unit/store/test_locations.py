"""Where a book's databases lie."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from inkwright.store import locations


@pytest.fixture(autouse=True)
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INKWRIGHT_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("INKWRIGHT_CACHE_DIR", str(tmp_path / "cache"))


def test_a_book_without_a_home_leaves_its_folder_alone(tmp_path: Path) -> None:
    """State and index lie in the user's folders, and asking for them creates nothing."""
    book = tmp_path / "book"
    book.mkdir()
    assert locations.state_path(book).is_relative_to(tmp_path / "data")
    assert locations.index_path(book).is_relative_to(tmp_path / "cache")
    assert [p.name for p in tmp_path.iterdir()] == ["book"]
    assert list(book.iterdir()) == []


def test_a_book_with_a_home_owns_both(tmp_path: Path) -> None:
    """With `.inkwright/` both databases lie in it."""
    home = locations.make_home(tmp_path)
    assert locations.state_path(tmp_path) == home / "inkwright.db"
    assert locations.index_path(tmp_path) == home / "index.db"


def test_the_key_is_the_same_for_every_spelling(tmp_path: Path) -> None:
    """A symlink, a dot and the real folder name one book; another folder is another book."""
    book = tmp_path / "book"
    book.mkdir()
    (tmp_path / "link").symlink_to(book)
    spellings = {locations.key(book), locations.key(tmp_path / "link"), locations.key(book / "." / "..") + ""}
    assert locations.key(book) == locations.key(tmp_path / "link")
    assert len(spellings) == 2


@pytest.mark.skipif(sys.platform != "linux", reason="XDG folders")
def test_xdg_is_honoured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without our own variables the platform's folders are used."""
    monkeypatch.delenv("INKWRIGHT_DATA_DIR")
    monkeypatch.delenv("INKWRIGHT_CACHE_DIR")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "x"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "y"))
    assert locations.state_path(tmp_path).is_relative_to(tmp_path / "x" / "inkwright")
    assert locations.index_path(tmp_path).is_relative_to(tmp_path / "y" / "inkwright")


def test_the_home_shares_decisions_and_profiles_only(tmp_path: Path) -> None:
    """Its .gitignore excepts these two, and an existing one is not touched."""
    home = locations.make_home(tmp_path)
    lines = (home / ".gitignore").read_text("utf-8").splitlines()
    assert lines[0] == "*"
    assert {"!/decisions.jsonl", "!/profiles/", "!/profiles/**"} <= set(lines)
    (home / ".gitignore").write_text("mine\n", "utf-8")
    locations.make_home(tmp_path)
    assert (home / ".gitignore").read_text("utf-8") == "mine\n"

"""The book's metadata, and the book that becomes the owner of its data."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from inkwright.domain.errors import InkwrightError, StorageError
from inkwright.store import locations
from inkwright.store.state import State


async def test_a_change_carries_a_revision(state: State) -> None:
    """It goes up when something changes, and an old one is refused."""
    book = await state.books.update(state.book_id, {"title": "雪夜", "unknown": "x"})
    assert (book.title, book.revision) == ("雪夜", 1)
    assert (await state.books.update(state.book_id, {"title": "雪夜"}, revision=1)).revision == 1
    with pytest.raises(InkwrightError) as caught:
        await state.books.update(state.book_id, {"title": "别的"}, revision=0)
    assert caught.value.fault.code == "revision_conflict"
    assert await state.books.get(state.book_id) == book
    with pytest.raises(InkwrightError):
        await state.books.update("nope", {})
    assert await state.books.get("nope") is None


async def test_a_book_that_is_moved_keeps_its_id(root: Path, tmp_path: Path) -> None:
    """The folder has another name; the id and the rows are the same."""
    state = await State.open(root)
    await state.books.update(state.book_id, {"title": "雪夜"})
    await state.close()
    moved = root.rename(tmp_path / "moved")
    again = await State.open(moved)
    assert again.book_id == state.book_id
    book = await again.books.get(again.book_id)
    assert book is not None
    assert (book.root, book.title) == (str(moved), "雪夜")
    await again.close()


async def test_adopting_moves_the_state_into_the_book(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without `.inkwright/` nothing is in the book; after adopt() everything is, also for who had it open."""
    monkeypatch.setenv("INKWRIGHT_DATA_DIR", str(tmp_path / "data"))
    book = tmp_path / "book"
    book.mkdir()
    state = await State.open(book)
    other = await State.open(book)
    await state.books.update(state.book_id, {"title": "雪夜"})
    assert list(book.iterdir()) == []
    await state.adopt()
    await state.adopt()
    await other.books.update(other.book_id, {"author": "某人"})
    assert state.database.path == other.database.path == locations.home(book) / "inkwright.db"
    await state.close()
    await other.close()
    again = await State.open(book)
    found = await again.books.get(again.book_id)
    assert found is not None
    assert (again.book_id, found.title, found.author) == (state.book_id, "雪夜", "某人")
    await again.close()


async def test_two_processes_adopt_a_book_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The one that comes second finds the database where it wanted it, and follows."""
    monkeypatch.setenv("INKWRIGHT_DATA_DIR", str(tmp_path / "data"))
    book = tmp_path / "book"
    book.mkdir()
    states = [await State.open(book) for _ in range(2)]
    await asyncio.gather(*(state.adopt() for state in states))
    await states[0].books.update(states[0].book_id, {"title": "雪夜"})
    found = await states[1].books.get(states[1].book_id)
    assert found is not None
    assert found.title == "雪夜"
    assert {state.database.path for state in states} == {locations.home(book) / "inkwright.db"}
    for state in states:
        await state.close()


async def test_a_foreign_database_in_the_way_of_adopting_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is written over a file that was there, and the book goes on where it is."""
    monkeypatch.setenv("INKWRIGHT_DATA_DIR", str(tmp_path / "data"))
    book = tmp_path / "book"
    book.mkdir()
    state = await State.open(book)
    home = locations.make_home(book)
    (home / "inkwright.db").write_bytes(b"mine")
    with pytest.raises(StorageError) as caught:
        await state.adopt()
    assert caught.value.fault.code == "store_target_exists"
    assert (home / "inkwright.db").read_bytes() == b"mine"
    assert await state.books.get(state.book_id) is not None
    await state.close()

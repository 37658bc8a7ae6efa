"""What another process writes to a book's database is told apart from what is written here."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import AsyncIterator, Sequence
from contextlib import closing
from pathlib import Path

import pytest

from inkwright.domain.errors import StorageError
from inkwright.domain.memory import Memory
from inkwright.store.state import State
from inkwright.store.witness import Witness
from inkwright.workspace.elsewhere import Elsewhere


def added(new: Memory, _known: Sequence[Memory]) -> tuple[Sequence[Memory], Memory | None]:
    return (), new


async def remember(state: State, text: str) -> None:
    await state.memories.put([Memory("", "polish", "decision", text, (text,))], added)


@pytest.fixture
async def two(tmp_path: Path) -> AsyncIterator[tuple[State, State]]:
    """Two connections to one book's database, as two processes have them."""
    (tmp_path / "book").mkdir()
    one, other = [await State.open(tmp_path / "book") for _ in range(2)]
    yield one, other
    await one.close()
    await other.close()


async def test_only_what_others_write_is_news(two):
    """The first look finds nothing; own writes are none; another's is told once, by its kind."""
    one, other = two
    witness = Witness(one.database, one.book_id)
    assert await witness.look() == frozenset()
    await remember(one, "own")
    assert await witness.look() == frozenset()
    await remember(other, "theirs")
    assert await witness.look() == {"memories"}
    assert await witness.look() == frozenset()


async def test_what_changes_nothing_of_ours_is_no_news(two, tmp_path):
    """A third process that opens the book and leaves; another book in the same kind of file."""
    one, other = two
    witness = Witness(one.database, one.book_id)
    await witness.look()
    third = await State.open(tmp_path / "book")
    await third.close()
    assert await witness.look() == frozenset()
    await remember(other, "x")
    assert await witness.look() == {"memories"}


@pytest.mark.skipif(os.name == "nt", reason="files that are open are not dated there")
async def test_a_look_at_rest_reads_no_database(two, monkeypatch):
    """Once the files have settled they are only looked at, until somebody writes."""
    one, other = two
    witness = Witness(one.database, one.book_id)
    await witness.look()
    for file in one.database.path.parent.iterdir():
        os.utime(file, (1, 1))
    await witness.look()
    reads = 0
    read = one.database.read

    async def counted(work):
        nonlocal reads
        reads += 1
        return await read(work)

    monkeypatch.setattr(one.database, "read", counted)
    assert [await witness.look() for _ in range(3)] == [frozenset()] * 3
    assert reads == 0
    await remember(other, "theirs")
    assert await witness.look() == {"memories"}
    assert reads == 1


async def test_decisions_made_elsewhere(two, tmp_path):
    """The file is made, and changed; not by this process."""
    one, _ = two
    elsewhere = Elsewhere(tmp_path / "book", one)
    file = tmp_path / "book" / ".inkwright" / "decisions.jsonl"
    file.parent.mkdir()
    assert await elsewhere.look() == frozenset()
    file.write_text("{}\n", "utf-8")
    assert await elsewhere.look() == {"decisions"}
    async with elsewhere.deciding():
        file.write_text("{}\n{}\n", "utf-8")
    assert await elsewhere.look() == frozenset()
    file.write_text("{}\n{}\n{}\n", "utf-8")
    async with elsewhere.deciding():
        file.write_text("{}\n{}\n{}\n{}\n", "utf-8")
    assert await elsewhere.look() == {"decisions"}


async def test_a_decision_is_told_although_the_database_could_not_be_read_then(two, tmp_path):
    """A look that fails has seen nothing: the next one tells of what came before it."""
    one, _ = two
    elsewhere = Elsewhere(tmp_path / "book", one)
    await elsewhere.look()
    file = tmp_path / "book" / ".inkwright" / "decisions.jsonl"
    file.parent.mkdir()
    file.write_text("{}\n", "utf-8")
    with closing(sqlite3.connect(one.database.path)) as third:
        third.execute("ALTER TABLE memories RENAME TO gone")
        with pytest.raises(StorageError):
            await elsewhere.look()
        third.execute("ALTER TABLE gone RENAME TO memories")
    assert "decisions" in await elsewhere.look()

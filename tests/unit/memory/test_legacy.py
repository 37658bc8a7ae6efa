"""Memories brought over from TimeWrite: once, whole or not at all, out of a file that nobody vouches for."""

from __future__ import annotations

import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest

from inkwright.domain.errors import InkwrightError, StorageError
from inkwright.memory.legacy import import_file
from inkwright.memory.recall import recall
from inkwright.store import legacy_memories

TABLE = """
CREATE TABLE memories (
    id               INTEGER PRIMARY KEY AUTOINCREMENT,
    book_id          TEXT NOT NULL,
    skill_type       TEXT NOT NULL,
    memory_type      TEXT NOT NULL,
    content          TEXT NOT NULL,
    keywords         TEXT NOT NULL DEFAULT '',
    relevance_score  REAL NOT NULL DEFAULT 1.0,
    created_at       TEXT NOT NULL DEFAULT (datetime('now','localtime')),
    updated_at       TEXT NOT NULL DEFAULT (datetime('now','localtime')),
    last_hit_at      TEXT
)
"""
ROW = "INSERT INTO memories (book_id, skill_type, memory_type, content) VALUES (?, ?, ?, ?)"


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A database as TimeWrite leaves it."""
    path = tmp_path / "旧 50%" / "agent_memory.db"
    path.parent.mkdir()
    with closing(sqlite3.connect(path)) as conn:
        conn.execute(TABLE)
        conn.execute(
            "INSERT INTO memories (book_id, skill_type, memory_type, content, keywords, relevance_score,"
            " created_at, updated_at, last_hit_at) VALUES ('1', 'polish', 'preference', '我喜欢短句', '喜欢,短句',"
            " 1.5, '2024-05-01 08:00:00', '2024-05-02 08:00:00', '2024-06-01 08:00:00')"
        )
        conn.execute(ROW, ("1", "writing", "decision", "决定让林晚活下来"))
        conn.commit()
    return path


def listing(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


async def test_what_is_there_comes_over(memories, old):
    """With its ability, type, relevance and times; it goes along at once; the file is as it was."""
    before = listing(old.parent)
    assert (await import_file(memories, old)).count == 2
    assert listing(old.parent) == before
    (first,) = [one for one in await memories.list() if one.type == "preference"]
    assert (first.ability, first.content, first.relevance) == ("polish", "我喜欢短句", 1.5)
    assert time.strftime("%Y-%m-%d %H:%M", time.localtime(first.created_at)) == "2024-05-01 08:00"
    assert first.last_hit_at is not None
    assert [one.id for one in await recall(memories, "polish", "短句")] == [first.id]


async def test_it_comes_over_once(memories, old):
    """Into memories that are there nothing comes, and it is said."""
    await import_file(memories, old)
    again = await import_file(memories, old)
    assert (again.count, again.skipped) == (0, "filled")
    assert len(await memories.list()) == 2


async def test_old_ones_are_not_pruned_at_once(memories, old):
    """They lay unused for years; to be brought over is to be used."""
    await import_file(memories, old)
    assert await memories.prune() == 0


async def test_what_cannot_be_used_is_left_out(memories, old):
    """Wrong types, unknown kinds, empty and doubled ones, and one as large as a book."""
    with closing(sqlite3.connect(old)) as conn:
        conn.executemany(
            ROW,
            [
                ("1", "polish", "mood", "别的"),
                ("1", "polish", "preference", "  "),
                ("1", "polish", "preference", "我喜欢短句"),
                ("1", "polish", "preference", b"\x00\xff"),
                ("1", "polish", "lesson", "长" * 200_000),
                (b"\xff", "polish", "lesson", b"\x01"),
            ],
        )
        conn.execute(
            "INSERT INTO memories (book_id, skill_type, memory_type, content, relevance_score, created_at,"
            " last_hit_at) VALUES ('1', 'two words', 'lesson', '建议\x07放慢' || char(0x202e), 'much', 'gestern', '9999')"
        )
        conn.execute("UPDATE memories SET book_id = '1'")
        conn.commit()
    done = await import_file(memories, old)
    assert (done.count, done.left) == (3, 6)
    (odd,) = [one for one in await memories.list() if one.type == "lesson"]
    assert (odd.content, odd.ability, odd.relevance, odd.last_hit_at) == ("建议放慢", "", 1.0, None)


async def test_the_caps_hold(memories, old):
    """Of a file with a thousand the newest come, so many as a book may have."""
    with closing(sqlite3.connect(old)) as conn:
        conn.executemany(ROW, [("1", f"a{n % 10}", "lesson", f"建议放慢第{n}章") for n in range(1_000)])
        conn.commit()
    done = await import_file(memories, old)
    assert (done.count, done.left) == (240, 762)
    assert "建议放慢第999章" in {one.content for one in await memories.list(500)}


async def test_of_several_books_one_is_taken(memories, old):
    """By its title where the file knows titles, else by what the writer says; else nothing is taken."""
    with closing(sqlite3.connect(old)) as conn:
        conn.execute(ROW, ("2", "polish", "decision", "决定周衡出走"))
        conn.execute("CREATE TABLE books (id INTEGER PRIMARY KEY, title TEXT)")
        conn.execute("INSERT INTO books VALUES (1, '渡口'), (2, '雪夜')")
        conn.commit()
    with pytest.raises(InkwrightError) as caught:
        await import_file(memories, old, title="别的书")
    assert caught.value.fault.code == "memories_import_which"
    assert caught.value.fault.params["books"] == "渡口 (2), 雪夜 (1)"
    with pytest.raises(InkwrightError):
        await import_file(memories, old, book="3")
    assert await memories.list() == ()
    assert (await import_file(memories, old, title="雪夜")).count == 1
    await memories.clear()
    assert (await import_file(memories, old, title="雪夜", book="1")).count == 2


@pytest.mark.parametrize("column", ["skill_type", "relevance_score", "created_at", "last_hit_at", "book_id"])
async def test_an_older_table_has_fewer_columns(memories, old, column):
    """What is not there has its default."""
    with closing(sqlite3.connect(old)) as conn:
        conn.execute(f"ALTER TABLE memories DROP COLUMN {column}")
    assert (await import_file(memories, old)).count == 2


@pytest.mark.parametrize(
    ("made", "skipped"),
    [
        ("CREATE TABLE chapters (id)", "no_table"),
        ("CREATE TABLE memories (id, text)", "no_table"),
        ("CREATE VIEW memories AS SELECT 1 AS memory_type, 2 AS content", "no_table"),
        ("CREATE VIRTUAL TABLE memories USING fts5(memory_type, content)", "no_table"),
        (TABLE, "nothing"),
    ],
)
async def test_a_file_without_memories_is_skipped(memories, tmp_path, made, skipped):
    """And why is said. What looks like the table and runs something is none."""
    path = tmp_path / "time_write.db"
    with closing(sqlite3.connect(path)) as conn:
        conn.execute(made)
    assert (await import_file(memories, path)).skipped == skipped
    assert await memories.list() == ()


@pytest.mark.parametrize("data", [b"", b"no database at all" * 500, b"SQLite format 3\0" + b"\xff" * 5000])
async def test_what_is_no_database_changes_nothing(memories, tmp_path, data):
    """Empty, something else, a head and nothing behind it."""
    path = tmp_path / "agent_memory.db"
    path.write_bytes(data)
    with pytest.raises(InkwrightError) as caught:
        await import_file(memories, path)
    assert caught.value.fault.code == "memories_import_unreadable"
    assert await memories.list() == ()
    assert listing(tmp_path)["agent_memory.db"] == data


async def test_a_missing_file_and_a_folder_are_said(memories, tmp_path):
    """Each with its own sentence."""
    for path, code in ((tmp_path / "nichts.db", "file_missing"), (tmp_path, "memories_import_not_file")):
        with pytest.raises(InkwrightError) as caught:
            await import_file(memories, path)
        assert caught.value.fault.code == code


async def test_what_stands_in_the_log_counts(memories, old):
    """A program that still has the file open has not written all of it; nothing beside it changes."""
    with closing(sqlite3.connect(old)) as conn:
        conn.execute("PRAGMA journal_mode = WAL")
        conn.execute(ROW, ("1", "polish", "lesson", "建议放慢"))
        conn.commit()
        before = listing(old.parent)
        assert before["agent_memory.db-wal"]
        assert (await import_file(memories, old)).count == 3
        assert listing(old.parent) == before


async def test_a_damaged_file_changes_nothing(memories, old):
    """Half of what was remembered would be taken for all of it."""
    with closing(sqlite3.connect(old)) as conn:
        conn.executemany(ROW, [("1", "polish", "lesson", f"建议放慢{n}" + "长" * 600) for n in range(50)])
        conn.commit()
    data = bytearray(old.read_bytes())
    pages = len(data) // 4096
    data[(pages - 3) * 4096 : (pages - 2) * 4096] = b"\xff" * 4096
    old.write_bytes(data)
    with pytest.raises(InkwrightError) as caught:
        await import_file(memories, old)
    assert caught.value.fault.code == "memories_import_unreadable"
    assert await memories.list() == ()


async def test_a_file_that_takes_too_long_is_given_up(memories, old, monkeypatch):
    """The clock ends it, and nothing came over."""
    monkeypatch.setattr(legacy_memories, "SECONDS", -1)
    with pytest.raises(InkwrightError) as caught:
        await import_file(memories, old)
    assert caught.value.fault.code == "memories_import_slow"
    assert await memories.list() == ()


async def test_a_failure_of_ours_changes_nothing(memories, old, monkeypatch):
    """The whole import is one transaction."""
    real = type(memories).fill

    async def twice(self, found):
        return await real(self, [*found, found[0]])

    monkeypatch.setattr(type(memories), "fill", twice)
    with pytest.raises(StorageError):
        await import_file(memories, old)
    assert await memories.list() == ()

"""The open database: transactions, faults with a code, files that move or vanish under it."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import pytest

from inkwright.domain.errors import Fault, StorageError
from inkwright.store import opening
from inkwright.store.database import Database


def put(key: str, value: str = "1"):
    return lambda conn: conn.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))


def get(key: str):
    def work(conn: sqlite3.Connection) -> str | None:
        row = conn.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return row[0] if row else None

    return work


async def code_of(awaitable: object) -> str:
    with pytest.raises(StorageError) as caught:
        await awaitable  # type: ignore[misc]
    return caught.value.fault.code


async def test_a_new_database_is_durable_and_whole(tmp_path: Path) -> None:
    """WAL, FULL and foreign keys are on; what was written is there after closing and opening."""
    path = tmp_path / "a" / "b" / "inkwright.db"
    opened = await Database.open(path)
    db = opened.database
    assert opened.notices == ()

    def pragmas(conn: sqlite3.Connection) -> tuple[object, ...]:
        names = ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
        return tuple(conn.execute(f"PRAGMA {name}").fetchone()[0] for name in names)

    assert await db.read(pragmas) == ("wal", 2, 1, 5000)
    await db.write(put("k", "v"))
    await db.close()
    assert not path.with_name("inkwright.db-wal").exists()
    again = await Database.open(path)
    assert again.notices == ()
    assert await again.database.read(get("k")) == "v"
    await again.database.close()


async def test_a_failing_unit_of_work_leaves_nothing(tmp_path: Path) -> None:
    """An exception in the middle takes the whole transaction back, and the next one works."""
    db = (await Database.open(tmp_path / "x.db")).database

    def half(conn: sqlite3.Connection) -> None:
        put("half")(conn)
        raise KeyError("half")

    with pytest.raises(KeyError):
        await db.write(half)
    assert await db.read(get("half")) is None
    await db.write(put("whole"))
    assert await db.read(get("whole")) == "1"
    await db.close()


async def test_cancelling_the_waiter_does_not_tear_a_write(tmp_path: Path) -> None:
    """The unit of work is done whole although nobody waits for it any more."""
    db = (await Database.open(tmp_path / "x.db")).database
    began, go = threading.Event(), threading.Event()

    def slow(conn: sqlite3.Connection) -> None:
        put("a")(conn)
        began.set()
        go.wait(30)
        put("b")(conn)

    task = asyncio.create_task(db.write(slow))
    await asyncio.to_thread(began.wait, 30)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    go.set()
    assert (await db.read(get("a")), await db.read(get("b"))) == ("1", "1")
    await db.close()


async def test_reads_see_one_state(tmp_path: Path) -> None:
    """Two statements of one read agree although another connection writes between them."""
    path = tmp_path / "x.db"
    db = (await Database.open(path)).database
    await db.write(put("k", "old"))

    def twice(conn: sqlite3.Connection) -> tuple[str | None, str | None]:
        first = get("k")(conn)
        with closing(sqlite3.connect(path)) as other:
            other.execute("UPDATE meta SET value = 'new' WHERE key = 'k'")
            other.commit()
        return first, get("k")(conn)

    assert await db.read(twice) == ("old", "old")
    assert await db.read(get("k")) == "new"
    await db.close()


async def test_a_held_lock_is_a_fault_with_a_code(tmp_path: Path) -> None:
    """Reading goes on, writing says who is in the way, and works once the lock is gone."""
    path = tmp_path / "x.db"
    db = (await Database.open(path, busy_ms=50)).database
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StorageError) as caught:
            await db.write(put("k"))
        assert caught.value.fault.code == "store_locked"
        assert caught.value.fault.retryable
        assert await db.read(get("k")) is None
        other.execute("ROLLBACK")
    await db.write(put("k"))
    await db.close()


async def test_a_full_disk_loses_nothing_that_was_stored(tmp_path: Path) -> None:
    """The write that does not fit is a fault; what was stored before it stays and can be read."""
    db = (await Database.open(tmp_path / "x.db")).database
    await db.write(put("before"))

    def cap(conn: sqlite3.Connection) -> None:
        pages = conn.execute("PRAGMA page_count").fetchone()[0]
        conn.execute(f"PRAGMA max_page_count = {pages}")

    await db.read(cap)
    assert await code_of(db.write(put("big", "x" * 1_000_000))) == "store_full"
    assert await db.read(get("before")) == "1"
    assert await db.read(get("big")) is None
    await db.close()


async def test_a_closed_database_says_so(tmp_path: Path) -> None:
    """After close() every call is `store_closed`; a second close() is nothing."""
    db = (await Database.open(tmp_path / "x.db")).database
    await db.close()
    await db.close()
    assert await code_of(db.read(get("k"))) == "store_closed"
    assert await code_of(db.write(put("k"))) == "store_closed"


async def test_a_folder_in_its_place_is_a_fault(tmp_path: Path) -> None:
    """A path that is no file is refused, and nothing hangs behind it."""
    (tmp_path / "x.db").mkdir()
    assert await code_of(Database.open(tmp_path / "x.db")) == "store_unopenable"
    (tmp_path / "file").write_text("", "utf-8")
    with pytest.raises(StorageError):
        await Database.open(tmp_path / "file" / "x.db")


async def test_another_programs_file_is_left_alone(tmp_path: Path) -> None:
    """A database that is not ours is refused and keeps every byte."""
    path = tmp_path / "x.db"
    with closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE theirs (v)")
        other.commit()
    before = path.read_bytes()
    assert await code_of(Database.open(path)) == "store_foreign"
    assert path.read_bytes()[100:] == before[100:]


async def test_a_database_removed_under_our_hands_is_put_back(tmp_path: Path) -> None:
    """What was stored is still there although somebody deleted the files."""
    path = tmp_path / "x.db"
    db = (await Database.open(path)).database
    await db.write(put("k", "kept"))
    for file in tmp_path.glob("x.db*"):
        file.unlink()
    assert await db.read(get("k")) == "kept"
    await db.write(put("k2"))
    await db.close()
    again = (await Database.open(path)).database
    assert await again.read(get("k")) == "kept"
    assert await again.read(get("k2")) == "1"
    await again.close()


async def test_a_folder_that_is_gone_is_not_made_again(tmp_path: Path) -> None:
    """Nothing is created uninvited: with the folder gone every call says so."""
    path = tmp_path / "home" / "x.db"
    db = (await Database.open(path)).database
    shutil.rmtree(path.parent)
    assert await code_of(db.write(put("k"))) == "store_gone"
    assert not path.parent.exists()
    await db.close()


async def test_a_folder_that_is_back_gets_what_was_stored(tmp_path: Path) -> None:
    """Made again, be it empty, it holds the whole database with the next call, and the file outlives us."""
    path = tmp_path / "home" / "x.db"
    db = (await Database.open(path)).database
    await db.write(put("k", "kept"))
    shutil.rmtree(path.parent)
    assert await code_of(db.read(get("k"))) == "store_gone"
    path.parent.mkdir()
    await db.write(put("k2"))
    await db.close()
    again = (await Database.open(path)).database
    assert (await again.read(get("k")), await again.read(get("k2"))) == ("kept", "1")
    await again.close()


async def test_a_row_that_the_database_refuses_is_a_fault(tmp_path: Path) -> None:
    """A broken constraint is a `StorageError` like any other, and nothing of its unit of work stays."""
    db = (await Database.open(tmp_path / "x.db")).database

    def work(conn: sqlite3.Connection) -> None:
        put("k")(conn)
        conn.execute("INSERT INTO run_steps SELECT 'nobody', 0, 0, 0, '', 0, '', '', NULL, 0, '', '', 0")

    assert await code_of(db.write(work)) == "store_failed"
    assert await db.read(get("k")) is None
    await db.write(put("k"))
    await db.close()


async def test_a_move_takes_other_open_databases_along(tmp_path: Path) -> None:
    """Two open the old place; one moves; both go on in the new one, and so does a third."""
    old, new = tmp_path / "old" / "x.db", tmp_path / "new" / "x.db"
    one = (await Database.open(old)).database
    two = (await Database.open(old)).database
    await one.write(put("before"))
    await one.move(new)
    await two.write(put("from-two"))
    await one.write(put("from-one"))
    assert one.path == two.path == new
    assert await two.read(get("before")) == "1"
    assert await one.read(get("from-two")) == "1"
    third = (await Database.open(old)).database
    assert third.path == new
    assert await code_of(one.move(new)) == "store_target_exists"
    for db in (one, two, third):
        await db.close()


async def test_a_note_that_leads_nowhere_counts_for_nothing(tmp_path: Path) -> None:
    """With the new place deleted the old database is used again."""
    old, new = tmp_path / "old" / "x.db", tmp_path / "new" / "x.db"
    db = (await Database.open(old)).database
    await db.write(put("k"))
    await db.move(new)
    await db.close()
    shutil.rmtree(new.parent)
    again = (await Database.open(old)).database
    assert again.path == old
    assert await again.read(get("k")) == "1"
    await again.close()


async def test_a_backup_is_one_whole_file(tmp_path: Path) -> None:
    """The copy opens by itself and has what was there."""
    db = (await Database.open(tmp_path / "x.db")).database
    await db.write(put("k"))
    await db.backup(tmp_path / "copy.db")
    await db.close()
    assert sorted(p.name for p in tmp_path.glob("copy*")) == ["copy.db"]
    with closing(sqlite3.connect(tmp_path / "copy.db")) as copy:
        assert get("k")(copy) == "1"


async def test_a_file_put_in_its_place_is_what_is_read_next(tmp_path: Path) -> None:
    """A restored copy under the same name is noticed at the next call."""
    path = tmp_path / "x.db"
    db = (await Database.open(path)).database
    await db.write(put("k", "then"))
    await db.backup(tmp_path / "copy.db")
    await db.write(put("k", "now"))
    for tail in ("-wal", "-shm"):
        path.with_name(path.name + tail).unlink(missing_ok=True)
    (tmp_path / "copy.db").replace(path)
    assert await db.read(get("k")) == "then"
    await db.close()


async def test_damage_seen_while_open_is_repaired_at_the_next_call(tmp_path: Path) -> None:
    """The call that meets the damage fails with its code; the next ones work on a rebuilt file."""
    path = tmp_path / "x.db"
    told: list[Fault] = []
    db = (await Database.open(path, notify=told.append)).database
    await db.write(put("k"))

    def corrupt(conn: sqlite3.Connection) -> None:
        error = sqlite3.DatabaseError("database disk image is malformed")
        error.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
        raise error

    assert await code_of(db.read(corrupt)) == "store_damaged"
    assert await db.read(get("k")) == "1"
    await db.write(put("k2"))
    await asyncio.sleep(0)
    assert told == []  # the full check found the file sound
    await db.close()


async def test_memory_stands_in_where_no_file_can_be(tmp_path: Path) -> None:
    """It works, and says that nothing will be kept."""
    opened = await Database.memory(tmp_path / "x.db")
    assert [n.code for n in opened.notices] == ["store_memory_only"]
    await opened.database.write(put("k"))
    assert await opened.database.read(get("k")) == "1"
    await opened.database.close()
    assert list(tmp_path.iterdir()) == []


def test_the_note_is_not_followed_through_a_file(tmp_path: Path) -> None:
    """A path below a file has no note and is itself."""
    (tmp_path / "file").write_text("", "utf-8")
    assert opening.follow(tmp_path / "file" / "x.db") == tmp_path / "file" / "x.db"

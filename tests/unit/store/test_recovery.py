"""Damage: moved aside, never deleted; what can be read is saved; and it is said."""

from __future__ import annotations

import os
import random
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from inkwright.domain.cards import Candidate, NewCard
from inkwright.domain.errors import StorageError
from inkwright.domain.run import Product, RunEnded, RunRequest
from inkwright.domain.run import Usage as Tokens
from inkwright.store import backups, locations, opening, recovery, texts
from inkwright.store.database import Database, Opened
from inkwright.store.state import State

ROWS = 3000


async def fill(path: Path) -> None:
    db = (await Database.open(path)).database

    def work(conn: sqlite3.Connection) -> None:
        conn.executemany("INSERT INTO meta VALUES (?, ?)", ((f"k{n}", f"墨{n} " * 8) for n in range(ROWS)))

    await db.write(work)
    await db.close()


async def rows(opened: Opened) -> int:
    return await opened.database.read(
        lambda conn: int(conn.execute("SELECT count(*) FROM meta WHERE key LIKE 'k%'").fetchone()[0])
    )


def unclean(path: Path) -> None:
    """Leaves what a killed process leaves."""
    with closing(sqlite3.connect(path)) as conn:
        conn.execute("INSERT INTO processes VALUES ('x', 1, 'no such start', 'no such machine', '0', 0)")
        conn.commit()
        conn.execute("PRAGMA wal_checkpoint(TRUNCATE)")


async def reopen(path: Path) -> tuple[Opened, str, int]:
    opened = await Database.open(path)
    codes = [n.code for n in opened.notices]
    assert len(codes) == 1, codes
    aside = Path(str(opened.notices[0].params["aside"]))
    assert aside.is_file()
    return opened, codes[0], await rows(opened)


async def test_a_sound_file_after_an_unclean_end_is_just_opened(tmp_path: Path) -> None:
    """The check passes and nothing is said or moved."""
    path = tmp_path / "x.db"
    await fill(path)
    unclean(path)
    opened = await Database.open(path)
    assert opened.notices == ()
    assert await rows(opened) == ROWS
    await opened.database.close()


async def test_a_damaged_page_costs_only_its_own_rows(tmp_path: Path) -> None:
    """One page of the table is overwritten: all other rows are in the new database, which is sound."""
    path = tmp_path / "x.db"
    await fill(path)
    unclean(path)
    data = bytearray(path.read_bytes())
    place = data.index("墨1500 ".encode()) // 4096 * 4096
    data[place : place + 4096] = random.Random(7).randbytes(4096)
    path.write_bytes(data)
    opened, code, left = await reopen(path)
    assert code == "store_recovered_partly"
    assert ROWS - 100 < left < ROWS
    await opened.database.write(lambda conn: conn.execute("INSERT INTO meta VALUES ('new', '1')"))
    assert await opened.database.read(lambda c: c.execute("PRAGMA integrity_check").fetchone()[0]) == "ok"
    await opened.database.close()
    again = await Database.open(path)
    assert again.notices == ()
    await again.database.close()


async def test_what_a_page_lost_comes_back_from_a_backup(tmp_path: Path) -> None:
    """The rows that the file no longer gives are filled up from the newest copy."""
    path = tmp_path / "x.db"
    await fill(path)
    with closing(sqlite3.connect(path)) as conn:
        backups.make(conn, path, 1)
    unclean(path)
    data = bytearray(path.read_bytes())
    place = data.index("墨1500 ".encode()) // 4096 * 4096
    data[place : place + 4096] = bytes(4096)
    path.write_bytes(data)
    opened, code, left = await reopen(path)
    assert (code, left) == ("store_recovered_partly", ROWS)
    await opened.database.close()


async def test_a_truncated_file_gives_what_it_has(tmp_path: Path) -> None:
    """The last quarter of the file is gone; the rows before it are kept."""
    path = tmp_path / "x.db"
    await fill(path)
    with path.open("r+b") as file:
        file.truncate(path.stat().st_size * 3 // 4 // 4096 * 4096)
    unclean_if_possible(path)
    opened, code, left = await reopen(path)
    assert code == "store_recovered_partly"
    assert 0 < left < ROWS
    await opened.database.close()


def unclean_if_possible(path: Path) -> None:
    try:
        unclean(path)
    except sqlite3.DatabaseError:
        return


async def test_a_zeroed_header_loses_nothing(tmp_path: Path) -> None:
    """The header is not the data: with a new one put before it every row is read."""
    path = tmp_path / "x.db"
    await fill(path)
    with path.open("r+b") as file:
        file.write(bytes(100))
    opened, code, left = await reopen(path)
    assert (code, left) == ("store_recovered", ROWS)
    await opened.database.close()


async def test_garbage_is_moved_aside_and_said(tmp_path: Path) -> None:
    """Nothing can be read: a new database is begun, the file is kept to the byte."""
    path = tmp_path / "x.db"
    data = random.Random(1).randbytes(20_000)
    path.write_bytes(data)
    opened = await Database.open(path)
    assert [n.code for n in opened.notices] == ["store_recovered_nothing"]
    assert Path(str(opened.notices[0].params["aside"])).read_bytes() == data
    await opened.database.close()


async def test_an_emptied_file_is_damage_not_a_new_book(tmp_path: Path) -> None:
    """A file of no bytes comes back from the backup; it is never taken for a database without rows."""
    path = tmp_path / "x.db"
    await fill(path)
    with closing(sqlite3.connect(path)) as conn:
        backups.make(conn, path, 1)
    os.truncate(path, 0)
    opened, code, left = await reopen(path)
    assert (code, left) == ("store_recovered_partly", ROWS)
    await opened.database.close()


async def test_two_damages_in_one_second_keep_both_files(tmp_path: Path) -> None:
    """The name of what is moved aside is never used twice."""
    path = tmp_path / "x.db"
    for content in (b"one", b"two"):
        path.write_bytes(content)
        assert recovery.set_aside(path)
    assert sorted(p.read_bytes() for p in tmp_path.glob("x.db.damaged-*")) == [b"one", b"two"]
    assert recovery.set_aside(path) is None


async def test_flipped_bytes_in_a_text_are_never_served(
    root: Path, make_request: Callable[..., RunRequest]
) -> None:
    """SQLite's checks pass, the text's own checksum does not: a fault, not another text."""
    state = await State.open(root)
    request = make_request()
    await state.runs.begin(request, "hash")
    await state.runs.end("run-1", RunEnded("completed", "finished", "好", Tokens()), None)

    def flip(conn: sqlite3.Connection) -> None:
        name = texts.digest(request.snapshot.text)
        body = bytearray(conn.execute("SELECT body FROM texts WHERE digest = ?", (name,)).fetchone()[0])
        body[len(body) // 2] ^= 0xFF
        conn.execute("UPDATE texts SET body = ? WHERE digest = ?", (bytes(body), name))

    await state.database.write(flip)
    with pytest.raises(StorageError) as caught:
        await state.runs.snapshot("run-1")
    assert caught.value.fault.code == "store_text_damaged"
    assert (await state.runs.get("run-1")).text == "好"  # type: ignore[union-attr]
    await state.close()


async def test_flipped_bytes_in_a_row_are_a_fault_and_no_crash(
    root: Path, make_request: Callable[..., RunRequest]
) -> None:
    """A column that is JSON no more: every reader of it raises what callers of the store expect."""
    state = await State.open(root)
    await state.runs.begin(make_request(), "hash")
    await state.database.write(lambda conn: conn.execute("UPDATE runs SET usage = '{\\xff'").rowcount)
    for reading in (state.runs.list(), state.runs.get("run-1")):
        with pytest.raises(StorageError) as caught:
            await reading
        assert caught.value.fault.code == "store_text_damaged"
    await state.close()


async def test_a_text_that_is_no_utf8_is_a_fault_of_its_row(
    root: Path, make_request: Callable[..., RunRequest]
) -> None:
    """SQLite gives it and Python cannot read it: the writer is told that, not that something failed."""
    state = await State.open(root)
    await state.runs.begin(make_request(), "hash")
    await state.database.write(
        lambda conn: conn.execute("UPDATE runs SET path = CAST(X'E7AC31' AS TEXT)").rowcount
    )
    with pytest.raises(StorageError) as caught:
        await state.runs.get("run-1")
    assert caught.value.fault.code == "store_text_damaged"
    await state.close()


@pytest.mark.parametrize("piece", [b"CREATE TABLE runs", b"processes", b"CREATE INDEX", b"meta"])
async def test_flipped_bytes_in_the_schema(tmp_path: Path, piece: bytes) -> None:
    """SQLite's own message is no text then, or a column is missing: damage all the same, and rows are saved."""
    path = tmp_path / "x.db"
    await fill(path)
    data = bytearray(path.read_bytes())
    place = data.index(piece)
    data[place + 1 : place + len(piece)] = b"\xce" * (len(piece) - 1)
    path.write_bytes(data)
    opened = await Database.open(path)
    codes = [notice.code for notice in opened.notices]
    assert len(codes) == 1
    assert codes[0].startswith("store_recovered")
    await opened.database.write(lambda conn: conn.execute("INSERT INTO meta VALUES ('new', '1')"))
    assert await opened.database.read(lambda c: c.execute("PRAGMA integrity_check").fetchone()[0]) == "ok"
    await opened.database.close()


def flipped(path: Path, piece: bytes, new: bytes) -> None:
    data = bytearray(path.read_bytes())
    place = data.index(piece)
    data[place : place + len(new)] = new
    path.write_bytes(data)


@pytest.mark.parametrize(
    ("piece", "new"),
    [
        (b"window_texts TEXT", b"windov_texts"),  # another column name
        (b"notices TEXT NOT", b"notices TEXU"),  # another type
        (b"state IN ('pending', 'accepted', 'rejected'))", b"state IN ('pendinf'"),  # another check
        (b"CREATE TABLE runs", b"CREATE TABLE (uns"),  # no statement any more
        (b"CREATE TABLE products", b"CRE\xffTE TABLE"),  # no text any more
        (b"tableproductsproducts", b"tableprodvctsproducts"),  # another name
        (b"tablemade_cardsmade_cards", b"uablemade_cards"),  # no table
        (b"UNIQUE INDEX candidates_pending", b"UNIQUE INDEX candidates_qending"),
    ],
)
async def test_a_flipped_name_in_the_schema_is_noticed_and_costs_no_row(
    root: Path, make_pipeline: Callable[..., RunRequest], piece: bytes, new: bytes
) -> None:
    """SQLite takes the schema as it is; the opening compares it with what the migrations made."""
    state = await State.open(root)
    await state.runs.begin(make_pipeline(), "hash")
    await state.runs.product("run-1", Product(0, "split", "completed", "一"))
    await state.runs.end("run-1", RunEnded("partial", "rounds", "一", Tokens()), None)
    await state.candidates.add(Candidate("c", "run-1", NewCard("misc", "雪", "白")), "digest")
    await state.made_cards.put("digest", "cards/雪.md", "run-1")
    path = state.database.path
    await state.close()
    flipped(path, piece, new)
    again = await State.open(root)
    assert [notice.code for notice in again.notices] == ["store_recovered"]
    run = await again.runs.get("run-1")
    assert run is not None
    assert (run.pipeline, run.window_texts) == ("breakdown", ())
    assert [p.text for p in await again.runs.products("run-1")] == ["一"]
    assert [c.card.title for c in await again.candidates.list()] == ["雪"]
    assert await again.made_cards.find("digest") == "cards/雪.md"
    await again.close()
    assert not list(path.parent.glob("*mended*"))
    third = await State.open(root)
    assert third.notices == ()
    await third.close()


async def test_the_loss_of_the_books_own_row_costs_no_other(
    root: Path, make_pipeline: Callable[..., RunRequest]
) -> None:
    """All rows hang on it: it is made anew for the id that they name, with the place where the book is."""
    state = await State.open(root)
    await state.runs.begin(make_pipeline(), "hash")
    await state.runs.product("run-1", Product(0, "split", "completed", "一"))
    await state.runs.end("run-1", RunEnded("partial", "rounds", "一", Tokens()), None)
    path = state.database.path
    page = await state.database.read(
        lambda conn: conn.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'books'").fetchone()[0]
    )
    await state.close()
    data = bytearray(path.read_bytes())
    data[(page - 1) * 4096 : page * 4096] = random.Random(7).randbytes(4096)
    path.write_bytes(data)
    said: list[str] = []
    again = await State.open(root, notify=lambda fault: said.append(fault.code))
    assert again.book_id == state.book_id
    assert [run.id for run in await again.runs.list()] == ["run-1"]
    assert [p.text for p in await again.runs.products("run-1")] == ["一"]
    assert (await again.books.get(again.book_id)).root == str(root)  # type: ignore[union-attr]
    await again.close()
    assert said == ["store_recovered_partly"]


async def test_what_a_writer_added_to_the_file_is_no_damage(tmp_path: Path) -> None:
    """An index or the statistics of ANALYZE beside our tables change nothing."""
    path = tmp_path / "x.db"
    await fill(path)
    with closing(sqlite3.connect(path)) as conn:
        conn.execute("CREATE INDEX mine ON meta (value)")
        conn.execute("ANALYZE")
    opened = await Database.open(path)
    assert opened.notices == ()
    assert await rows(opened) == ROWS
    await opened.database.close()


async def test_damage_that_the_first_use_finds_stops_no_opening(
    root: Path, make_request: Callable[..., RunRequest]
) -> None:
    """A page that is read only after the file was opened: it is rebuilt then and there, and that is said."""
    state = await State.open(root)
    await state.runs.begin(make_request(), "hash")
    path = state.database.path
    page = await state.database.read(
        lambda conn: conn.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'books'").fetchone()[0]
    )
    await state.close()
    data = bytearray(path.read_bytes())
    data[(page - 1) * 4096 : page * 4096] = random.Random(7).randbytes(4096)
    path.write_bytes(data)
    said: list[str] = []
    again = await State.open(root, notify=lambda fault: said.append(fault.code))
    await again.runs.begin(make_request("run-2"), "hash")
    assert said == ["store_recovered_partly"]
    assert [run.state for run in await again.runs.list()] == ["running", "interrupted"]
    await again.close()


async def test_a_flipped_byte_in_a_text_costs_no_row(tmp_path: Path) -> None:
    """A text that is no UTF-8 is taken over with a mark in it, and so is every other row of its table."""
    path = tmp_path / "x.db"
    await fill(path)
    unclean(path)
    data = bytearray(path.read_bytes())
    data[data.index("墨1500 ".encode())] = 0xFF
    place = data.index("墨2500 ".encode()) // 4096 * 4096
    data[place : place + 4096] = random.Random(7).randbytes(4096)
    path.write_bytes(data)
    opened, _, left = await reopen(path)
    assert ROWS - 100 < left < ROWS
    value = await opened.database.read(
        lambda conn: conn.execute("SELECT value FROM meta WHERE key = 'k1500'").fetchone()[0]
    )
    assert value.startswith("\ufffd")
    await opened.database.close()


async def test_flipped_bytes_in_what_the_store_keeps_for_itself_stop_no_start(tmp_path: Path) -> None:
    """The time of the last check and the note of a move are advice: unreadable, they count for nothing."""
    (root := tmp_path / "无").mkdir()
    state = await State.open(root)
    path = state.database.path
    await state.database.write(
        lambda conn: conn.execute("UPDATE meta SET value = 'x' WHERE key = 'checked_at'")
    )
    await state.close()
    for note in (b"\xff\xfe", b"x" * 5000):
        opening.forwarding(path).write_bytes(note)
        again = await State.open(root)
        assert again.database.path == path
        assert again.database.readonly is None
        await again.close()


async def test_a_book_from_elsewhere_names_no_database_of_its_own(root: Path, tmp_path: Path) -> None:
    """A note in a book's own folder leads to no file of the reader's, and a pipe there blocks nothing."""
    other = await State.open(tmp_path / "另一本")
    await other.close()
    home = locations.make_home(root)
    opening.forwarding(home / locations.STATE).write_text(str(other.database.path), "utf-8")
    state = await State.open(root)
    assert state.database.path == home / locations.STATE
    await state.close()
    for name in (locations.STATE, f"{locations.STATE}.moved"):
        (home / name).unlink()
        os.mkfifo(home / name)
    with pytest.raises(StorageError) as told:
        await State.open(root)
    assert told.value.fault.code == "store_unopenable"

"""Migrations: in order, once, with a copy before, whole or not at all."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inkwright.domain.errors import Fault, StorageError
from inkwright.store import backups, schema
from inkwright.store.database import Database
from inkwright.store.schema import Migration
from inkwright.store.state import State

STEPS = schema.migrations()
NEXT = (
    *STEPS,
    Migration(
        len(STEPS) + 1,
        "next",
        "ALTER TABLE meta ADD COLUMN extra TEXT DEFAULT 'new';\nCREATE TABLE next (id INTEGER);",
    ),
)


FOUNDATION = Path(__file__).with_name("foundation.sql")


def foundation(path: Path) -> None:
    """A file of the first format, two days old."""
    script = FOUNDATION.read_text("utf-8").replace("NOW", str(time.time() - 2 * 86400))
    with closing(sqlite3.connect(path)) as conn:
        conn.executescript(script)


def versions(path: Path) -> tuple[int, int]:
    with closing(sqlite3.connect(path)) as conn:
        rows = conn.execute("SELECT count(*) FROM schema_migrations").fetchone()[0]
        return schema.version(conn), rows


def put(conn: sqlite3.Connection) -> None:
    conn.execute("INSERT INTO meta (key, value) VALUES ('k', 'v')")


def get(conn: sqlite3.Connection) -> str:
    return str(conn.execute("SELECT value FROM meta WHERE key = 'k'").fetchone()[0])


async def make(path: Path, **more: object) -> None:
    db = (await Database.open(path, **more)).database  # type: ignore[arg-type]
    await db.write(put)
    await db.close()


def test_the_shipped_migrations_make_sound_tables_with_rowids() -> None:
    """All references hold, and every table can be read by rowid when the file is damaged."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as conn:
        schema.apply(conn, STEPS)
        assert schema.version(conn) == len(STEPS) >= 1
        assert conn.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        tables = {row[0] for row in conn.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
        assert {
            "books",
            "chapters",
            "memories",
            "runs",
            "run_steps",
            "tool_calls",
            "proposals",
            "daily_counts",
            "products",
            "made_cards",
            "candidates",
            "facts",
            "run_facts",
            "summaries",
        } <= tables
        for table in tables:
            conn.execute(f'SELECT rowid FROM "{table}"').fetchall()
        memories = {row[1] for row in conn.execute("PRAGMA table_info(memories)")}
        assert memories >= {
            "id",
            "book_id",
            "skill_type",
            "memory_type",
            "content",
            "keywords",
            "relevance_score",
            "pinned",
            "revision",
            "created_at",
            "updated_at",
            "last_hit_at",
        }


@given(st.lists(st.sampled_from(["SELECT ';'", "CREATE TABLE a (b)", "-- a; b\nSELECT 1", "SELECT '--x;'"])))
def test_a_script_is_its_statements(parts: list[str]) -> None:
    """A semicolon in a string or a comment ends nothing."""
    found = list(schema.statements(";\n".join(parts) + (";" if parts else "")))
    assert [piece.rstrip(";").strip() for piece in found] == parts


def test_half_a_statement_is_an_error() -> None:
    """A migration that ends in the middle is not silently shortened; a comment at the end is nothing."""
    with pytest.raises(ValueError, match="middle"):
        list(schema.statements("SELECT 1; SELECT 2"))
    assert list(schema.statements("SELECT 1;\n-- end\n")) == ["SELECT 1;"]


async def test_a_migration_keeps_the_rows_and_a_copy(tmp_path: Path) -> None:
    """After the step the rows are there, the version is new, and the old state lies in backups/."""
    path = tmp_path / "x.db"
    await make(path)
    db = (await Database.open(path, steps=NEXT)).database
    assert await db.read(get) == "v"
    await db.close()
    assert versions(path) == (len(NEXT), len(NEXT))
    (copy,) = backups.every(path)
    assert copy.name.startswith(f"x.db.v{len(STEPS)}.")
    assert versions(copy) == (len(STEPS), len(STEPS))


async def test_a_database_of_the_first_format_is_brought_up(root: Path) -> None:
    """All that was in it is told as before, the new columns say nothing, a copy of the old file stays."""
    path = root / ".inkwright" / "inkwright.db"
    foundation(path)
    state = await State.open(root)
    assert [notice.code for notice in state.notices] == ["runs_interrupted"]
    done, cut = await state.runs.get("run-1"), await state.runs.get("run-2")
    assert done is not None
    assert cut is not None
    assert (done.text, done.state, cut.state) == ("林晚秋推门\udc80", "completed", "interrupted")
    for run in (done, cut):
        assert (run.pipeline, run.steps, run.resumes, run.notices, run.budget) == ("", (), "", (), None)
        assert (await state.runs.steps(run.id))[0].calls[0].result == "正文"
        assert await state.runs.products(run.id) == ()
    (proposal,) = await state.proposals.pending()
    assert [hunk.after for hunk in proposal.hunks] == ["第二", "林晚"]
    assert (await state.runs.context("run-1"))[0][0].text == "林晚秋：剑客"
    kept = "SELECT content FROM memories"
    assert await state.database.read(lambda conn: conn.execute(kept).fetchone()[0]) == "喜欢短句"
    await state.close()
    assert versions(path)[0] == len(STEPS)
    (copy,) = backups.every(path)
    assert copy.name.startswith("inkwright.db.v1.")
    again = await State.open(root)
    assert again.notices == ()
    await again.close()


async def test_a_database_of_the_first_format_that_is_damaged_is_whole_in_the_new_one(root: Path) -> None:
    """Tables that it never had are not counted as lost."""
    path = root / ".inkwright" / "inkwright.db"
    foundation(path)
    data = bytearray(path.read_bytes())
    place = data.index(b"window_texts TEXT")
    data[place + 3] = ord("k")
    path.write_bytes(data)
    state = await State.open(root)
    assert [notice.code for notice in state.notices] == ["store_recovered", "runs_interrupted"]
    assert [run.text for run in await state.runs.list(states=("completed",))] == ["林晚秋推门\udc80"]
    await state.close()


async def test_a_failing_migration_changes_nothing(tmp_path: Path) -> None:
    """Its first half is taken back, it is said with the place of the copy, and the old program still works."""
    path = tmp_path / "x.db"
    await make(path)
    broken = (*STEPS, Migration(len(STEPS) + 1, "broken", "CREATE TABLE half (a);\nSELECT nothing;"))
    with pytest.raises(StorageError) as caught:
        await Database.open(path, steps=broken)
    assert caught.value.fault.code == "store_migration_failed"
    assert Path(str(caught.value.fault.params["backup"])).is_file()
    db = (await Database.open(path)).database
    assert await db.read(get) == "v"
    await db.close()
    assert versions(path) == (len(STEPS), len(STEPS))


async def test_a_migration_that_breaks_a_reference_is_refused(tmp_path: Path) -> None:
    """References are checked before the commit."""
    path = tmp_path / "x.db"
    await make(path)
    sql = (
        "INSERT INTO chapters (id, book_id, path, digest, created_at, updated_at)"
        " VALUES ('c', 'no such book', 'p', 'd', 0, 0);"
    )
    with pytest.raises(StorageError) as caught:
        await Database.open(path, steps=(*STEPS, Migration(len(STEPS) + 1, "orphan", sql)))
    assert caught.value.fault.code == "store_migration_failed"


async def test_a_newer_database_is_read_and_never_written(tmp_path: Path) -> None:
    """It opens with a message, gives its rows, refuses writes with the same message, keeps every byte."""
    path = tmp_path / "x.db"
    await make(path, steps=NEXT)
    before = path.read_bytes()
    opened = await Database.open(path)
    assert [n.code for n in opened.notices] == ["store_newer"]
    assert opened.notices[0].params["version"] == len(NEXT)
    assert await opened.database.read(get) == "v"
    with pytest.raises(StorageError) as caught:
        await opened.database.write(put)
    assert caught.value.fault.code == "store_newer"
    with pytest.raises(StorageError):
        await opened.database.read(lambda conn: conn.execute("DELETE FROM meta"))
    await opened.database.close()
    assert path.read_bytes() == before


async def test_an_older_program_stops_writing_when_a_newer_one_migrates(tmp_path: Path) -> None:
    """It has the file open; after the migration it reads on and is told why it cannot write."""
    path = tmp_path / "x.db"
    told: list[Fault] = []
    old = (await Database.open(path, notify=told.append)).database
    await old.write(put)
    new = (await Database.open(path, steps=NEXT)).database
    with pytest.raises(StorageError) as caught:
        await old.write(put)
    assert caught.value.fault.code == "store_newer"
    assert await old.read(get) == "v"
    await asyncio.sleep(0)
    assert [fault.code for fault in told] == ["store_newer"]
    await new.write(lambda conn: conn.execute("INSERT INTO next VALUES (1)"))
    await old.close()
    await new.close()


async def test_a_changed_migration_is_noticed(tmp_path: Path) -> None:
    """A database made by another text of the same step is only read."""
    path = tmp_path / "x.db"
    await make(path)
    other = (Migration(1, STEPS[0].name, STEPS[0].sql + "\n-- edited"), *STEPS[1:])
    opened = await Database.open(path, steps=other)
    assert [n.code for n in opened.notices] == ["store_schema_differs"]
    assert opened.database.readonly
    await opened.database.close()


def test_the_checksum_does_not_see_line_ends() -> None:
    """A checkout with CRLF makes the same database."""
    assert "\r" not in "".join(step.sql for step in STEPS)
    assert STEPS[0].sha256 == Migration(1, "other", STEPS[0].sql).sha256


async def test_only_three_copies_stay(tmp_path: Path) -> None:
    """The oldest go first."""
    path = tmp_path / "x.db"
    await make(path)
    place = backups.folder(path)
    place.mkdir()
    for day in range(1, 6):
        (place / f"x.db.v1.2024010{day}T000000Z").write_bytes(b"")
    await make_newer(path)
    names = [p.name for p in backups.every(path)]
    assert len(names) == 3
    assert names[1:] == ["x.db.v1.20240105T000000Z", "x.db.v1.20240104T000000Z"]


async def make_newer(path: Path) -> None:
    await (await Database.open(path, steps=NEXT)).database.close()


MIGRATE = """
import asyncio, sys
from pathlib import Path
from inkwright.store import schema
from inkwright.store.schema import Migration
from inkwright.store.state import State
from inkwright.store.database import Database
steps = schema.migrations()
steps = (*steps, Migration(len(steps) + 1, "next", sys.argv[2]))
async def main():
    print("ready", flush=True)
    sys.stdin.readline()
    db = (await Database.open(Path(sys.argv[1]), steps=steps)).database
    await db.close()
asyncio.run(main())
"""


async def test_two_processes_migrate_once(tmp_path: Path, child: Callable[..., object]) -> None:
    """Both start at the same moment; the step runs once and both end well."""
    path = tmp_path / "x.db"
    await make(path)
    pair = [child(MIGRATE, str(path), "CREATE TABLE once (a); INSERT INTO once VALUES (1);") for _ in "ab"]
    for one in pair:
        assert await asyncio.to_thread(one.line) == "ready"  # type: ignore[attr-defined]
    for one in pair:
        one.say()  # type: ignore[attr-defined]
    assert [await asyncio.to_thread(one.end) for one in pair] == [0, 0]  # type: ignore[attr-defined]
    with closing(sqlite3.connect(path)) as conn:
        assert conn.execute("SELECT count(*) FROM once").fetchone() == (1,)


async def test_two_processes_create_once(tmp_path: Path, child: Callable[..., object]) -> None:
    """A first start of two processes at once makes one sound database."""
    path = tmp_path / "x.db"
    pair = [child(MIGRATE, str(path), "CREATE TABLE once (a);") for _ in "ab"]
    for one in pair:
        await asyncio.to_thread(one.line)  # type: ignore[attr-defined]
    for one in pair:
        one.say()  # type: ignore[attr-defined]
    assert [await asyncio.to_thread(one.end) for one in pair] == [0, 0]  # type: ignore[attr-defined]
    assert versions(path) == (len(STEPS) + 1, len(STEPS) + 1)
    assert not list(tmp_path.glob("*damaged*"))

"""The index on the disk: quick, deletable, never in the way."""

from __future__ import annotations

import shutil
import sqlite3
import threading
from contextlib import closing
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from inkwright.store.index_store import FileRecord, IndexStore

ANY = st.text(alphabet=st.characters(codec=None, exclude_categories=()), max_size=20)


def record(path: str, payload: bytes = b"p") -> FileRecord:
    return FileRecord(path, 1_700_000_000_123_456_789, 20, b"\x00d", "v1", payload)


def test_what_was_saved_is_loaded(tmp_path: Path) -> None:
    """Records come back after a restart; a deleted one does not."""
    store = IndexStore(tmp_path / "a" / "index.db")
    assert store.load() == {}
    assert store.save([record("1.md"), record("卷/2.md"), record("gone.md")])
    assert store.save([record("1.md", b"new")], ["gone.md", "never.md"])
    store.close()
    store.close()
    again = IndexStore(tmp_path / "a" / "index.db")
    assert again.load() == {"1.md": record("1.md", b"new"), "卷/2.md": record("卷/2.md")}
    again.close()


def test_names_stand_once_and_come_back(tmp_path: Path) -> None:
    """Files that share names get them back as they were; a file whose names are damaged is no record."""
    path = tmp_path / "index.db"
    store = IndexStore(path)
    one = FileRecord("1.md", 1, 1, b"", "v", b"p", ("甲.md", "乙.md"))
    two = FileRecord("2.md", 1, 1, b"", "v", b"p", ("乙.md", "丙\udcff.md"))
    assert store.save([one])
    assert store.save([two])
    assert store.load() == {"1.md": one, "2.md": two}
    store.close()
    with closing(sqlite3.connect(path)) as conn:
        assert conn.execute("SELECT count(*) FROM names").fetchone() == (3,)
        conn.execute("UPDATE files SET names = X'FFFFFF7F' WHERE path = '1.md'")
        conn.commit()
    again = IndexStore(path)
    assert again.load() == {"2.md": two}
    again.close()


@given(st.dictionaries(ANY, st.binary()))
def test_any_path_and_payload(found: dict[str, bytes]) -> None:
    """Names that are not UTF-8 on the disk are strings with lone surrogates here."""
    store = IndexStore(Path(":memory:"))
    # Every opening of ":memory:" is a new database; one connection is enough here.
    store._seen = lambda: (0, 0)  # type: ignore[method-assign]
    records = {path: record(path, payload) for path, payload in found.items()}
    assert store.save(records.values())
    assert store.load() == records
    store.close()


def test_a_damaged_index_is_begun_anew(tmp_path: Path) -> None:
    """Garbage, another program's table and an older format cost a rebuild, no message."""
    path = tmp_path / "index.db"
    for content in (b"garbage" * 1000, b"SQLite format 3\0" + b"\1" * 8000):
        path.write_bytes(content)
        store = IndexStore(path)
        assert store.load() == {}
        assert store.save([record("1.md")])
        assert set(store.load()) == {"1.md"}
        assert store.problem is None
        store.close()
    with closing(sqlite3.connect(path)) as conn:
        conn.execute("PRAGMA user_version = 99")
        conn.execute("CREATE TABLE other (a)")
        conn.commit()
    store = IndexStore(path)
    assert store.load() == {}
    assert store.save([record("2.md")])
    store.close()


def test_deleting_it_while_it_is_open_is_allowed(tmp_path: Path) -> None:
    """The next save makes it anew."""
    path = tmp_path / "index.db"
    store = IndexStore(path)
    assert store.save([record("1.md")])
    for file in tmp_path.iterdir():
        file.unlink()
    assert store.save([record("2.md")])
    store.close()
    again = IndexStore(path)
    assert set(again.load()) == {"2.md"}
    again.close()


def test_a_place_that_cannot_be_used_is_a_problem_not_an_exception(tmp_path: Path) -> None:
    """Nothing is kept, nothing is raised, and it is said."""
    (tmp_path / "file").write_text("", "utf-8")
    store = IndexStore(tmp_path / "file" / "index.db")
    assert store.load() == {}
    assert not store.save([record("1.md")])
    assert store.problem is not None
    assert store.problem.code == "index_unusable"
    store.close()


def test_a_held_lock_costs_one_save(tmp_path: Path) -> None:
    """Another process writes for long: the save gives up, the next one works."""
    path = tmp_path / "index.db"
    store = IndexStore(path, busy_ms=20)
    assert store.save([record("1.md")])
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert not store.save([record("2.md")])
        other.execute("ROLLBACK")
    assert store.save([record("2.md")])
    assert set(store.load()) == {"1.md", "2.md"}
    assert store.problem is None
    store.close()


def test_one_thread_may_hand_it_to_another(tmp_path: Path) -> None:
    """Opened on one thread, used on a second, closed on the first."""
    store = IndexStore(tmp_path / "index.db")
    assert store.save([record("1.md")])
    loaded: list[set[str]] = []
    thread = threading.Thread(target=lambda: loaded.append(set(store.load())))
    thread.start()
    thread.join()
    store.close()
    assert loaded == [{"1.md"}]


def test_a_folder_of_the_book_that_was_taken_away_stays_away(tmp_path: Path) -> None:
    """A writer who deletes `.inkwright/` does not find it again with an index in it."""
    home = tmp_path / ".inkwright"
    home.mkdir()
    store = IndexStore(home / "index.db")
    assert store.save([record("1.md")])
    shutil.rmtree(home)
    assert not store.save([record("2.md")])
    assert store.load() == {}
    assert not home.exists()
    store.close()

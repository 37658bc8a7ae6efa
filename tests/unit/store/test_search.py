"""The full text in `index.db`: files by the keys of their texts, quick, deletable, never in the way."""

from __future__ import annotations

import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from inkwright.store.index_store import FileRecord, IndexStore
from inkwright.store.search import Entry, Held, Needs, Words

KEYS = st.sets(
    st.text(st.sampled_from(list("林晚女剑a1é한ガ𠀀𰀀\U00031350")), min_size=1, max_size=3), max_size=6
)


def words(path: Path, version: str = "1") -> Words:
    return Words(IndexStore(path), version)


def entry(path: str, digest: bytes, keys: set[str]) -> Entry:
    return Entry(path, digest, " ".join(keys))


def hits(found: dict[str, Held], bit: int = 0) -> set[str]:
    return {path for path, held in found.items() if held.mask >> bit & 1}


def test_files_are_found_by_their_keys(tmp_path: Path) -> None:
    """All keys of one question must be there; a beginning is a beginning; several questions are one look."""
    known = words(tmp_path / "index.db")
    assert known.find([Needs({"林晚"})]) == {}
    assert known.add([entry("1.md", b"1", {"林晚", "晚"}), entry("二/2.md", b"2", {"林中", "中"})])
    found = known.find([Needs({"林晚"}), Needs((), {"林"}), Needs({"林晚", "中"}), Needs()])
    assert [hits(found, bit) for bit in range(4)] == [
        {"1.md"},
        {"1.md", "二/2.md"},
        set(),
        {"1.md", "二/2.md"},
    ]
    assert {path: held.digest for path, held in found.items()} == {"1.md": b"1", "二/2.md": b"2"}


def test_a_changed_file_is_found_by_its_new_text_alone(tmp_path: Path) -> None:
    """Neither the old keys of a file nor those of a file that is gone find anything."""
    known = words(tmp_path / "index.db")
    assert known.add([entry("1.md", b"1", {"旧"}), entry("2.md", b"2", {"旧"})])
    assert known.add([entry("1.md", b"new", {"新"})], ["2.md"])
    found = known.find([Needs({"旧"}), Needs({"新"})])
    assert found == {"1.md": Held(b"new", 0b10)}


def test_keys_that_are_made_another_way_count_for_nothing(tmp_path: Path) -> None:
    """What an older version kept is as if it were not there, and is replaced."""
    path = tmp_path / "index.db"
    assert words(path, "1").add([entry("1.md", b"1", {"旧"})])
    assert words(path, "2").find([Needs({"旧"})]) == {}
    assert words(path, "2").add([entry("1.md", b"1", {"新"})])
    assert words(path, "2").find([Needs({"新"})]) == {"1.md": Held(b"1", 1)}
    assert words(path, "1").find() == {}


@settings(deadline=None)
@given(st.dictionaries(st.sampled_from(["a.md", "b.md", "卷/\udc80.md"]), KEYS), KEYS, KEYS)
def test_the_answer_is_that_of_the_sets(files: dict[str, set[str]], whole: set[str], begun: set[str]) -> None:
    """Whatever the script: the answer is what comparing the sets gives."""
    store = IndexStore(Path(":memory:"))
    # Every opening of ":memory:" is a new database; one connection is enough here.
    store._seen = lambda: (0, 0)  # type: ignore[method-assign]
    known = Words(store, "1")
    assert known.add([entry(path, b"", keys) for path, keys in files.items()])
    expected = {
        path
        for path, keys in files.items()
        if whole <= keys and all(any(key.startswith(head) for key in keys) for head in begun)
    }
    found = known.find([Needs(whole, begun)])
    assert found.keys() == files.keys()
    assert hits(found) == expected
    store.close()


def test_a_question_of_any_length_is_allowed(tmp_path: Path) -> None:
    """A page of text has thousands of keys; the question is cut, so that it finds more, never less."""
    known = words(tmp_path / "index.db")
    many = {f"k{n}" for n in range(5000)}
    assert known.add([entry("1.md", b"1", many), entry("2.md", b"2", {"x"})])
    assert hits(known.find([Needs(many, many)])) == {"1.md"}


def test_what_is_left_behind_is_cleared_away(tmp_path: Path) -> None:
    """A chapter that is saved thousands of times does not make the index grow without end."""
    path = tmp_path / "index.db"
    known = words(path)
    assert known.add([entry("other.md", b"", {"别"})])
    for _ in range(3):
        assert known.add([entry("1.md", f"{n}".encode(), {f"k{n}"}) for n in range(900)])
    with closing(sqlite3.connect(path)) as conn:
        (kept,) = conn.execute("SELECT max(id) FROM texts").fetchone()
    assert kept <= 900
    found = known.find([Needs({"k899"}), Needs({"k898"})])
    assert found["1.md"] == Held(b"899", 1)


def test_damage_costs_the_index_and_nothing_else(tmp_path: Path) -> None:
    """With its pages overwritten or a table gone the file is begun anew: first nothing, then all again."""
    path = tmp_path / "index.db"
    entries = [
        entry(f"{n}.md", b"d", {f"k{n}", "林晚"} | {f"x{n}y{m}" for m in range(99)}) for n in range(200)
    ]
    store = IndexStore(path)
    known = Words(store, "1")
    assert known.add(entries)
    store.close()
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(os.urandom(size - 4096))
    assert known.find([Needs({"林晚"})]) == {}
    assert known.add(entries)
    assert len(hits(known.find([Needs({"林晚"})]))) == 200
    store.close()
    with closing(sqlite3.connect(path)) as conn:
        conn.execute("DROP TABLE texts")
        conn.commit()
    assert known.find([Needs({"林晚"})]) == {}
    assert known.add(entries)
    assert len(hits(known.find([Needs({"林晚"})]))) == 200
    assert store.problem is None


def test_another_format_is_replaced_with_its_full_text(tmp_path: Path) -> None:
    """Virtual tables and what belongs to them go with an older format."""
    path = tmp_path / "index.db"
    assert words(path).add([entry("1.md", b"1", {"旧"})])
    with closing(sqlite3.connect(path)) as conn:
        conn.execute("PRAGMA user_version = 99")
    store = IndexStore(path)
    assert store.load() == {}
    assert Words(store, "1").find() == {}
    assert store.save([FileRecord("1.md", 0, 0, b"", "v", b"")])
    assert Words(store, "1").add([entry("1.md", b"1", {"新"})])
    assert hits(Words(store, "1").find([Needs({"新"})])) == {"1.md"}


def test_two_processes_keep_one_file_once(tmp_path: Path) -> None:
    """What the other one has kept meanwhile is not kept again."""
    path = tmp_path / "index.db"
    one, two = words(path), words(path)
    for known in (one, two, one):
        assert known.add([entry("1.md", b"1", {"林晚"})])
    with closing(sqlite3.connect(path)) as conn:
        assert conn.execute("SELECT count(*), max(id) FROM texts").fetchone() == (1, 1)
    assert hits(two.find([Needs({"林晚"})])) == {"1.md"}


def test_nothing_is_raised_where_nothing_can_be_kept(tmp_path: Path) -> None:
    """A lock held by another process, a folder that went: no answer, no exception."""
    path = tmp_path / "book" / ".inkwright" / "index.db"
    path.parent.mkdir(parents=True)
    store = IndexStore(path, busy_ms=20)
    known = Words(store, "1")
    assert known.add([entry("1.md", b"1", {"林晚"})])
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert not known.add([entry("2.md", b"1", {"林晚"})])
        assert hits(known.find([Needs({"林晚"})])) == {"1.md"}
        other.execute("ROLLBACK")
    store.close()
    shutil.rmtree(path.parent)
    assert known.find() == {}
    assert not known.add([entry("2.md", b"1", {"林晚"})])

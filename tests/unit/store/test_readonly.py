"""A disk that can only be read, or is full: a clear code, what is there can be read, nothing is written."""

from __future__ import annotations

import json
import shutil
import sqlite3
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from inkwright.store.state import State

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="POSIX permissions")

# Everything is imported first: a process without rights may not be able to read its own library.
PROBE = """
import asyncio, json, os, sys, sqlite3, resource, signal
from pathlib import Path
from inkwright.domain.errors import StorageError
from inkwright.store.state import State
from inkwright.store import locations, opening, recovery, index_store
async def warm():
    import tempfile
    with tempfile.TemporaryDirectory() as place:
        os.mkdir(place + "/.inkwright")
        await (await State.open(Path(place))).close()
        open(place + "/.inkwright/inkwright.db", "w").close()
        await (await State.open(Path(place))).close()
asyncio.run(warm())
root, limit = Path(sys.argv[1]), int(sys.argv[2])
if limit:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
elif os.geteuid() == 0:
    os.setgroups([]); os.setgid(65534); os.setuid(65534)
async def main():
    out = {}
    try:
        state = await State.open(root)
    except StorageError as error:
        return {"open": error.fault.code}
    out["notices"] = [n.code for n in state.notices]
    out["book"] = (await state.books.get(state.book_id)).title
    try:
        await state.books.update(state.book_id, {"title": "x" * (limit or 1) * 2})
        out["write"] = "done"
    except StorageError as error:
        out["write"] = error.fault.code
    out["after"] = (await state.books.get(state.book_id)).title[:8]
    await state.close()
    return out
print(json.dumps(asyncio.run(main())), flush=True)
"""


@pytest.fixture
def book() -> Iterator[Path]:
    """A folder that a process without rights can reach (pytest's own it cannot)."""
    place = Path(tempfile.mkdtemp())
    place.chmod(0o755)
    (place / ".inkwright").mkdir()
    yield place
    for path in (place, *place.rglob("*")):
        path.chmod(0o755)
    shutil.rmtree(place)


def lock(place: Path) -> None:
    for path in place.rglob("*"):
        path.chmod(0o444 if path.is_file() else 0o555)
    place.chmod(0o555)


async def made(book: Path) -> None:
    state = await State.open(book)
    await state.books.update(state.book_id, {"title": "雪夜"})
    await state.close()


def probe(child: Callable, book: Path, limit: int = 0) -> dict:
    one = child(PROBE, str(book), str(limit))
    answer = one.line()
    assert one.end() == 0
    return json.loads(answer)


async def test_a_readonly_book_is_read(book: Path, child: Callable) -> None:
    """The rows are there, the writer is told, a write has a code, not a byte changes."""
    await made(book)
    lock(book)
    before = {p.name: p.read_bytes() for p in (book / ".inkwright").iterdir()}
    assert probe(child, book) == {
        "notices": ["store_readonly"],
        "book": "雪夜",
        "write": "store_readonly",
        "after": "雪夜",
    }
    assert {p.name: p.read_bytes() for p in (book / ".inkwright").iterdir()} == before


async def test_what_only_stands_in_the_log_is_read_too(book: Path, child: Callable) -> None:
    """After a kill the newest rows are in the -wal file; on a read-only disk they are still seen."""
    await made(book)
    path = book / ".inkwright" / "inkwright.db"
    with closing(sqlite3.connect(path)) as conn:
        conn.execute("UPDATE books SET title = '新名'")
        conn.commit()
        for tail in ("", "-wal"):
            shutil.copy(f"{path}{tail}", f"{path}{tail}.kept")
    for tail in ("", "-wal"):
        Path(f"{path}{tail}.kept").replace(f"{path}{tail}")
    Path(f"{path}-shm").unlink(missing_ok=True)
    assert Path(f"{path}-wal").stat().st_size
    lock(book)
    before = set(Path(tempfile.gettempdir()).glob("inkwright-*"))
    assert probe(child, book)["book"] == "新名"
    assert set(Path(tempfile.gettempdir()).glob("inkwright-*")) <= before


async def test_with_nothing_to_read_memory_stands_in(book: Path, child: Callable) -> None:
    """No database and no way to make one: it works for this session and says so."""
    lock(book)
    answer = probe(child, book)
    assert (answer["notices"], answer["write"]) == (["store_memory_only"], "done")


async def test_a_database_that_may_not_be_read_is_not_an_empty_one(book: Path, child: Callable) -> None:
    """It is there and cannot be read: opening fails with a code."""
    await made(book)
    lock(book)
    (book / ".inkwright" / "inkwright.db").chmod(0)
    assert probe(child, book) == {"open": "store_unopenable"}


async def test_a_disk_that_takes_no_more_loses_nothing(book: Path, child: Callable) -> None:
    """The file may not grow: the write has a code, and what was stored is still read."""
    await made(book)
    answer = probe(child, book, limit=400_000)
    assert answer["write"] in ("store_full", "store_io")
    assert (answer["book"], answer["after"]) == ("雪夜", "雪夜")

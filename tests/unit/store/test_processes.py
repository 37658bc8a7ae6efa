"""Several processes on one database, and processes that die in the middle."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from inkwright.domain.conversation import Usage
from inkwright.domain.proposal import Proposal
from inkwright.domain.run import RunEnded, RunRequest, StepRecord
from inkwright.store import owner, processes
from inkwright.store.state import State

COUNT = """
import asyncio, sys
from pathlib import Path
from inkwright.store.database import Database
def step(conn):
    n = int(conn.execute("SELECT value FROM meta WHERE key = 'n'").fetchone()[0])
    conn.execute("UPDATE meta SET value = ? WHERE key = 'n'", (str(n + 1),))
async def main():
    db = (await Database.open(Path(sys.argv[1]))).database
    print("ready", flush=True)
    sys.stdin.readline()
    for _ in range(int(sys.argv[2])):
        await db.write(step)
    await db.close()
asyncio.run(main())
"""

ACKNOWLEDGE = """
import asyncio, sys
from pathlib import Path
from inkwright.store.database import Database
async def main():
    db = (await Database.open(Path(sys.argv[1]))).database
    n = 0
    while True:
        n += 1
        await db.write(lambda conn: conn.execute("INSERT INTO meta (key, value) VALUES (?, ?)", (f"k{n}", "x" * 2000)))
        print(n, flush=True)
asyncio.run(main())
"""

RUN = """
import asyncio, sys
from pathlib import Path
from inkwright.domain.conversation import Usage
from inkwright.domain.profile import EffectiveProfile
from inkwright.domain.run import Budget, RunRequest, StepRecord, Window
from inkwright.domain.text import Snapshot, Span
from inkwright.store.state import State
async def main():
    state = await State.open(Path(sys.argv[1]))
    profile = EffectiveProfile("polish", "novel", "zh", "", "", "", (), (), 3, 240, 50, True, "react", "edit", "chapter")
    text, span = "林晚秋。", Span(0, 4)
    request = RunRequest(sys.argv[2], profile, sys.argv[1], Snapshot("u", "p", 1, text), span, True,
                         (Window(0, 1, span, text),), ((),), "m", "zh", "offline", "off", Budget(3))
    await state.runs.begin(request, "hash")
    await state.runs.step(StepRecord(sys.argv[2], 0, 0, 0, "h", 1, "做完的一步", "stop", Usage(1, 2), 0.1))
    print("ready", flush=True)
    sys.stdin.readline()
    await state.close()
    print("closed", flush=True)
asyncio.run(main())
"""

LEFT_OPEN = """
import asyncio, sys
from pathlib import Path
from inkwright.store.database import Database
async def main():
    db = (await Database.open(Path(sys.argv[1]))).database
    if sys.argv[2] == "raise":
        raise SystemExit(7)
    if sys.argv[2] == "busy":
        asyncio.create_task(db.write(lambda conn: __import__("time").sleep(600)))
        await asyncio.sleep(0)
        raise SystemExit(7)
asyncio.run(main())
sys.exit(7)
"""


async def test_two_processes_lose_no_update(tmp_path: Path, child: Callable) -> None:
    """Two processes read, add one and write 200 times each: 400 is what stands there."""
    path = tmp_path / "x.db"
    pair = [child(COUNT, str(path), "200") for _ in "ab"]
    for one in pair:
        assert await asyncio.to_thread(one.line) == "ready"
    with closing(sqlite3.connect(path)) as conn:
        conn.execute("INSERT INTO meta (key, value) VALUES ('n', '0')")
        conn.commit()
    for one in pair:
        one.say()
    assert [await asyncio.to_thread(one.end) for one in pair] == [0, 0]
    with closing(sqlite3.connect(path)) as conn:
        assert conn.execute("SELECT value FROM meta WHERE key = 'n'").fetchone() == ("400",)


async def test_kill_9_loses_nothing_that_was_acknowledged(tmp_path: Path, child: Callable) -> None:
    """Every write that returned before the kill is there, and the file is sound."""
    path = tmp_path / "x.db"
    for _ in range(3):
        one = child(ACKNOWLEDGE, str(path))
        last = 0
        while last < 20:
            last = int(await asyncio.to_thread(one.line))
        one.process.kill()
        rest = await asyncio.to_thread(one.process.stdout.read)
        one.process.wait(30)
        last = max([last, *(int(line) for line in rest.split() if line.isdigit())])
        with closing(sqlite3.connect(path)) as conn:
            found = {row[0] for row in conn.execute("SELECT key FROM meta")}
            assert {f"k{n}" for n in range(1, last + 1)} <= found
            assert conn.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            conn.execute("DELETE FROM meta WHERE key LIKE 'k%'")
            conn.commit()


async def test_a_run_of_a_killed_process_is_interrupted(root: Path, child: Callable) -> None:
    """After kill -9 the next open says so; the finished step is there; the outcome stays interrupted."""
    one = child(RUN, str(root), "run-dead")
    assert await asyncio.to_thread(one.line) == "ready"
    await asyncio.to_thread(one.kill)
    state = await State.open(root)
    assert [(n.code, n.params) for n in state.notices] == [("runs_interrupted", {"count": 1})]
    run = await state.runs.get("run-dead")
    assert run is not None
    assert (run.state, run.stop_reason) == ("interrupted", "interrupted")
    assert run.ended_at is not None
    assert [step.text for step in await state.runs.steps("run-dead")] == ["做完的一步"]
    await state.runs.end("run-dead", RunEnded("completed", "finished", "late", Usage()), None)
    assert (await state.runs.get("run-dead")).state == "interrupted"  # type: ignore[union-attr]
    await state.close()


async def test_a_run_of_a_living_process_is_not_touched(root: Path, child: Callable) -> None:
    """Another process is in the middle of a run: opening, and looking for orphans, leave it alone."""
    one = child(RUN, str(root), "run-live")
    assert await asyncio.to_thread(one.line) == "ready"
    state = await State.open(root)
    assert state.notices == ()
    assert await state.runs.interrupt_orphans() == ()
    assert (await state.runs.get("run-live")).state == "running"  # type: ignore[union-attr]
    await asyncio.to_thread(one.kill)
    assert await state.runs.interrupt_orphans() == ("run-live",)
    assert (await state.runs.get("run-live")).state == "interrupted"  # type: ignore[union-attr]
    await state.close()


async def test_a_run_left_by_a_clean_exit_is_interrupted_too(root: Path, child: Callable) -> None:
    """A process that closed the database without ending its run drives it no more."""
    one = child(RUN, str(root), "run-left")
    assert await asyncio.to_thread(one.line) == "ready"
    one.say()
    assert await asyncio.to_thread(one.line) == "closed"
    assert await asyncio.to_thread(one.end) == 0
    state = await State.open(root)
    assert (await state.runs.get("run-left")).state == "interrupted"  # type: ignore[union-attr]
    await state.close()


@pytest.mark.parametrize("how", ["return", "raise", "busy"])
async def test_an_open_database_never_holds_up_the_exit(tmp_path: Path, child: Callable, how: str) -> None:
    """A process that forgets to close, fails, or is in the middle of a write ends with its own status."""
    one = child(LEFT_OPEN, str(tmp_path / "x.db"), how)
    assert await asyncio.to_thread(one.end) == 7


async def test_the_outcome_and_the_proposal_are_one(
    root: Path,
    make_request: Callable[..., RunRequest],
    make_step: Callable[..., StepRecord],
    make_proposal: Callable[..., Proposal],
) -> None:
    """What was ended is there after an unclean end of the process: state, steps and proposal."""
    state = await State.open(root)
    await state.runs.begin(make_request(), "hash")
    await state.runs.step(make_step())
    await state.runs.end("run-1", RunEnded("completed", "finished", "好", Usage(1, 2)), make_proposal())
    # No close(): a second opening sees what a killed process would have left.
    again = await State.open(root)
    assert (await again.runs.get("run-1")).state == "completed"  # type: ignore[union-attr]
    assert await again.proposals.get("p-1") == make_proposal()
    await again.close()
    await state.close()


def test_this_process_is_alive_and_nobody_else_has_its_number() -> None:
    """The same number with another start is another process; one on an earlier boot is dead."""
    me = owner.current()
    assert owner.alive(me) is True
    assert owner.alive(owner.Owner(me.pid, me.started + "0", me.machine)) is False
    host, boot, space = me.machine.split("|")
    assert owner.alive(owner.Owner(me.pid, me.started, f"{host}|{boot}x|{space}")) is False
    assert owner.alive(owner.Owner(me.pid, me.started, f"{host}x|{boot}|{space}")) is None


def test_a_dead_process_is_seen_as_dead(child: Callable) -> None:
    """Also while its parent has not asked for its end yet."""
    one = child("import sys; print('ready', flush=True); sys.stdin.readline()")
    one.line()
    it = owner.Owner(one.process.pid, owner._started(one.process.pid) or "", owner.current().machine)
    assert owner.alive(it) is True
    os.kill(one.process.pid, 9)
    os.waitid(os.P_PID, one.process.pid, os.WEXITED | os.WNOWAIT)
    assert owner.alive(it) is False
    one.kill()
    assert owner.alive(it) is False


async def test_a_process_on_another_machine_is_believed_for_a_day(root: Path) -> None:
    """Where we cannot look, the last sign of life decides."""
    state = await State.open(root)
    now = time.time()

    def enter(conn: sqlite3.Connection) -> None:
        for name, opened in (("fresh", now - 60), ("stale", now - 2 * processes.UNSEEN)):
            conn.execute(
                "INSERT INTO processes (id, pid, started, machine, version, opened_at)"
                " VALUES (?, 1, '1', 'elsewhere|b|', '0', ?)",
                (name, opened),
            )

    await state.database.write(enter)
    assert await state.database.read(lambda conn: processes.dead(conn, now)) == ("stale",)
    await state.close()

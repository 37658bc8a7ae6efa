"""The table of memories: its keywords, its caps, its bound, and two who write at once."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest

from inkwright.domain.errors import InkwrightError, StorageError
from inkwright.domain.memory import Memory, MemoryType
from inkwright.store import locations
from inkwright.store import memory_queries as queries
from inkwright.store.memories import Memories
from inkwright.store.memory_pruning import LIMITS, Limits
from inkwright.store.state import State

DAY = 24 * 3600.0


def memory(
    ident: str,
    *keywords: str,
    ability: str = "polish",
    kind: MemoryType = "decision",
    at: float = 0.0,
    pinned: bool = False,
    hit: float | None = None,
) -> Memory:
    return Memory(
        ident,
        ability,
        kind,
        f"决定{ident}",
        keywords,
        pinned=pinned,
        created_at=at,
        updated_at=at,
        last_hit_at=hit,
    )


def added(new: Memory, _known: Sequence[Memory]) -> tuple[Sequence[Memory], Memory | None]:
    return (), new


async def ids(memories: Memories, *keywords: str, ability: str = "polish") -> set[str]:
    return {found.id for found in await memories.candidates(ability, keywords)}


async def test_a_change_carries_a_revision(state: State) -> None:
    """It goes up when a value really changes, an old one is refused, and what is gone is unknown."""
    memories = state.memories
    (first,) = await memories.put([memory("", "短句")], added)
    same = await memories.update(first.id, {"pinned": False}, revision=0)
    assert same == first
    pinned = await memories.update(first.id, {"pinned": True}, revision=0)
    assert (pinned.pinned, pinned.revision) == (True, 1)
    assert await memories.get(first.id) == pinned
    for work in (
        memories.update(first.id, {"content": "别的"}, revision=0),
        memories.delete(first.id, revision=0),
    ):
        with pytest.raises(InkwrightError) as caught:
            await work
        assert (caught.value.fault.code, caught.value.fault.params) == ("revision_conflict", {"revision": 1})
    await memories.delete(first.id, revision=1)
    for gone in (memories.update(first.id, {}), memories.delete(first.id), memories.delete("\ud800")):
        with pytest.raises(InkwrightError) as caught:
            await gone
        assert caught.value.fault.code == "memory_unknown"


async def test_pages_are_whole(state: State) -> None:
    """Newest first, each once, equal times among them; those of all abilities belong to any one."""
    every = [memory(f"{n:02}", ability=("polish", "writing", "")[n % 3], at=float(n // 4)) for n in range(20)]
    await state.memories.fill(every)
    seen: list[Memory] = []
    while page := await state.memories.list(3, (seen[-1].created_at, seen[-1].id) if seen else None):
        seen += page
    assert [one.id for one in seen] == [
        one.id for one in sorted(every, key=lambda one: (-one.created_at, one.id))
    ]
    assert {one.ability for one in await state.memories.list(ability="polish")} == {"polish", ""}
    assert await state.memories.list(kind="lesson") == ()
    assert await state.memories.counts() == {
        ("polish", "decision"): 7,
        ("writing", "decision"): 7,
        ("", "decision"): 6,
    }


async def test_clearing_takes_what_is_asked_for(state: State) -> None:
    """An ability, a type, or all; pinned ones too."""
    await state.memories.fill(
        [memory("1", pinned=True), memory("2", kind="lesson"), memory("3", ability="writing"), memory("4")]
    )
    assert await state.memories.clear(kind="lesson") == 1
    assert await state.memories.clear(ability="writing") == 1
    assert await state.memories.clear() == 2
    assert await state.memories.list() == ()


async def test_keywords_are_in_step_with_their_memories(state: State) -> None:
    """Through adding, rewording, deleting and clearing: what a keyword leads to is what carries it."""
    memories = state.memories
    draw = random.Random(5)
    words = [f"词{n}" for n in range(12)]

    async def check() -> None:
        def work(conn: sqlite3.Connection) -> tuple[set[tuple[str, int]], set[tuple[str, int]]]:
            there = {tuple(row) for row in conn.execute("SELECT keyword, memory FROM memory_keywords")}
            due = {
                (word, seq)
                for seq, listed in conn.execute("SELECT seq, keywords FROM memories")
                for word in listed.split()
            }
            return there, due

        there, due = await state.database.read(work)
        assert there == due

    for number in range(60):
        known = await memories.list(100)
        if known and draw.random() < 0.4:
            await memories.update(draw.choice(known).id, {"keywords": tuple(draw.sample(words, 3))})
        elif known and draw.random() < 0.3:
            await memories.delete(draw.choice(known).id)
        else:
            await memories.put([memory(f"{number}", *draw.sample(words, draw.randrange(5)))], added)
        await check()
    await memories.clear()
    await check()


async def test_what_may_go_along(state: State) -> None:
    """What shares a keyword, the ability's preferences and those of all abilities, and what is pinned."""
    await state.memories.fill(
        [
            memory("shares", "短句", ability="writing"),
            memory("shares nothing", "渡口"),
            memory("own", kind="preference"),
            memory("of all", kind="preference", ability=""),
            memory("of another", kind="preference", ability="writing"),
            memory("pinned", ability="writing", kind="lesson", pinned=True),
        ]
    )
    assert await ids(state.memories, "短句", "对话") == {"shares", "own", "of all", "pinned"}
    assert await ids(state.memories) == {"own", "of all", "pinned"}
    assert await ids(state.memories, '"; DROP', "a*b", "\x00", "%") == {"own", "of all", "pinned"}


async def test_what_is_like_a_draft_is_of_its_type(state: State) -> None:
    """The nearest first; without a keyword those without one."""
    await state.memories.fill(
        [
            memory("one", "短句", "对话"),
            memory("two", "短句"),
            memory("lesson", "短句", kind="lesson"),
            memory("bare"),
        ]
    )
    seen: list[list[str]] = []

    def note(new: Memory, known: Sequence[Memory]) -> tuple[Sequence[Memory], Memory | None]:
        seen.append([one.id for one in known])
        return (), None

    assert await state.memories.put([memory("", "短句", "对话", "渡口"), memory("")], note) == ()
    assert seen == [["one", "two"], ["bare"]]


async def test_said_again_is_new_again(state: State) -> None:
    """The time moves; the revision only when something was changed."""
    await state.memories.fill([memory("1", "短句")])

    def again(new: Memory, known: Sequence[Memory]) -> tuple[Sequence[Memory], Memory | None]:
        return known, None

    (renewed,) = await state.memories.put([memory("", "短句")], again)
    assert (renewed.id, renewed.revision) == ("1", 0)
    assert renewed.updated_at > 0


async def test_the_caps(state: State) -> None:
    """60 of an ability and 240 of a book stay, lessons go first, then what lay longest; pinned ones count for none."""
    now = 1000 * DAY
    every = [memory(f"{n}", at=now + n) for n in range(70)]
    every += [memory(f"lesson {n}", kind="lesson", at=now + 100 + n) for n in range(10)]
    every += [memory(f"pinned {n}", pinned=True, at=0.0) for n in range(5)]
    await state.memories.fill(every)
    assert await state.memories.prune(now + 200) == 20
    left = {one.id for one in await state.memories.list(500)}
    assert left == {str(n) for n in range(10, 70)} | {f"pinned {n}" for n in range(5)}
    assert await state.memories.prune(now + 200) == 0
    await state.memories.clear()
    await state.memories.fill([memory(f"{n}", ability=f"a{n % 8}", at=now + n) for n in range(400)])
    assert await state.memories.prune(now + 500) == 160
    assert len(await state.memories.list(500)) == LIMITS.per_book


async def test_what_is_not_used_goes(state: State) -> None:
    """After 180 days without being made, changed or brought along; at most 200 in one pass."""
    now = 1000 * DAY
    old = now - 181 * DAY
    await state.memories.fill(
        [memory("old", at=old), memory("used", at=old, hit=now - DAY), memory("kept", at=old, pinned=True)]
    )
    assert await state.memories.prune(now) == 1
    assert {one.id for one in await state.memories.list()} == {"used", "kept"}
    await state.memories.clear()
    await state.memories.fill([memory(f"{n}", at=old) for n in range(250)])
    assert await state.memories.prune(now) == 200
    assert await state.memories.prune(now) == 50
    await state.memories.put([memory("", "短句")], added)
    assert await state.memories.prune(limits=Limits(most=5, per_ability=0)) == 1


async def test_a_book_prunes_when_it_is_opened(root: Path) -> None:
    """What was over the caps when it was closed is gone."""
    state = await State.open(root)
    await state.memories.fill([memory(f"{n}", at=9e9) for n in range(70)])
    await state.close()
    again = await State.open(root)
    assert len(await again.memories.list(500)) == LIMITS.per_ability
    await again.close()


async def test_a_book_is_filled_once(state: State) -> None:
    """Into memories that are there nothing is poured; a row that cannot go in leaves the table as it was."""
    with pytest.raises(StorageError):
        await state.memories.fill([memory("1"), memory("1")])
    assert await state.memories.list() == ()
    assert await state.memories.fill([memory("1", "短句")])
    assert not await state.memories.fill([memory("2")])
    assert await ids(state.memories, "短句") == {"1"}


async def test_memories_are_searched_by_their_text(state: State) -> None:
    """By what the caller looks for, newest first, no more than asked for."""
    await state.memories.fill(
        [memory("短句一", at=1.0), memory("长句", at=2.0), memory("短句二\ud800", at=3.0)]
    )
    search = state.memories.search
    assert [one.id for one in await search(lambda text: "短句" in text)] == ["短句二\ud800", "短句一"]
    assert [one.id for one in await search(lambda text: "短句" in text, 1)] == ["短句二\ud800"]
    assert [one.id for one in await search(lambda text: "\ud800" in text)] == ["短句二\ud800"]
    assert await search(lambda _: False) == ()


@pytest.fixture(scope="module")
def crowd() -> list[Memory]:
    """100,000 memories: every keyword but the rare one stands in thousands of them."""
    draw = random.Random(3)
    words = [f"常{chr(0x4E00 + n)}" for n in range(40)]
    kinds: tuple[MemoryType, ...] = ("preference", "decision", "lesson")
    every = [
        memory(
            f"{n:06}",
            *draw.sample(words, 2),
            ability=("polish", "writing")[n % 2],
            kind=kinds[n % 3],
            at=float(n),
        )
        for n in range(100_000)
    ]
    every[17] = memory("rare", "罕见", "常一", "常丁", ability="polish", at=17.0)
    return every


async def steps(state: State, memories: Memories, keywords: Sequence[str]) -> int:
    """How many hundreds of steps SQLite's machine takes to find the candidates."""
    count = 0

    def tick() -> int:
        nonlocal count
        count += 1
        return 0

    await state.database.read(lambda conn: conn.set_progress_handler(tick, 100))
    await memories.candidates("polish", keywords)
    await state.database.read(lambda conn: conn.set_progress_handler(None, 100))
    return count


async def test_finding_is_bounded_however_many_there_are(state: State, crowd: list[Memory]) -> None:
    """Among 100,000 no more is done than among 5,000, no table is read through, and a rare word still finds its own."""
    words = [f"常{chr(0x4E00 + n)}" for n in range(10)] + ["罕见"]
    await state.memories.fill(crowd[:5_000])
    few = await steps(state, state.memories, words)
    await state.memories.clear()
    await state.memories.fill(crowd)
    many = await steps(state, state.memories, words)
    assert many <= few * 1.1 + 10
    assert many * 100 < 11 * queries.MATCHES * 60
    found = await state.memories.candidates("polish", words)
    assert "rare" in {one.id for one in found}
    assert len(found) <= queries.BEST + queries.RARE + 3 * queries.STANDING
    asked: dict[str, object] = {
        "book": state.book_id,
        "ability": "polish",
        "type": "lesson",
        "keywords": "[]",
    }
    asked |= dict.fromkeys(("last", "best", "rare", "standing", "known"), 1)
    for query in (queries.CANDIDATES, queries.ALIKE):
        plan = await state.database.read(
            lambda conn, query=query: [  # type: ignore[misc]
                row["detail"] for row in conn.execute(f"EXPLAIN QUERY PLAN {query}", asked)
            ]
        )
        assert [line for line in plan if line.startswith("SCAN m") or "SCAN found" in line] == []


WRITER = """
    import asyncio, sys
    from dataclasses import replace
    from pathlib import Path
    from inkwright.domain.memory import Memory
    from inkwright.store.state import State

    def merge(new, known):
        same = [one for one in known if one.content == new.content]
        return same, None if same else new

    async def main():
        state = await State.open(Path(sys.argv[1]))
        print("ready", flush=True)
        sys.stdin.readline()
        for number in range(40):
            word = f"词{number}"
            await state.memories.put([Memory("", "polish", "decision", f"决定{word}", (word,))], merge)
        await state.close()

    asyncio.run(main())
"""


async def test_two_processes_say_the_same_at_once(root: Path, child) -> None:
    """Each of 40 memories is there once, in no matter which of the two came first."""
    (await _opened(root))
    writers = [child(WRITER, str(root)) for _ in range(2)]
    assert [one.line() for one in writers] == ["ready", "ready"]
    for one in writers:
        one.say()
    assert [one.end() for one in writers] == [0, 0]
    state = await State.open(root)
    every = await state.memories.list(500)
    assert sorted(one.content for one in every) == sorted(f"决定词{n}" for n in range(40))
    await state.close()


async def _opened(root: Path) -> None:
    await (await State.open(root)).close()


async def test_a_rebuilt_database_finds_its_memories_again(root: Path) -> None:
    """The keywords' pages are overwritten: what is rescued of the memories brings their keywords back."""
    state = await State.open(root)
    every = [memory(f"{n}", f"词{n}", "常有", at=9e9 + n) for n in range(60)]
    await state.memories.fill(every)
    await state.close()
    path = locations.state_path(root)
    with closing(sqlite3.connect(path)) as conn:
        pages = [
            row[0]
            for row in conn.execute(
                "SELECT rootpage FROM sqlite_schema WHERE tbl_name = 'memory_keywords' AND rootpage > 0"
            )
        ]
    data = bytearray(path.read_bytes())
    for page in pages:
        data[(page - 1) * 4096 : page * 4096] = b"\xff" * 4096
    path.write_bytes(data)
    state = await State.open(root)
    with pytest.raises(StorageError):
        await ids(state.memories, "常有")
    assert await ids(state.memories, "词7") == {"7"}
    assert len(await ids(state.memories, "常有")) == 60
    await state.close()


async def test_the_first_schema_is_taken_over(root: Path) -> None:
    """Memories in a table of the first format stand in the new one, and can be found by nothing but their kind."""
    from inkwright.store import opening, schema

    path = locations.state_path(root)
    opening.create(path, schema.migrations()[:2])
    with closing(sqlite3.connect(path, isolation_level=None)) as conn:
        conn.execute("INSERT INTO books (id, root, created_at, updated_at) VALUES ('b', 'x', 0, 0)")
        conn.execute(
            "INSERT INTO memories (id, book_id, skill_type, memory_type, content, pinned, created_at, updated_at)"
            " VALUES ('m', 'b', 'polish', 'preference', '喜欢短句', 1, 5, 6)"
        )
    state = await State.open(root)
    (found,) = await state.memories.list()
    assert (found.id, found.content, found.pinned, found.created_at, found.keywords) == (
        "m",
        "喜欢短句",
        True,
        5,
        (),
    )
    assert await ids(state.memories) == {"m"}
    await state.close()

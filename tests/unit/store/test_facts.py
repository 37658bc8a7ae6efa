"""Facts in the database: each once, decided once, written by one process at a time, and following their files."""

from __future__ import annotations

from dataclasses import replace

import pytest

from inkwright.domain.conversation import Usage
from inkwright.domain.errors import InkwrightError
from inkwright.domain.facts import FactCandidate, NewFact
from inkwright.domain.run import RunEnded
from inkwright.store.moves import Moves
from inkwright.store.state import State

FACT = NewFact("cards/林夏.md", "林夏", "location", "青石镇", "第一章", "", "到了青石镇", "ch/1.md")


def candidate(id_, run="run-1", passage="p", **more):
    return FactCandidate(id_, run, replace(FACT, **more), passage, created_at=1.0)


@pytest.fixture
async def facts(state, make_request):
    for run in ("run-1", "run-2"):
        await state.runs.begin(make_request(run), "hash")
    return state.facts


@pytest.fixture
async def other(state, root):
    """The same book in another process, as far as the database knows."""
    opened = await State.open(root)
    yield opened
    await opened.close()


async def test_the_same_fact_is_kept_once(facts):
    """White space, width and case of the value make no other; card, key, chapter and value do."""
    first = await facts.add(candidate("a"))
    assert await facts.add(candidate("b", run="run-2", value="青 石　镇", quote="别的")) == first
    others = [candidate(str(n), **more) for n, more in enumerate(({"key": "owner"}, {"source": "ch/2.md"}))]
    assert [await facts.add(one) for one in others] == others
    assert await facts.of("run-1") == ("a", "0", "1")
    assert await facts.of("run-2") == ("a",)
    with pytest.raises(InkwrightError, match="run_unknown"):
        await facts.add(candidate("c", run="nobody"))


async def test_a_decision_stands_until_its_passage_is_gone(facts):
    """Rejected is not offered again; with its passage gone another takes its place."""
    await facts.add(candidate("a"))
    (done,) = await facts.decide(["a"], "rejected")
    assert (await facts.decide(["a"], "accepted"))[0] == done
    assert (await facts.add(candidate("b"))).state == "rejected"
    assert (await facts.add(candidate("c", passage="q"), {"p"})).id == "c"
    assert [one.id for one in await facts.list(())] == ["c"]
    with pytest.raises(InkwrightError, match="candidate_unknown"):
        await facts.decide(["x"], "accepted")


async def test_one_process_writes_at_a_time(facts, other):
    """What a living process has taken is not given to another; what a dead one left is."""
    await facts.add(candidate("a"))
    await facts.add(candidate("b", key="owner"))
    assert await other.facts.claim(["a"]) == {"a"}
    assert await facts.claim(["a", "b", "x"]) == {"b"}
    assert await facts.claim(["b"]) == {"b"}
    await other.facts.decide(["a"], "pending")
    assert await facts.claim(["a"]) == {"a"}
    await facts.decide(["a"], "accepted")
    assert await other.facts.claim(["a"]) == frozenset()


async def test_facts_follow_their_files(facts, state):
    """Cards and chapters that change places keep theirs; the same fact at the new place stays one."""
    await facts.add(candidate("a"))
    await facts.add(candidate("b", source="ch/2.md"))
    moves = {"ch/1.md": ("ch/2.md", ""), "ch/2.md": ("ch/1.md", ""), FACT.card: ("人物/林夏.md", "")}
    await Moves(state.database, state.book_id).follow(moves, {}, lambda card: "")
    found = {one.id: one.fact for one in await facts.list()}
    assert (found["a"].source, found["b"].source) == ("ch/2.md", "ch/1.md")
    assert {fact.card for fact in found.values()} == {"人物/林夏.md"}
    assert (await facts.add(candidate("c", card="人物/林夏.md", source="ch/2.md"))).id == "a"


CLAIM = """
import asyncio, sys
from pathlib import Path
from inkwright.store.state import State

async def main():
    state = await State.open(Path(sys.argv[1]))
    print(*await state.facts.claim(["a"]), flush=True)
    sys.stdin.readline()

asyncio.run(main())
"""


async def test_what_a_killed_process_was_writing_is_free_at_once(facts, root, child):
    """Nobody waits for one that cannot come back."""
    await facts.add(candidate("a"))
    killed = child(CLAIM, str(root))
    assert killed.line() == "a"
    assert await facts.claim(["a"]) == frozenset()
    killed.kill()
    assert await facts.claim(["a"]) == {"a"}


async def test_an_accepted_fact_outlives_its_run(facts, state):
    """Where a card's fact came from is known however old the run is; a waiting one goes on waiting."""
    await facts.add(candidate("a"))
    await facts.add(candidate("b", key="owner"))
    await facts.decide(["a"], "accepted")
    for run in ("run-1", "run-2"):
        await state.runs.end(run, RunEnded("completed", "finished", "", Usage()), None)
    assert await state.runs.prune(keep=0, seconds=-1) == 2
    assert [(one.id, one.state) for one in await facts.list(())] == [("a", "accepted"), ("b", "pending")]


async def test_the_facts_of_one_card_or_chapter(facts):
    """Asked for by either, they come in order and without those of others."""
    await facts.add(candidate("a"))
    await facts.add(candidate("b", card="cards/周衡.md"))
    await facts.add(candidate("c", card="cards/周衡.md", source="ch/2.md"))
    assert [one.id for one in await facts.list(card="cards/周衡.md")] == ["b", "c"]
    assert [one.id for one in await facts.list(source="ch/1.md")] == ["a", "b"]
    assert [one.id for one in await facts.list(card="cards/周衡.md", source="ch/1.md")] == ["b"]
    assert await facts.list(("accepted",), card="cards/周衡.md") == ()

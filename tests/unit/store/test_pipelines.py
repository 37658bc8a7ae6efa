"""Pipelines in the journal: what was planned, what the steps came to, what a later run can go on from."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from inkwright.domain.cards import Candidate, NewCard
from inkwright.domain.conversation import Usage
from inkwright.domain.errors import Fault
from inkwright.domain.ports import Journal
from inkwright.domain.run import Product, RunEnded, RunRequest
from inkwright.store import products
from inkwright.store.runs import REMEMBERED
from inkwright.store.state import State

ANY = st.text(alphabet=st.characters(codec=None, exclude_categories=()), max_size=40)
PRODUCTS = st.lists(
    st.builds(
        Product,
        st.integers(0, 5),
        ANY,
        st.sampled_from(["completed", "partial", "failed", "cancelled"]),
        ANY,
        st.integers(0, 1),
    ),
    unique_by=lambda product: product.index,
)
SPLIT, DISTIL = Product(0, "split", "completed", "十二段"), Product(1, "distil", "completed", "要点")


def aged(run: str, seconds: float) -> Callable[[sqlite3.Connection], None]:
    def work(conn: sqlite3.Connection) -> None:
        conn.execute("UPDATE runs SET created_at = created_at - ? WHERE id = ?", (seconds, run))

    return work


async def cut_short(state: State, request: RunRequest, *done: Product) -> None:
    await state.runs.begin(request, "hash")
    for product in done:
        await state.runs.product(request.id, product)
    await state.runs.end(request.id, RunEnded("partial", "error", "", Usage()), None)


async def test_a_pipeline_is_told_back_as_it_was(
    state: State, make_pipeline: Callable[..., RunRequest]
) -> None:
    """Plan, products, notices and budget come back; of the instructions nothing is on the disk."""
    journal: Journal = state.runs
    request = make_pipeline(resumes="earlier", products=(SPLIT,))
    await journal.begin(request, "hash")
    assert await state.runs.products("run-1") == (SPLIT,)
    for product in (SPLIT, DISTIL):
        await journal.product("run-1", product)
    failed = Product(2, "cards", "failed", "")
    notices = (Fault("run_context_cut"), Fault("run_step_failed", {"step": "cards", "done": 2}))
    every = (SPLIT, DISTIL, failed, Product(3, "split", "pending", window=1))
    ended = RunEnded("partial", "error", "文", Usage(), notices=notices, steps=every)
    await journal.end("run-1", ended, None)
    run = await state.runs.get("run-1")
    assert run is not None
    assert (run.pipeline, run.resumes, run.notices) == ("breakdown", "earlier", notices)
    assert (run.budget, run.context_window) == (request.budget, 8000)
    assert run.steps == tuple(replace(step, instruction="") for step in request.steps)
    assert await state.runs.products("run-1") == (SPLIT, DISTIL, failed)
    assert await state.runs.products("run-1", given=True) == (SPLIT,)
    assert [p.status for p in products.every(run.steps, (SPLIT, DISTIL, failed))] == [
        "completed",
        "completed",
        "failed",
        "pending",
        "pending",
        "pending",
    ]
    await state.close()
    for file in state.database.path.parent.iterdir():
        assert b"SECRET-PROMPT" not in file.read_bytes()


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(given_=PRODUCTS, later=PRODUCTS, label=ANY)
async def test_any_product_survives_the_journal(
    state: State,
    make_pipeline: Callable[..., RunRequest],
    given_: list[Product],
    later: list[Product],
    label: str,
) -> None:
    """Lone surrogates too; a product of the same step stands in the place of the first."""
    request = make_pipeline(f"run-{time.monotonic_ns()}", products=tuple(given_))
    request = replace(request, steps=tuple(replace(step, label=label) for step in request.steps))
    await state.runs.begin(request, "hash")
    for product in later:
        await state.runs.product(request.id, product)
    await state.runs.end(request.id, RunEnded("partial", "error", label, Usage(), steps=tuple(later)), None)
    want = {p.index: p for p in given_} | {p.index: p for p in later}
    assert await state.runs.products(request.id) == tuple(want[index] for index in sorted(want))
    run = await state.runs.get(request.id)
    assert run is not None
    assert {step.label for step in run.steps} == {label}


KILLED = """
import asyncio, sys
from dataclasses import replace
from pathlib import Path
from inkwright.domain.conversation import Usage
from inkwright.domain.profile import EffectiveProfile
from inkwright.domain.run import Budget, Product, RunRequest, Step, StepRecord, Window
from inkwright.domain.text import Snapshot, Span
from inkwright.store.state import State
async def main():
    state = await State.open(Path(sys.argv[1]))
    span = Span(0, 2)
    request = RunRequest(
        "run-1",
        EffectiveProfile("breakdown", "breakdown", "zh", "", "", "", (), (), 0, 0, 0, True, "pipeline", "cards", "chapter"),
        "", Snapshot("u", "p", 1, "雪夜"), span, True, (Window(0, 1, span, "雪夜"),), ((),), "", "zh", "offline",
        "off", Budget(0), pipeline="breakdown",
        steps=tuple(Step(n, 3, name, name, "") for n, name in enumerate(("split", "distil", "cards"))),
    )
    await state.runs.begin(request, "hash")
    for n, name in enumerate(("split", "distil")):
        await state.runs.step(StepRecord("run-1", n, 0, 0, "", 0, name, "stop", None, 0.1))
        await state.runs.product("run-1", Product(n, name, "completed", name + "\\udc80"))
    await state.runs.step(StepRecord("run-1", 2, 0, 0, "", 0, "half a step", "tool_calls", None, 0.1))
    await state.made_cards.put("digest", "cards/雪.md", "run-1")
    print("in step 3", flush=True)
    await asyncio.sleep(600)
asyncio.run(main())
"""


async def test_a_run_that_was_killed_in_its_third_step_keeps_the_first_two(
    root: Path, child: Callable[..., object]
) -> None:
    """After kill -9 the next opening ends it as interrupted; products, requests and cards are there."""
    process = child(KILLED, str(root))
    assert await asyncio.to_thread(process.line) == "in step 3"  # type: ignore[attr-defined]
    process.kill()  # type: ignore[attr-defined]
    state = await State.open(root)
    assert [notice.code for notice in state.notices] == ["runs_interrupted"]
    (run,) = await state.runs.list(states=("interrupted",))
    assert (run.pipeline, run.stop_reason, len(run.steps)) == ("breakdown", "interrupted", 3)
    assert [(p.name, p.status, p.text) for p in await state.runs.products("run-1")] == [
        ("split", "completed", "split\udc80"),
        ("distil", "completed", "distil\udc80"),
    ]
    assert [step.text for step in await state.runs.steps("run-1")] == ["split", "distil", "half a step"]
    assert await state.made_cards.find("digest") == "cards/雪.md"
    await state.close()


PAIR = """
import asyncio, sys
from pathlib import Path
from inkwright.domain.cards import Candidate, NewCard
from inkwright.domain.manuscript import Summary
from inkwright.domain.run import Product
from inkwright.store.state import State
async def main():
    state = await State.open(Path(sys.argv[1]))
    print("ready", flush=True)
    sys.stdin.readline()
    who = sys.argv[2]
    for n in range(40):
        await state.runs.product("run-1", Product(n, "n", "completed", who))
        await state.candidates.add(Candidate(f"{who}-{n}", "run-1", NewCard("misc", str(n), "")), str(n))
        await state.made_cards.put(str(n), who, "run-1")
        await state.summaries.put(Summary(str(n), who, "d"))
    await state.close()
asyncio.run(main())
"""


async def test_two_processes_at_once_lose_nothing(
    state: State, make_pipeline: Callable[..., RunRequest], child: Callable[..., object]
) -> None:
    """Both write the same rows: each stands once, and is one of theirs."""
    await state.runs.begin(make_pipeline(), "hash")
    pair = [child(PAIR, str(state.root), who) for who in ("one", "two")]
    for process in pair:
        assert await asyncio.to_thread(process.line) == "ready"  # type: ignore[attr-defined]
    for process in pair:
        process.say()  # type: ignore[attr-defined]
    assert [await asyncio.to_thread(process.end) for process in pair] == [0, 0]  # type: ignore[attr-defined]
    found = await state.runs.products("run-1")
    assert [product.index for product in found] == list(range(40))
    assert {product.text for product in found} <= {"one", "two"}
    waiting = await state.candidates.list()
    assert sorted(int(candidate.card.title) for candidate in waiting) == list(range(40))
    for n in range(40):
        assert await state.made_cards.find(str(n)) in ("one", "two")
        assert (await state.summaries.summary(str(n))).text in ("one", "two")  # type: ignore[union-attr]


async def test_a_pipeline_that_can_be_gone_on_with_is_not_pruned(
    state: State, make_request: Callable[..., RunRequest], make_pipeline: Callable[..., RunRequest]
) -> None:
    """It stays beyond the number of runs that are kept, not beyond their age; one that another run took
    over, one that has nothing to go on from and one that was completed go like any other."""
    await cut_short(state, make_pipeline("waits"), SPLIT)
    await cut_short(state, make_pipeline("empty"), Product(0, "split", "failed", ""))
    await cut_short(state, make_pipeline("first"), SPLIT)
    await cut_short(state, make_pipeline("second", resumes="first", products=(SPLIT,)), DISTIL)
    await state.runs.begin(make_pipeline("whole"), "hash")
    await state.runs.end("whole", RunEnded("completed", "finished", "", Usage(), steps=(SPLIT,)), None)
    await state.runs.begin(make_request("newest"), "hash")
    await state.runs.end("newest", RunEnded("completed", "finished", "", Usage()), None)
    assert await state.runs.prune(keep=1) == 3
    assert [run.id for run in await state.runs.list()] == ["newest", "second", "waits"]
    assert await state.runs.products("second") == (SPLIT, DISTIL)
    await state.database.write(aged("waits", 1000))
    assert await state.runs.prune(keep=1, seconds=500) == 1
    assert await state.runs.products("waits") == ()


async def test_a_candidate_that_waits_keeps_its_run(
    state: State, make_request: Callable[..., RunRequest]
) -> None:
    """However old it is; once it is decided both go together, and the made card stays known."""
    await state.runs.begin(make_request(), "hash")
    await state.runs.end("run-1", RunEnded("completed", "finished", "", Usage()), None)
    await state.candidates.add(Candidate("c", "run-1", NewCard("misc", "雪", "白")), "digest")
    assert await state.runs.prune(keep=0, seconds=-1) == 0
    await state.made_cards.put("digest", "cards/雪.md", "run-1")
    await state.candidates.decide("c", "accepted", "cards/雪.md")
    assert await state.runs.prune(keep=0, seconds=-1) == 1
    assert await state.candidates.get("c") is None
    assert await state.made_cards.find("digest") == "cards/雪.md"


async def test_what_belongs_to_a_run_follows_when_its_id_is_used_again(
    state: State, make_pipeline: Callable[..., RunRequest]
) -> None:
    """Products, candidates, and the run that went on with it name the old run under its longer id."""
    await cut_short(state, make_pipeline("a"), SPLIT)
    await state.candidates.add(Candidate("c", "a", NewCard("misc", "雪", "白")), "digest")
    await cut_short(state, make_pipeline("b", resumes="a", products=(SPLIT,)))
    await state.database.write(aged("a", REMEMBERED + 1))
    await state.runs.begin(make_pipeline("a"), "hash")
    assert await state.runs.products("a") == ()
    later = await state.runs.get("b")
    candidate = await state.candidates.get("c")
    assert later is not None
    assert candidate is not None
    assert later.resumes == candidate.run_id
    assert later.resumes.startswith("a~")
    assert await state.runs.products(later.resumes) == (SPLIT,)


@pytest.mark.parametrize("reading", ["steps", "notices", "budget"])
async def test_flipped_bytes_in_a_plan_are_a_fault(
    state: State, make_pipeline: Callable[..., RunRequest], reading: str
) -> None:
    """JSON that is none any more is told as damage by every reader of the run."""
    await state.runs.begin(make_pipeline(), "hash")
    await state.database.write(lambda conn: conn.execute(f"UPDATE runs SET {reading} = '{{x'").rowcount)
    with pytest.raises(Exception, match="store_text_damaged"):
        await state.runs.get("run-1")

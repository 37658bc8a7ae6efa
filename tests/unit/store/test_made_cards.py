"""Cards that runs make: files that are known again, candidates that wait."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from inkwright.domain.cards import Candidate, NewCard
from inkwright.domain.errors import InkwrightError, StorageError
from inkwright.domain.run import RunRequest
from inkwright.store.state import State

ANY = st.text(alphabet=st.characters(codec=None, exclude_categories=()), max_size=40)
CARD = NewCard("character", "林晚秋", "剑客。", ("剑", "雪夜"), "林晚秋推开门", "第一章.md", "第一章 雨")


async def test_a_made_card_is_found_by_its_digest(state: State) -> None:
    """Unknown it is None; entered again it stands where it stands now."""
    assert await state.made_cards.find("d") is None
    await state.made_cards.put("d", "cards/林晚秋.md", "run-1")
    assert await state.made_cards.find("d") == "cards/林晚秋.md"
    await state.made_cards.put("d", "cards/林晚秋\udc80.md", "run-2")
    assert await state.made_cards.find("d") == "cards/林晚秋\udc80.md"


async def test_the_same_candidate_waits_once(state: State, make_request: Callable[..., RunRequest]) -> None:
    """While one of a digest is pending it is the one; put aside it stays so; an accepted one makes way."""
    await state.runs.begin(make_request(), "hash")
    first = await state.candidates.add(Candidate("c-1", "run-1", CARD, created_at=5.0), "d")
    assert first == Candidate("c-1", "run-1", CARD, created_at=5.0)
    assert await state.candidates.add(Candidate("c-2", "run-1", CARD), "d") == first
    assert await state.candidates.get("c-2") is None
    await state.candidates.decide("c-1", "rejected")
    aside = await state.candidates.add(Candidate("c-3", "run-1", CARD), "d")
    assert (aside.id, aside.state) == ("c-1", "rejected")
    assert await state.candidates.get("c-3") is None
    await state.candidates.add(Candidate("c-4", "run-1", CARD), "e")
    await state.candidates.decide("c-4", "accepted", "cards/x.md")
    third = await state.candidates.add(Candidate("c-5", "run-1", CARD), "e")
    assert (third.id, third.state) == ("c-5", "pending")
    assert third.created_at > 5.0
    assert [c.id for c in await state.candidates.list()] == ["c-5"]
    assert {c.id for c in await state.candidates.list(states=())} == {"c-1", "c-4", "c-5"}
    assert {c.id for c in await state.candidates.list(states=("rejected", "accepted"))} == {"c-1", "c-4"}


async def test_a_decision_stands(state: State, make_request: Callable[..., RunRequest]) -> None:
    """The first one counts, path and all, also after a restart."""
    await state.runs.begin(make_request(), "hash")
    await state.candidates.add(Candidate("c-1", "run-1", CARD), "d")
    accepted = await state.candidates.decide("c-1", "accepted", "cards/林晚秋.md")
    assert (accepted.state, accepted.path) == ("accepted", "cards/林晚秋.md")
    assert await state.candidates.decide("c-1", "rejected") == accepted
    await state.close()
    again = await State.open(state.root)
    assert await again.candidates.get("c-1") == accepted
    await again.close()


async def test_what_is_unknown_is_said(state: State) -> None:
    """A candidate that is not there, and one of a run that is not: faults of the asker, not of the disk."""
    assert await state.candidates.get("nope") is None
    for asked, code in (
        (state.candidates.decide("nope", "accepted", "p"), "candidate_unknown"),
        (state.candidates.add(Candidate("c", "no run", CARD), "d"), "run_unknown"),
    ):
        with pytest.raises(InkwrightError) as caught:
            await asked
        assert caught.value.fault.code == code
        assert not isinstance(caught.value, StorageError)
    assert await state.candidates.list(states=()) == ()


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(card=st.builds(NewCard, ANY, ANY, ANY, st.lists(ANY, max_size=3).map(tuple), ANY, ANY, ANY))
async def test_any_card_survives(
    state: State, make_request: Callable[..., RunRequest], card: NewCard
) -> None:
    """Lone surrogates in any of its fields come back to the letter."""
    run, ident = f"run-{time.monotonic_ns()}", f"c-{time.monotonic_ns()}\udc80"
    await state.runs.begin(make_request(run), "hash")
    stored = await state.candidates.add(Candidate(ident, run, card), ident.encode("utf-8", "replace").hex())
    assert stored.card == card
    assert await state.candidates.get(ident) == stored

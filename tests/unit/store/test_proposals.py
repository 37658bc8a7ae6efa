"""Proposals across a restart, and decisions that stand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from inkwright.domain.conversation import Usage
from inkwright.domain.errors import InkwrightError
from inkwright.domain.proposal import Proposal
from inkwright.domain.run import RunEnded, RunRequest
from inkwright.store.state import State


@pytest.fixture
async def kept(
    state: State, make_request: Callable[..., RunRequest], make_proposal: Callable[..., Proposal]
) -> Proposal:
    proposal = make_proposal(text="坏\ud83d字林晚秋。" * 4)
    await state.runs.begin(make_request(), "hash")
    await state.runs.end("run-1", RunEnded("completed", "finished", "", Usage()), proposal)
    return proposal


async def test_a_proposal_survives_a_restart(state: State, kept: Proposal, root: Path) -> None:
    """Base, text, hunks, findings and times come back as they were, lone surrogates too."""
    await state.close()
    again = await State.open(root)
    assert await again.proposals.get("p-1") == kept
    assert await again.proposals.pending() == (kept,)
    assert await again.proposals.pending(path="第一章.md") == (kept,)
    assert await again.proposals.pending(uri=kept.uri) == (kept,)
    assert await again.proposals.pending(path="第二章.md") == ()
    assert (await again.runs.get("run-1")).proposal_id == "p-1"  # type: ignore[union-attr]
    await again.close()


async def test_a_decision_stands(state: State, kept: Proposal) -> None:
    """A hunk that was accepted cannot be rejected later; with all decided nothing is pending."""
    first = await state.proposals.decide("p-1", {0: "accepted"})
    assert [h.state for h in first.hunks] == ["accepted", "pending"]
    second = await state.proposals.decide("p-1", {0: "rejected", 1: "stale"})
    assert [h.state for h in second.hunks] == ["accepted", "stale"]
    assert await state.proposals.pending() == ()
    assert await state.proposals.get("p-1") == second


async def test_an_accepted_hunk_can_wait_again(state: State, kept: Proposal) -> None:
    """Only an accepted one; with it the proposal is pending again."""
    await state.proposals.decide("p-1", {0: "accepted", 1: "rejected"})
    again = await state.proposals.reopen("p-1", [0, 1])
    assert [h.state for h in again.hunks] == ["pending", "rejected"]
    assert await state.proposals.pending() == (again,)


async def test_a_wrong_hunk_decides_nothing(state: State, kept: Proposal) -> None:
    """An index that is not there refuses the whole call."""
    with pytest.raises(InkwrightError) as caught:
        await state.proposals.decide("p-1", {0: "accepted", 9: "accepted"})
    assert caught.value.fault.code == "hunk_unknown"
    assert await state.proposals.get("p-1") == kept
    with pytest.raises(InkwrightError) as caught:
        await state.proposals.decide("p-9", {})
    assert caught.value.fault.code == "proposal_unknown"


async def test_saving_again_replaces(state: State, kept: Proposal) -> None:
    """One proposal under one id."""
    other = replace(kept, text="新文", hunks=kept.hunks[:1])
    await state.proposals.save(other)
    assert await state.proposals.get("p-1") == other

"""Accepting and rejecting: bound to the text of now, each hunk decided once, nothing lost at a restart."""

from __future__ import annotations

import pytest

from inkwright.domain.errors import InkwrightError
from inkwright.domain.text import apply

REWRITE = "林夏到的时候，船刚刚走了。\n\n她数了数铜钱，一共十八枚。\n\n“再等等。”周衡低声说。\n"


async def proposed(stage):
    stage.plays(REWRITE)
    result = await stage.studio.run(await stage.ask(request_id="r1"), lambda _: None)
    assert result.proposal is not None
    return result.proposal


async def test_accept_all_leaves_the_hunk_with_a_finding(stage) -> None:
    """The changed number is marked and not taken; the others are."""
    proposal = await proposed(stage)
    marked = [h.index for h in proposal.hunks if h.findings]
    assert len(marked) == 1
    decision = await stage.studio.review.accept(proposal, None, proposal.base)
    verdict = await stage.studio.review.record(decision)
    assert set(verdict.applied) == {h.index for h in proposal.hunks} - set(marked)
    assert "一共十七枚" in apply(proposal.base, list(decision.edits))


async def test_a_second_accept_gives_the_first_result_and_no_edit(stage) -> None:
    """What is decided stays decided, also against a later reject."""
    proposal = await proposed(stage)
    first = await stage.studio.review.accept(proposal, [0], proposal.base)
    verdict = await stage.studio.review.record(first)
    after = apply(proposal.base, list(first.edits))
    stored = await stage.studio.review.find(proposal.id)
    again = await stage.studio.review.accept(stored, [0], after)
    assert again.edits == ()
    assert await stage.studio.review.record(again) == verdict
    assert (await stage.studio.review.reject(stored, [0])).applied == (0,)


async def test_touched_text_is_stale_and_moved_text_is_found(stage) -> None:
    """A paragraph typed above moves the hunks; typing in one's own text drops it."""
    proposal = await proposed(stage)
    moved = "新的一段。\n\n" + proposal.base.replace("周衡说", "周衡忽然说")
    decision = await stage.studio.review.accept(proposal, [h.index for h in proposal.hunks], moved)
    assert len(decision.stale) == 1
    text = apply(moved, list(decision.edits))
    assert text.startswith("新的一段。\n\n林夏到的时候，船刚刚走了。")
    assert "周衡忽然说" in text


async def test_an_unknown_hunk_or_proposal_is_named(stage) -> None:
    """Nothing is decided by a wrong index."""
    proposal = await proposed(stage)
    with pytest.raises(InkwrightError) as wrong:
        await stage.studio.review.accept(proposal, [99], proposal.base)
    assert wrong.value.fault.code == "hunk_unknown"
    with pytest.raises(InkwrightError) as wrong:
        await stage.studio.review.find("no-such")
    assert wrong.value.fault.code == "proposal_unknown"


async def test_pending_proposals_survive_a_restart(stage) -> None:
    """Another studio on the same book finds the hunks that wait."""
    proposal = await proposed(stage)
    await stage.studio.review.reject(proposal, [0])
    await stage.studio.close()
    book = await stage.studio.workspace.book(stage.chapter)
    (waiting,) = await stage.studio.review.pending(book, "第001章 渡口.md")
    assert [h.index for h in waiting.hunks if h.state == "pending"] == [h.index for h in proposal.hunks][1:]

"""Summaries of chapters."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from inkwright.domain.manuscript import Summary
from inkwright.domain.ports import Summaries
from inkwright.store.state import State

ANY = st.text(alphabet=st.characters(codec=None, exclude_categories=()), max_size=40)


async def test_the_last_summary_of_a_chapter_is_the_one(state: State) -> None:
    """It replaces the one before; another chapter's is untouched; deleted it is None, not empty."""
    known: Summaries = state.summaries
    assert await known.summary("1.md") is None
    await state.summaries.put(Summary("1.md", "规则", "d1"))
    model = Summary("1.md", "模型", "d2", "glm", 17.0)
    await state.summaries.put(model)
    await state.summaries.put(replace(model, path="2.md"))
    assert await known.summary("1.md") == model
    assert [found.path for found in await state.summaries.list()] == ["1.md", "2.md"]
    await state.summaries.delete("1.md")
    await state.summaries.delete("nope.md")
    assert await known.summary("1.md") is None
    assert await known.summary("2.md") is not None


async def test_a_summary_follows_its_chapter(state: State) -> None:
    """A moved file takes it along, over what stood under the new name; an unknown one changes nothing."""
    for path in ("old.md", "new.md"):
        await state.summaries.put(Summary(path, path, "d"))
    await state.summaries.rename("old.md", "new.md")
    await state.summaries.rename("nope.md", "new.md")
    (found,) = await state.summaries.list()
    assert (found.path, found.text) == ("new.md", "old.md")
    assert found.made_at > 0


async def test_it_moves_with_the_book(tmp_path: Path) -> None:
    """Where the database goes on in the book's own folder, what was stored is there."""
    (tmp_path / "渡").mkdir()
    state = await State.open(tmp_path / "渡")
    try:
        await state.summaries.put(Summary("1.md", "文", "d"))
        await state.made_cards.put("d", "cards/1.md", "run")
        await state.adopt()
        assert state.database.path == tmp_path / "渡" / ".inkwright" / "inkwright.db"
        assert (await state.summaries.summary("1.md")).text == "文"  # type: ignore[union-attr]
        assert await state.made_cards.find("d") == "cards/1.md"
    finally:
        await state.close()


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(summary=st.builds(Summary, ANY, ANY, st.just("digest"), ANY, st.floats(1, 1e10)))
async def test_any_summary_survives(state: State, summary: Summary) -> None:
    """Any path, any text."""
    await state.summaries.put(summary)
    assert await state.summaries.summary(summary.path) == summary
